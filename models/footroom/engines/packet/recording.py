"""A simulation with everything that its scenario records, in time slices of any length."""

from __future__ import annotations

from typing import Protocol

from footroom.base.errors import InvalidInput
from footroom.engines.packet.deadlock import Watch
from footroom.engines.packet.fabric import Fabric
from footroom.engines.packet.memories import Memories
from footroom.engines.packet.metrics import Window
from footroom.engines.packet.peaks import Peaks
from footroom.engines.packet.series import Series
from footroom.engines.packet.simulation import Simulation
from footroom.engines.packet.steps import Steps
from footroom.engines.packet.timeline import Timeline
from footroom.engines.packet.watchdog import Watchdogs
from footroom.engines.plan import SECOND, Plan
from footroom.result import Result
from footroom.result.fct import set_up_waits
from footroom.result.steps import mean_fairness


class _Recorder(Protocol):
    """Something that looks at the simulation when it is ``due`` [ps]."""

    @property
    def due(self) -> int: ...

    def look(self) -> None: ...


class Recording:
    """One run: the simulation, the measured window, and series, timeline and memories where they are asked for."""

    def __init__(self, plan: Plan, trace: bool = False) -> None:
        self.plan = plan
        self.simulation = Simulation(plan, trace)
        self._peaks = Peaks(self.simulation)
        self._timeline = _timeline(self.simulation, self._peaks)
        self._watch = Watch(self.simulation)
        self._recorders: list[_Recorder] = [self._watch] if self._timeline is None else [self._timeline, self._watch]
        self._watchdogs = Watchdogs(self.simulation)
        self._recorders.append(self._watchdogs)
        self._window: Window | None = None
        self._series: Series | None = None
        self._memories: Memories | None = None
        self._fabric: Fabric | None = None
        self._steps = Steps(self.simulation)
        self._recorders.append(self._steps)
        if plan.warmup == 0:
            self._open()

    def _open(self) -> None:
        """The warm-up is over."""
        self._window, self._memories = Window(self.simulation), _memories(self.simulation)
        self._series = _series(self.simulation)
        self._recorders += [self._memories] if self._series is None else [self._series, self._memories]
        self._fabric = _fabric(self.simulation, self._peaks)
        if self._fabric is not None:
            self._recorders.append(self._fabric)

    @property
    def due(self) -> int:
        """When something is to be recorded next [ps]."""
        looks = [recorder.due for recorder in self._recorders]
        return min([*looks, self.plan.warmup] if self._window is None else looks, default=2**62)

    @property
    def locked(self) -> bool:
        """Whether the network has deadlocked, something has been measured, and no watchdog is to be observed."""
        measured = self._window is not None and self.simulation.now > self.plan.warmup
        return measured and self._watch.found is not None and not self._watchdogs.watching

    def advance(self, until: int, ends: bool = False) -> bool:
        """Run to ``until`` [ps] and record what is due on the way; the result does not depend on how time is sliced.

        ends: stop when the network has deadlocked, as soon as something has been measured.  True when it stopped
        earlier because a flow ended while ends are awaited.
        """
        while True:
            target = max(self.simulation.now, min(until, self.due))
            if self.simulation.run_until(target):
                return True
            self._look()
            if target >= until or (ends and self.locked):
                return False

    def _look(self) -> None:
        now = self.simulation.now
        for recorder in [recorder for recorder in self._recorders if recorder.due <= now]:
            recorder.look()
        if self._window is None and now >= self.plan.warmup:
            self._open()
            self._look()

    def result(self, wall: float = 0.0) -> Result:
        """What was recorded from the end of the warm-up until now. wall: time it took [s].

        Raises InvalidInput before the end of the warm-up, RuntimeError if packets or bytes went missing (a bug).
        """
        simulation, plan = self.simulation, self.plan
        if self._window is None or self._memories is None or simulation.now <= plan.warmup:
            raise InvalidInput.at("run.warmup", plan.warmup / SECOND, f"nothing measured yet at {simulation.now} ps")
        metrics = self._window.metrics()
        steps = self._steps.rows()
        if steps is not None and (index := mean_fairness(steps)) is not None:
            metrics["fairness"] = index
        completed = self._window.completed()
        span = (simulation.now - plan.warmup) / SECOND
        simulation.check_conservation()
        pauses = self._window.pauses
        notes = (*plan.notes, *set_up_waits(metrics.get("setup_retries", 0.0)))
        notes += () if pauses is None else pauses.refusals()
        deadlock = self._watch.found
        if self._watch.watching:
            metrics |= {"deadlock": float(deadlock is not None)}
        if deadlock is not None:
            early = simulation.now < plan.duration
            notes += (
                deadlock.reason()
                + (
                    f" The run ends there: metrics cover the time up to {simulation.now / SECOND * 1e3:.6g} ms."
                    if early
                    else ""
                ),
            )
        if self._watchdogs.watching:
            metrics |= {"watchdog_alarms": float(len(self._watchdogs.alarms))}
            notes += self._watchdogs.told(deadlock)
        return Result(
            "packet",
            plan.scenario.to_dict(),
            plan.seed,
            wall,
            metrics,
            offered=self._window.offered,
            notes=notes,
            transfers=self._window.transfers(),
            series=None if self._series is None else self._series.to_dict(),
            timeline=None if self._timeline is None else self._timeline.to_dict(),
            steps=steps,
            flows=self._window.flows() if plan.scenario.run.keep_flows else None,
            memories=self._memories.to_dict(),
            fabric=None if self._fabric is None else self._fabric.to_dict(),
            headroom=None if pauses is None else pauses.headroom(),
            completions=completed.by_entry(plan.entry_names(), span) or None,
            completions_by_size=completed.by_size() or None,
            queue_distribution=self._window.queues(),
            priority_groups=None if pauses is None else pauses.rows(),
            deadlock=None if deadlock is None else deadlock.to_dict(),
            watchdog=self._watchdogs.rows(deadlock) if self._watchdogs.watching else None,
        )


def _series(simulation: Simulation) -> Series | None:
    window = simulation.plan.scenario.run.series
    return None if window is None else Series(simulation, max(1, round(window * SECOND)))


def _memories(simulation: Simulation) -> Memories:
    step = simulation.plan.scenario.run.memories
    return Memories(simulation, None if step is None else max(1, round(step * SECOND)))


def _fabric(simulation: Simulation, peaks: Peaks) -> Fabric | None:
    step = simulation.plan.scenario.run.fabric
    return None if step is None else Fabric(simulation, max(1, round(step * SECOND)), peaks)


def _timeline(simulation: Simulation, peaks: Peaks) -> Timeline | None:
    span = simulation.plan.scenario.run.timeline
    return (
        None
        if span is None
        else Timeline(
            simulation, round(span.start * SECOND), round(span.end * SECOND), max(1, round(span.step * SECOND)), peaks
        )
    )
