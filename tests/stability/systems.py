"""Congestion controls written from their papers in plain NumPy, and their exact linearisation by complex steps.

They know nothing of the compiled laws. ``x`` is the present, ``d`` what the equations see of the past; a fixed point is
found by a root search of one scalar equation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class System:
    """A linear delay equation in the shape that ``footroom.calculators.stability`` takes."""

    names: tuple[str, ...]
    present: Array
    delayed: tuple[tuple[Array, float], ...]


def linearised(
    names: Sequence[str],
    slope: Callable[..., Sequence[Any]],
    point: Sequence[float],
    delays: Sequence[float],
    check: float = 1e-9,
) -> System:
    """Jacobians of ``slope(x, d_1, .., d_k)`` at a fixed point; derivatives by complex steps, exact to rounding."""
    at = np.array(point, complex)
    size = len(at)
    rest = np.array(slope(at, *[at] * len(delays)))
    unit = np.abs(at) + (np.abs(at) == 0.0)
    parts = []
    for which in range(len(delays) + 1):
        columns = []
        for i in range(size):
            seen = [at.copy() for _ in range(len(delays) + 1)]
            tiny = 1e-30 * unit[i].real
            seen[which][i] += 1j * tiny
            columns.append(np.array(slope(*seen)).imag / tiny)
        parts.append(np.array(columns).T)
    speed = sum(np.abs(part) for part in parts) @ unit.real
    assert np.all(np.abs(rest) <= check * speed), "the fixed point is none"
    return System(tuple(names), parts[0], tuple(zip(parts[1:], delays, strict=True)))


# DCQCN: Zhu et al., SIGCOMM 2015, equations 5 to 9. Packets of 1000 B, so that 40 Gb/s are 5e6 packets/s.


@dataclass(frozen=True)
class Dcqcn:
    """Parameters in packets and seconds; defaults of the paper at 40 Gb/s."""

    flows: float = 10
    delay: float = 50e-6
    capacity: float = 5e6
    increase: float = 5e3
    interval: float = 50e-6
    alpha_timer: float = 55e-6
    timer: float = 55e-6
    counter: float = 1e4
    stages: float = 5
    gain: float = 1 / 256
    kmin: float = 5.0
    kmax: float = 200.0
    pmax: float = 0.01

    def rates(self, p: Any, rate: Any) -> tuple[Any, ...]:
        """a, b + d and c + e at marking probability ``p`` and delayed rate ``rate``."""
        log = -np.log1p(-p)
        a = -np.expm1(-self.interval * rate * log)
        b = p / np.expm1(np.minimum(self.counter * log, 700.0))
        d = p / np.expm1(self.timer * rate * log)
        return (
            a,
            b + d,
            b * np.exp(-self.stages * self.counter * log) + d * np.exp(-self.stages * self.timer * rate * log),
        )

    @property
    def probability(self) -> float:
        """Marking probability in equilibrium."""
        rate = self.capacity / self.flows

        def excess(log_p: float) -> float:
            p = math.exp(log_p)
            a, early, late = self.rates(p, rate)
            alpha = -math.expm1(self.alpha_timer * rate * math.log1p(-p))
            return float(np.log(a**2 * alpha / (early * late)) - np.log(self.interval**2 * self.increase * rate))

        return math.exp(brentq(excess, math.log(1e-7), math.log(0.5), xtol=1e-15, rtol=1e-14))

    @property
    def queue(self) -> float:
        """Packets in equilibrium, on the ramp continued beyond kmax."""
        return self.kmin + self.probability * (self.kmax - self.kmin) / self.pmax

    def slope(self, x: Array, d: Array) -> list[Any]:
        """Of queue, alpha, target rate and rate."""
        _, alpha, target, rate = x
        p = (d[0] - self.kmin) / (self.kmax - self.kmin) * self.pmax
        a, early, late = self.rates(p, d[3])
        expected = -np.expm1(self.alpha_timer * d[3] * np.log1p(-p))
        return [
            self.flows * rate - self.capacity,
            self.gain / self.alpha_timer * (expected - alpha),
            -(target - rate) / self.interval * a + self.increase * d[3] * late,
            -rate * alpha / (2.0 * self.interval) * a + (target - rate) / 2.0 * d[3] * early,
        ]

    def at_rest(self) -> list[float]:
        """The fixed point."""
        p, rate = self.probability, self.capacity / self.flows
        a, early, _ = self.rates(p, rate)
        alpha = -math.expm1(self.alpha_timer * rate * math.log1p(-p))
        return [self.queue, alpha, rate + float(a) * alpha / (self.interval * float(early)), rate]

    def system(self) -> System:
        """About the fixed point."""
        return linearised(("queue", "alpha", "rate_target", "rate"), self.slope, self.at_rest(), [self.delay])


# Reno under RED without averaging: Misra, Gong, Towsley, SIGCOMM 2000.


@dataclass(frozen=True)
class Reno:
    """p = steepness q; defaults of Hollot et al., INFOCOM 2001."""

    steepness: float
    flows: float = 60
    capacity: float = 3750.0
    base: float = 0.2

    def at_rest(self) -> list[float]:
        """Queue and window."""

        def excess(queue: float) -> float:
            return (
                self.flows * math.sqrt(2.0 / (self.steepness * queue)) / (self.base + queue / self.capacity)
                - self.capacity
            )

        queue = brentq(excess, 1e-9, 1e6, xtol=1e-12, rtol=1e-14)
        return [queue, math.sqrt(2.0 / (self.steepness * queue))]

    def slope(self, x: Array, d: Array) -> list[Any]:
        """Of queue and window; to first order the delayed round trip's own lag does not matter in equilibrium."""
        trip, trip_then = self.base + x[0] / self.capacity, self.base + d[0] / self.capacity
        return [
            self.flows * x[1] / trip - self.capacity,
            1.0 / trip - x[1] * d[1] / (2.0 * trip_then) * self.steepness * d[0],
        ]

    def system(self) -> System:
        """About the fixed point."""
        point = self.at_rest()
        return linearised(("queue", "window"), self.slope, point, [self.base + point[0] / self.capacity])


def hollot(
    capacity: float, count: float, trip: float, *, slope: float = 0.0, gain: float = 0.0, zero: float = 1.0
) -> System:
    """The plant that Hollot et al. publish, closed by RED (p = slope q) or by PI (p' = gain (q'/zero + q)).

    P(s) = C^2/(2N) exp(-s R) / [(s + 2N/(R^2 C)) (s + 1/R)]: two poles are merged and direct queue terms dropped, hence
    margins that differ from those of the equations.
    """
    strength = capacity**2 / (2.0 * count)
    present, delayed = np.zeros((3, 3)), np.zeros((3, 3))
    present[0, :2] = -1.0 / trip, 1.0
    present[1, 1] = -2.0 * count / (trip**2 * capacity)
    if slope:
        delayed[1, 0] = -strength * slope
        return System(("queue", "window"), present[:2, :2], ((delayed[:2, :2], trip),))
    present[2, :2] = gain / zero * present[0, :2] + [gain, 0.0]
    delayed[1, 2] = -strength
    return System(("queue", "window", "marking"), present, ((delayed, trip),))


# Patched TIMELY: Zhu et al., CoNEXT 2016, section 4. Bits and bit/s.


@dataclass(frozen=True)
class Timely:
    """steepness: of the weight w = clip(steepness g + 1/2, 0, 1)."""

    flows: float
    steepness: float = 2.0
    capacity: float = 10e9
    increase: float = 10e6
    decrease: float = 0.008
    segment: float = 16e3 * 8
    mtu: float = 1e3 * 8
    smallest: float = 20e-6
    low: float = 50e-6
    average: float = 0.875
    propagation: float = 4e-6

    @property
    def queue(self) -> float:
        """Bits in equilibrium."""
        reference = self.capacity * self.low
        return self.flows * self.increase * reference / (self.decrease * self.capacity) + reference

    def system(self) -> System:
        """Queue, gradient and rate; what was queued one feedback delay ago, and one update before that."""
        rate = self.capacity / self.flows
        pace = max(self.segment / rate, self.smallest)
        seen = self.queue / self.capacity + self.mtu / self.capacity + self.propagation

        def slope(x: Array, d: Array, e: Array) -> list[Any]:
            _, gradient, own = x
            every = self.segment / own if self.segment / rate > self.smallest else self.smallest
            weight = self.steepness * gradient + 0.5
            reference = self.capacity * self.low
            change = (d[0] - e[0]) / (self.capacity * self.smallest)
            return [
                self.flows * own - self.capacity,
                self.average / every * (change - gradient),
                (1.0 - weight) * self.increase / every
                - weight * self.decrease * own / every * (d[0] - reference) / reference,
            ]

        return linearised(("queue", "gradient", "rate"), slope, [self.queue, 0.0, rate], [seen, seen + pace])
