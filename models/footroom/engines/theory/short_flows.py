"""Buffers for flows that end in slow start: bursts arriving at random.  Sizes in packets.

Appenzeller, Keslassy and McKeown, SIGCOMM 2004, section 4.  Depends neither on capacity, RTT nor number of flows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from footroom.formulas.transfer.checks import at_least, between, not_negative, positive


def burst_phases(segments: float, initial_window: float, max_window: float = math.inf) -> list[tuple[float, float]]:
    """Bursts of a flow in slow start as (size [packets], how many of it): IW, 2·IW, 4·IW, ..., the rest last.

    segments: flow size [packets].  max_window: receive window [packets]; bursts stop growing there.
    """
    left = positive("segments", segments)
    if math.isnan(max_window) or max_window <= 0.0:
        positive("max_window", max_window)
    burst = min(positive("initial_window", initial_window), max_window)
    phases: list[tuple[float, float]] = []
    while left > burst and burst < max_window:
        phases.append((burst, 1.0))
        left -= burst
        burst = min(2.0 * burst, max_window)
    full = math.floor(left / burst)
    if full:
        phases.append((burst, float(full)))
        left -= full * burst
    if left > 0.0:
        phases.append((left, 1.0))
    return phases


@dataclass(frozen=True)
class BurstMoments:
    """First and second moment of the size X of a burst picked at random: E[X] [packets], E[X²] [packets²]."""

    mean: float
    square: float

    @property
    def effective(self) -> float:
        """E[X²]/E[X]: the burst an arriving packet finds itself in, on average [packets]."""
        return self.square / self.mean


def burst_moments(bursts: Iterable[float]) -> BurstMoments:
    """Moments over equally likely bursts [packets]."""
    sizes = [positive("bursts", burst) for burst in bursts]
    at_least("bursts", len(sizes), 1)
    return BurstMoments(math.fsum(sizes) / len(sizes), math.fsum(size * size for size in sizes) / len(sizes))


def mixture_moments(
    segments: Sequence[float], weights: Sequence[float], initial_window: float, max_window: float = math.inf
) -> BurstMoments:
    """Moments over all bursts of flows whose sizes [packets] occur with the given weights (any positive scale).

    The bursts of one flow are those of :func:`burst_phases`.
    """
    left, share = np.array(segments, dtype=np.float64), np.array(weights, dtype=np.float64)
    positive("segments", float(left.min(initial=math.inf)) if left.size else 0.0)
    not_negative("weights", float(share.min()))
    positive("weights", float(share.sum()))
    burst = min(positive("initial_window", initial_window), max_window)
    count = mean = square = 0.0
    outlasts = left > burst
    while burst < max_window and outlasts.any():
        times = float(share[outlasts].sum())
        count, mean, square = count + times, mean + times * burst, square + times * burst * burst
        # The rest of the flows that end here.
        ends = ~outlasts & (left > 0.0)
        count += float(share[ends].sum())
        mean += float(share[ends] @ left[ends])
        square += float(share[ends] @ left[ends] ** 2)
        left = np.where(outlasts, left - burst, 0.0)
        burst = min(2.0 * burst, max_window)
        outlasts = left > burst
    full = np.floor(left / burst)
    rest = left - full * burst
    times = float(share @ full)
    count += times + float(share[rest > 0.0].sum())
    mean += times * burst + float(share @ rest)
    square += times * burst * burst + float(share @ rest**2)
    return BurstMoments(mean / count, square / count)


def _decay(load: float, moments: BurstMoments) -> float:
    """Rate [1/packet] at which the bound on the queue's tail falls."""
    between("load", load, 0.0, 1.0)
    return 2.0 * (1.0 - load) / load / moments.effective


def overflow_probability(buffer: float, load: float, moments: BurstMoments) -> float:
    """Bound on P(Q >= buffer) [1] of an unlimited queue: exp(-B·(2(1-ρ)/ρ)·E[X]/E[X²]).

    Effective bandwidth of M/G/1 with bursts as jobs.  Holds for load in (0, 1) and bursts that arrive as one
    (access much faster than the bottleneck); slower access smooths the bursts and needs less.
    """
    return math.exp(-not_negative("buffer", buffer) * _decay(load, moments))


def buffer_for_overflow(probability: float, load: float, moments: BurstMoments) -> float:
    """Buffer [packets] at which :func:`overflow_probability` falls to ``probability`` in (0, 1]."""
    between("probability", probability, 0.0, 1.0, ends="high")
    return -math.log(probability) / _decay(load, moments)
