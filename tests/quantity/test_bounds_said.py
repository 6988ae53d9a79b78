"""A bound is said with its unit, as one would type it, wherever a value is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.components.fields import documents, ends, numeric_fields

from footroom.base.errors import InvalidInput
from footroom.base.quantity import DIMENSIONS, PACKETS, parse
from footroom.base.written import bound
from footroom.cli.main import main
from footroom.scenario import Scenario
from footroom_api.app import create_app
from footroom_api.settings import Settings


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (1e-12, "s", "1 ps"),
        (5e-5, "s", "50 µs"),
        (86400.0, "s", "24 h"),
        (5400.0, "s", "5400 s"),
        (1e15, "B", "1000 TB"),
        (64.0, "B", "64 B"),
        (1e16, "bit/s", "10000 Tb/s"),
        (1e-3, "m", "0.001 m"),
        (120e3, "m", "120 km"),
        (0.0, "B", "0 B"),
        (1, "packet", "1 packet"),
        (64, "packet", "64 packets"),
    ],
)
def test_a_bound_is_written_as_one_would_type_it(value: float, unit: str, said: str) -> None:
    assert bound(value, unit) == said


def test_every_bound_of_the_catalogue_is_read_back_as_the_same_number() -> None:
    kinds = {dimension.unit: dimension for dimension in DIMENSIONS}
    seen = set()
    for document in documents().values():
        for _, field in numeric_fields(Scenario.parse(document)):
            extra: Any = field.json_schema_extra
            unit = extra["unit"] if isinstance(extra, dict) else "1"
            if unit in kinds:
                seen |= {(end, unit) for end in ends(field) if abs(end) < float("inf")}
    assert len(seen) > 20
    for end, unit in seen:
        said = bound(end, unit)
        read = PACKETS.parse(said) if unit == "packet" else parse(said, kinds[unit])
        assert read == pytest.approx(end, rel=1e-11), said


@pytest.mark.parametrize(
    ("arguments", "option", "said"),
    [
        (["voq", "--rate", "100G", "--delay", "-1"], "--delay", "at least 1 ps"),
        (["voq", "--rate", "1e20", "--delay", "50ms"], "--rate", "at most 1000 Tb/s"),
        (["headroom", "--speed", "400G", "--cable", "1e12"], "--cable", "at most 120 km"),
        (["ecn", "--speed", "-1"], "--speed", "at least 1 b/s"),
        (["run", "wan-bottleneck", "--set", "topology.rtt=-1"], "topology.rtt", "at least 1 ps"),
        (["run", "wan-bottleneck", "--set", "run.duration=1e30"], "run.duration", "at most 24 h"),
        (["run", "wan-bottleneck", "--set", "run.warmup=1e-15"], "run.warmup", "0, or at least 1 ps"),
        (["run", "wan-bottleneck", "--set", "traffic.0.host.burst=70"], "traffic.0.host.burst", "at most 64 packets"),
        # Fields that may be left empty say theirs too.
        (["run", "wan-bottleneck", "--set", "switch.cell_size=-1"], "switch.cell_size", "at least 1 B"),
    ],
)
def test_the_command_line_says_it(
    arguments: list[str], option: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert f"footroom: {option}: given" in (error := capsys.readouterr().err)
    assert error.rstrip().endswith(f"must be {said}")


def test_python_and_the_api_say_it(tmp_path: Path) -> None:
    scenario = {"topology": {"kind": "dumbbell", "bottleneck": -1}, "traffic": [{"kind": "long_lived"}]}
    with pytest.raises(InvalidInput, match="must be at least 1 b/s"):
        Scenario.parse(scenario)
    settings = Settings(database=str(tmp_path / "x.db"), warm=False, frontend=tmp_path)
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as client:
        for operation, body in (("memory", {"scenario": scenario}), ("voq", {"rate": -1, "delay": 1})):
            errors = client.post(operation, json=body).json()["errors"]
            assert any(error["message"] == "must be at least 1 b/s" for error in errors), errors
