"""Where a bottleneck converges: the queue, notice probability and load at which its flows exactly fill the link.

Every law gives the rate of one flow in equilibrium for a queue, notice probability and load; the higher these, the
lower the rate. One unknown remains: the load while the queue is empty, then the queue, then the loss when it is full.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scipy.optimize import brentq

from footroom.base import deadline
from footroom.base.errors import Infeasible
from footroom.engines.fluid.laws.flows import Group, Pressure, Rest
from footroom.engines.fluid.link import Link, path_of
from footroom.engines.fluid.markings import Marking

_FEW = 1e-15  # probabilities below count as none


@dataclass(frozen=True)
class FixedPoint:
    """queue: packets.  early: probability of the marking.  overflow: share of packets that find the buffer full.
    load: arrivals over capacity, 1 where the link is full.  marking_state: the marking's own state.
    rests: one flow of each group.
    """

    queue: float
    early: float
    overflow: float
    load: float
    marking_state: float
    rests: tuple[Rest, ...]

    @property
    def probability(self) -> float:
        """Of a mark or drop per packet."""
        return self.early + (1.0 - self.early) * self.overflow


class _Balance:
    """Packets per second that enter the queue under a pressure, less the capacity."""

    def __init__(self, link: Link, groups: Sequence[Group], marking: Marking) -> None:
        self.link, self.groups = link, groups
        self.paths = [path_of(link, groups, number, marking) for number in range(len(groups))]

    def rests(self, queue: float, early: float, overflow: float = 0.0, load: float = 1.0) -> tuple[Rest, ...]:
        pressure = Pressure(queue, early + (1.0 - early) * overflow, load, overflow)
        return tuple(g.flows.rest(path, pressure) for g, path in zip(self.groups, self.paths, strict=True))

    def admitted(self, queue: float, early: float, overflow: float = 0.0, load: float = 1.0) -> float:
        """What passes the marking and the full buffer."""
        found = self.link.background * (1.0 - early * self.link.background_drops)
        for group, rest in zip(self.groups, self.rests(queue, early, overflow, load), strict=True):
            found += group.count * rest.rate * (1.0 - early * group.drops)
        return found * (1.0 - overflow)

    def excess(self, queue: float, early: float, overflow: float = 0.0, load: float = 1.0) -> float:
        """Above zero where the flows raise their rates; finite."""
        deadline.check()
        return min(self.admitted(queue, early, overflow, load) / self.link.capacity, 1e30) - load


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(function, low, high, xtol=1e-300, rtol=1e-14, maxiter=300))


def _by_logarithm(function: Callable[[float], float], low: float, high: float) -> float:
    """Root of a function of a probability, to relative accuracy."""
    return math.exp(_root(lambda x: function(math.exp(x)), math.log(low), math.log(high)))


def fixed_point(link: Link, groups: Sequence[Group], marking: Marking) -> FixedPoint:
    """The fixed point. Raises Infeasible, saying why, where there is none."""
    balance = _Balance(link, groups, marking)
    target = marking.target()
    if target is not None:
        return _steered(balance, marking, target)
    if balance.excess(0.0, marking.at_rest(0.0)) <= 0.0:
        return _unsaturated(balance)
    direct = _direct(balance, marking)
    if direct is not None:
        return direct
    top = min(link.buffer, _enough(balance, marking))
    falls = {queue for group, path in zip(groups, balance.paths, strict=True) for queue in group.flows.jumps_at(path)}
    bends = [0.0, *sorted(queue for queue in falls.union(marking.bends_at()) if 0.0 < queue < top), top]
    jumps = falls.union(marking.jumps_at())
    for low, high in pairwise(bends):
        # Just above a jump, where the upper side's probability already holds.
        start = math.nextafter(low, math.inf) if low in jumps else low
        if low in jumps and balance.excess(start, marking.at_rest(start)) < 0.0:
            raise Infeasible(
                f"no fixed point: below {low * link.packet:.0f} B of queue the flows raise their rates, above it "
                "they cut them: the queue oscillates around that threshold"
            )
        if balance.excess(high, marking.at_rest(high)) <= 0.0:
            queue = _root(lambda q: balance.excess(q, marking.at_rest(q)), start, high)
            return _saturated(balance, marking, queue, marking.at_rest(queue))
    if not math.isfinite(link.buffer):
        raise Infeasible("no fixed point: an infinite buffer never drops and nothing else limits the flows")
    return _full(balance, marking)


def _enough(balance: _Balance, marking: Marking) -> float:
    """A queue long enough to limit the flows by itself; infinite where none is."""
    queue = max([balance.link.capacity * max(g.base for g in balance.groups), *marking.bends_at()])
    for _ in range(60):
        if balance.excess(queue, marking.at_rest(queue)) <= 0.0:
            return queue
        queue *= 2.0
    return math.inf if not math.isfinite(balance.link.buffer) else balance.link.buffer


def _direct(balance: _Balance, marking: Marking) -> FixedPoint | None:
    """One group under a ramp, without nested searches: the notice follows from the rate, the queue from the notice."""
    link = balance.link
    if len(balance.groups) != 1 or len(marking.bends_at()) != 2 or balance.groups[0].drops:
        return None
    group, path = balance.groups[0], balance.paths[0]
    rate = (link.capacity - link.background) / group.count
    low, high = marking.bends_at()
    high = min(high, link.buffer)

    def miss(queue: float) -> float | None:
        wanted = group.flows.notice_for(path, rate, queue)
        return None if wanted is None else wanted - marking.at_rest(queue)

    ends = miss(low), miss(high)
    if ends[0] is None or ends[1] is None or ends[0] <= 0.0 or ends[1] >= 0.0:
        return None

    def sure(queue: float) -> float:
        found = miss(queue)
        assert found is not None
        return found

    queue = _root(sure, low, high)
    return _saturated(balance, marking, queue, marking.at_rest(queue))


def _saturated(balance: _Balance, marking: Marking, queue: float, early: float) -> FixedPoint:
    return FixedPoint(queue, early, 0.0, 1.0, marking.state_at_rest(queue, early), balance.rests(queue, early))


def _unsaturated(balance: _Balance) -> FixedPoint:
    """An empty queue and a link that is not full: the laws limit themselves."""
    load = _root(lambda x: balance.excess(0.0, 0.0, 0.0, x), 1e-9, 1.0)
    return FixedPoint(0.0, 0.0, 0.0, load, 0.0, balance.rests(0.0, 0.0, 0.0, load))


def _steered(balance: _Balance, marking: Marking, target: float) -> FixedPoint:
    if target >= balance.link.buffer:
        raise Infeasible("no fixed point: the marking's target lies beyond the buffer")
    probability = _by_logarithm(_bracketed(lambda p: balance.excess(target, p)), _FEW, 1.0 - 1e-9)
    return _saturated(balance, marking, target, probability)


def _full(balance: _Balance, marking: Marking) -> FixedPoint:
    """The buffer stays full and what comes in excess is lost."""
    queue = balance.link.buffer
    early = marking.at_rest(queue)
    overflow = _by_logarithm(_bracketed(lambda p: balance.excess(queue, early, p)), _FEW, 1.0 - 1e-9)
    return FixedPoint(
        queue, early, overflow, 1.0, marking.state_at_rest(queue, early), balance.rests(queue, early, overflow)
    )


def _bracketed(excess: Callable[[float], float]) -> Callable[[float], float]:
    if excess(_FEW) <= 0.0 or excess(1.0 - 1e-9) >= 0.0:
        raise Infeasible(
            "no fixed point: no probability balances the link; the background alone, or the minimum that the flows "
            "send, fills it"
        )
    return excess
