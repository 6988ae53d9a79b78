"""A run can be stopped soon, whatever its simulated time, and looking does not change it."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from footroom.base.errors import Cancelled
from footroom.engines.packet.recording import Recording
from footroom.engines.packet.simulate import LOOK_EVERY, advance, simulate
from footroom.engines.packet.simulation import Simulation
from footroom.engines.packet.tables import Tables
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def document(**run: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": "100 Gb/s", "access": "100 Gb/s", "rtt": "100 us"},
        "switch": {"buffer": "1 MB"},
        "traffic": [{"kind": "long_lived", "flows": 2, "start": "10 ms", "start_jitter": "1 ms"}],
        "run": {"duration": "86400 s", "warmup": "1 s", **run},
    }


class After:
    """A flag that is set after so many looks."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


def test_a_day_at_100_gigabits_stops_after_few_events() -> None:
    recording = Recording(build_plan(Scenario.parse(document())))
    with pytest.raises(Cancelled):
        advance(recording, After(3), None)
    assert recording.simulation.events == 3 * LOOK_EVERY
    recording.simulation.check_conservation()


def test_a_run_that_was_stopped_before_it_began_does_nothing() -> None:
    recording = Recording(build_plan(Scenario.parse(document())))
    with pytest.raises(Cancelled):
        advance(recording, After(0), None)
    assert recording.simulation.events == 0


@pytest.mark.parametrize("events", [1, 7, 1000])
def test_the_trace_does_not_depend_on_the_looks(events: int) -> None:
    plan = build_plan(Scenario.parse(document(duration="11.5 ms", warmup="11 ms", series="100 us")))
    whole, looked = Recording(plan, trace=True), Recording(plan, trace=True)
    looks: list[int] = []
    looked.simulation.pause_between(events, lambda _: looks.append(looked.simulation.events))
    for recording in (whole, looked):
        recording.advance(plan.duration)
    assert looks == list(range(events, whole.simulation.events, events))
    assert np.array_equal(whole.simulation.trace(), looked.simulation.trace())
    assert looked.simulation.now == whole.simulation.now == plan.duration
    assert whole.result().to_dict() == looked.result().to_dict()


def test_progress_rises_to_the_end() -> None:
    told: list[float] = []
    simulate(build_plan(Scenario.parse(document(duration="20 ms", warmup="11 ms"))), progress=told.append)
    assert told[0] == 0.0
    assert told[-1] == 1.0
    assert told == sorted(told)
    assert len(told) > 3


def test_tables_are_freed_with_the_answer() -> None:
    """Without the garbage collector, which counts objects and does not see how large tables are."""
    gc.collect()
    gc.disable()
    try:
        simulate(build_plan(Scenario.parse(document(duration="20 ms", warmup="11 ms"))), progress=lambda _: None)
        # By type: ``isinstance`` asks other tests' weak proxies for the class of what is gone, and they raise.
        assert [one for one in gc.get_objects() if issubclass(type(one), (Simulation, Tables))] == []
    finally:
        gc.enable()
