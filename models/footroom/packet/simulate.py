"""From a plan to a result."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from footroom.errors import Cancelled
from footroom.packet.metrics import Window
from footroom.packet.simulation import Simulation
from footroom.plan import Plan
from footroom.result import Result

#: Longest stretch of computing between two looks at the stop flag [s].
_PATIENCE = 0.1


class Flag(Protocol):
    """Something that can be asked whether to stop, such as threading.Event."""

    def is_set(self) -> bool: ...


def simulate(plan: Plan, *, stop: Flag | None = None, progress: Callable[[float], None] | None = None) -> Result:
    """Run ``plan`` to its end and measure after the warm-up.

    progress is told the fraction of simulated time done. Raises Cancelled soon after ``stop`` is set, RuntimeError if
    packets or bytes went missing (a bug, checked after every run).
    """
    began = time.perf_counter()
    simulation = Simulation(plan)
    _advance(simulation, plan.warmup, plan, stop, progress)
    window = Window(simulation)
    _advance(simulation, plan.duration, plan, stop, progress)
    metrics = window.metrics()
    simulation.check_conservation()
    return Result("packet", plan.scenario.to_dict(), plan.seed, time.perf_counter() - began, metrics,
                  offered=window.offered, notes=plan.notes)


def _advance(simulation: Simulation, until: int, plan: Plan, stop: Flag | None,
             progress: Callable[[float], None] | None) -> None:
    """Run to ``until`` in slices, whose length follows the speed; the result does not depend on them."""
    step = max(1, plan.duration // 200)
    while simulation.now < until:
        if stop is not None and stop.is_set():
            raise Cancelled("stopped")
        began = time.perf_counter()
        simulation.run_until(min(until, simulation.now + step))
        spent = time.perf_counter() - began
        if progress is not None:
            progress(simulation.now / plan.duration)
        if spent < _PATIENCE / 4:
            step *= 2
        elif spent > _PATIENCE:
            step = max(1, step // 2)
