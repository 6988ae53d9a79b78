"""Fluid in pieces: what a route sends in one step waits, leaves and comes back as one block."""

from __future__ import annotations

from typing import Any

import numpy as np

from footroom.base.compile_cache import helper
from footroom.engines.hybrid.ahead import fetch
from footroom.engines.hybrid.layout import (
    ANSWER,
    ANSWERED,
    AT_NIC,
    COME,
    COUNT,
    DELAY,
    DUE_OUT,
    FIRST,
    FREE,
    FREE_COUNT,
    INLINE,
    LAST,
    NEW,
    NEW_LAST,
    PICO,
    SPAN,
    STEP,
    STEPS,
    THERE,
)
from footroom.engines.packet.fluid_holes import holes_up_to, sent_up_to


@helper
def fresh(r: int, size: float, clock: Any, blocks: Any, s: Any) -> int:
    """Take a free block for ``size`` bytes of route r."""
    k = int(clock[FREE])
    clock[FREE] = blocks[k].following
    clock[FREE_COUNT] -= 1.0
    blocks[k].route, blocks[k].hop, blocks[k].bytes, blocks[k].answers = r, 0, size, 0.0
    blocks[k].marked, blocks[k].sent = 0.0, clock[COUNT]
    if len(s.stamps) > 1:
        s.stamps[k].lost = 0.0
    return k


@helper
def give_back(k: int, clock: Any, blocks: Any) -> None:
    """Return block k to the free list."""
    blocks[k].following = int(clock[FREE])
    clock[FREE] = k
    clock[FREE_COUNT] += 1.0


@helper
def queue_up(n: int, ports: Any, lists: Any, blocks: Any) -> None:
    """Append the blocks that came to port n over the last step, and were not lost, to its queue."""
    if lists[n, NEW] < 0:
        return
    if lists[n, FIRST] < 0:
        lists[n, FIRST] = lists[n, NEW]
    else:
        blocks[lists[n, LAST]].following = lists[n, NEW]
    lists[n, LAST] = lists[n, NEW_LAST]
    lists[n, NEW] = -1
    ports[n, COME] = 0.0


@helper
def come(n: int, k: int, ports: Any, lists: Any, blocks: Any) -> None:
    """Block k comes to port n over the next step."""
    blocks[k].following = -1
    if lists[n, NEW] < 0:
        lists[n, NEW] = k
    else:
        blocks[lists[n, NEW_LAST]].following = k
    lists[n, NEW_LAST] = k
    ports[n, COME] += blocks[k].bytes


@helper
def _part_stamp(part: int, k: int, share: float, s: Any) -> None:
    """Part ``part`` has left block k, with ``share`` of it."""
    a, b = s.stamps[part], s.stamps[k]
    a.sent, a.arrived, a.arrived_at, a.first_sent = b.sent, b.arrived, b.arrived_at, b.first_sent
    a.limited, a.flight, a.losses, a.phase = b.limited, b.flight, b.losses, b.phase
    a.lost = b.lost * share
    b.lost -= a.lost


@helper
def take(n: int, left: float, clock: Any, ports: Any, lists: Any, blocks: Any, s: Any) -> int:
    """The next block of the ``left`` bytes that have left port n, or the part of one that has; -1 for none."""
    k = lists[n, FIRST]
    if k < 0:
        return -1
    if left <= 1.0 and not (len(s.stamps) > 1 and blocks[k].bytes <= 0.0 and s.stamps[k].lost > 0.0):
        return -1
    # One that has lost all its bytes leaves as it is, even where rounding left less than nothing to go.
    if left >= blocks[k].bytes or blocks[k].bytes <= 0.0:
        ports[n, DUE_OUT] -= blocks[k].bytes
        lists[n, FIRST] = blocks[k].following
        fetch(blocks, lists[n, FIRST], 1)
        return int(k)
    part = fresh(int(blocks[k].route), left, clock, blocks, s)
    blocks[part].hop, blocks[part].sent = blocks[k].hop, blocks[k].sent
    blocks[part].answers = blocks[k].answers * left / blocks[k].bytes
    blocks[k].answers -= blocks[part].answers
    blocks[part].marked = blocks[k].marked * left / blocks[k].bytes
    blocks[k].marked -= blocks[part].marked
    if len(s.stamps) > 1:
        _part_stamp(part, k, left / blocks[k].bytes, s)
    blocks[k].bytes -= left
    ports[n, DUE_OUT] -= left
    return part


@helper
def put_back(slot: int, k: int, blocks: Any, back: Any) -> None:
    """Block k comes back to its sender in the step ``slot`` of the ring."""
    x = back[slot]
    blocks[k].following = -1
    if x.count < INLINE:
        x.blocks[x.count] = k
    elif x.count == INLINE:
        x.first = k
    else:
        blocks[x.last].following = k
    x.last = k
    x.count += 1
    x.bytes += blocks[k].bytes


@helper
def leave(
    t: Any, n: int, clock: Any, ports: Any, lists: Any, blocks: Any, back: Any, hops: Any, routes: Any, s: Any
) -> None:
    """What has left port n over the last steps goes on to the next port, or back to its sender in as many steps."""
    ring, past = back.shape[0], int(clock[SPAN])
    begun = int(clock[COUNT]) - past
    due, taken = ports[n, DUE_OUT], 0.0
    x, step, first = t.fluids[n], clock[STEP] * PICO, t.state[0].now - clock[STEP] * PICO * past
    hole, before = x.hole_left, 0.0
    if past > 1:
        hole = holes_up_to(t, x, hole, np.int64(first))
        before = sent_up_to(t, x, hole, np.int64(first))
    for j in range(past):
        until = due
        if j < past - 1:
            end = np.int64(first + step * (j + 1))
            hole = holes_up_to(t, x, hole, end)
            until = min(due, sent_up_to(t, x, hole, end) - before)
            x.hole_left = hole
        k = take(n, until - taken, clock, ports, lists, blocks, s)
        while k >= 0:
            taken += blocks[k].bytes
            if len(s.stamps) > 1 and ports[n, DELAY] > 0.0:
                # One by one, as fast as the link sends.
                s.stamps[k].phase = min(1.0, taken / max(due, 1.0))
            r, h = int(blocks[k].route), int(blocks[k].hop) + 1
            if h == 1:
                routes[r, AT_NIC] -= blocks[k].bytes
            if h > routes[r, THERE]:
                ports[n, ANSWERED] += blocks[k].bytes
            if h == routes[r, THERE]:
                blocks[k].answers = blocks[k].bytes
                blocks[k].bytes *= routes[r, ANSWER]
            if h < hops.shape[1] and hops[r, h] >= 0:
                blocks[k].hop = h
                come(hops[r, h], k, ports, lists, blocks)
            else:
                blocks[k].bytes = blocks[k].answers
                put_back((begun + j + int(routes[r, STEPS])) % ring, k, blocks, back)
            k = take(n, until - taken, clock, ports, lists, blocks, s)
