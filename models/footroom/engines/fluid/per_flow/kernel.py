"""The compiled course of one lane: windows of every flow, the queue they make, losses one packet at a time, marks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from footroom.base.compile_cache import entry, helper
from footroom.engines.fluid.calls import call_climb, call_one_flow
from footroom.engines.fluid.laws import flows as flows_
from footroom.engines.fluid.laws.flows import NET, THRESHOLD, WINDOW

# One flow's row: the state of its law, then NET, MODE and the other state of the shell.
MODE, ROW, OPEN = flows_.MODE, flows_.ROW, flows_.OPEN
AT, AGAIN, SLOPE = NET + 2, NET + 3, NET + 4
# MARKED: 1 where word of a mark, not of a loss, is on its way or has cut the flow.
GROUP, SENT, MARKED = NET + 5, NET + 6, NET + 7
# What a flow does. INFORMED: word of a loss is on its way to the sender. RECOVERING: cut, does not grow. WAITING: for
# a timeout.
INFORMED, RECOVERING, WAITING = 1.0, 2.0, 3.0

# A group's row: its law's parameters, then what the shell needs. WEIGHT: flows that one row represents.
MOST_OWN = 6
# DROPS: 1 where packets are dropped that the marking would mark.
BASE, WEIGHT, GROW_AT, CUT_AT, MIN_RTO, DROPS, CLIMB_AT = range(MOST_OWN, MOST_OWN + 7)
GROUP_ROW = MOST_OWN + 7
# A lane's row.
# ALIKE: flows that a row represents, on average. MARKS: 1 where packets are marked with a probability that rises by
# SLOPE_OF_MARKS per packet above LEAST_MARKED up to TOP, and is 1 beyond. POLE: 1/s of the averaged queue, 0 without.
# HIGHEST: queue (packets) that the histogram reaches to.
CAPACITY, BUFFER, BACKGROUND, ALIKE, PER_TRIP, LONGEST_STEP, WARM_CUTS, CUTS, MOST_STEPS = range(9)
MARKS, LEAST_MARKED, SLOPE_OF_MARKS, TOP, POLE, HIGHEST = range(9, 15)
LANE = 15
# Results of a lane.
TIME, SERVED, LOST, QUEUE, GREATEST, CUTS_SEEN, TIMEOUTS, WINDOWS, ENDED = range(9)
ANSWERS = 9

_LN2 = math.log(2.0)


@helper
def uniform(state: Any) -> float:
    """Next number of a splitmix64 generator, in [0, 1)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return float(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@helper
def _standing(total: Any, groups: Any, count: int, capacity: float, room: float, guess: float) -> float:
    """Queue (packets) at which sum n/(T + q/C) = ``room`` (packets/s), 0 where that is less without a queue.

    The sum falls and is convex in q, so Newton's method from below climbs to the root without passing it.
    """
    q = guess
    for _ in range(30):
        rate, slope = 0.0, 0.0
        for g in range(count):
            often = 1.0 / (groups[g, BASE] + q / capacity)
            rate += total[g] * often
            slope += total[g] * often * often
        if slope <= 0.0:
            return 0.0
        change = (rate - room) * capacity / slope
        if q + change < 0.0:
            if q == 0.0:
                return 0.0
            q = 0.0
            continue
        q += change
        if abs(change) < 1e-9 * (1.0 + q):
            return q
    return q


@helper
def _victim(flows: Any, count: int, share: Any, fraction: float, total: float) -> int:
    """The flow that a dropped packet belongs to: in proportion to what each sends."""
    left = fraction * total
    last = 0
    for i in range(count):
        rate = flows[i, NET] * share[int(flows[i, GROUP])]
        if rate > 0.0:
            left -= rate
            last = i
            if left <= 0.0:
                return i
    return last


@helper
def _hear(flows: Any, i: int, marked: float, now: float, trip: float) -> None:
    """Flow i learns one round trip later of what happened to a packet now; at most one cut a round trip follows."""
    if flows[i, MODE] == OPEN:
        flows[i, MODE] = INFORMED
        flows[i, AT] = now + trip
        flows[i, MARKED] = marked
    elif flows[i, MODE] == RECOVERING and flows[i, AGAIN] == math.inf:
        flows[i, AGAIN] = max(now + trip, flows[i, AT])
    if marked == 0.0 and flows[i, MODE] == INFORMED:
        flows[i, MARKED] = 0.0


@helper
def lose(flows: Any, i: int, now: float, trip: float) -> None:
    """Flow i loses a packet now; it learns of it one round trip later."""
    flows[i, NET] -= 1.0
    _hear(flows, i, 0.0, now, trip)


@helper
def _probability(level: float, lane: Any) -> float:
    """Of a mark, at this queue (packets)."""
    probability = (level - lane[LEAST_MARKED]) * lane[SLOPE_OF_MARKS]
    if probability <= 0.0:
        return 0.0
    return probability if probability <= lane[TOP] else 1.0


@helper
def mark(flows: Any, i: int, drops: float, expected: float, now: float, trip: float, random: Any) -> float:
    """Marks of a Poisson process with ``expected`` packets in this step, or drops in their place: packets lost."""
    if flows[i, MODE] == RECOVERING and flows[i, MARKED] > 0.0 and flows[i, NET] > flows[i, WINDOW]:
        return 0.0  # it sends nothing until its packets in the network are as few as its window
    hit = -math.expm1(-expected)
    if uniform(random) >= hit:
        return 0.0
    lost = 0.0
    if drops > 0.0:
        # The mean of those Poisson numbers that are not 0.
        lost = min(expected / hit, flows[i, NET])
        flows[i, NET] -= lost
    _hear(flows, i, 1.0 if drops == 0.0 else 0.0, now, trip)
    return lost


@helper
def advance(flows: Any, i: int, groups: Any, now: float, step: float, trip: float) -> float:
    """Move one flow over ``step``. 1 when it was cut, 2 when it timed out, else 0."""
    g = int(flows[i, GROUP])
    mode = flows[i, MODE]
    # The nearest step: taking always the next one would make every round trip half a step longer.
    due = now + 0.5 * step >= flows[i, AT]
    if mode == WAITING:
        if due:
            flows[i, MODE] = OPEN
            flows[i, WINDOW] = 1.0
            flows[i, NET] = 1.0
        return 0.0
    if mode == RECOVERING:
        flows[i, NET] += flows[i, SLOPE] * step
        if flows[i, MARKED] > 0.0:
            flows[i, NET] = max(flows[i, NET], flows[i, WINDOW])
        if due:
            if flows[i, AGAIN] < math.inf:
                flows[i, MODE] = INFORMED
                flows[i, AT] = flows[i, AGAIN]
                flows[i, AGAIN] = math.inf
            else:
                flows[i, MODE] = OPEN
                flows[i, NET] = flows[i, WINDOW]
        return 0.0
    if mode == INFORMED and due:
        call_one_flow(int(groups[g, CUT_AT]), flows, i, groups, g, now, 0.0, trip)
        if flows[i, NET] < 1.0:
            # No packet is left that could report the loss.
            flows[i, MODE] = WAITING
            flows[i, NET] = 0.0
            flows[i, AT] = now + groups[g, MIN_RTO]
            return 2.0
        flows[i, MODE] = RECOVERING
        flows[i, AT] = now + trip
        flows[i, AGAIN] = math.inf
        flows[i, SLOPE] = (flows[i, WINDOW] - flows[i, NET]) / trip
        if flows[i, MARKED] > 0.0:
            # A window that a mark has halved holds at once: nothing is sent while packets arrive (RFC 3168 §6.1.2).
            flows[i, SLOPE] = -flows[i, NET] / trip
        return 1.0
    before = flows[i, WINDOW]
    if before < flows[i, THRESHOLD]:
        flows[i, WINDOW] = min(before + _LN2 * before * step / trip, flows[i, THRESHOLD])
    else:
        call_one_flow(int(groups[g, GROW_AT]), flows, i, groups, g, now, step, trip)
    flows[i, NET] += flows[i, WINDOW] - before
    return 0.0


def _course(
    lane: Any,
    groups: Any,
    flows: Any,
    answer: Any,
    histogram: Any,
    trace: Any,
    trace_step: float,
    scratch: Any,
    random: Any,
) -> None:
    """Run one lane until ``CUTS`` cuts were seen after ``WARM_CUTS``, from a cut to a cut, or ``MOST_STEPS`` steps.

    lane: the lane's row.  groups: (groups, GROUP_ROW).  flows: (rows, ROW), started, group by group.
    answer: (ANSWERS,).  histogram: time spent by queue, (bins + 1,) over [0, HIGHEST].  trace: (points, 4) of time,
    mean window, share lost, queue, a row every ``trace_step`` s from 0.  scratch: (3, groups).  random: (1,) uint64.
    """
    capacity, room_all, buffer = lane[CAPACITY], lane[CAPACITY] - lane[BACKGROUND], lane[BUFFER]
    count, kinds, bins = flows.shape[0], groups.shape[0], histogram.shape[0] - 1
    total, share, trips = scratch[0], scratch[1], scratch[2]
    shortest = math.inf
    for g in range(kinds):
        shortest = min(shortest, groups[g, BASE])
        total[g] = 0.0
    for i in range(count):
        total[int(flows[i, GROUP])] += flows[i, NET]
    now, q, cuts, points = 0.0, 0.0, 0.0, 0
    # Excess at the next drop: one packet on average. With exactly one, flows of one round trip would lock their phases.
    patience = 1.0
    measuring = False
    steps = 0
    # Whether every flow grew over the last step, how many packets were in the network before it, and its length.
    calm, previous, step = False, 0.0, 0.0
    average, probability = 0.0, 0.0
    while steps < lane[MOST_STEPS]:
        steps += 1
        for g in range(kinds):
            total[g] *= groups[g, WEIGHT]
        q = _standing(total, groups, kinds, capacity, room_all, q)
        q = min(q, buffer)
        arriving, held = 0.0, 0.0
        for g in range(kinds):
            trips[g] = groups[g, BASE] + q / capacity
            share[g] = groups[g, WEIGHT] / trips[g]
            arriving += total[g] / trips[g]
            held += total[g]
        lost = 0.0
        if q >= buffer and arriving > room_all:
            # Packets beyond those that pipe and buffer hold.
            owed = held * (1.0 - room_all / arriving)
            while owed >= patience * lane[ALIKE]:
                i = _victim(flows, count, share, uniform(random), arriving)
                weight = groups[int(flows[i, GROUP]), WEIGHT]
                owed -= weight
                lost += weight
                lose(flows, i, now, groups[int(flows[i, GROUP]), BASE] + q / capacity)
                patience = 0.5 + uniform(random)
        fine = (shortest + q / capacity) / lane[PER_TRIP]
        if lane[MARKS] > 0.0:
            calm = False
            average = q + (average - q) * math.exp(-lane[POLE] * fine) if lane[POLE] > 0.0 else q
            probability = _probability(average, lane)
        if calm and q < buffer and held > previous:
            # Nothing happens until the buffer is full: half of the way there at once.
            full = room_all * held / max(arriving, 1e-300) + (buffer - q if q > 0.0 else buffer)
            left = max(0.0, full - held) * step / (held - previous)
            step = max(fine, min(0.5 * left, lane[LONGEST_STEP]))
        else:
            step = fine
        previous = held
        # A packet that finds its port idle is not marked, whatever the average of the queue.
        if probability > 0.0 and q > 0.0:
            for i in range(count):
                g = int(flows[i, GROUP])
                trip = groups[g, BASE] + q / capacity
                expected = flows[i, NET] / trip * step * probability
                lost += groups[g, WEIGHT] * mark(flows, i, groups[g, DROPS], expected, now, trip, random)
        sent = min(arriving, room_all)
        if measuring:
            answer[TIME] += step
            answer[SERVED] += (sent + lane[BACKGROUND]) * step
            # The background loses the same share of its packets.
            answer[LOST] += lost * (1.0 + lane[BACKGROUND] / max(arriving, 1e-300))
            answer[QUEUE] += q * step
            answer[GREATEST] = max(answer[GREATEST], q)
            histogram[min(bins, int(q / lane[HIGHEST] * bins))] += step
        if points < trace.shape[0] and now >= points * trace_step:
            every = 0.0
            for i in range(count):
                every += flows[i, WINDOW]
            trace[points, 0], trace[points, 1] = now, every / count
            trace[points, 2], trace[points, 3] = lost / max(arriving * step, 1e-300), q
            if lane[MARKS] > 0.0:
                trace[points, 2] = probability
            points += 1
        before = cuts
        calm = True
        windows, first = answer[WINDOWS], 0
        for g in range(kinds):
            trip, end = trips[g], first
            while end < count and flows[end, GROUP] == g:
                if measuring:
                    flows[end, SENT] += flows[end, NET] / trip * step
                    windows += flows[end, WINDOW] * step
                end += 1
            at = int(groups[g, CLIMB_AT])
            total[g] = call_climb(at, flows, first, end - first, groups, g, now, step, trip)
            if total[g] == math.inf:
                calm, total[g] = False, 0.0
                for i in range(first, end):
                    if flows[i, MODE] != OPEN or flows[i, WINDOW] < flows[i, THRESHOLD]:
                        did = advance(flows, i, groups, now, step, trip)
                        if did > 0.0:
                            cuts += 1.0
                            if did > 1.0 and measuring:
                                answer[TIMEOUTS] += 1.0
                    total[g] += flows[i, NET]
            first = end
        answer[WINDOWS] = windows
        now += step
        if cuts > before and not measuring and cuts >= lane[WARM_CUTS]:
            measuring = True
            cuts = 0.0
        elif measuring and cuts > before and cuts >= lane[CUTS]:
            answer[ENDED] = 1.0
            break
    answer[CUTS_SEEN] = cuts if measuring else 0.0


course = entry(_course)
