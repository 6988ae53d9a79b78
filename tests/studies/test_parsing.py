"""A document is parsed where it enters and where another process gets it, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from footroom.scenario import Scenario
from footroom.studies import Study, run

RAW: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "10 Mb/s", "access": "100 Mb/s", "rtt": "10 ms"},
    "switch": {"buffer": "30 kB"},
    "traffic": [{"kind": "long_lived", "flows": 2, "start_jitter": "10 ms"}],
    "run": {"duration": "200 ms", "warmup": "50 ms"},
}
THREE = {"switch.buffer": ["20 kB", "30 kB", "40 kB"]}


class Elsewhere(Executor):
    """Stands for any executor whose workers are not of this process: what it is given must be plain data."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        assert all(isinstance(task["scenario"], dict) for task in args[0])
        future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every document that was parsed."""
    found: list[Any] = []
    parse = Scenario.parse

    def count(raw: Any) -> Scenario:
        found.append(raw)
        return parse(raw)

    monkeypatch.setattr(Scenario, "parse", count)
    return found


def test_a_scenario_alone_is_parsed_once(parsed: list[Any]) -> None:
    study = Study.of(RAW, None, ["packet"], 2)
    assert len(parsed) == 2  # asked for other replicas than the document has: another document
    parsed.clear()
    study = Study.of(RAW, None, ["packet"])
    assert len(parsed) == 1
    parsed.clear()
    Study.of(study.base, None, ["packet"])
    assert parsed == []


def test_a_sweep_is_parsed_once_for_what_it_starts_from_and_once_for_each_point(parsed: list[Any]) -> None:
    Study.of(RAW, THREE, ["packet"])
    assert len(parsed) == 1 + 3


def test_engines_take_the_points_as_they_were_parsed(parsed: list[Any]) -> None:
    study = Study.of(RAW, THREE, ["theory", "fluid", "packet"], 2)
    parsed.clear()
    assert len(run(study, workers=2).points) == 9
    assert parsed == []


def test_another_process_parses_each_run_once(parsed: list[Any]) -> None:
    study = Study.of(RAW, THREE, ["packet"], 2)
    here = run(study, workers=1)
    parsed.clear()
    there = run(study, executor=Elsewhere())
    assert len(parsed) == 3 * 2
    assert [point.result.metrics for point in there.points] == [point.result.metrics for point in here.points]


def test_a_stored_request_is_read_once_more_where_it_is_run(parsed: list[Any]) -> None:
    """Between asking and running lies the database: the server that runs it may be another one."""
    study = Study.of(RAW, THREE, ["packet"])
    parsed.clear()
    assert Study.from_request(study.request).id == study.id
    assert len(parsed) == 1 + 3
