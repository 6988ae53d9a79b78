"""DCQCN in equilibrium cycle by cycle, with notifications paced as receivers pace them.

After a notification the receiver ignores marks for the CNP interval t; the next one follows the first mark after that.
With marks at random at l = -ln(1-p) R per second a cycle lasts t + Exp(l), and more than x with chance
S(x) = exp(-l max(0, x - t)). Its first cut leaves R (1 - alpha/2), with target R; expiries of the rate timer every T
and of the byte counter every B/R lift the rate halfway to the target, which beyond F of either has grown by R_AI. In
equilibrium a cycle ends, on average, at the rate it began from, and sends at its mean rate. alpha = 1/(1 + m), where m
is the mean number of expiries of alpha's timer in a cycle.

The published equations let a mark within t of a notification keep the timers from expiring; as t -> 0 both agree within
1 %. Marks and the byte counter run at the mean rate here, and marks are independent of one another.
Source: the algorithm of Zhu et al., SIGCOMM 2015, sections 3 and 5; the balance is worked out here.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol

from scipy.optimize import brentq

#: Chance of a longer cycle below which no further expiry is followed, and the most expiries that are.
_RARE, _MOST = 1e-9, 20_000
#: Largest share of marks tried.
_LARGEST = 0.5


class Parameters(Protocol):
    """Of DCQCN, in packets, packets/s and seconds."""

    def __hash__(self) -> int: ...
    @property
    def increase(self) -> float: ...
    @property
    def interval(self) -> float: ...
    @property
    def alpha_timer(self) -> float: ...
    @property
    def timer(self) -> float: ...
    @property
    def counter(self) -> float: ...
    @property
    def recovery(self) -> float: ...


@lru_cache(maxsize=256)
def paced_share(law: Parameters, rate: float, published: float) -> float | None:
    """Share of marks at which a flow sends ``rate`` (packets/s) on average.

    published: the share by the published equations, where the search begins.  None where a cycle has more expiries
    than are followed, or no share does it.  Remembered, as it is the same for every buffer of a sweep.
    """

    def off(share: float) -> float:
        found = _drift(law, rate, share)
        if found is None:
            raise OverflowError
        return found

    low, high = published, published
    try:
        while off(low) < 0.0:
            low /= 1.25
        while off(high) > 0.0:
            high *= 1.25
            if high > _LARGEST:
                return None
        return published if low == high else float(brentq(off, low, high, rtol=1e-10))
    except OverflowError:
        return None


def _drift(law: Parameters, rate: float, share: float) -> float | None:
    """Relative growth of the rate from cycle to cycle; None where a cycle has too many expiries."""
    often = -math.log1p(-share) * rate
    horizon = law.interval - math.log(_RARE) / often
    if horizon / law.timer + horizon * rate / law.counter > _MOST:
        return None
    alpha = 1.0 / (1.0 + _expiries(law.alpha_timer, often, law.interval))

    def lasts(time: float) -> float:
        return math.exp(-often * max(0.0, time - law.interval))

    def mean(begin: float, end: float) -> float:
        """Mean time of a cycle between these, which may lie on both sides of the CNP interval."""
        sure = max(0.0, min(end, law.interval) - begin)
        return sure + (lasts(max(begin, law.interval)) - lasts(max(end, law.interval))) / often

    # Rate and target are (times what the cycle began from, plus packets/s).
    now, target = (1.0 - alpha / 2.0, 0.0), 0.0
    ends, area = (0.0, 0.0), (0.0, 0.0)
    begin, counts = 0.0, [0, 0]
    for time, which in _due(law.timer, law.counter / rate, horizon):
        weight, part = lasts(begin) - lasts(time), mean(begin, time)
        ends = ends[0] + weight * now[0], ends[1] + weight * now[1]
        area = area[0] + part * now[0], area[1] + part * now[1]
        begin = time
        counts[which] += 1
        if max(counts) > law.recovery:
            target += law.increase
        now = (now[0] + 1.0) / 2.0, (now[1] + target) / 2.0
    weight, part = lasts(begin), mean(begin, math.inf)
    ends = ends[0] + weight * now[0], ends[1] + weight * now[1]
    area = area[0] + part * now[0], area[1] + part * now[1]
    began = (rate * (law.interval + 1.0 / often) - area[1]) / area[0]
    # What all cycles together raise is more than the mean rate where cycles are long: too few marks.
    return math.inf if began <= 0.0 else ends[0] + ends[1] / began - 1.0


def _due(timer: float, counter: float, horizon: float) -> Iterator[tuple[float, int]]:
    """Expiries until ``horizon`` in order: when, and 0 for the timer, 1 for the counter."""

    def every(period: float, which: int) -> Iterator[tuple[float, int]]:
        number = 1
        while number * period <= horizon:
            yield number * period, which
            number += 1

    return heapq.merge(every(timer, 0), every(counter, 1))


def _expiries(period: float, often: float, interval: float) -> float:
    """Mean number of expiries of a timer in a cycle."""
    sure = math.floor(interval / period)
    return sure + math.exp(-often * ((sure + 1) * period - interval)) / -math.expm1(-often * period)
