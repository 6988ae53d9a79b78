"""A limit on the time of an answer: who keeps it, what it leaves alone, and what it says."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock

import footroom as fr
from footroom.base import deadline
from footroom.base.deadline import Deadline, within
from footroom.base.errors import Cancelled, NotConverged, TimeLimit
from footroom.calculators.emulator import emulate
from footroom.calculators.stability.critical import critical
from footroom.calculators.stability.grid import stability_map
from footroom.engines.fluid import adapter
from footroom.scenario import Scenario
from footroom.studies import Study, run

SCENARIO: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "20 ms"},
    "switch": {"buffer": "100 kB", "marking": {"kind": "red", "kmin": 1e4, "kmax": 5e4, "pmax": 0.1}},
    "traffic": [{"kind": "long_lived", "flows": 4}],
    "run": {"duration": "5 s", "warmup": "1 s"},
}
AXES = {"traffic.0.flows": [2, 4], "topology.rtt": ["10 ms", "20 ms"]}

WORK: dict[str, Any] = {
    "fluid": lambda: adapter.estimate(Scenario.parse(SCENARIO)),
    "study": lambda: Study.of(SCENARIO, AXES),
    "run": lambda: run(Study.of(SCENARIO, engines="theory"), workers=1),
    "critical": lambda: critical(SCENARIO, "traffic.0.flows", [2, 50]),
    "map": lambda: stability_map(SCENARIO, ("traffic.0.flows", [2, 4]), ("topology.rtt", [0.01, 0.02])),
    "stability": lambda: fr.stability(SCENARIO),
    "ecn": lambda: fr.ecn(speed="1 Gb/s", rtt="1 ms", flows=10, buffer="200 kB"),
    "emulate": lambda: emulate(degree=4, size=6000),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_an_answer_ends_when_its_time_is_over(work: Any) -> None:
    with pytest.raises(TimeLimit) as ended, within(Deadline(0.0)):
        work()
    assert "0 s" in str(ended.value)


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_an_answer_ends_when_nobody_waits(work: Any) -> None:
    limit = Deadline(3600.0)
    limit.drop()
    with pytest.raises(Cancelled), within(limit):
        work()


def test_a_compiled_loop_sees_the_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "flag", lambda: np.ones(1, np.int64))
    # The averaged equations; flows that are followed one by one have a bound of their own.
    marked = {"kind": "long_lived", "flows": 4, "congestion": {"kind": "dctcp"}, "host": {"ecn": True}}
    with pytest.raises(NotConverged, match="wanted it to end"):
        adapter.estimate(Scenario.parse(SCENARIO | {"traffic": [marked]}))


def test_enough_time_changes_nothing() -> None:
    calm = adapter.estimate(Scenario.parse(SCENARIO)).metrics
    with within(Deadline(3600.0)):
        assert adapter.estimate(Scenario.parse(SCENARIO)).metrics == calm


def test_outside_of_a_block_there_is_no_limit() -> None:
    with within(Deadline(0.0)):
        assert deadline.current() is not None
    deadline.check()
    assert deadline.current() is None
    assert np.array_equal(deadline.flag(), [0])


def test_the_clock_raises_the_flag() -> None:
    limit = Deadline(0.0)
    raised = threading.Event()
    with within(limit):
        for _ in range(1000):
            if limit.flag[0]:
                raised.set()
                break
            raised.wait(0.01)
    assert raised.is_set()


def test_a_stopped_clock_does_not_end_an_answer() -> None:
    limit = Deadline(-3600.0)
    limit.pause()
    limit.pause()
    limit.check()
    limit.resume()
    limit.check()
    limit.resume()
    with pytest.raises(TimeLimit):
        limit.check()


def test_the_clock_stops_while_something_is_compiled() -> None:
    told: list[str] = []

    class Told(Deadline):
        def pause(self) -> None:
            told.append("pause")
            super().pause()

        def resume(self) -> None:
            told.append("resume")
            super().resume()

    with within(Told(3600.0)):
        with global_compiler_lock:
            assert told == ["pause"]
        assert told == ["pause", "resume"]
    with global_compiler_lock:
        assert len(told) == 2
