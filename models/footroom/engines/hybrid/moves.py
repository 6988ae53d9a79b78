"""Windows that move: how they grow and are cut, and which flows end.

**Turns.** Windows move thirty times in a round trip. Beyond slow start a window grows by about a packet in that time,
so routes that share no host's link take turns then: the windows of each move once in ``TURNS`` times, over as much
time. A route is watched, and its windows move every time, while one of its flows has lost a packet, hears of a mark,
recovers, waits for a timeout or is in slow start, or where its host shapes it.
"""

from __future__ import annotations

import math
from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.fluid.laws.flows import NET, THRESHOLD, WINDOW
from footroom.engines.fluid.per_flow.kernel import INFORMED, MARKED, MODE, OPEN, RECOVERING, WAITING, advance
from footroom.engines.hybrid.ahead import AHEAD, fetch_flow, fetch_route
from footroom.engines.hybrid.layout import (
    ALONE,
    AT_HOST,
    AT_MOST,
    BACK,
    BURST,
    BY_SHARE,
    BY_TURNS,
    COUNTED,
    CREDIT,
    DELAY,
    ENTRY,
    EVERY,
    FIRST_FLOW,
    FLOWS,
    FOLLOWING,
    HELD_BACK,
    HELD_UP,
    INSIDE,
    LEAST_QUEUE,
    LEFT,
    MARKS,
    MOST,
    MOVED,
    NIC,
    PACKET,
    PLACED,
    QUEUES,
    ROUTE,
    ROUTES,
    SAMPLED,
    SENT,
    SHAPED,
    SMALL_QUEUE,
    SPAN,
    STEP,
    TOGETHER,
    TRIP,
    TURN,
    WAIT,
    WATCHED,
    WATCHED_COUNT,
    WINDOWS,
    WISH,
    WISHED,
)
from footroom.engines.hybrid.marked import hear, may_grow, spare
from footroom.engines.hybrid.senders import DEFERS, end, enlist

#: Windows in a round trip of the rate that a host's queue is measured by (Linux tcp_pacing_ca_ratio).
PACED = 1.2
#: Moves of windows in which every flow moves at least once: about a quarter of a round trip.
TURNS = 8


@helper
def _aim(flows: Any, i: int) -> float:
    """Packets that flow i is to have in the network: one that recovers, those of its new window."""
    return float(flows[i, WINDOW]) if flows[i, MODE] == RECOVERING else float(flows[i, NET])


@helper
def _hold_back(row: Any, size: float) -> None:
    """Let the sender of a route send ``size`` bytes less than come back to it, over a round trip."""
    row[CREDIT] -= size
    if row[CREDIT] < 0.0:
        row[HELD_BACK] = min(1.0, -row[CREDIT] / max(row[INSIDE], 1.0))


@helper
def _limits(row: Any, window: float, threshold: float, packet: float) -> bool:
    """Whether a window is what keeps its sender from sending more, so that it may grow (RFC 7661).

    A host that shapes may send less than the window allows, and only so much of a flow waits at its link. In slow start
    twice what is outstanding is enough to grow (Linux tcp_is_cwnd_limited).
    """
    slow_start, out = window < threshold, row[INSIDE]
    if row[QUEUES] > 0.0:
        # Of all flows of the route together; what waits at their host's link is out.
        window = row[WINDOWS]
    elif row[SHAPED] == 0.0:
        own = window * packet / (row[TRIP] + row[WAIT])
        most = max(row[LEAST_QUEUE], PACED * own * row[SMALL_QUEUE])
        if row[HELD_UP] == 0.0 or row[AT_HOST] <= most:
            return True
        out += most
    if slow_start and window * packet < 2.0 * out:
        return True
    return window * packet - row[INSIDE] < max(row[TOGETHER], min(row[BURST], window * packet * DEFERS))


@helper
def allow_at_hosts(clock: Any, routes: Any, alive: Any) -> None:
    """How much of every route may wait at its host's link now."""
    packet = clock[PACKET]
    for a in range(int(clock[ROUTES])):
        row = routes[alive[a, 1]]
        if row[QUEUES] > 0.0:
            own = row[WINDOWS] * packet / (row[TRIP] + row[WAIT])
            row[AT_MOST] = max(row[LEAST_QUEUE], PACED * own * row[SMALL_QUEUE])


@helper
def _grow_or_cut(
    flows: Any, i: int, groups: Any, now: float, step: float, row: Any, packet: float, greatest: bool
) -> None:
    """Move flow i over ``step``; it grows only where its window is what limits it. greatest: its receiver takes no
    more.
    """
    window, net = flows[i, WINDOW], flows[i, NET]
    limits = not greatest and _limits(row, window, flows[i, THRESHOLD], packet)
    spare(flows, i, now, step)
    advance(flows, i, groups, now, step, row[TRIP] + row[WAIT])
    if flows[i, WINDOW] > window and not (limits and may_grow(flows, i, now)):
        flows[i, WINDOW], flows[i, NET] = window, net


@helper
def _count_sent(flows: Any, i: int, row: Any, packet: float) -> None:
    """Count for flow i what its route has sent since windows last moved."""
    if row[ALONE] >= 0.0:
        flows[i, SENT] += row[COUNTED] / packet
    elif row[WINDOWS] > 0.0:
        flows[i, SENT] += row[COUNTED] / packet * max(0.0, flows[i, NET]) / row[WINDOWS]


@helper
def _move(flows: Any, i: int, groups: Any, row: Any, now: float, step: float, packet: float, random: Any) -> None:
    """Move the window of flow i, and let its sender send as much more or less."""
    window, net, aim = flows[i, WINDOW], flows[i, NET], _aim(flows, i)
    if row[MARKS] > 0.0 or (flows[i, BY_SHARE] > 0.0 and row[BACK] > 0.0):
        share = 1.0 if row[ALONE] >= 0.0 else max(0.0, net) / max(row[WINDOWS], 1e-9)
        hear(flows, i, share, row[BACK], row[MARKS], now, row[TRIP] + row[WAIT], random)
    cut = flows[i, WINDOW]
    _grow_or_cut(flows, i, groups, now, step, row, packet, net >= flows[i, MOST])
    more = (_aim(flows, i) - aim) * packet
    if more < 0.0:
        _hold_back(row, -more)
        if flows[i, MARKED] > 0.0 or cut < window:
            # Nothing is sent until what is in the network fits in the window.
            row[HELD_BACK] = 1.0
    else:
        row[CREDIT] += more
    lost_all = flows[i, MODE] == WAITING or flows[i, MODE] == INFORMED  # then a timeout follows
    if row[INSIDE] < 1.0 and row[AT_HOST] < 1.0 and row[CREDIT] <= 0.0 and not lost_all:
        # No acknowledgement will come that could release the rest.
        row[CREDIT] = packet


@helper
def _count_anew(r: int, clock: Any, ports: Any, hops: Any, routes: Any, active: Any) -> float:
    """Begin to count what route r sends and hears until windows move again. Bytes that it is still to send."""
    row = routes[r]
    row[WINDOWS] = row[COUNTED] = row[HELD_UP] = row[BACK] = row[MARKS] = 0.0
    row[WAIT] = ports[int(row[ENTRY]), DELAY]
    if row[QUEUES] == 0.0 and row[SHAPED] == 0.0:
        row[WAIT] += row[AT_HOST] / row[NIC]  # no port stands for its host's link
    for h in range(1, hops.shape[1]):
        if hops[r, h] >= 0:
            row[WAIT] += ports[hops[r, h], DELAY]
    if row[CREDIT] > 0.0 and row[INSIDE] < clock[PACKET]:
        enlist(r, routes, active)
    return float(max(0.0, row[CREDIT]) + row[AT_HOST])


@helper
def _only_grows(flows: Any, i: int) -> bool:
    """Whether flow i is beyond slow start, and knows of no loss and no mark."""
    return bool(flows[i, MODE] == OPEN and flows[i, WINDOW] >= flows[i, THRESHOLD])


@helper
def _visit(
    r: int,
    clock: Any,
    flows: Any,
    groups: Any,
    ports: Any,
    hops: Any,
    routes: Any,
    active: Any,
    now: float,
    random: Any,
) -> bool:
    """Move the windows of route r over the time since they last moved. Whether they only grow now.

    One that only grows moves to the middle of the time until its next turn, so that in the mean it is not late.
    """
    row, windows = routes[r], 0.0
    ahead = 0.5 * TURNS * clock[EVERY] * clock[STEP] if row[SHAPED] == 0.0 else 0.0
    i, calm = int(row[FIRST_FLOW]), row[SHAPED] == 0.0
    while i >= 0:
        _count_sent(flows, i, row, clock[PACKET])
        until = now + ahead if _only_grows(flows, i) else now
        _move(flows, i, groups, row, now, max(0.0, until - flows[i, MOVED]), clock[PACKET], random)
        flows[i, MOVED] = max(flows[i, MOVED], until)
        windows += max(0.0, flows[i, NET])
        calm = calm and _only_grows(flows, i)
        i = int(flows[i, FOLLOWING])
    wished = _count_anew(r, clock, ports, hops, routes, active)
    clock[WISH] += wished - row[WISHED]
    row[WISHED], row[WINDOWS] = wished, windows
    return bool(calm)


@helper
def _ended(r: int, clock: Any, flows: Any, routes: Any, alive: Any) -> bool:
    """Whether route r was that of a single flow that has delivered all it had; it is removed."""
    row = routes[r]
    if row[ALONE] < 0.0 or row[LEFT] >= 1.0 or row[INSIDE] >= 1.0:
        return False
    clock[WISH] -= row[WISHED]
    _count_sent(flows, int(row[ALONE]), row, clock[PACKET])
    end(int(row[ALONE]), clock, flows, routes, alive)
    return True


@helper
def _take_turns(
    clock: Any,
    flows: Any,
    groups: Any,
    ports: Any,
    hops: Any,
    routes: Any,
    active: Any,
    alive: Any,
    now: float,
    random: Any,
) -> None:
    """Move the windows of the routes that are watched, and of some of the others."""
    left, count = 0, int(clock[WATCHED_COUNT])
    for a in range(count):
        fetch_route(a, count, 2, flows, routes, alive)
        r = alive[a, 2]
        if routes[r, PLACED] < 0.0 or _ended(r, clock, flows, routes, alive):
            continue
        if _visit(r, clock, flows, groups, ports, hops, routes, active, now, random):
            routes[r, WATCHED] = 0.0
        else:
            alive[left, 2] = r
            left += 1
    clock[WATCHED_COUNT] = left
    turns = max(1.0, clock[SPAN] / clock[EVERY])
    left = min(int(clock[ROUTES]), math.ceil(clock[ROUTES] * turns / TURNS))
    a = int(clock[TURN])
    while left > 0 and clock[ROUTES] > 0.0:
        if a >= int(clock[ROUTES]):
            a = 0
        fetch_route(a, int(clock[ROUTES]), 1, flows, routes, alive)
        r = alive[a, 1]
        left -= 1
        if routes[r, WATCHED] == 0.0:
            if _ended(r, clock, flows, routes, alive):
                continue  # another has taken its place
            _visit(r, clock, flows, groups, ports, hops, routes, active, now, random)
        a += 1
    clock[TURN] = a


@helper
def move_windows(
    clock: Any,
    flows: Any,
    groups: Any,
    ports: Any,
    hops: Any,
    routes: Any,
    active: Any,
    alive: Any,
    now: float,
    random: Any,
    s: Any,
) -> None:
    """Move every window over the steps since it last moved, and remove flows that have ended."""
    if clock[BY_TURNS] > 0.0:
        _take_turns(clock, flows, groups, ports, hops, routes, active, alive, now, random)
        return
    step, packet = clock[STEP] * max(clock[EVERY], clock[SPAN]), clock[PACKET]
    clock[WISH] = 0.0
    # At once where every flow has a route of its own: rows looked at again have left the cache with thousands of flows.
    apart = clock[FLOWS] == clock[ROUTES]
    a = 0
    while a < int(clock[FLOWS]):
        fetch_flow(a + AHEAD, int(clock[FLOWS]), flows, routes, alive)
        i = alive[a, 0]
        r = int(flows[i, ROUTE])
        row = routes[r]
        _count_sent(flows, i, row, packet)
        if row[ALONE] >= 0.0 and row[LEFT] < 1.0 and row[INSIDE] < 1.0:
            end(i, clock, flows, routes, alive)
            continue
        if row[SAMPLED] >= 0.0:
            # Its law moves the window at each acknowledgement.
            flows[i, WINDOW] = flows[i, NET] = s.rows[int(row[SAMPLED])].cwnd
        else:
            _move(flows, i, groups, row, now, step, packet, random)
        if apart:
            clock[WISH] += _count_anew(r, clock, ports, hops, routes, active)
            row[WINDOWS] = max(0.0, flows[i, NET])
        a += 1
    if not apart:
        for a in range(int(clock[ROUTES])):
            clock[WISH] += _count_anew(alive[a, 1], clock, ports, hops, routes, active)
        for a in range(int(clock[FLOWS])):
            i = alive[a, 0]
            routes[int(flows[i, ROUTE]), WINDOWS] += max(0.0, flows[i, NET])
    allow_at_hosts(clock, routes, alive)
