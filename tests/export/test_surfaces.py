"""The command line, the API and Python give the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import footroom as fr
from footroom.calculators.export.targets import TARGETS
from footroom.cli import main
from footroom.scenario import Scenario

OPTIONS: dict[str, Any] = {"asic": "tomahawk", "lossless": "3,4", "over_subscribe_ratio": 2, "cable": "40 m"}
ARGUMENTS = [part for name, value in OPTIONS.items() for part in (f"--{name.replace('_', '-')}", str(value))]


@pytest.mark.parametrize("target", [target.name for target in TARGETS])
def test_all_surfaces_export_the_same(
    target: str, rack: dict[str, Any], tmp_path: Path, client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rack.json"
    path.write_text(json.dumps(rack))
    python = fr.export(target, path, **OPTIONS)
    assert main(["export", target, str(path), *ARGUMENTS, "--json", "--out", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    answer = client.post(f"export/{target}", json={"scenario": rack, **OPTIONS})
    assert answer.status_code == 200, answer.text
    assert json.loads(printed) == answer.json() == python.to_dict()
    for name in python.files:
        assert (tmp_path / "out" / name).read_text() == python.text(name)
    assert python.to_dict() == fr.export(target, fr.load(rack), **OPTIONS).to_dict()


def test_all_surfaces_import_the_same(tmp_path: Path, client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    made = fr.export("sonic", ports="8x100G@40m", asic="tomahawk", kmin="100 kB", kmax="400 kB")
    config, lookup = made.write(tmp_path)[:2]
    python = fr.import_sonic([config, lookup], asic="tomahawk").to_dict()
    assert main(["import", "sonic", str(config), str(lookup), "--asic", "tomahawk", "--json"]) == 0
    answer = client.post(
        "import/sonic",
        json={"config_db": made.data("config_db.json"), "asic": "tomahawk", "pg_profile_lookup": lookup.read_text()},
    )
    assert answer.status_code == 200, answer.text
    assert json.loads(capsys.readouterr().out) == answer.json() == python
    assert Scenario.parse(answer.json()["scenario"]).topology.switch_roles() == {"switch": ""}


def test_an_import_without_lossless_groups_says_why_it_has_no_scenario(client: TestClient) -> None:
    config = fr.export("sonic", ports="8x100G@40m", asic="tomahawk").data("config_db.json")
    del config["BUFFER_PG"]
    answer = client.post("import/sonic", json={"config_db": config}).json()
    assert answer["scenario"] is None
    assert "nothing lossless to simulate" in answer["scenario_notes"][0]


def test_a_person_sees_the_first_file_and_the_notes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "sonic", "--ports", "2x100G@40m", "--asic", "tomahawk", "--alpha-lossless", "0.1"]) == 0
    shown = capsys.readouterr()
    assert "BUFFER_POOL" in json.loads(shown.out)
    assert "11.1 % of the pool instead of 9.1 %" in shown.err
    assert "--out DIR" in shown.err


def test_a_person_sees_what_was_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "sonic", "--ports", "2x100G@40m", "--asic", "tomahawk", "--out", str(tmp_path / "x")]) == 0
    names = [Path(line).name for line in capsys.readouterr().out.splitlines()]
    assert names == ["config_db.json", "pg_profile_lookup.ini", "assumptions.json"]
    assert main(["import", "sonic", *(str(tmp_path / "x" / name) for name in names[:2]), "--asic", "tomahawk"]) == 0
    shown = capsys.readouterr().out
    assert "ingress_lossless_pool" in shown
    assert "footroom" in shown


def test_overcommitted_is_status_three_and_a_problem_document(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ports = "64x400G@300m"
    assert main(["export", "sonic", "--ports", ports, "--asic", "tomahawk", "--json"]) == 3
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "at most" in shown.err
    answer = client.post("export/sonic", json={"ports": ports, "asic": "tomahawk"})
    assert answer.status_code == 422
    assert answer.json()["type"] == "urn:footroom:problem:infeasible"
    path = tmp_path / "config_db.json"
    path.write_text(
        json.dumps(
            {"BUFFER_POOL": {"ingress_lossless_pool": {"size": "20000000", "type": "ingress", "mode": "dynamic"}}}
        )
    )
    assert main(["import", "sonic", str(path), "--asic", "tomahawk", "--json"]) == 3
    shown = capsys.readouterr()
    assert json.loads(shown.out)["feasible"] is False
    assert "cannot be reached" in shown.err


def test_the_targets_and_their_options_are_described(client: TestClient) -> None:
    found = client.get("export").json()
    assert [target["name"] for target in found["targets"]] == ["sonic", "nxos", "eos", "junos"]
    assert found["export_options"]["properties"]["kmin"]["unit"] == "B"
    assert "vendor" in found["schemes"]


@pytest.mark.parametrize(
    ("body", "status", "path"),
    [
        ({"ports": "2x100G@40m", "asic": "tomahawk", "colour": 1}, 422, "colour"),
        ({"scenario": {"topology": {"kind": "star"}}}, 422, "topology.hosts"),
        ({"scenario": []}, 422, "scenario"),
        ({}, 422, "ports"),
    ],
)
def test_a_bad_body_is_named_by_its_path(client: TestClient, body: dict[str, Any], status: int, path: str) -> None:
    answer = client.post("export/sonic", json=body)
    assert answer.status_code == status
    assert path in [problem["path"] for problem in answer.json()["errors"]]


@pytest.mark.parametrize("body", [{}, {"config_db": 5}, {"config_db": {}, "x": 1}])
def test_a_bad_import_is_refused(client: TestClient, body: dict[str, Any]) -> None:
    assert client.post("import/sonic", json=body).status_code == 422
