"""From a plan to a result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from footroom.errors import Cancelled
from footroom.packet.memories import Memories
from footroom.packet.metrics import Window
from footroom.packet.series import Series
from footroom.packet.simulation import Simulation
from footroom.packet.timeline import Timeline
from footroom.plan import SECOND, Plan
from footroom.result import Result

#: Longest stretch of computing between two looks at the stop flag [s].
_PATIENCE = 0.1
#: Slices at most. Where others hold the processor or the interpreter, short ones are late too, and ever shorter ones
#: would never end.
_MOST = 20_000


class Recorder(Protocol):
    """Something that looks at the simulation when it is ``due`` [ps]."""

    due: int

    def look(self) -> None: ...


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
    timeline = _timeline(simulation)
    recorders: list[Recorder] = [] if timeline is None else [timeline]
    _advance(simulation, plan.warmup, recorders, stop, progress)
    window = Window(simulation)  # counters start again
    series = _series(simulation)
    memories = _memories(simulation)
    recorders += [memories] if series is None else [series, memories]
    _advance(simulation, plan.duration, recorders, stop, progress)
    metrics = window.metrics()
    simulation.check_conservation()
    return Result("packet", plan.scenario.to_dict(), plan.seed, time.perf_counter() - began, metrics,
                  offered=window.offered, notes=plan.notes, series=None if series is None else series.to_dict(),
                  timeline=None if timeline is None else timeline.to_dict(),
                  flows=window.flows() if plan.scenario.run.keep_flows else None, memories=memories.to_dict())


def _series(simulation: Simulation) -> Series | None:
    window = simulation.plan.scenario.run.series
    return None if window is None else Series(simulation, max(1, round(window * SECOND)))


def _memories(simulation: Simulation) -> Memories:
    step = simulation.plan.scenario.run.memories
    return Memories(simulation, None if step is None else max(1, round(step * SECOND)))


def _timeline(simulation: Simulation) -> Timeline | None:
    span = simulation.plan.scenario.run.timeline
    return None if span is None else Timeline(
        simulation, round(span.start * SECOND), round(span.end * SECOND), max(1, round(span.step * SECOND)))


def _advance(simulation: Simulation, until: int, recorders: Sequence[Recorder], stop: Flag | None,
             progress: Callable[[float], None] | None) -> None:
    """Run to ``until`` in slices, whose length follows the speed; the result does not depend on them."""
    plan = simulation.plan
    step = max(1, plan.duration // 200)
    least = max(1, plan.duration // _MOST)
    told = began = time.perf_counter()
    while simulation.now < until or any(recorder.due <= simulation.now for recorder in recorders):
        if stop is not None and stop.is_set():
            raise Cancelled("stopped")
        due = min((recorder.due for recorder in recorders), default=until)
        before = simulation.now
        simulation.run_until(min(until, before + step, max(due, before)))
        for recorder in recorders:
            if recorder.due <= simulation.now:
                recorder.look()
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
