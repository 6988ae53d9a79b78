"""Completion times of one more transfer among long flows at a drop-tail queue: a distribution, by simulating rounds.

The transfer is a test particle. What the load has in the network is given as a course over time; a transfer begins at a
random place in it and is followed window by window:

* a window takes the round trip with the queue that it finds, its own packets included;
* in slow start windows double until packets are lost. A window is a burst there: it fills the free room, and of the
  rest two thirds are lost, as it arrives at twice the rate of the link beside the load's packets (of the first window
  all of the rest: it arrives at the rate of the sender's link). A full buffer is not full at every instant:
  with an overload of ε per packet the room is exponential with mean 1/(2ε), the queue of deterministic service in
  heavy traffic seen from above;
* from its first loss on the load has made room for one flow among n + 1, and windows are cut when they meet a full
  buffer: a window of the load's size as often as the load's windows are;
* a lossy window is repaired in the next one. Slow start goes on until the sender hears of the loss, so the cut is of
  that window and of what arrived before the first loss; a lost tail, or a window of which fewer than three packets
  arrive, waits for the timeout (or the tail loss probe) first, and a single packet for a delayed acknowledgement.

Windows and round trips are those of Cardwell, Savage and Anderson (INFOCOM 2000), drawn one by one where that paper
takes means, which gives percentiles. That windows of slow start are bursts was seen in packet simulations; no number
is fitted. A paced sender's first window is a burst too; the later ones are spread over the round trip and lose as the
load's packets do. Left out: packets lost twice, doubled timeouts.
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
#: Where the length of the course stands among the numbers of a round (``_numbers``).
_LENGTH = 1


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
    """times: completion times [s], one row per place.  whole: per row, whether every window was followed to the end."""

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
    table = np.array([_numbers(*both) for both in zip(courses, places, strict=True)]).T
    everybody = rows * columns
    begin = np.tile((np.arange(columns) + random.random(columns)) / columns, rows)
    now, left = np.zeros(everybody), np.full(everybody, float(sender.segments))
    memory = sender.growth.memory(everybody)
    half = now, left
    # Transfers under way, one entry each: their number, and their state.
    live, n, r = np.arange(everybody), now.copy(), left.copy()
    w = np.full(everybody, float(min(sender.initial_window, sender.max_window)))
    threshold, aware = np.full(everybody, np.inf), np.zeros(everybody, bool)
    row, column = np.divmod(live, columns)
    numbers = table if rows == 1 else table[:, row]  # of a single place, one number goes with all
    origin = begin * numbers[_LENGTH]
    for rounds in range(MOST_ROUNDS):
        if rounds == MOST_ROUNDS // 2:
            now[live], left[live] = n, r
            half = now.copy(), left.copy()
        drawn = random.random((4, columns))
        step, length, capacity, path, room, kept, overload, hits, stray, more = numbers
        at = ((origin + n / step) % length).astype(np.int64)
        others, full = (excess[0, at], filled[0, at]) if rows == 1 else (excess[row, at], filled[row, at])
        # Logarithms and powers are most of the work, so each is taken of those that need it.
        early_on, later_on = np.flatnonzero(~aware), np.flatnonzero(aware)
        if later_on.size:
            others = np.where(aware, (others + path) * kept - path, others)
        sent = np.minimum(w, r)
        last = sent >= r
        queue = np.minimum(np.maximum(others + sent, 0.0), room)
        behind = np.maximum(queue, sent - 1.0) if rounds == 0 or not sender.paced else queue
        trip = path / capacity + np.where(last, behind, queue) / capacity
        lost, before = np.zeros(live.size), sent
        if early_on.size:
            # A burst fits into the room that it finds, which is not quite 0 while the buffer overflows.
            first, own = drawn[0, column[early_on]], sent[early_on]
            most, over = _of(room, early_on), _of(overload, early_on)
            free = np.maximum(most - others[early_on], 0.0)
            gap = np.minimum(free - np.log1p(-first) / (2.0 * over), most)
            if sender.paced and rounds:
                # Spread over the round trip, a window loses as the load's packets do, and its share of what it adds.
                pace = SPREAD_EARLY * own / trip[early_on]
                added = np.maximum(own - free, 0.0) * pace / (pace + _of(capacity, early_on))
                loses = first < -np.expm1(-added - own * full[early_on] * over)
                lost[early_on] = np.where(loses, np.maximum(np.ceil(added), 1.0), 0.0)
            else:
                beyond = np.maximum((own if rounds else own * sender.burst) - gap, 0.0)
                lost[early_on] = np.ceil(beyond if rounds == 0 else TAKEN * beyond)
            before = sent.copy()
            before[early_on] = own + np.minimum(gap, own)
        if later_on.size:
            own = sent[later_on]
            often = _of(stray, later_on) + full[later_on] * _of(hits, later_on)
            met = np.flatnonzero(drawn[1, column[later_on]] < -np.expm1(-often * own))
            struck = later_on[met]
            further = _of(more, struck)
            lost[struck] = 1.0 + np.floor(
                np.log1p(-drawn[2, column[struck]]) / np.log(np.maximum(further, 1e-9) / (1.0 + further))
            )
        if sender.paced and rounds:
            early = w < np.where(np.isfinite(threshold), threshold / 2.0, np.inf)
            trip += np.where(
                last, (sent - 1.0) / np.maximum(w, 1.0) * trip / np.where(early, SPREAD_EARLY, SPREAD_LATE), 0.0
            )
        lost = np.minimum(lost, np.floor(sent))
        clean = lost == 0.0
        spent = trip
        lossy = np.flatnonzero(~clean)
        if lossy.size:
            own, gone, ends = sent[lossy], lost[lossy], last[lossy]
            # A hole needs three later packets to be noticed.
            ahead = np.where(own > 3.0, 1.0 - 3.0 / np.maximum(own, 3.0), 0.0)
            tail = ends & ((drawn[3, column[lossy]] > ahead**gone) | ~aware[lossy])
            starved = ~ends & (own - gone < 3.0)
            probed = tail & (sender.probe_margin is not None)
            waits = (tail & ~probed) | starved
            cut = np.maximum(sender.growth.factor * before[lossy], 1.0)
            slowly = 2.0 * trip[lossy]
            spent = trip.copy()
            spent[lossy] = np.where(
                waits,
                slowly + sender.min_rto,
                np.where(probed, slowly + (sender.probe_margin or 0.0), trip[lossy]),
            )
        n += spent + np.where((sent < 1.5) & ~last, sender.ack_delay, 0.0)
        r -= sent - lost
        if lossy.size:
            threshold[lossy] = np.maximum(cut, 2.0)
        slow = w < threshold
        grown = np.where(slow, np.minimum(w + sent, threshold), w)
        grows = np.flatnonzero(clean & ~slow)
        if grows.size:
            grown[grows] = sender.growth.grow(memory, live[grows], w[grows], sent[grows], n[grows])
        if lossy.size:
            sender.growth.lose(memory, live[lossy], before[lossy], waits)
            grown[lossy] = np.where(waits, 1.0, cut)
            aware = aware | ~clean
        w = np.minimum(grown, sender.max_window)
        goes_on = r > 1e-9
        if not goes_on.all():
            now[live], left[live] = n, r
            live, row, column, origin = live[goes_on], row[goes_on], column[goes_on], origin[goes_on]
            n, r, w, threshold, aware = n[goes_on], r[goes_on], w[goes_on], threshold[goes_on], aware[goes_on]
            numbers = table if rows == 1 else numbers[:, goes_on]
        if not live.size:
            break
    now[live], left[live] = n, r
    under_way = np.isin(np.arange(everybody), live).reshape(rows, columns)
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


def _of(number: Values, who: NDArray[np.int64]) -> Values:
    """A column of a round's numbers for some transfers; unchanged where one number holds for all."""
    return number if number.size == 1 else number[who]


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
