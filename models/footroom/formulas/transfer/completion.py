"""Flow completion time of a TCP transfer, term by term.  Sizes in segments, times in seconds.

Cardwell, Savage and Anderson, INFOCOM 2000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footroom.formulas.transfer.checks import at_least, between, not_negative, positive
from footroom.formulas.transfer.throughput import backoff_factor, pftk, timeout_share


@dataclass(frozen=True)
class CompletionTime:
    """Mean completion time [s] and what it is made of.

    slow_start, recovery, avoidance, delayed_ack: the four terms [s].
    slow_start_segments: segments sent before the first loss [packets].  slow_start_window: window then [packets].
    loss_probability: chance that the transfer sees any loss [1].  avoidance_rate: rate after the first loss
    [packet/s], 0 when nothing is left to send.
    """

    slow_start: float
    recovery: float
    avoidance: float
    delayed_ack: float
    slow_start_segments: float
    slow_start_window: float
    loss_probability: float
    avoidance_rate: float

    @property
    def total(self) -> float:
        """Sum of the four terms [s]; without the handshake."""
        return self.slow_start + self.recovery + self.avoidance + self.delayed_ack


def handshake_time(rtt: float, syn_timeout: float = 1.0, loss_forward: float = 0.0, loss_reverse: float = 0.0) -> float:
    """Mean time [s] until the client may send: one RTT plus doubled SYN timeouts.  Cardwell et al. 2000, eq. 4.

    Losses in [0, 0.5): the mean of a doubling timer is unbounded from one half on.
    """
    positive("rtt", rtt)
    not_negative("syn_timeout", syn_timeout)
    between("loss_forward", loss_forward, 0.0, 0.5, ends="low")
    between("loss_reverse", loss_reverse, 0.0, 0.5, ends="low")
    # (1-p)/(1-2p) - 1 = p/(1-2p), which keeps its digits for small p.
    waits = loss_forward / (1.0 - 2.0 * loss_forward) + loss_reverse / (1.0 - 2.0 * loss_reverse)
    return rtt + syn_timeout * waits


def slow_start_segments(segments: float, loss: float) -> float:
    """Expected segments [packets] sent before the first loss, that one included; at most ``segments``."""
    if loss == 0.0:
        return segments
    any_loss = -math.expm1(segments * math.log1p(-loss))
    return min(segments, any_loss * (1.0 - loss) / loss + 1.0)


def slow_start_time(
    segments: float, rtt: float, initial_window: float, growth: float, max_window: float = math.inf
) -> tuple[float, float]:
    """Time [s] to send so many segments in slow start, and the window [packets] reached.  Eqs 12 to 15.

    growth: factor per round trip, 1 + 1/ack_every.
    """
    reached = segments * (growth - 1.0) / growth + initial_window / growth
    if reached <= max_window:
        return rtt * math.log(segments * (growth - 1.0) / initial_window + 1.0, growth), reached
    rounds = math.log(max_window / initial_window, growth) + 1.0
    left = segments - (growth * max_window - initial_window) / (growth - 1.0)
    return rtt * (rounds + left / max_window), max_window


def completion_time(
    segments: float,
    loss: float,
    rtt: float,
    timeout: float,
    initial_window: float = 10.0,
    ack_every: float = 1.0,
    max_window: float = math.inf,
    delayed_ack: float = 0.0,
) -> CompletionTime:
    """Mean completion time of a transfer after the handshake.

    segments: d > 0 [packets].  loss: p in [0, 1).  timeout: first retransmission timeout [s].
    delayed_ack: mean wait for the ACK of the first segment [s], 0.1 in the paper, 0 for Linux.
    Holds for losses independent of the flow's own bursts; the rate cap of the access link is not in it.
    """
    positive("segments", segments)
    between("loss", loss, 0.0, 1.0, ends="low")
    positive("rtt", rtt)
    positive("timeout", timeout)
    at_least("initial_window", initial_window, 1.0)
    at_least("ack_every", ack_every, 1.0)
    at_least("max_window", max_window if math.isfinite(max_window) else initial_window, initial_window)
    not_negative("delayed_ack", delayed_ack)

    before = slow_start_segments(segments, loss)
    slow_start, window = slow_start_time(before, rtt, initial_window, 1.0 + 1.0 / ack_every, max_window)
    if loss == 0.0:
        return CompletionTime(slow_start, 0.0, 0.0, delayed_ack, before, window, 0.0, 0.0)
    any_loss = -math.expm1(segments * math.log1p(-loss))
    share = timeout_share(loss, window)
    recovery = any_loss * (share * backoff_factor(loss) * timeout / (1.0 - loss) + (1.0 - share) * rtt)
    left = segments - before
    rate = pftk(loss, rtt, timeout, ack_every, max_window, delivered=True) if left > 0.0 else 0.0
    avoidance = left / rate if left > 0.0 else 0.0
    return CompletionTime(slow_start, recovery, avoidance, delayed_ack, before, window, any_loss, rate)


def ideal_completion_time(segments: float, rtt: float, rate: float, initial_window: float = 10.0) -> float:
    """Lower bound [s] without loss or queue: ceil(log2(d/IW + 1)) rounds plus d/rate.

    rate: the path's rate [packet/s].
    """
    positive("segments", segments)
    at_least("initial_window", initial_window, 1.0)
    rounds = math.ceil(math.log2(segments / initial_window + 1.0) - 1e-12)
    return rounds * positive("rtt", rtt) + segments / positive("rate", rate)


def pipelined_time(
    segments: float,
    rtt: float,
    rate: float,
    initial_window: float = 10.0,
    growth: float = 2.0,
    max_window: float = math.inf,
) -> float:
    """Time [s] from the first byte sent to the last acknowledged, without loss, slow start in whole round trips.

    Windows IW, γ·IW, ... each cost one round trip until one fills the path (rate·RTT); from then on segments follow
    each other at ``rate`` [packet/s], or at max_window per round trip when that is less.  Kurose and Ross, chapter 3.
    """
    positive("segments", segments)
    positive("rtt", rtt)
    positive("rate", rate)
    at_least("initial_window", initial_window, 1.0)
    return float(pipelined_times(np.array([segments]), rtt, rate, initial_window, growth, max_window)[0])


def pipelined_times(
    segments: NDArray[np.float64], rtt: float, rate: float, initial_window: float, growth: float, max_window: float
) -> NDArray[np.float64]:
    """:func:`pipelined_time` for many sizes; arguments are taken as valid."""
    windows = [min(initial_window, max_window)]
    while windows[-1] < min(rate * rtt, max_window):
        windows.append(min(growth * windows[-1], max_window))
    sent = np.concatenate(([0.0], np.cumsum(windows)))
    # A flow spends a round trip on every window it outlasts, up to the one that fills the path or is the largest.
    rounds = np.minimum(np.searchsorted(sent[1:], segments), len(windows) - 1)
    left = segments - sent[rounds]
    last = windows[-1]
    if last < rate * rtt:  # the receiver's window is the limit for good
        more = np.where(rounds == len(windows) - 1, np.maximum(np.ceil(left / last) - 1.0, 0.0), 0.0)
        rounds, left = rounds + more, left - more * last
    return np.asarray((rounds + 1.0) * rtt + left / rate, dtype=np.float64)
