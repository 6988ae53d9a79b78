"""One bottleneck with its marking and flows: its fixed point, its response to a perturbation, its course over time."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from footroom.base.errors import Infeasible
from footroom.engines.fluid import equilibrium, jacobian, layout
from footroom.engines.fluid.batch import Floats, Outcome
from footroom.engines.fluid.jacobian import Linearised
from footroom.engines.fluid.laws.flows import Group, Pace, Path
from footroom.engines.fluid.link import Layout, Link, arrange, parameters, path_of, simulate
from footroom.engines.fluid.markings import Marking

#: Steps of a course of one group at most: it answers within some 100 ms.
MOST_STEPS = 400_000
#: How many times the step that resolves a law a step may be, where a course is long.
COARSEST = 4.0
#: Slowest repetitions a course shows when no duration is asked for.
CYCLES = 12.0
#: Its statistics cover so many times the span shown, where steps allow: an unfinished cycle then hardly counts.
BEYOND = 4.0


@dataclass(frozen=True)
class FixedPoint:
    """queue: packets.  probability: of a mark or drop per packet.  states: aligned with ``System.names``.
    values: the same for people, in SI units: queue [B], queue_packets, probability, load, round_trip [s] of the first
    group, rate [bit/s], and what its law adds (window [B], alpha …); with several groups each again as ``0.rate``.
    """

    queue: float
    probability: float
    states: tuple[float, ...]
    values: dict[str, float]
    full: bool
    empty: bool


@dataclass(frozen=True)
class Course:
    """What happens over time, at ``time`` (s): queue (packets), probability, load offered (packets/s), and the rate
    of one flow of each group (packets/s, one row per group). warmup: s after which the statistics hold: mean, least and
    greatest queue (packets), utilisation, loss. Without a duration asked for, they run on beyond what is shown.
    note: what was cut short, if anything.
    """

    time: Floats
    queue: Floats
    probability: Floats
    arrivals: Floats
    rates: Floats
    warmup: float
    mean: float
    least: float
    greatest: float
    utilisation: float
    loss: float
    note: str = ""


@dataclass(frozen=True)
class System:
    """link, groups and marking in packets and seconds; ``labels`` name the groups."""

    link: Link
    groups: tuple[Group, ...]
    marking: Marking
    labels: tuple[str, ...] = ()

    @cached_property
    def where(self) -> Layout:
        """Where the groups' blocks lie."""
        return Layout.of(self.groups)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the state components: queue, marking, then each group's, prefixed by its number."""
        return (
            "queue",
            "marking",
            *(f"{number}.{name}" for number, group in enumerate(self.groups) for name in group.flows.law.states),
        )

    def path(self, number: int) -> Path:
        """The path of group ``number``."""
        return path_of(self.link, self.groups, number, self.marking)

    @property
    def loop_delay(self) -> float:
        """Shortest round trip without queueing, s."""
        return min(group.base for group in self.groups)

    @cached_property
    def _paces(self) -> tuple[Pace, ...]:
        return tuple(group.flows.pace(self.path(number)) for number, group in enumerate(self.groups))

    @property
    def step(self) -> float:
        """Largest step that resolves every law, s."""
        return min(pace.step for pace in self._paces)

    @property
    def coarsest(self) -> float:
        """Largest step of a long course, s: oscillations come out within about a hundredth."""
        return min(COARSEST * self.step, self.loop_delay)

    @property
    def most_steps(self) -> int:
        """Steps that a course may take: what they cost grows with the groups."""
        return 2 * MOST_STEPS // (1 + len(self.groups))

    @property
    def span(self) -> float:
        """How long a course is when no duration is asked for, s: some cycles of the slowest law."""
        return max(CYCLES * max(pace.cycle for pace in self._paces), 100.0 * max(group.base for group in self.groups))

    def fixed_point(self) -> FixedPoint:
        """The fixed point. Raises Infeasible, saying why, where there is none."""
        point = equilibrium.fixed_point(self.link, self.groups, self.marking)
        packet = self.link.packet
        values = {
            "queue": point.queue * packet,
            "queue_packets": point.queue,
            "probability": point.probability,
            "load": point.load,
            "round_trip": self.path(0).round_trip(point.queue),
        }
        for number, rest in enumerate(point.rests):
            law = self.groups[number].flows
            told = {"rate": rest.rate * packet * 8.0, **law.describe(self.path(number), rest.states)}
            if number == 0:
                values.update(told)
            if len(self.groups) > 1:
                values.update({f"{number}.{name}": value for name, value in told.items()})
        states = (point.queue, point.marking_state, *(x for rest in point.rests for x in rest.states))
        full = math.isfinite(self.link.buffer) and point.queue >= self.link.buffer
        return FixedPoint(point.queue, point.probability, states, values, full, point.queue <= 0.0)

    def linearise(self, point: FixedPoint) -> Linearised:
        """The exact linear equations about a fixed point. Raises Infeasible where the buffer is full: the loss there
        is not a smooth function of the queue.
        """
        if point.full:
            raise Infeasible("a full buffer has no linear response: the loss jumps with the arrivals")
        state = np.array([*point.states, *([0.0] * layout.BALANCES)])
        frozen = [] if self.marking.moves() else [layout.MARKING_STATE]
        if point.empty:
            frozen.append(layout.QUEUE)
        for number, group in enumerate(self.groups):
            at = self.where.states[number]
            own = point.states[at : at + len(group.flows.law.states)]
            frozen += [at + component for component in group.flows.held(self.path(number), own)]
        if len(frozen) == len(self.names):
            raise Infeasible("there is no linear response: every flow sends at the lowest or highest rate of its range")
        delays = [
            delay
            for number, group in enumerate(self.groups)
            for delay in group.flows.delays(self.path(number), point.queue)
        ]
        return jacobian.linearise(
            np.array(parameters(self.link, self.groups, self.marking, self.where)),
            state,
            self.names,
            delays,
            looked_up=self.where.looked_up,
            signals=self.where.signals,
            frozen=frozen,
        )

    def halved(self) -> System:
        """The same with every group of more than one flow as two equal halves: its linearisation has the modes in which
        flows differ as well.
        """
        parts = [replace(g, count=g.count / 2.0) for g in self.groups for _ in range(2)]
        return replace(self, groups=tuple(parts), labels=tuple(x for x in self.labels for _ in range(2)))

    def course(
        self,
        *,
        duration: float | None = None,
        points: int = 600,
        start: FixedPoint | None = None,
        push: float = 0.01,
    ) -> Course:
        """Integrate. duration: s, by default some cycles of the slowest law.  points: rows recorded.
        start: begin at this fixed point with the queue pushed by the share ``push``, not at the laws' own start.
        """
        wanted = self.span if duration is None else duration
        step = min(max(self.step, wanted / self.most_steps), self.coarsest)
        note = ""
        if wanted > self.most_steps * step * (1.0 + 1e-9):
            note = f"cut to {self.most_steps * step:.3g} s of {wanted:.3g} s"
            wanted = self.most_steps * step
        first = None
        if start is not None:
            first = np.array([*start.states, *([0.0] * layout.BALANCES)])
            first[layout.QUEUE] *= 1.0 + push
            first[layout.QUEUE] = min(first[layout.QUEUE], self.link.buffer)
        warmup = 0.5 * wanted
        beyond = max(1.0, min(BEYOND, self.most_steps * step / wanted)) if duration is None else 1.0
        batch = arrange(
            [self.link],
            self.groups,
            self.marking,
            step=step,
            duration=beyond * wanted,
            warmup=warmup,
            start=first,
            ceiling=self._ceiling(),
            points=math.ceil(beyond * points),
        )
        return self._course(simulate(batch, threads=1), warmup, points + 1, note)

    def _ceiling(self) -> float | None:
        if math.isfinite(self.link.buffer):
            return None
        return 1e3 * self.link.capacity * max(group.base for group in self.groups)

    def _course(self, outcome: Outcome, warmup: float, shown: int, note: str) -> Course:
        rows = min(shown, int(outcome.rows[0]))
        trace = outcome.trace[0, :rows]
        change = (outcome.closed[0] - outcome.opened[0])[-layout.BALANCES :]
        offered, carried, lost = (float(x) for x in change)
        return Course(
            np.arange(rows, dtype=np.float64) * float(outcome.trace_step[0]),
            trace[:, layout.QUEUE].copy(),
            trace[:, layout.PROBABILITY].copy(),
            trace[:, layout.ARRIVALS].copy(),
            trace[:, layout.RATES : layout.RATES + len(self.groups)].T.copy(),
            warmup,
            float(outcome.mean[0, layout.QUEUE]),
            float(outcome.least[0, layout.QUEUE]),
            float(outcome.greatest[0, layout.QUEUE]),
            min(1.0, carried / (self.link.capacity * float(outcome.window[0]))),
            lost / offered if offered > 0.0 else 0.0,
            note,
        )


__all__ = ["Course", "FixedPoint", "Linearised", "System"]
