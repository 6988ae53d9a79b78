"""From a plan to a result."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from footroom.base.errors import Cancelled
from footroom.engines.packet.recording import Recording
from footroom.engines.plan import Plan
from footroom.result import Result

#: Events between two checks of the stop flag: about a twentieth of a second.
LOOK_EVERY = 100_000


class Flag(Protocol):
    """A stop flag, such as threading.Event."""

    def is_set(self) -> bool: ...


def simulate(plan: Plan, *, stop: Flag | None = None, progress: Callable[[float], None] | None = None) -> Result:
    """Run ``plan`` to its end and measure after the warm-up.

    progress is told the fraction of simulated time done. Raises Cancelled soon after ``stop`` is set, RuntimeError if
    packets or bytes went missing (a bug, checked after every run).  A run that deadlocks ends when that is noticed.
    """
    began = time.perf_counter()
    recording = Recording(plan)
    advance(recording, stop, progress)
    return recording.result(time.perf_counter() - began)


def advance(recording: Recording, stop: Flag | None, progress: Callable[[float], None] | None) -> None:
    """Run to the end, and check ``stop`` now and then.

    Checks go by events: a stretch of simulated time may take any time to compute, and an idle one may be followed by a
    busy one.
    """
    plan, simulation = recording.plan, recording.simulation

    # It gets only the time: a function that refers to the simulation, which keeps it, would be a reference cycle, and
    # some hundred megabytes of tables would wait for the garbage collector, which counts objects.
    def look(now: int) -> None:
        if stop is not None and stop.is_set():
            raise Cancelled("stopped")
        if progress is not None:
            progress(now / plan.duration)

    look(simulation.now)
    simulation.pause_between(LOOK_EVERY, look)
    recording.advance(plan.duration, ends=True)
    look(simulation.now)
