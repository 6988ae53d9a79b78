"""Python, command line and API: the same numbers, the same refusals."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.cli import main
from footroom.formulas.headroom.schemes import SCHEMES
from footroom.parts.headroom import REGISTRY
from footroom_api.app import create_app
from footroom_api.settings import Settings

CLI = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("api")
    settings = Settings(database=str(folder / "x.db"), warm=False, frontend=folder / "dist")
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as found:
        yield found


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CLI:
    def command(*arguments: object) -> tuple[int, str, str]:
        try:
            status = main(["headroom", *(str(argument) for argument in arguments)])
        except SystemExit as ended:  # argparse
            status = int(ended.code or 0)
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return command


def options(asked: dict[str, Any]) -> list[str]:
    return [text for name, value in asked.items() for text in (f"--{name.replace('_', '-')}", str(value))]


@pytest.mark.parametrize(
    "asked",
    [
        {"speed": "100G", "cable": "300m", "mtu": "1500 B"},
        {"speed": "100 Gb/s", "delay": "2 us", "mtu": 1500, "scheme": "sih,dsh"},
        {
            "speed": "400G",
            "cable": "50 m",
            "asic": "tomahawk5",
            "watermark": "400 kB",
            "watermark_cable": "5 m",
            "configured": 445_770,
        },
        {"speed": 4e11, "cable": 2000, "asic": "spectrum-3", "scheme": "sonic", "lanes": 8, "over_subscribe_ratio": 2},
        {"speed": "400G", "cable": "120 km", "asic": "tofino2", "macsec_overhead": "32 B", "gearbox_delay": "400 ns"},
        {"speed": "1.6 Tb/s", "cable": "1 m", "cell_size": 420, "inflation": "none", "whole_factor": "true"},
    ],
)
def test_the_three_surfaces_agree_to_the_last_digit(client: TestClient, cli: CLI, asked: dict[str, Any]) -> None:
    python = json.loads(json.dumps(fr.headroom(**asked).to_dict()))
    status, out, err = cli(*options(asked), "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == python
    response = client.post("headroom", json=asked)
    assert response.status_code == 200, response.text
    assert response.json() == python


def test_the_shape_of_the_public_contract(cli: CLI) -> None:
    _, out, _ = cli("--speed", "100G", "--cable", "300m", "--mtu", "1500", "--json")
    found = json.loads(out)["schemes"]
    assert list(found) == list(SCHEMES.names)
    sih = found["sih"]
    assert (sih["headroom"], sih["xon"], sih["xoff"], sih["cells"]) == (44_340, 0, 44_340, 214)
    for scheme in found.values():
        assert scheme["cells"] == -(-scheme["headroom"] // 208)
        assert sum(line["bytes"] for line in scheme["lines"]) == scheme["headroom"]
        assert {"name", "bytes", "source", "formula"} <= scheme["lines"][0].keys()
        assert {"formula", "holds", "departures", "notes"} <= scheme.keys()


def test_the_options_named_in_the_contract_reach_the_formula(cli: CLI) -> None:
    """The SPC3 report of sonic-swss pull request 3235 with every parameter given: 51200 B, and 2 KiB since 2026."""
    _, out, _ = cli(
        "--speed",
        "100G",
        "--cable",
        "40m",
        "--scheme",
        "sonic",
        "--cell-size",
        "144 B",
        "--port-mtu",
        9100,
        "--lossless-mtu",
        1024,
        "--small-packet-percentage",
        50,
        "--gearbox-delay",
        "0 ns",
        "--lanes",
        4,
        "--pipeline-latency",
        "19 KiB",
        "--mac-phy-delay",
        "0.8 KiB",
        "--peer-response-time",
        "3.8 KiB",
        "--over-subscribe-ratio",
        0,
        "--json",
    )
    sonic = json.loads(out)["schemes"]["sonic"]
    assert (sonic["xon"], sonic["xoff"], sonic["size"]) == (19_456, 53_248, 72_704)


BAD = [
    ({"cable": -5}, "cable", "at least 1"),
    ({"cable": "200 km"}, "cable", "at most 120 km"),
    ({"cable": "0.5 m"}, "cable", "at least 1"),
    ({"speed": "100 GB/s"}, "speed", "a rate in bytes per second"),
    ({"speed": "100M"}, "speed", "at least 1 Gb/s"),
    ({"speed": "2T"}, "speed", "at most 1.6 Tb/s"),
    ({"speed": "NaN"}, "speed", "a rate such as"),
    ({"scheme": "magic"}, "scheme", "must be of: sih, dsh, ieee, sonic, vendor"),
    ({"scheme": ""}, "scheme", "must be of"),
    ({"configured": "-1 B"}, "configured", "at least 1"),
    ({"asic": "unobtainium"}, "asic", "no such ASIC"),
    ({"mtu": 0}, "mtu", "at least 64"),
    ({"cell_size": 0}, "cell_size", "at least 32"),
    ({"cell_size": 208.5}, "cell_size", "a whole number of bytes"),
    ({"cell_size": "1 us"}, "cell_size", "a unit of time"),
    ({"small_packet_percentage": 101}, "small_packet_percentage", "at most 100"),
    ({"lanes": 2.5}, "lanes", "whole number"),
    ({"form": "1999"}, "form", "'2026'"),
    ({"watermark": 0}, "watermark", "at least 1"),
    ({"watermark_cable": "3 m"}, "watermark", "required where watermark_cable is given"),
    ({"delay": "2 us"}, "delay", "either a cable or a delay"),
    ({"fixed": "20 kB", "scheme": "vendor"}, "reaction_time", "give both"),
]


@pytest.mark.parametrize(("wrong", "path", "message"), BAD)
def test_bad_input_names_the_field_and_what_is_accepted(
    client: TestClient, cli: CLI, wrong: dict[str, Any], path: str, message: str
) -> None:
    asked = {"speed": "100G", "cable": "300m", **wrong}
    with pytest.raises(InvalidInput) as refusal:
        fr.headroom(**asked)
    assert [problem.path for problem in refusal.value.problems] == [path]
    assert message in refusal.value.problems[0].message
    status, out, err = cli(*[f"--{name.replace('_', '-')}={value}" for name, value in asked.items()], "--json")
    assert (status, out) == (2, "")
    assert f"--{path.replace('_', '-')}: given" in err
    assert message in err
    response = client.post("headroom", json=asked)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert [error["path"].split(".")[0] for error in response.json()["errors"]] == [path]
    assert message in response.json()["errors"][0]["message"]


def test_unknown_keys_and_missing_fields(client: TestClient, cli: CLI) -> None:
    with pytest.raises(InvalidInput, match="lenght: given 5; unknown key; accepted: "):
        fr.headroom(speed="100G", cable="300 m", lenght=5)
    with pytest.raises(InvalidInput, match="cable: given nothing; this field is required"):
        fr.headroom(speed="100G")
    with pytest.raises(InvalidInput, match="speed: given nothing; this field is required"):
        fr.headroom(cable="300 m")
    status, _, err = cli("--speed", "100G", "--lenght", 5)
    assert status == 2
    assert "unrecognized arguments: --lenght" in err
    for body, path in (
        ({"speed": "1G", "cable": 5, "lenght": 5}, "lenght"),
        ({"speed": "1G"}, "cable"),
        ({"cable": 5}, "speed"),
    ):
        errors = client.post("headroom", json=body).json()["errors"]
        assert [error["path"] for error in errors] == [path]


def test_every_fault_is_reported_at_once() -> None:
    with pytest.raises(InvalidInput) as refusal:
        fr.headroom(speed="fast", cable="3 s", mtu=0)
    assert {problem.path for problem in refusal.value.problems} == {"speed", "cable", "mtu"}


def test_the_chip_fills_what_it_determines_and_explicit_values_win() -> None:
    asked: dict[str, Any] = {"speed": "400G", "cable": "40 m", "scheme": "sonic"}

    def origins(**given: Any) -> dict[str, tuple[Any, str]]:
        scheme = fr.headroom(**asked, **given).schemes["sonic"]
        return {one["name"]: (one["value"], one["from"]) for one in scheme["parameters"]}

    plain, chip = origins(), origins(asic="spectrum-6")
    won = origins(asic="spectrum-6", pipeline_latency="20 KiB", cell_size=144)
    assert plain["pipeline_latency"] == (19 * 1024, "default")
    assert chip["pipeline_latency"] == (42 * 1024, "chip")
    assert chip["ports"] == (256, "chip")
    assert won["pipeline_latency"] == (20 * 1024, "given")
    assert fr.headroom(**asked, asic="spectrum-6", cell_size=144).to_dict()["inputs"]["cell_size"] == 144
    assert fr.headroom(**asked, asic="spectrum-6").to_dict()["inputs"]["cell_size"] == 256


def test_without_a_chip_it_says_which_cell_was_assumed() -> None:
    assert any("208 B" in note for note in fr.headroom(speed="1G", cable=5).to_dict()["notes"])
    assert any("not known" in note for note in fr.headroom(speed="1G", cable=5, asic="tofino").to_dict()["notes"])
    assert not any("208" in note for note in fr.headroom(speed="1G", cable=5, cell_size=96).to_dict()["notes"])


def test_what_no_scheme_asked_for_uses_is_told() -> None:
    notes = fr.headroom(speed="1G", cable=5, scheme="sih", lanes=8, alpha=0.5).to_dict()["notes"]
    assert "not used by sih: alpha, lanes" in notes


def test_an_mtu_that_sonic_does_not_take_is_told() -> None:
    asked = {"speed": "100G", "cable": "40 m", "scheme": "sonic"}
    assert any("lossless_mtu" in note for note in fr.headroom(**asked, mtu=4096).schemes["sonic"]["notes"])
    both = fr.headroom(**asked, mtu=4096, lossless_mtu=4096).schemes["sonic"]
    assert not any("lossless_mtu" in note for note in both["notes"])


def test_axis_and_function_keep_apart() -> None:
    """docs/adr/0019: the axis is a package of ``parts``, the calculator a function."""
    assert REGISTRY.axis == "headroom"
    axis: Any = importlib.import_module("footroom.parts.headroom")
    assert axis is not fr.headroom
    assert repr(fr.headroom(speed="100G", cable="300 m", scheme="sih")) == "HeadroomAnswer(sih: 44340 B)"
    assert "headroom" in fr.__all__


def test_the_calculator_loads_no_compiler_and_the_axis_no_calculator() -> None:
    code = (
        "import sys, footroom.parts.headroom; before = 'footroom.calculators.headroom.compute' in sys.modules; "
        "import footroom as fr; fr.headroom(speed='100G', cable='300 m'); "
        "print(before, sorted({'numba', 'numpy', 'scipy'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "False []"


def test_frame_and_figure() -> None:
    answer = fr.headroom(speed="100G", cable="300 m", watermark="60 kB")
    frame = answer.to_frame()
    assert list(frame.columns) == ["scheme", "name", "bytes", "part", "formula", "source"]
    assert dict(frame.groupby("scheme")["bytes"].sum()) == {
        name: scheme["headroom"] for name, scheme in answer.schemes.items()
    }
    figure = answer.figure()
    stacked = {name: sum(bar.y[0] for bar in figure.data if bar.x == (name,)) for name in answer.schemes}
    assert stacked == {name: scheme["headroom"] for name, scheme in answer.schemes.items()}
    assert figure.layout.yaxis.type in (None, "linear")


def test_a_person_reads_lines_that_add_up_and_what_ships(cli: CLI) -> None:
    status, out, _ = cli(
        "--speed", "400G", "--cable", "50m", "--asic", "tomahawk5", "--watermark", "400 kB", "--configured", "445770"
    )
    assert status == 0
    assert "η = 2·(C·D/8 + L_MTU) + 3840 B" in out
    assert "Arista-7060X6-64PE-B-O128" in out
    assert "Watermark of 400000 B" in out
    assert "With 445770 B configured" in out
    assert max(len(line) for line in out.splitlines()) < 400


def test_schemes_and_their_parameters_are_described(client: TestClient) -> None:
    response = client.get("headroom")
    document = response.json()
    assert [scheme["kind"] for scheme in document["schemes"]] == list(SCHEMES.names)
    latency = document["question"]["properties"]["pipeline_latency"]
    assert (latency["unit"], latency["default"], latency["schemes"]) == ("B", 19_456, ["sonic"])
    assert latency["maximum"] == 1e7
    assert client.get("headroom", headers={"if-none-match": response.headers["etag"]}).status_code == 304
