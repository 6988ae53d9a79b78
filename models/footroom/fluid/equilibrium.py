"""Where the Reno fluid comes to rest, and whether it stays there.

The fixed point of the equations in ``reno`` and its exact linearisation (every delayed and direct term kept; the
published plant of Hollot et al. merges two poles and drops the direct queue terms).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from footroom.errors import Infeasible
from footroom.fluid.linear import Matrix, rightmost
from footroom.fluid.link import DropTail, Group, Law, Link, Pi, Red


@dataclass(frozen=True)
class FixedPoint:
    """queue: packets.  probability: of a mark or drop per packet.  windows: packets, one per group."""

    queue: float
    probability: float
    windows: tuple[float, ...]


def steady_window(probability: float, ack_every: float = 1.0, *, refined: bool = False) -> float:
    """Window (packets, at least 1) at which growth and cuts balance: b W^2 p = 2, or 2 (1 - p) when refined."""
    return max(1.0, math.sqrt(2.0 * (1.0 - probability if refined else 1.0) / (ack_every * probability)))


def _arrivals(link: Link, groups: Sequence[Group], queue: float, probability: float, refined: bool) -> float:
    return link.background + sum(
        group.count * steady_window(probability, group.ack_every, refined=refined)
        / (group.base + queue / link.capacity) for group in groups)


def fixed_point(link: Link, groups: Sequence[Group], law: Law, *, refined: bool = False) -> FixedPoint:
    """The rest point with the link saturated. Raises Infeasible if the law has none (RED beyond its ramp chatters)."""
    def windows(probability: float) -> tuple[float, ...]:
        return tuple(steady_window(probability, group.ack_every, refined=refined) for group in groups)

    def solve_probability(queue: float, lossy: float) -> float:
        def excess(log_p: float) -> float:
            p = math.exp(log_p)
            return _arrivals(link, groups, queue, p, refined) * (1.0 - lossy * p) - link.capacity
        low, high = math.log(1e-15), math.log(1.0 - 1e-9)
        if excess(low) <= 0.0 or excess(high) >= 0.0:
            raise Infeasible("no probability balances the link: the background alone, or one packet per flow, fills it")
        return math.exp(brentq(excess, low, high, xtol=1e-14, rtol=1e-14))

    if isinstance(law, DropTail):
        if not math.isfinite(link.buffer):
            raise Infeasible("an infinite drop-tail buffer never drops, so windows grow without end")
        probability = solve_probability(link.buffer, 1.0)
        return FixedPoint(link.buffer, probability, windows(probability))
    if isinstance(law, Pi):
        probability = solve_probability(law.target, 0.0)
        return FixedPoint(law.target, probability, windows(probability))

    slope = law.top / (law.maximum - law.minimum)

    def balance(queue: float) -> float:
        p = slope * (queue - law.minimum)
        return _arrivals(link, groups, queue, p, refined) * (1.0 - float(law.drops) * p) - link.capacity
    low, high = law.minimum + 1e-12 * law.maximum, min(law.maximum, link.buffer)
    if high <= low or balance(high) > 0.0:
        raise Infeasible("RED has no rest point on its ramp: the flows press the queue beyond it")
    queue = float(brentq(balance, low, high, xtol=1e-13, rtol=1e-14))
    return FixedPoint(queue, slope * (queue - law.minimum), windows(slope * (queue - law.minimum)))


@dataclass(frozen=True)
class Linearised:
    """dx/dt = present x(t) + delayed x(t - delay) about a fixed point; state (W, q) or, for PI, (W, q, p)."""

    present: Matrix
    delayed: Matrix
    delay: float

    def rightmost(self) -> complex:
        """Rightmost characteristic root, 1/s; stable when its real part is negative."""
        return rightmost(self.present, [(self.delayed, self.delay)])


def linearise(link: Link, group: Group, law: Red | Pi, point: FixedPoint) -> Linearised:
    """Exact Jacobian of the unrefined model for one group with marking RED (unfiltered, on its ramp) or PI.

    From W' = 1/(bR) - W W_d p_d / (2 R_d) and q' = N W/R + background - C at R = T + q/C.
    """
    window, trip, capacity = point.windows[0], group.base + point.queue / link.capacity, link.capacity
    rate = link.capacity - link.background  # N W / R at rest
    cut = window * window / (2.0 * trip)  # dW'/dp_d, negated
    present = np.zeros((3, 3))
    delayed = np.zeros((3, 3))
    present[0] = -window * point.probability / (2.0 * trip), -1.0 / (group.ack_every * trip**2 * capacity), 0.0
    present[1] = group.count / trip, -rate / (capacity * trip), 0.0
    delayed[0] = present[0, 0], cut * point.probability / (trip * capacity), -cut
    if isinstance(law, Red):
        delayed[0, 1] -= cut * law.top / (law.maximum - law.minimum)
        return Linearised(present[:2, :2], delayed[:2, :2], trip)
    present[2] = law.gain * (present[1] / law.zero + np.array([0.0, 1.0, 0.0]))
    return Linearised(present, delayed, trip)


def published_plant(s: complex, capacity: float, count: float, trip: float) -> complex:
    """From a change of probability to a change of queue, Hollot et al. (INFOCOM 2001), eq. for P(s); sign folded in."""
    poles = (s + 2.0 * count / (trip**2 * capacity)) * (s + 1.0 / trip)
    value: complex = capacity**2 / (2.0 * count) * np.exp(-s * trip) / poles
    return value
