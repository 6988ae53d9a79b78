"""Completion times of one more BBR transfer among BBR flows at a drop-tail queue: a distribution, round by round.

The load does not react: each flow's rate is the highest delivered over ten round trips, longer than most transfers
last. So the transfer's share of the link is what it sends over all that is sent:

* it begins in start-up (Cardwell et al., ACM Queue 2016): paced at 2/ln 2 times the most delivered so far, at first
  its initial window over the round trip of the handshake, its window grown by what arrives, until three rounds in a
  row bring less than a quarter more; from then on it is paced at that rate with windows of twice the rate times its
  least round trip, which began with the load's queue in it;
* at a full buffer all packets are lost alike, with probability 1 - C/(sent by all);
* what is lost is sent again in the next round. Losses among the last three packets wait for the timeout (or the tail
  loss probe), which doubles while they are lost again.

Left out: ProbeRTT, the load's own probing, draining after start-up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from footroom.formulas.transfer.among import NEARLY, TRANSFERS, Sender, Values

#: Pacing gain of start-up, and the least growth per round; start-up ends after some rounds below it.
GAIN, GROWTH, ROUNDS_WITHOUT = 2.0 / math.log(2.0), 1.25, 3
#: Least window [packets] (tcp_bbr.c, bbr_cwnd_min_target).
LEAST_WINDOW = 4.0
#: Rounds followed; a transfer still under way then has no completion time here.
MOST_ROUNDS = 400


@dataclass(frozen=True)
class Load:
    """BBR flows. capacity [packet/s].  buffer [packets].  rtt: without queue [s].  queues: equally likely queues that
    the transfer meets [packets].  loss: share of the load's packets that is lost.
    """

    capacity: float
    buffer: float
    rtt: float
    queues: Values
    loss: float


def completion_times(load: Load, sender: Sender, seed: int) -> Values:
    """Completion times [s] of many transfers, infinite for those still under way after ``MOST_ROUNDS``."""
    random = np.random.default_rng(seed)
    count, capacity = TRANSFERS, load.capacity
    queue = np.quantile(load.queues, (np.arange(count) + 0.5) / count)
    full = (queue >= load.buffer - NEARLY) & (load.loss > 0.0)
    # At a full buffer the load sends more than the link carries; elsewhere at the rate of its packets in the network.
    offered = np.where(full, capacity / (1.0 - load.loss), capacity)
    least_trip = load.rtt + queue / capacity
    now, left = np.zeros(count), np.full(count, float(sender.segments))
    window = np.full(count, min(sender.initial_window, sender.max_window))
    best, believed = window / least_trip, np.zeros(count)
    without, timeouts = np.zeros(count), np.zeros(count)
    live = np.arange(count)
    for _ in range(MOST_ROUNDS):
        drawn = random.random((3, count))[:, live]
        w, q, y = window[live], queue[live], offered[live]
        started = without[live] < ROUNDS_WITHOUT
        trip = load.rtt + np.minimum(q + np.minimum(w, left[live]), load.buffer) / capacity
        pace = np.where(started, GAIN, 1.0) * best[live]
        sent = np.minimum(np.maximum(1.0, np.minimum(w, pace * trip)), left[live])
        last = sent >= left[live]
        rate = sent / trip
        share = np.where(full[live] | (q + sent > load.buffer), np.maximum(0.0, 1.0 - capacity / (rate + y)), 0.0)
        lost = np.minimum(_binomial(np.round(sent), share, drawn[0]), sent)
        arrived = sent - lost
        # Where some of the last three are lost, nothing behind them tells the sender.
        tail = last & (lost > 0.0) & (drawn[1] > np.maximum(1.0 - 3.0 / np.maximum(sent, 3.0), 0.0) ** lost)
        probed = tail & (sender.probe_margin is not None) & (arrived > 0.0)
        waits = ((tail & ~probed) | (sent - lost < np.minimum(3.0, sent))) & (lost > 0.0)
        trip_of_last = load.rtt + np.minimum(q + rate / (rate + y) * sent, load.buffer) / capacity
        spent = np.where(last, trip_of_last + (sent - 1.0) / pace, trip)
        spent += np.where(
            waits,
            (trip + sender.min_rto) * 2.0 ** np.minimum(timeouts[live], 6.0),
            np.where(probed, trip + (sender.probe_margin or 0.0), 0.0),
        )
        spent += np.where((sent < 1.5) & ~last, sender.ack_delay, 0.0)
        timeouts[live] = np.where(waits, timeouts[live] + 1.0, 0.0)
        now[live] += spent
        left[live] -= arrived
        delivered = arrived / trip
        best[live] = np.maximum(best[live], delivered)
        grows = delivered > GROWTH * believed[live]
        believed[live] = np.where(grows, delivered, believed[live])
        without[live] = np.where(grows | waits, np.where(grows, 0.0, without[live]), without[live] + 1.0)
        settled = np.maximum(2.0 * best[live] * least_trip[live], LEAST_WINDOW)
        window[live] = np.minimum(np.where(started, w + arrived, settled), sender.max_window)
        live = live[left[live] > 1e-9]
        if not live.size:
            break
    now[live] = np.inf
    return now


def _binomial(packets: Values, share: Values, drawn: Values) -> Values:
    """Packets lost of ``packets`` at ``share``, by inverting the distribution at ``drawn``."""
    from scipy.stats import binom

    lost, some = np.zeros_like(share), share > 0.0  # most rounds lose nothing, and the inverse is slow
    lost[some] = binom.ppf(drawn[some], np.maximum(packets[some], 1.0), share[some])
    return lost
