"""What a command has finished when Ctrl-C is pressed is shown, or kept for the next time."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from footroom.bench.answers import FABRIC
from footroom.calculators.stability import grid
from footroom.cli import show
from footroom.studies import engines
from footroom.studies.controls import compute
from footroom.studies.sizing import search

AXES = ("traffic.0.flows", [2, 8, 32]), ("topology.rtt", "20us:200us:log6")


class Interrupted:
    """A call that ends in Ctrl-C from the n-th time on."""

    def __init__(self, call: Any, after: int) -> None:
        self._call, self._after, self.made = call, after, 0

    def __call__(self, *given: Any, **more: Any) -> Any:
        if self.made == self._after:
            raise KeyboardInterrupt
        self.made += 1
        return self._call(*given, **more)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTROOM_CACHE_DIR", str(tmp_path / "cache"))


def simulate_until(monkeypatch: pytest.MonkeyPatch, runs: int) -> Interrupted:
    """Press Ctrl-C in the packet engine after so many runs."""
    known = {engine.name: engine for engine in engines.ENGINES}
    stopped = Interrupted(known["packet"].simulate, runs)
    others = (one for one in engines.ENGINES if one.name != "packet")
    monkeypatch.setattr(engines, "ENGINES", (*others, replace(known["packet"], simulate=stopped)))
    return stopped


def test_a_map_tells_its_progress_and_its_rows_do_not_depend_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = grid.stability_map(FABRIC, *AXES, margins=True).to_dict()
    monkeypatch.setattr(grid, "_TOGETHER", 6)
    told: list[float] = []
    parts = grid.stability_map(FABRIC, *AXES, margins=True, on_progress=lambda done, _: told.append(done))
    assert told == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert parts.to_dict() | {"spent_s": 0} == whole | {"spent_s": 0}


def test_an_interrupted_map_shows_its_rows(footroom: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fabric = tmp_path / "fabric.json"
    fabric.write_text(json.dumps(FABRIC))
    monkeypatch.setattr(grid, "_TOGETHER", 6)
    monkeypatch.setattr(grid, "_answers", Interrupted(grid._answers, 2))
    status, shown, said = footroom(
        "stability", fabric, "--map", "traffic.0.flows=2,8,32", "topology.rtt=20us:200us:log6"
    )
    assert status == 130
    assert "4 of 6 rows were finished and are shown" in said
    assert sum("|" in line for line in shown.splitlines()) == 4


def test_an_interrupted_comparison_of_a_change_shows_its_pairs(
    footroom: Any, scenario: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulate_until(monkeypatch, 5)
    words = ("what-if", scenario, "--change", "switch.buffer=100kB", "--replicas", 3, "--workers", 1)
    status, shown, said = footroom(*words)
    assert status == 130
    assert "2 of 3 pairs were finished and are compared" in said
    assert "2 pairs" in shown


def test_an_interrupted_size_shows_the_values_tried(
    footroom: Any, scenario: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulate_until(monkeypatch, 2)
    status, shown, said = footroom(
        "size", scenario, "--require", "utilisation>=0.9", "--engine", "packet", "--workers", 1
    )
    assert status == 130
    assert "2 values were tried" in said
    assert [line.split()[-1] for line in shown.splitlines()[-2:]] == ["no", "yes"]


def test_interrupted_controls_show_the_searches_done(
    footroom: Any, scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compute, "search", Interrupted(search, 1))
    table = tmp_path / "x.csv"
    words = ("--engine", "theory", "--control", "newreno", "--control", "cubic", "--flows", "10,100", "--csv", table)
    status, _, said = footroom("controls", scenario, *words)
    assert status == 130
    assert "1 of 4 searches were finished and are shown" in said
    assert table.read_text().count(",theory,") == 1


def test_interrupted_papers_go_on_from_their_runs(footroom: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("papers", "run", "FB-EBB-LAW", "--tier", "smoke", "--workers", 1)
    stopped = simulate_until(monkeypatch, 1)
    status, _, said = footroom(*words)
    assert status == 130
    assert "finished runs are kept (1)" in said
    stopped._after = 2
    _, _, said = footroom(*words)
    assert "1 runs were finished before" in said
    assert "finished runs are kept (2)" in said


def test_both_halves_of_a_change_are_one_progress(
    footroom: Any, scenario: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []
    monkeypatch.setattr(show.Progress, "__call__", lambda _, fraction, left: told.append(fraction))
    footroom("what-if", scenario, "--change", "switch.buffer=100kB", "--replicas", 2, "--workers", 1)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_the_time_left_is_that_of_all_searches(footroom: Any, scenario: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10_000))
    monkeypatch.setattr(compute, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    told: list[tuple[float, float | None]] = []
    monkeypatch.setattr(show.Progress, "__call__", lambda _, fraction, left: told.append((fraction, left)))
    footroom("controls", scenario, "--engine", "fluid", "--control", "newreno", "--flows", "10,100")
    halfway = [left for fraction, left in told if fraction == 0.5]
    # Every look at the clock is a second later, so as many seconds have passed as steps were told.
    assert halfway[-1] is not None
    assert halfway[-1] >= 1.0
    assert told[-1] == (1.0, 0.0)
