"""The Python interface: ``import footroom as fr``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import footroom as fr
from footroom.base.version import VERSION


def test_importing_it_loads_nothing_heavy() -> None:
    heavy = {"numba", "numpy", "pydantic", "scipy", "plotly", "pandas"}
    code = f"import sys, footroom; print(sorted({heavy} & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_every_public_name_exists() -> None:
    for name in fr.__all__:
        assert getattr(fr, name) is not None
    assert set(fr.__all__) == set(dir(fr))
    assert fr.__version__ == VERSION
    with pytest.raises(AttributeError):
        _ = fr.nothing


def test_a_scenario_from_anywhere(scenario: Path) -> None:
    from_file = fr.load(scenario)
    assert fr.load(str(scenario)) == from_file == fr.load(json.loads(scenario.read_text())) == fr.load(from_file)
    assert fr.load("wan-bottleneck").name.startswith("WAN")
    with pytest.raises(fr.InvalidInput, match="neither a file nor a preset"):
        fr.load("nothing")
    for nothing in (None, 5):
        with pytest.raises(fr.InvalidInput, match="an object, the path of a file or the id of a preset"):
            fr.load(nothing)  # type: ignore[arg-type]


def test_lists_are_called_lists() -> None:
    with pytest.raises(fr.InvalidInput, match="policies: given 'static'; a list is expected"):
        fr.emulate(policies="static")
    with pytest.raises(fr.InvalidInput, match="needs 1 entries or more"):
        fr.emulate(policies=[])


def test_run_sweep_and_size(footroom: Any, scenario: Path) -> None:
    assert fr.run(scenario, engine="fluid").metrics["queue_mean"] == 50_000
    assert fr.run(scenario, replicas=3).replicas == 3
    swept = fr.sweep(scenario, over={"switch.buffer": "25kB:2.5MB:log3"}, engines=["fluid"], workers=1)
    assert [p.at["switch.buffer"] for p in swept.points] == [25_000, 250_000, 2_500_000]
    assert len(swept.to_frame()) == 3
    assert fr.size(scenario, "utilisation>=0.9").value == pytest.approx(9e4, rel=0.02)
    with pytest.raises(fr.Infeasible):
        fr.size(scenario, ["drop_rate<=1e-12"], engine="fluid")
    static = {**json.loads(scenario.read_text()), "switch": {"buffer": 1e5, "sharing": {"kind": "static"}}}
    with pytest.raises(fr.Unsupported):
        fr.run(static, "fluid")
    with pytest.raises(fr.InvalidInput, match="engines are"):
        fr.run(scenario, engine="magic")
