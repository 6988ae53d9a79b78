"""Completion times of one more transfer among long flows at a drop-tail queue: a distribution, by simulating rounds.

The transfer is a test particle. What the load has in the network is given as a course over time; a transfer begins at a
random place in it and is followed window by window:

* a window takes the round trip with the queue that it finds, its own packets included;
* in slow start windows double until packets are lost. A window is a burst there: it fits into the room that it finds,
  and of the rest two thirds are lost, as it comes at twice the rate of the link beside the load's packets (all of the
  rest of the first window, which comes at the rate of the sender's link). A full buffer is not full at every instant:
  with an overload of ε per packet the room is exponential with mean 1/(2ε), the queue of deterministic service in
  heavy traffic seen from above;
* from its first loss on the load has made room for one flow among n + 1, and windows are cut when they meet a full
  buffer: a window of the load's size as often as the load's windows are;
* a lossy window is repaired in the next one. Slow start goes on until the sender hears of the loss, so the cut is of
  that window and of what arrived before the first loss; a lost tail, or a window of which fewer than three packets
  arrive, waits for the timeout (or the tail loss probe) first, and a single packet for a delayed acknowledgement.

Windows and round trips are those of Cardwell, Savage and Anderson (INFOCOM 2000), drawn one by one where that paper
takes means, so that percentiles come out. That windows of slow start are bursts was read off packets simulated one by
one; no number is fitted. A paced sender's first window is a burst all the same; the later ones are spread over the
round trip and lose as the load's packets do. Left out: what is lost twice, doubled timeouts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footroom.formulas.transfer.growth import Growth

Values = NDArray[np.float64]

#: Transfers followed for each course: the level of the 99th percentile of 1000 has a standard error of 0.3 points. Of
#: long ones only the median is wanted.
TRANSFERS, LONG_TRANSFERS = 1000, 100
#: Packets from which a transfer is long.
LONG = 5000
#: Windows followed one by one; what is left after them is sent at the mean rate of the second half of them.
MOST_ROUNDS = 600
#: The buffer is full when less than so many packets are free.
NEARLY = 0.5
#: Largest share of the windows that meet a full buffer and are cut: 1 would take ever smaller windows.
MOST_CUT = 0.95
#: Share of a burst that is lost once the buffer is full: it comes at twice the rate of the link, beside the load's.
TAKEN = 2.0 / 3.0
#: Windows that a paced sender sends per round trip in slow start and after it (Linux tcp_update_pacing_rate).
SPREAD_EARLY, SPREAD_LATE = 2.0, 1.2


@dataclass(frozen=True)
class Course:
    """What the load does over time, one sample every ``step`` s, repeated for ever.

    excess: its packets in the network less those that fill the empty path, below 0 while the link idles.
    """

    step: float
    excess: Values


@dataclass(frozen=True)
class Place:
    """Where it happens. capacity [packet/s].  buffer [packets].  rtt: without queue [s].  flows: of the load.
    cuts: how often flows of the load cut their windows, per packet they send.  drops: their drop rate.
    share: of the capacity that those flows have; the rest is taken by traffic that does not answer.
    """

    capacity: float
    buffer: float
    rtt: float
    flows: float
    cuts: float
    drops: float
    share: float = 1.0


@dataclass(frozen=True)
class Sender:
    """The transfer's sender. segments: packets to send.  initial_window, max_window [packets].  growth: how its window
    grows and is cut once it has lost.  min_rto: what the timeout adds to the round trip [s].  probe_margin: of tail
    loss probes [s], none where it sends none.  paced: windows after the first are spread over the round trip.
    """

    segments: float
    initial_window: float
    max_window: float
    growth: Growth
    min_rto: float
    probe_margin: float | None
    ack_delay: float
    burst: float
    paced: bool = False


@dataclass(frozen=True)
class Times:
    """Completion times [s], one row per place; whole: for each row, whether every window of all was followed."""

    times: Values
    whole: NDArray[np.bool_]


def completion_times(courses: list[Course], places: list[Place], sender: Sender, seed: int) -> Times:
    """Completion times of many transfers at every place, beside the course of its load.

    Every place sees the same random numbers, so that its times do not depend on the others, and neighbouring points of
    a sweep differ by the buffer alone.
    """
    random = np.random.default_rng(seed)
    rows, columns = len(places), TRANSFERS if sender.segments < LONG else LONG_TRANSFERS
    lengths = np.array([course.excess.size for course in courses])
    excess = np.zeros((rows, int(lengths.max())))
    filled = np.zeros(excess.shape, bool)
    for number, (course, place) in enumerate(zip(courses, places, strict=True)):
        excess[number, : course.excess.size] = course.excess
        filled[number, : course.excess.size] = _filled(course, place)
    row = np.repeat(np.arange(rows), columns)
    table = np.array([_numbers(*both) for both in zip(courses, places, strict=True)])
    begin = np.tile((np.arange(columns) + random.random(columns)) / columns, rows)
    now = np.zeros(rows * columns)
    left = np.full(rows * columns, float(sender.segments))
    window = np.full(rows * columns, float(min(sender.initial_window, sender.max_window)))
    threshold = np.full(rows * columns, np.inf)
    noticed = np.zeros(rows * columns, bool)
    memory = sender.growth.memory(rows * columns)
    live = np.arange(rows * columns)
    half = now, left
    for rounds in range(MOST_ROUNDS):
        if rounds == MOST_ROUNDS // 2:
            half = now.copy(), left.copy()
        w, aware = window[live], noticed[live]
        drawn = random.random((4, columns))[:, live % columns]
        step, length, capacity, path, room, kept, overload, hits, stray, more = table[row[live]].T
        at = ((begin[live] * length + now[live] / step) % length).astype(np.int64)
        others, full = excess[row[live], at], filled[row[live], at]
        others = np.where(aware, (others + path) * kept - path, others)
        sent = np.minimum(w, left[live])
        last = sent >= left[live]
        queue = np.clip(others + sent, 0.0, room)
        behind = np.maximum(queue, sent - 1.0) if rounds == 0 or not sender.paced else queue
        trip = path / capacity + np.where(last, behind, queue) / capacity
        # A burst fits into the room that it finds, which is not quite 0 while the buffer overflows.
        gap = np.minimum(np.maximum(room - others, 0.0) - np.log1p(-drawn[0]) / (2.0 * overload), room)
        beyond = np.maximum((sent if rounds else sent * sender.burst) - gap, 0.0)
        burst = np.ceil(beyond if rounds == 0 else TAKEN * beyond)
        if sender.paced and rounds:
            # Spread over the round trip, a window loses as the load's packets do, and its share of what it adds.
            pace = SPREAD_EARLY * sent / trip
            added = np.maximum(sent - np.maximum(room - others, 0.0), 0.0) * pace / (pace + capacity)
            loses = drawn[0] < -np.expm1(-added - sent * full * overload)
            burst = np.where(loses, np.maximum(np.ceil(added), 1.0), 0.0)
            early = w < np.where(np.isfinite(threshold[live]), threshold[live] / 2.0, np.inf)
            trip += np.where(
                last, (sent - 1.0) / np.maximum(w, 1.0) * trip / np.where(early, SPREAD_EARLY, SPREAD_LATE), 0.0
            )
        hit = drawn[1] < -np.expm1(-(stray + full * hits) * sent)
        several = 1.0 + np.floor(np.log1p(-drawn[2]) / np.log(np.maximum(more, 1e-9) / (1.0 + more)))
        lost = np.minimum(np.where(aware, np.where(hit, several, 0.0), burst), np.floor(sent))
        clean = lost == 0.0
        # A hole needs three later packets to be noticed.
        ahead = np.where(sent > 3.0, 1.0 - 3.0 / np.maximum(sent, 3.0), 0.0)
        tail = ~clean & last & ((drawn[3] > ahead**lost) | ~aware)
        starved = ~clean & ~last & (sent - lost < 3.0)
        probed = tail & (sender.probe_margin is not None)
        waits = (tail & ~probed) | starved
        before = np.where(aware, sent, sent + np.minimum(gap, sent))
        cut = np.maximum(sender.growth.factor * before, 1.0)
        spent = np.where(
            waits, 2.0 * trip + sender.min_rto, np.where(probed, 2.0 * trip + (sender.probe_margin or 0.0), trip)
        )
        now[live] += spent + np.where((sent < 1.5) & ~last, sender.ack_delay, 0.0)
        left[live] -= sent - lost
        threshold[live] = np.where(clean, threshold[live], np.maximum(cut, 2.0))
        slow = w < threshold[live]
        grown = w.copy()
        grown[slow] = np.minimum(w + sent, threshold[live])[slow]
        grows = clean & ~slow
        grown[grows] = sender.growth.grow(memory, live[grows], w[grows], sent[grows], now[live[grows]])
        sender.growth.lose(memory, live[~clean], before[~clean], waits[~clean])
        window[live] = np.minimum(np.where(clean, grown, np.where(waits, 1.0, cut)), sender.max_window)
        noticed[live] |= ~clean
        live = live[left[live] > 1e-9]
        if not live.size:
            break
    under_way = np.isin(np.arange(rows * columns), live).reshape(rows, columns)
    sent_late = np.where(under_way, (half[1] - left).reshape(rows, columns), 0.0).sum(axis=1)
    spent_late = np.where(under_way, (now - half[0]).reshape(rows, columns), 0.0).sum(axis=1)
    whole: NDArray[np.bool_] = np.logical_not(under_way.any(axis=1))
    # What is left is sent at the mean rate of the later windows.
    rate = np.where(whole, 1.0, sent_late) / np.where(whole, 1.0, spent_late)
    # Infinite where the later windows bring nothing across.
    stuck = np.repeat(rate[:, None] <= 0.0, columns, axis=1)
    rest = left.reshape(rows, columns) / np.where(stuck, 1.0, rate[:, None])
    times = now.reshape(rows, columns) + np.where(under_way, np.where(stuck, np.inf, rest), 0.0)
    return Times(times, whole)


def _numbers(course: Course, place: Place) -> tuple[float, ...]:
    """What a round needs: step, length, capacity, path, buffer, kept, overload, hits, stray, more.

    kept: share of its packets in the network that the load keeps once it has made room for one flow more.
    """
    path = place.capacity * place.rtt
    full = float((course.excess >= place.buffer - NEARLY).mean())
    window = max((float(course.excess.mean()) + path) * place.share / place.flows, 1.0)
    overload = max(place.drops / full, 1e-9) if full > 0.0 else 1e-9
    # A flow of the load is cut as often as its model says, by windows that meet a full buffer; where these are too few
    # for that, by others as well.
    often = place.cuts * ((place.flows + 1.0) / place.flows) ** 2
    meets = float(_filled(course, place).mean())
    share = min(often * window / max(meets, 1e-12), MOST_CUT)
    return (
        course.step,
        float(course.excess.size),
        place.capacity,
        path,
        place.buffer,
        1.0 - place.share / (place.flows + 1.0),
        overload,
        -math.log1p(-share) / window,
        max(often - share * meets / window, 0.0),
        max(place.drops / place.cuts - 1.0, 0.0) if place.cuts else 0.0,
    )


def _filled(course: Course, place: Place) -> NDArray[np.bool_]:
    """Whether the buffer is full at some instant of the round trip that begins with each sample."""
    full = course.excess >= place.buffer - NEARLY
    trip = place.rtt + max(0.0, float(course.excess.mean())) / place.capacity
    ahead = min(max(1, round(trip / course.step)), full.size)
    counted = np.concatenate([[0], np.cumsum(np.concatenate([full, full[:ahead]]))])
    return np.asarray(counted[ahead : ahead + full.size] > counted[: full.size])
