"""Marks of fluid that is kept flow by flow: blocks are marked as they come to a port, senders hear when they are back.

A block carries the packets of it that are marked. Under a step all of what comes above the threshold is; under RED
whole packets are, each by chance. NewReno and CUBIC are cut by the first mark of a round trip (RFC 3168, section
6.1.2), DCTCP by half the running share of marks (RFC 8257, section 3.3). Acknowledgements that understand no marks are
dropped instead, and counted; those that follow tell the same.
"""

from __future__ import annotations

import math
from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.fluid.laws.flows import NET, THRESHOLD, WINDOW, WORDS
from footroom.engines.fluid.per_flow.kernel import (
    AGAIN,
    AT,
    INFORMED,
    MARKED,
    MODE,
    OPEN,
    RECOVERING,
    SLOPE,
    uniform,
)
from footroom.engines.hybrid.layout import (
    ANSWER_SIZE,
    BY_SHARE,
    HITS,
    LEAST_WINDOW,
    LEVEL,
    MARKED_BEFORE,
    NEW,
    PACKET,
    RED,
    REFUSED,
    REFUSED_BEFORE,
    STEPS_AT,
    THERE,
)
from footroom.engines.packet.tables import u
from footroom.kernel.hooks import words

#: DCTCP's own words of a flow: share of marks, packets and marked ones since it was brought up to date, when it is
#: next, and until when its window is not cut again.
ALPHA, SEEN, SEEN_MARKED, ALPHA_AT, CUT_UNTIL = range(WORDS, WORDS + 5)
#: Chance from which on all is marked.
ALL = 0.999


@helper
def _chance(p: Any, before: float, level: float, clock: Any) -> float:
    """Of a mark at port p, on average while its queue went from ``before`` to ``level`` bytes."""
    params: Any = words(p.marker_params)  # type: ignore[no-untyped-call]
    if p.marker == int(clock[STEPS_AT]):
        threshold = params[0]
        if before > threshold and level > threshold:
            return 1.0
        if before <= threshold and level <= threshold:
            return 0.0
        return float((max(before, level) - threshold) / abs(level - before))
    if p.marker != int(clock[RED]):
        return 0.0
    least, most, top = params[0], params[1], params[2]
    mean = 0.5 * (before + level)
    if mean <= least:
        return 0.0
    return 1.0 if mean > most else float(top * (mean - least) / (most - least))


@helper
def mark_new(t: Any, n: int, clock: Any, ports: Any, lists: Any, blocks: Any, routes: Any, random: Any) -> None:
    """Mark what came to port n over the last step and was not lost."""
    x, row = t.fluids[u(n)], ports[n]
    p = t.ports[u(x.port)]
    if p.marker == 0:
        return
    level, before = float(t.queues[u(x.queue)].bytes), row[LEVEL]
    row[LEVEL] = level
    chance = _chance(p, before, level, clock)
    if chance <= 0.0:
        return
    k = lists[n, NEW]
    while k >= 0:
        r = int(blocks[k].route)
        if blocks[k].hop < routes[r, THERE]:
            packets = chance * blocks[k].bytes / clock[PACKET]
            found = packets if chance >= ALL else math.floor(packets + uniform(random))
            blocks[k].marked = max(blocks[k].marked, found)
            row[MARKED_BEFORE] += found
        elif routes[r, REFUSED] > 0.0:
            row[REFUSED_BEFORE] += chance * blocks[k].bytes / clock[ANSWER_SIZE]
        k = blocks[k].following
    whole = math.floor(row[MARKED_BEFORE])
    row[MARKED_BEFORE] -= whole
    p.marked += whole
    t.queues[u(x.queue)].marked += whole
    whole = math.floor(row[REFUSED_BEFORE])
    row[REFUSED_BEFORE] -= whole
    p.dropped += whole


@helper
def hear(flows: Any, i: int, share: float, back: float, marked: float, now: float, trip: float, random: Any) -> None:
    """Flow i, with ``share`` of what comes back on its route, hears of ``marked`` of ``back`` packets there."""
    mine = marked * share
    if mine > 0.0 and share < 1.0:
        # By chance among the flows of the route.
        hit = -math.expm1(-mine)
        mine = mine / hit if uniform(random) < hit else 0.0
    if mine > 0.0:
        flows[i, HITS] += 1.0
    if flows[i, BY_SHARE] == 0.0:
        if mine > 0.0 and flows[i, MODE] == OPEN:
            flows[i, MODE], flows[i, AT], flows[i, MARKED] = INFORMED, now, 1.0
        return
    flows[i, SEEN] += back * share
    flows[i, SEEN_MARKED] += mine
    if now >= flows[i, ALPHA_AT] and flows[i, SEEN] > 0.0:
        found = min(1.0, flows[i, SEEN_MARKED] / flows[i, SEEN])
        flows[i, ALPHA] += flows[i, BY_SHARE] * (found - flows[i, ALPHA])
        flows[i, SEEN], flows[i, SEEN_MARKED], flows[i, ALPHA_AT] = 0.0, 0.0, now + trip
    # Word of a loss that is on its way has not reached the sender.
    if mine > 0.0 and flows[i, MODE] <= INFORMED and now >= flows[i, CUT_UNTIL]:
        window = max(flows[i, WINDOW] * (1.0 - 0.5 * flows[i, ALPHA]), flows[i, LEAST_WINDOW])
        flows[i, NET] -= max(0.0, flows[i, WINDOW] - window)
        flows[i, WINDOW] = flows[i, THRESHOLD] = window
        flows[i, CUT_UNTIL] = now + trip


@helper
def spare(flows: Any, i: int, now: float, step: float) -> None:
    """Let flow i repair without a cut what it hears to be lost over ``step``, if a mark has cut it for the same window
    of data (RFC 8257, section 3.5): a queue passes its threshold before it overflows.
    """
    if flows[i, BY_SHARE] == 0.0 or flows[i, MODE] != INFORMED or now + 0.5 * step < flows[i, AT]:
        return
    left = flows[i, CUT_UNTIL] - now
    if left <= 0.0 or flows[i, NET] < 1.0:
        return
    flows[i, MODE], flows[i, AT], flows[i, AGAIN] = RECOVERING, flows[i, CUT_UNTIL], math.inf
    flows[i, SLOPE] = (flows[i, WINDOW] - flows[i, NET]) / max(left, step)


@helper
def may_grow(flows: Any, i: int, now: float) -> bool:
    """Whether flow i is not in the round trip after a cut by its share of marks."""
    return bool(flows[i, BY_SHARE] == 0.0 or now >= flows[i, CUT_UNTIL])
