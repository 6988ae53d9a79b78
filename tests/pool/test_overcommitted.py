"""Nexthop's NH-4210 as it shipped (sonic-buildimage #28657), asked in every way that a user might."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import footroom
from footroom.base.errors import Infeasible, InvalidInput
from footroom.calculators.export.sonic.importing import import_sonic
from footroom.cli import main
from footroom.parts.asics import ASICS, asic_named, asic_of_platform
from footroom.parts.asics.platforms import _platforms
from footroom_api.app import create_app
from footroom_api.settings import Settings

fr: Any = footroom
SIZE, XOFF, MEMORY, CELL = 258_035_400, 81_553_920, 636_183 * 420, 420
#: What #28657 takes apart: the headroom had been added to the size, from which the chip leaves it out.
CORRECTED = 176_481_480
SONIC = {
    "ingress_lossless_pool": {"size": str(SIZE), "type": "ingress", "mode": "dynamic", "xoff": str(XOFF)},
    "egress_lossless_pool": {"size": str(SIZE), "type": "egress", "mode": "static"},
}
NAMED = [{"name": "ingress_lossless_pool", "size": SIZE, "xoff": XOFF}]
ASKED: list[dict[str, Any]] = [
    {"asic": "tomahawk6", "pools": f"ingress_lossless_pool={SIZE}+{XOFF}"},
    {"asic": "tomahawk6", "pools": "ingress_lossless_pool=614370 cells+194176 cells"},
    {"asic": "Tomahawk 6", "pools": NAMED},
    {"asic": "tomahawk6", "pools": SONIC},
    {"buffer": MEMORY, "cell_size": CELL, "pools": SONIC},
    {"buffer": "636183 cells", "cell_size": "420 B", "pools": "ingress_lossless_pool=614370cells+194176cells"},
    {
        "buffer": "267196860 B",
        "cell_size": CELL,
        "pools": [{"name": "ingress_lossless_pool", "size": "258.0354 MB", "xoff": "81553920 B"}],
    },
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("overcommitted")
    with TestClient(
        create_app(Settings(database=str(folder / "x.db"), warm=False, frontend=folder)),
        base_url="http://localhost/api/v1",
    ) as made:
        yield made


@pytest.mark.parametrize("asked", ASKED)
def test_it_is_refused_with_its_cells_and_what_would_fit(
    client: TestClient, asked: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Infeasible, match="808546 of 636183 cells: 172363 cells") as refusal:
        fr.pool(**asked)
    assert {problem.path: problem.message.split(" (")[1].split(" cells")[0] for problem in refusal.value.problems} == {
        "pools.0.size": "442007",
        "pools.0.xoff": "21813",
    }
    answered = client.post("pool", json=asked)
    assert (answered.status_code, answered.json()["type"]) == (422, "urn:footroom:problem:infeasible")
    assert "808546 of 636183 cells" in answered.text
    if isinstance(asked["pools"], str):
        options = [text for name, value in asked.items() for text in (f"--{name.replace('_', '-')}", str(value))]
        assert main(["pool", *options]) == 3
        assert "808546 of 636183 cells" in capsys.readouterr().err


@pytest.mark.parametrize("asked", ASKED)
def test_the_corrected_configuration_is_accepted(client: TestClient, asked: dict[str, Any]) -> None:
    text = json.dumps(asked)
    for wrong, right in ((str(SIZE), str(CORRECTED)), ("258.0354 MB", f"{CORRECTED} B"), ("614370", "420194")):
        text = text.replace(wrong, right)
    corrected = json.loads(text)
    check = fr.pool(**corrected).to_dict()["pools"]
    assert (check["cells"], check["free_cells"], check["feasible"]) == (614_370, 636_183 - 614_370, True)
    assert client.post("pool", json=corrected).status_code == 200


@pytest.mark.parametrize(
    "tables",
    [
        {"BUFFER_POOL": SONIC, "DEVICE_METADATA": {"localhost": {"platform": "x86_64-nexthop_4210-r0021"}}},
        {"BUFFER_POOL": SONIC},
    ],
)
@pytest.mark.parametrize("verb", [["pool"], ["import", "sonic"]])
def test_from_the_files_of_the_switch(
    tables: dict[str, Any], verb: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The chip is that of the platform where the configuration names one, else it has to be said."""
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(tables))
    chip = [] if "DEVICE_METADATA" in tables else ["--asic", "tomahawk6"]
    assert main([*verb, str(path), *chip]) == 3
    shown = capsys.readouterr()
    assert "808546" in shown.err
    assert "636183 cells" in shown.err
    assert "442007 cells" in shown.out
    path.write_text(json.dumps(tables).replace(str(SIZE), str(CORRECTED)))
    assert main([*verb, str(path), *chip]) == 0
    assert "21813" in capsys.readouterr().out or verb[0] == "import"


def test_a_configuration_of_an_unknown_switch_is_not_passed_over_in_silence() -> None:
    report = import_sonic({"BUFFER_POOL": SONIC})
    assert report.feasible is None
    assert [(finding.severity, finding.code) for finding in report.findings if finding.code.startswith("chip")] == [
        ("note", "chip-unknown")
    ]
    named = import_sonic(
        {"BUFFER_POOL": SONIC, "DEVICE_METADATA": {"localhost": {"platform": "x86_64-nexthop_4210-r0021"}}}
    )
    assert ("chip-by-platform", "checked against tomahawk6") in [(one.code, one.message) for one in named.findings]
    assert named.feasible is False
    given = import_sonic({"BUFFER_POOL": SONIC}, buffer=2 * MEMORY, cell_size=CELL)
    assert given.feasible is True
    assert not any(finding.code.startswith("chip") for finding in given.findings)


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({"buffer": "1 MB", "pools": "ingress_pool=10 cells"}, "pools.0.size"),
        ({"asic": "tofino", "pools": "ingress_pool=1 MB+10 cells"}, "pools.0.xoff"),
        ({"buffer": "7 cells"}, "buffer"),
        ({"buffer": "1 MB", "cell_size": "3 cells", "ports": "1x100G"}, "cell_size"),
        ({"asic": "tomahawk6", "pools": "ingress_pool=1.5 cells"}, "pools.0.size"),
    ],
)
def test_cells_that_are_not_known_or_not_whole_are_refused(asked: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        fr.pool(**asked)
    assert [problem.path for problem in refusal.value.problems] == [path]


def test_every_platform_has_a_chip_of_the_catalogue() -> None:
    assert len(_platforms()) >= 73
    assert set(_platforms().values()) <= {asic.id for asic in ASICS}
    assert asic_of_platform("x86_64-mlnx_msn2700-r0") == asic_named("spectrum")
    assert asic_of_platform("x86_64-mlnx_msn2700-r1") is None
