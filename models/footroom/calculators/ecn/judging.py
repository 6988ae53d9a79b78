"""What a set of thresholds does to the queue: in equilibrium, after a small perturbation, and over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from footroom.base.errors import Infeasible, NotConverged
from footroom.calculators.stability.judgement import judge
from footroom.calculators.stability.loop import Loop
from footroom.calculators.stability.margins import margins
from footroom.engines.fluid import layout
from footroom.engines.fluid.jacobian import Linearised
from footroom.engines.fluid.link import arrange, flow, simulate
from footroom.engines.fluid.markings import Marking, Red, Step
from footroom.engines.fluid.roots import stable_many
from footroom.engines.fluid.system import CYCLES, System

#: Most steps of one integration: judging all thresholds of a figure takes some 100 ms.
MOST_STEPS = 60_000


@dataclass(frozen=True)
class Thresholds:
    """kmin, kmax: bytes.  pmax: probability at kmax.  A step has kmin = kmax and pmax = 1."""

    kmin: float
    kmax: float
    pmax: float

    def marking(self, packet: float) -> Marking:
        """The marking with packets of ``packet`` bytes."""
        if self.kmin >= self.kmax:
            return Step(self.kmax / packet)
        return Red(self.kmin / packet, self.kmax / packet, self.pmax)


@dataclass(frozen=True)
class AtRest:
    """queue: bytes in equilibrium.  stable: whether a small perturbation dies out.  linear: the equations about it."""

    thresholds: Thresholds
    queue: float
    probability: float
    stable: bool
    linear: Linearised

    def phase_margin(self) -> float | None:
        """Phase margin [degrees], confirmed by both methods; None where no phase margin describes the loop."""
        try:
            judged = judge(self.linear)
        except NotConverged:
            return None
        if judged.margins is None:
            # A loop whose gain never falls below 1 tolerates any lag.
            return 90.0 if judged.stable else None
        return judged.margins.phase

    def likely_margin(self) -> float:
        """The same from the loop gain alone, a few times faster: accurate enough to select by, not to report."""
        found = margins(Loop.of(self.linear), stable=True)
        return 90.0 if found is None else found.phase


@dataclass(frozen=True)
class OverTime:
    """From a cold start, after it has settled: utilisation and loss (shares), queue (bytes)."""

    utilisation: float
    loss: float
    queue_mean: float
    queue_least: float
    queue_greatest: float


def at_rest(system: System, thresholds: Sequence[Thresholds]) -> list[AtRest | str]:
    """Each one's fixed point, or why there is none."""
    found: list[AtRest | str] = []
    places: list[int] = []
    for one in thresholds:
        own = replace(system, marking=one.marking(system.link.packet))
        try:
            point = own.fixed_point()
            linear = own.linearise(point)
        except Infeasible as error:
            found.append(str(error))
            continue
        places.append(len(found))
        found.append(AtRest(one, point.values["queue"], point.probability, False, linear))
    shapes: dict[tuple[int, int], list[int]] = {}
    for place in places:
        linear = _rest(found[place]).linear
        shapes.setdefault((len(linear.names), len(linear.delayed)), []).append(place)
    for members in shapes.values():
        judged = stable_many([_rest(found[place]).linear for place in members])
        for place, stable in zip(members, judged, strict=True):
            found[place] = replace(_rest(found[place]), stable=bool(stable))
    return found


def _rest(found: AtRest | str) -> AtRest:
    assert isinstance(found, AtRest)
    return found


def over_time(system: System, thresholds: Sequence[Thresholds]) -> list[OverTime]:
    """Integrate each one; thresholds of one kind run as one batch."""
    packet = system.link.packet
    paces = [group.flows.pace(system.path(i)) for i, group in enumerate(system.groups)]
    step = min(pace.step for pace in paces)
    wanted = max(CYCLES * max(pace.cycle for pace in paces), 200.0 * max(group.base for group in system.groups))
    duration = min(wanted, MOST_STEPS * step)
    found: list[OverTime | None] = [None] * len(thresholds)
    kinds: dict[type[Marking], list[int]] = {}
    for i, one in enumerate(thresholds):
        kinds.setdefault(type(one.marking(packet)), []).append(i)
    for members in kinds.values():
        batch = arrange(
            [system.link] * len(members),
            system.groups,
            [thresholds[i].marking(packet) for i in members],
            step=step,
            duration=duration,
            warmup=0.5 * duration,
        )
        outcome = simulate(batch)
        for lane, i in enumerate(members):
            balance = flow(outcome, lane, system.link.capacity)
            queue = [
                float(values[lane, layout.QUEUE]) * packet for values in (outcome.mean, outcome.least, outcome.greatest)
            ]
            found[i] = OverTime(min(1.0, balance.utilisation), max(0.0, balance.loss), *queue)
    return [one for one in found if one is not None]


def answers_to_marks(system: System) -> bool:
    """Whether any of the flows slows down when it is marked more."""
    from footroom.engines.fluid.laws import Pressure

    for i, group in enumerate(system.groups):
        path = system.path(i)
        try:
            few, many = (group.flows.rest(path, Pressure(0.1 * path.capacity * path.base, p)).rate for p in (1e-3, 0.1))
        except Infeasible:
            continue
        if not np.isclose(few, many, rtol=1e-6):
            return True
    return False
