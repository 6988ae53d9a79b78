"""From a plan to a result."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from footroom.errors import Cancelled
from footroom.packet.recording import Recording
from footroom.plan import Plan
from footroom.result import Result

#: Longest stretch of computing between two looks at the stop flag [s].
_PATIENCE = 0.1
#: Slices at most. Where others hold the processor or the interpreter, short ones are late too, and ever shorter ones
#: would never end.
_MOST = 20_000


class Flag(Protocol):
    """Something that can be asked whether to stop, such as threading.Event."""

    def is_set(self) -> bool: ...


def simulate(plan: Plan, *, stop: Flag | None = None, progress: Callable[[float], None] | None = None) -> Result:
    """Run ``plan`` to its end and measure after the warm-up.

    progress is told the fraction of simulated time done. Raises Cancelled soon after ``stop`` is set, RuntimeError if
    packets or bytes went missing (a bug, checked after every run).
    """
    began = time.perf_counter()
    recording = Recording(plan)
    _advance(recording, stop, progress)
    return recording.result(time.perf_counter() - began)


def _advance(recording: Recording, stop: Flag | None, progress: Callable[[float], None] | None) -> None:
    """Run to the end in slices, whose length follows the speed; the result does not depend on them."""
    plan, simulation = recording.plan, recording.simulation
    step = max(1, plan.duration // 200)
    least = max(1, plan.duration // _MOST)
    told = began = time.perf_counter()
    while simulation.now < plan.duration or recording.due <= simulation.now:
        if stop is not None and stop.is_set():
            raise Cancelled("stopped")
        recording.advance(min(plan.duration, simulation.now + step))
        now = time.perf_counter()
        spent, began = now - began, now
        if progress is not None and now - told > _PATIENCE / 4:
            progress(simulation.now / plan.duration)
            told = now
        if spent < _PATIENCE / 4:
            step *= 2
        elif spent > _PATIENCE:
            step = max(least, step // 2)
    if progress is not None:
        progress(simulation.now / plan.duration)
