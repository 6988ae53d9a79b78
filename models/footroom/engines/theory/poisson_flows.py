"""Flows that arrive at random and end: loss and queue for many buffers at once, completion times for one.

Bursts of slow start take the place of packets.  An arriving packet is in a burst of c = E[X²]/E[X] packets on
average; M/M/1/K with K = 2B/c places has the decay rate of Appenzeller's bound in heavy traffic, 2(1-ρ)/(ρ·c) per
packet (bursts whose sizes vary as much as an exponential's, c = 2·E[X]), and the right loss at and beyond ρ = 1.

Two loops are closed.  What is lost is sent again, so ρ/(1-p) is offered for a carried load of ρ.  And loss keeps
windows, hence bursts, below the W(p) of Padhye et al. 1998: without this the largest flows of a heavy-tailed mix would
be counted with bursts they cannot have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from footroom.engines.theory.inputs import ShortFlows, TheoryInputs
from footroom.engines.theory.loss_curves import mm1b_losses, reflected_mean_queues
from footroom.engines.theory.short_flows import BurstMoments, mixture_moments
from footroom.formulas.transfer.completion import pipelined_times
from footroom.formulas.transfer.throughput import backoff_factor, expected_window, pftk, timeout_shares

Values = NDArray[np.float64]

#: Loss rate beyond which the formulas do not hold: most windows then end in repeated timeouts.
MOST_LOSS = 0.3


@dataclass(frozen=True)
class Completions:
    """Mean completion time of each size [s], the same on an idle path [s], shares [1], packets of each size."""

    times: Values
    idle: Values
    shares: Values
    segments: Values

    @property
    def mean(self) -> float:
        """Mean completion time over flows [s]."""
        return float(self.shares @ self.times)

    def median(self, values: Values) -> float:
        """Weighted median over flows of one value per size."""
        order = np.argsort(values)
        reached = np.cumsum(self.shares[order])
        return float(values[order][np.searchsorted(reached, 0.5 * reached[-1])])


@dataclass(frozen=True)
class Queueing:
    """One entry per buffer: drops over offered [1], mean queue [B], burst c [packets], load at the queue [1]."""

    drop_rate: Values
    queue_mean: Values
    burst: Values
    offered: Values


def bursts(inputs: TheoryInputs, short: ShortFlows, limit: float = math.inf) -> BurstMoments:
    """Moments of the bursts [packets]; ``limit``: largest window that losses allow.

    A window above the path's own (access rate times RTT, or the bottleneck's if that is less) is ACK-clocked: what
    leaves is spread over the round trip and no longer one burst, so bursts stop growing there.
    """
    path = min(short.access, inputs.capacity) * inputs.rtt / 8.0 / inputs.mtu
    largest = max(1.0, min(short.max_window, max(path, short.initial_window), limit))
    segments = [max(1.0, math.ceil(size / inputs.mss)) for size in short.sizes]
    return mixture_moments(segments, short.shares, short.initial_window, largest)


@lru_cache(maxsize=64)
def _burst_table(inputs: TheoryInputs, short: ShortFlows) -> tuple[Values, Values]:
    """Burst c [packets] against the logarithm of the loss; between the points it is interpolated."""
    grid = np.concatenate((np.geomspace(1e-7, 0.1, 31), np.linspace(0.15, 0.95, 9)))
    sizes = [bursts(inputs, short, expected_window(float(loss), short.ack_every)).effective for loss in grid]
    return np.log(grid), np.maximum(sizes, 1.0)


def queueing(inputs: TheoryInputs, short: ShortFlows, buffers: Values) -> Queueing:
    """Loss and queue for buffers [B], with both loops closed (open for load >= 1, where no steady state exists)."""
    log_grid, sizes = _burst_table(replace(inputs, buffer=0.0, groups=()), short)
    room = buffers / inputs.mtu

    def state(loss: Values) -> tuple[Values, Values]:
        burst = np.interp(np.log(np.maximum(loss, 1e-300)), log_grid, sizes)
        offered = short.load / (1.0 - loss) if short.load < 1.0 else np.full_like(loss, short.load)
        return np.asarray(burst, dtype=np.float64), np.asarray(offered, dtype=np.float64)

    # More loss than the guess: raise the guess.  At 0 the queue loses more, at 1 it loses 1-(1-p)/ρ < p.
    # Bisection in log p for relative accuracy; below 1e-300 the loss is 0 for every purpose.
    low, high = np.full(room.shape, -690.0), np.zeros(room.shape)
    for _ in range(60):
        middle = 0.5 * (low + high)
        guess = np.exp(middle)
        burst, offered = state(guess)
        more = mm1b_losses(offered, 2.0 * room / burst) > guess
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    loss = np.exp(0.5 * (low + high))
    burst, offered = state(np.minimum(loss, 1.0 - 1e-12))
    loss = np.where(room > 0.0, np.where(loss > 1e-299, loss, 0.0), 1.0)
    queue = reflected_mean_queues(offered, room, burst)
    return Queueing(loss, np.asarray(queue) * inputs.mtu, burst, offered)


def completions(inputs: TheoryInputs, short: ShortFlows, loss: float, queue: float, left: float) -> Completions:
    """Completion times under a loss rate and a mean queue [B]; ``left``: share of the capacity a flow can get [1].

    First byte sent to last byte acknowledged, no handshake.  Cardwell's terms, with slow start counted in whole round
    trips and limited by the path's rate, so that a flow of one packet takes one round trip.
    """
    rtt = inputs.rtt + queue * 8.0 / inputs.capacity
    alone = min(short.access, inputs.capacity) / 8.0 / inputs.mtu
    rate = min(short.access, inputs.capacity * left) / 8.0 / inputs.mtu
    timeout = max(inputs.min_rto, rtt)
    first, growth = short.initial_window, 1.0 + 1.0 / short.ack_every
    segments = np.maximum(1.0, np.ceil(np.array(short.sizes) / inputs.mss))
    idle = pipelined_times(segments, inputs.rtt, alone, first, growth, short.max_window)
    if loss == 0.0:
        times = pipelined_times(segments, rtt, rate, first, growth, short.max_window)
        return Completions(times, idle, np.array(short.shares), segments)
    any_loss = -np.expm1(segments * math.log1p(-loss))
    before = np.minimum(segments, any_loss * (1.0 - loss) / loss + 1.0)
    window = np.minimum(before * (growth - 1.0) / growth + first / growth, short.max_window)
    share = timeout_shares(loss, window)
    recovery = any_loss * (share * backoff_factor(loss) * timeout / (1.0 - loss) + (1.0 - share) * rtt)
    reached = pftk(loss, rtt, timeout, short.ack_every, short.max_window, delivered=True)
    start = pipelined_times(before, rtt, rate, first, growth, short.max_window)
    times = start + recovery + (segments - before) / min(reached, rate)
    return Completions(times, idle, np.array(short.shares), segments)
