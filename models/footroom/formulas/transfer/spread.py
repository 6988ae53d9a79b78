"""Completion times of many transfers over a path whose queue varies: a distribution, not only a mean.

Each transfer of d segments either meets no loss, with probability (1-p)^d, or a first loss that is repaired in a round
trip or costs a timeout (the share of Padhye et al. 1998, eq. 22). Terms are those of Cardwell, Savage and Anderson
(INFOCOM 2000), slow start counted in whole round trips and limited by the path's rate. Mixed over sizes, over the queue
that an arriving transfer meets and over the place of the first loss.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from footroom.formulas.transfer.completion import pipelined_times
from footroom.formulas.transfer.throughput import backoff_factor, pftk, timeout_shares

Values = NDArray[np.float64]

#: Shares of the transfers with a loss at which the place of their first one is sampled.
PLACES = tuple((i + 0.5) / 6.0 for i in range(6))


@dataclass(frozen=True)
class Transfers:
    """What is sent. sizes [B] occur with ``shares``; mss: payload of a packet [B].
    initial_window, max_window [packets].  ack_every: packets per acknowledgement that grows the window.  min_rto [s].
    """

    sizes: Values
    shares: Values
    mss: float
    initial_window: float = 10.0
    max_window: float = math.inf
    ack_every: float = 1.0
    min_rto: float = 0.2

    @property
    def segments(self) -> Values:
        """Packets of each size."""
        return np.maximum(1.0, np.ceil(self.sizes / self.mss))


@dataclass(frozen=True)
class Spread:
    """Completion times [s] and slowdowns [1] of the cases, with their shares; idle: the same transfers alone."""

    times: Values
    slowdowns: Values
    shares: Values

    @property
    def mean(self) -> float:
        """Mean completion time [s]."""
        # Not as an inner product, which NumPy spreads over threads: waiting for them takes longer than the sum.
        return float((self.shares * self.times).sum())

    def quantile(self, level: float, *, of_slowdown: bool = False) -> float:
        """Weighted quantile over all cases."""
        values, reached = self._sorted_slowdowns if of_slowdown else self._sorted_times
        return float(values[min(int(np.searchsorted(reached, level * reached[-1])), values.size - 1)])

    @cached_property
    def _sorted_times(self) -> tuple[Values, Values]:
        return self._ascending(self.times)

    @cached_property
    def _sorted_slowdowns(self) -> tuple[Values, Values]:
        return self._ascending(self.slowdowns)

    def _ascending(self, values: Values) -> tuple[Values, Values]:
        """The values in order, and the share of the cases up to each."""
        order = np.argsort(values)
        return values[order], np.cumsum(self.shares[order])


def first_losses(segments: Values, loss: float, share: float) -> Values:
    """Place [packets] below which the first loss among d packets lies with probability ``share``, given there is one.

    The truncated geometric distribution, on the real line: ln(1 - share (1-(1-p)^d)) / ln(1-p), rounded up.
    """
    kept = math.log1p(-loss)
    return np.clip(np.ceil(np.log1p(share * np.expm1(segments * kept)) / kept), 1.0, segments)


def spread_of(
    transfers: Transfers, round_trips: Values, *, base: float, rate: float, alone: float, loss: float
) -> Spread:
    """round_trips: equally likely round trips with the queue [s].  base: without queue [s].
    rate, alone: most that a transfer can get now, and on an idle path [packet/s].  loss: probability per packet, in
    [0, 1).
    """
    d = transfers.segments
    first, growth, largest = transfers.initial_window, 1.0 + 1.0 / transfers.ack_every, transfers.max_window
    idle = pipelined_times(d, base, alone, first, growth, largest)
    times, shares = [], []
    per_trip = transfers.shares / round_trips.size
    any_loss = np.zeros_like(d) if loss == 0.0 else -np.expm1(d * math.log1p(-loss))
    for trip in round_trips:
        times.append(pipelined_times(d, float(trip), rate, first, growth, largest))
        shares.append(per_trip * (1.0 - any_loss))
        if loss == 0.0:
            continue
        timeout = max(transfers.min_rto, float(trip))
        reached = min(rate, pftk(loss, float(trip), timeout, transfers.ack_every, largest, delivered=True))
        pause = backoff_factor(loss) * timeout / (1.0 - loss)
        for place in PLACES:
            before = first_losses(d, loss, place)
            out = timeout_shares(loss, np.minimum(before * (growth - 1.0) / growth + first / growth, largest))
            common = pipelined_times(before, float(trip), rate, first, growth, largest) + (d - before) / reached
            times += [common + float(trip), common + pause]
            shares += [per_trip * any_loss * (1.0 - out) / len(PLACES), per_trip * any_loss * out / len(PLACES)]
    found = np.concatenate(times)
    return Spread(found, found / np.tile(idle, len(times)), np.concatenate(shares))
