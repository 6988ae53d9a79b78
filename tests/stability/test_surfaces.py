"""The same answers on the command line and over HTTP, and what is refused there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.stability.documents import dcqcn, red, timely

from footroom.calculators.stability.analyse import analyse
from footroom.calculators.stability.published import CURVES
from footroom.cli import main
from footroom.scenario import Scenario
from footroom_api.app import create_app
from footroom_api.settings import Limits, Settings

Answer = tuple[int, str, str]
NO_FLOWS = {**red(1e-4), "traffic": [{"kind": "poisson", "load": 0.5, "sizes": {"kind": "fixed", "size": "10 kB"}}]}


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run ``footroom stability`` on a document; exit status, standard output, standard error."""

    def command(document: dict[str, Any], *arguments: str) -> Answer:
        path = tmp_path / "scenario.json"
        path.write_text(json.dumps(document))
        try:
            status = main(["stability", str(path), *arguments])
        except SystemExit as ended:
            status = int(ended.code or 0)
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return command


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("server")
    settings = Settings(
        database=str(folder / "footroom.db"), warm=False, frontend=folder, workers=1, limits=Limits(estimates=12)
    )
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as found:
        yield found


def test_command_line_prints_the_contract(ask: Any) -> None:
    status, out, err = ask(dcqcn(10, 50e-6), "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert found == analyse(dcqcn(10, 50e-6)).to_dict()
    assert {"fixed_point", "rightmost", "phase_margin_deg", "delay_margin_s", "stable"} <= set(found)
    assert found["critical_delay_s"] == pytest.approx(62.47e-6, rel=1e-3)
    assert not {"trajectory", "nyquist"} & set(found)
    _, out, _ = ask(dcqcn(10, 50e-6), "--json", "--trajectory", "--nyquist")
    assert {"trajectory", "nyquist"} <= set(json.loads(out))


def test_command_line_speaks_to_people(ask: Any) -> None:
    _, out, _ = ask(dcqcn(10, 50e-6))
    for words in (
        "stable\n",
        "phase margin",
        "1.855 deg",
        "critical delay",
        "62.47 µs",
        "two methods agree",
        "published phase margin -6.5844 deg",
    ):
        assert words in out
    _, out, _ = ask(red(4e-4), "--set", "topology.rtt=210ms")
    assert out.startswith("unstable\n")
    assert "peak to peak" in out
    _, out, _ = ask(timely(2, variant="original"))
    assert out.startswith("unstable: original TIMELY has no fixed point")
    assert "margin" not in out.split("note:")[0]


def test_maps_on_the_command_line(ask: Any) -> None:
    axes = ("--map", "traffic.0.flows=4,10,20", "topology.rtt=60us,70us")
    status, out, _ = ask(dcqcn(2, 50e-6), *axes, "--json")
    assert status == 0
    assert json.loads(out)["stable"] == [[True, True, None], [True, False, None]]
    _, out, _ = ask(dcqcn(2, 50e-6), *axes)
    drawn = [line.partition("|")[2] for line in out.splitlines() if "|" in line]
    assert drawn == ["·x ", "·· "]
    assert "2 cells: no fixed point" in out
    _, out, _ = ask(dcqcn(2, 50e-6), *axes, "--margins")
    assert "°" in out


def test_critical_values_on_the_command_line(ask: Any) -> None:
    status, out, _ = ask(dcqcn(10, 50e-6), "--critical", "topology.rtt", "--between", "20us:200us", "--json")
    assert status == 0
    assert json.loads(out)["value"] == pytest.approx(62.47e-6, rel=1e-3)
    _, out, _ = ask(dcqcn(10, 50e-6), "--critical", "topology.rtt")
    assert out == "topology.rtt = 62.47 µs: stable below, unstable above\n"
    status, out, err = ask(dcqcn(10, 50e-6), "--critical", "topology.rtt", "--between", "1us:2us", "--json")
    assert (status, out) == (3, "")
    assert "stable throughout" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--map", "topology.rtt=1us,2us"], "expected 2 arguments"),
        (["--map", "topology.rtt", "x=1"], "--map"),
        (["--map", "topology.rtt=1us,2us", "topology.rtt=1us,2us"], "must differ"),
        (["--map", "topology.rtt=1us", "traffic.0.flows=2", "--critical", "topology.rtt"], "one question at a time"),
        (["--margins"], "needs --map"),
        (["--between", "1us:2us"], "needs --critical"),
        (["--critical", "topology.rtt", "--between", "1us"], "--between"),
        (["--critical", "topology.rttt"], "no such field"),
        (["--critical", "switch.sharing.kind"], "numeric"),
        (["--set", "topology.rtt=5 MB"], "unit of size"),
        (["--frob"], "--frob"),
    ],
)
def test_bad_input_on_the_command_line(ask: Any, arguments: list[str], words: str) -> None:
    status, out, err = ask(dcqcn(10, 50e-6), *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_the_api_answers_the_same(client: TestClient) -> None:
    got = client.post("stability", json={"scenario": dcqcn(10, 50e-6), "trajectory": True, "nyquist": True})
    assert got.status_code == 200, got.text
    assert got.json() == json.loads(json.dumps(analyse(dcqcn(10, 50e-6), trajectory=True, curve=True).to_dict()))
    for document in (dcqcn(64, 4e-6), timely(2, variant="original"), red(4e-4)):
        got = client.post("stability", json={"scenario": document})
        assert got.status_code == 200
        assert got.json() == json.loads(json.dumps(analyse(document).to_dict()))


def test_maps_and_critical_values_over_http(client: TestClient) -> None:
    body = {
        "scenario": dcqcn(2, 50e-6),
        "x": {"path": "traffic.0.flows", "values": [4, 10, 20]},
        "y": {"path": "topology.rtt", "values": "60us:70us:lin2"},
        "margins": True,
    }
    got = client.post("stability/map", json=body)
    assert got.status_code == 200, got.text
    assert got.json()["stable"] == [[True, True, None], [True, False, None]]
    assert got.json()["x"] == {"path": "traffic.0.flows", "values": [4, 10, 20]}
    row = client.post("stability/map", json={**body, "rows": [1, 2]}).json()
    assert (row["first"], row["phase_margin_deg"]) == (1, got.json()["phase_margin_deg"][1:])
    edge = client.post("stability/critical", json={"scenario": dcqcn(10, 50e-6), "path": "topology.rtt"})
    assert edge.json()["value"] == pytest.approx(62.47e-6, rel=1e-3)


def test_published_curves_are_listed_and_can_be_asked(client: TestClient) -> None:
    curves = client.get("stability/published").json()["curves"]
    assert [curve["id"] for curve in curves] == [curve.id for curve in CURVES]
    for curve in curves:
        Scenario.parse(curve["scenario"])
    told = client.post("stability", json={"scenario": curves[1]["scenario"]}).json()["published"]
    assert [entry["id"] for entry in told] == [curves[1]["id"]]


@pytest.mark.parametrize(
    ("path", "change", "kind", "words"),
    [
        ("stability", {"trajectory": "yes"}, "invalid-input", "trajectory"),
        ("stability", {"frob": 1}, "invalid-input", "unknown"),
        ("stability", {"scenario": {}}, "invalid-input", "required"),
        ("stability", {"scenario": None}, "invalid-input", "scenario"),
        ("stability", {"scenario": NO_FLOWS}, "unsupported", "long-lived"),
        ("stability/map", {}, "invalid-input", "required"),
        (
            "stability/map",
            {"x": {"path": "topology.rtt", "values": [1e-5]}, "y": {"path": "name", "values": ["a"]}},
            "invalid-input",
            "numeric",
        ),
        (
            "stability/map",
            {
                "x": {"path": "topology.rtt", "values": "1us:9us:lin9"},
                "y": {"path": "traffic.0.flows", "values": [2, 3]},
            },
            "beyond-limits",
            "18 cells",
        ),
        (
            "stability/map",
            {
                "x": {"path": "topology.rtt", "values": [1e-5]},
                "rows": [3, 1],
                "y": {"path": "traffic.0.flows", "values": [2, 3]},
            },
            "invalid-input",
            "two indices",
        ),
        ("stability/critical", {"path": "topology.rtt", "between": ["1us", "2us"]}, "infeasible", "throughout"),
        ("stability/critical", {"path": "topology.rtt", "between": ["2us", "1us"]}, "invalid-input", "lower value"),
        ("stability/critical", {"path": ""}, "invalid-input", ""),
    ],
)
def test_bad_input_over_http(client: TestClient, path: str, change: dict[str, Any], kind: str, words: str) -> None:
    got = client.post(path, json={"scenario": dcqcn(10, 50e-6), **change})
    assert got.status_code == 422, got.text
    assert got.headers["content-type"] == "application/problem+json"
    assert kind in got.json()["type"]
    assert words in got.text
