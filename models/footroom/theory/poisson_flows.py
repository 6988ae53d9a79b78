"""Flows that arrive at random and end: loss and queue for many buffers at once, completion times for one.

Bursts of slow start stand for packets: an arriving packet finds itself in a burst of c = E[X²]/E[X] packets on average,
so B packets of buffer are B/c places of M/D/1/B.  That has the decay rate of Appenzeller's bound, 2(1-ρ)/(ρ·c) in heavy
traffic, and its own value at ρ ≥ 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footroom.theory.completion import completion_time, pipelined_time
from footroom.theory.equal_packets import md1b_losses
from footroom.theory.inputs import ShortFlows, TheoryInputs
from footroom.theory.loss_curves import reflected_mean_queue
from footroom.theory.short_flows import BurstMoments, mixture_moments
from footroom.theory.throughput import pftk

Values = NDArray[np.float64]


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


def bursts(inputs: TheoryInputs, short: ShortFlows) -> BurstMoments:
    """Moments of the bursts [packets].

    A window above the path's own (access rate times RTT, or the bottleneck's if that is less) is ACK-clocked: what
    leaves is spread over the round trip and no longer one burst, so bursts stop growing there.
    """
    path = min(short.access, inputs.capacity) * inputs.rtt / 8.0 / inputs.mtu
    largest = min(short.max_window, max(path, short.initial_window))
    segments = [max(1.0, np.ceil(size / inputs.mss)) for size in short.sizes]
    return mixture_moments(segments, short.shares, short.initial_window, largest)


def losses(inputs: TheoryInputs, short: ShortFlows, buffers: Values) -> Values:
    """Drops over packets offered [1] for buffers [B]."""
    burst = max(1.0, bursts(inputs, short).effective)
    return md1b_losses(short.load, buffers / inputs.mtu / burst)


def queues(inputs: TheoryInputs, short: ShortFlows, buffers: Values) -> Values:
    """Mean queue [B] for buffers [B]: random bursts reflected at 0 and at the buffer."""
    burst = max(1.0, bursts(inputs, short).effective)
    packets = [reflected_mean_queue(short.load, float(room), burst) for room in buffers / inputs.mtu]
    return np.array(packets) * inputs.mtu


def completions(inputs: TheoryInputs, short: ShortFlows, loss: float, queue: float, left: float) -> Completions:
    """Completion times under a loss rate and a mean queue [B]; ``left``: share of the capacity a flow can get [1].

    First byte sent to last byte acknowledged, no handshake.  Cardwell's terms, with slow start counted in whole round
    trips and limited by the path's rate, so that a flow of one packet takes one round trip.
    """
    rtt = inputs.rtt + queue * 8.0 / inputs.capacity
    alone = min(short.access, inputs.capacity) / 8.0 / inputs.mtu
    rate = min(short.access, inputs.capacity * left) / 8.0 / inputs.mtu
    timeout = max(inputs.min_rto, rtt)
    growth = 1.0 + 1.0 / short.ack_every
    segments = np.array([max(1.0, float(np.ceil(size / inputs.mss))) for size in short.sizes])
    times, idle = [], []
    for count in segments.tolist():
        idle.append(pipelined_time(count, inputs.rtt, alone, short.initial_window, growth, short.max_window))
        terms = completion_time(count, loss, rtt, timeout, short.initial_window, short.ack_every, short.max_window)
        start = pipelined_time(terms.slow_start_segments, rtt, rate, short.initial_window, growth, short.max_window)
        after = count - terms.slow_start_segments
        if after > 0.0:
            reached = pftk(loss, rtt, timeout, short.ack_every, short.max_window, delivered=True)
            times.append(start + terms.recovery + after / min(reached, rate))
        else:
            times.append(start + terms.recovery)
    return Completions(np.array(times), np.array(idle), np.array(short.shares), segments)
