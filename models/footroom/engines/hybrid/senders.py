"""The senders of the fluid: flows that start and end, windows that move, what acknowledgements let out."""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.fluid.laws.flows import NET, THRESHOLD, WINDOW
from footroom.engines.fluid.per_flow.kernel import INFORMED, MARKED, MODE, RECOVERING, WAITING, advance
from footroom.engines.hybrid.ahead import AHEAD, fetch_flow
from footroom.engines.hybrid.blocks import come, fresh, put_back
from footroom.engines.hybrid.layout import (
    ACKED,
    ALONE,
    AT_HOST,
    AT_MOST,
    AT_NIC,
    BACK,
    BURST,
    BY_SHARE,
    COUNTED,
    CREDIT,
    DELAY,
    ENTRY,
    EVERY,
    FLOWS,
    HELD_BACK,
    HELD_UP,
    INSIDE,
    LEAST_QUEUE,
    LEFT,
    LISTED,
    MARKS,
    MOST,
    NEXT,
    NIC,
    OPEN,
    PACKET,
    PLACE,
    PLACED,
    QUEUES,
    ROUTE,
    ROUTES,
    SAMPLED,
    SENT,
    SHAPED,
    SMALL_QUEUE,
    SPAN,
    START,
    STARTED,
    STEP,
    TOGETHER,
    TRIP,
    WAIT,
    WINDOWS,
    WISH,
    WOKEN,
)
from footroom.engines.hybrid.marked import hear, may_grow, spare
from footroom.engines.hybrid.sampled import begin

#: Share of its window that a sender waits for before it opens a burst (Linux tcp_tso_win_divisor).
DEFERS = 1.0 / 3.0
#: Windows in a round trip of the rate that a host's queue is measured by (Linux tcp_pacing_ca_ratio).
PACED = 1.2


@helper
def _opens(r: int, at: int, clock: Any, blocks: Any, back: Any, routes: Any, s: Any) -> bool:
    """Whether the host of route r, which shapes it, lets something out over step ``at``."""
    row, now = routes[r], at * clock[STEP]
    if row[OPEN] > 0.0:
        return True
    if now < row[NEXT] - 0.5 * clock[STEP]:
        if row[WOKEN] == 0.0:
            row[WOKEN] = 1.0
            ahead = max(1, min(int((row[NEXT] - now) / clock[STEP] + 0.5), back.shape[0] - 2))
            put_back((at + ahead) % back.shape[0], fresh(r, 0.0, clock, blocks, s), blocks, back)
        return False
    needed = min(row[BURST], row[WINDOWS] * clock[PACKET] * DEFERS, row[LEFT])
    if row[AT_HOST] < needed - 1.0:
        return False
    row[OPEN] = row[BURST]
    row[NEXT] = now + row[BURST] / row[SHAPED]
    return True


@helper
def send(r: int, at: int, clock: Any, ports: Any, lists: Any, blocks: Any, back: Any, routes: Any, s: Any) -> int:
    """What the sender of route r sends over step ``at``. Whether its host's link has more to send.

    A window grows by acknowledgements, so the growth is sent with them, at most as much again; where none will come, at
    once. A cut is held back from what comes back over a round trip, in equal parts (RFC 6937).
    """
    row, step, packet = routes[r], clock[STEP], clock[PACKET]
    acked = row[ACKED]
    row[ACKED] = 0.0
    row[INSIDE] -= acked
    grown = row[CREDIT]
    if grown > 0.0 and row[INSIDE] + row[AT_HOST] >= packet:
        grown = min(grown, acked)
    elif grown < 0.0:
        grown = max(grown, -acked * row[HELD_BACK])
    row[CREDIT] -= grown
    row[AT_HOST] = min(row[AT_HOST] + max(0.0, acked + grown), row[LEFT])
    if row[AT_HOST] <= 0.0:
        return 0
    most = row[NIC] * step
    if row[QUEUES] > 0.0:
        # Its host's link is a queue like any other; only so much of each flow waits there (Linux TCP small queues).
        most = row[AT_MOST] - row[AT_NIC]
        if most < 1.0:
            row[HELD_UP] = 1.0
            return 1
        if row[AT_HOST] < min(row[TOGETHER], row[LEFT]) - 1.0 and row[INSIDE] >= packet:
            return 0
    if row[SHAPED] > 0.0:
        if not _opens(r, at, clock, blocks, back, routes, s):
            row[HELD_UP] = 1.0
            return 0
        most = min(most, row[OPEN])
    sent = min(row[AT_HOST], most)
    if row[SHAPED] > 0.0:
        row[OPEN] -= sent
        if row[OPEN] < 1.0:
            row[OPEN] = 0.0
    row[AT_HOST] -= sent
    row[INSIDE] += sent
    row[AT_NIC] += sent
    row[COUNTED] += sent
    row[LEFT] -= sent
    come(int(row[ENTRY]), fresh(r, sent, clock, blocks, s), ports, lists, blocks)
    if row[AT_HOST] > 0.0:
        row[HELD_UP] = 1.0
        return 1
    return 0


@helper
def enlist(r: int, routes: Any, active: Any) -> None:
    """Route r sends over the next step."""
    if routes[r, LISTED] == 0.0:
        active[active[-1]] = r
        active[-1] += 1
        routes[r, LISTED] = 1.0


@helper
def start_flows(
    t: Any,
    clock: Any,
    flows: Any,
    ports: Any,
    hops: Any,
    routes: Any,
    active: Any,
    alive: Any,
    now: float,
    s: Any,
) -> None:
    """Start the flows that are due."""
    i = int(clock[STARTED])
    while i < len(flows) and flows[i, START] <= now:
        r = int(flows[i, ROUTE])
        flows[i, PLACE] = clock[FLOWS]
        alive[int(clock[FLOWS]), 0] = i
        clock[FLOWS] += 1.0
        if routes[r, PLACED] < 0.0:
            routes[r, PLACED] = clock[ROUTES]
            alive[int(clock[ROUTES]), 1] = r
            clock[ROUTES] += 1.0
        routes[r, WINDOWS] += flows[i, NET]
        i += 1
        if routes[r, SAMPLED] >= 0.0:
            begin(t, r, now, ports, hops, routes, s)
            enlist(r, routes, active)
            continue
        routes[r, CREDIT] += flows[i - 1, NET] * clock[PACKET]
        if routes[r, INSIDE] < clock[PACKET]:
            enlist(r, routes, active)
    clock[STARTED] = i


@helper
def _end(i: int, clock: Any, flows: Any, routes: Any, alive: Any) -> None:
    """Flow i, alone on its route, has delivered all it had."""
    place, last = int(flows[i, PLACE]), int(clock[FLOWS]) - 1
    moved = alive[last, 0]
    alive[place, 0] = moved
    flows[moved, PLACE] = place
    flows[i, PLACE] = -1.0
    clock[FLOWS] = last
    r = int(flows[i, ROUTE])
    place, last = int(routes[r, PLACED]), int(clock[ROUTES]) - 1
    moved = alive[last, 1]
    alive[place, 1] = moved
    routes[moved, PLACED] = place
    routes[r, PLACED] = -1.0
    clock[ROUTES] = last


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
    slow_start = window < threshold
    if row[QUEUES] > 0.0:
        # Of all flows of the route together.
        window = row[WINDOWS]
    elif row[SHAPED] == 0.0:
        own = window * packet / (row[TRIP] + row[WAIT])
        return row[HELD_UP] == 0.0 or row[AT_HOST] <= max(row[LEAST_QUEUE], PACED * own * row[SMALL_QUEUE])
    if slow_start and window * packet < 2.0 * row[INSIDE]:
        return True
    return window * packet - row[INSIDE] < max(row[TOGETHER], min(row[BURST], window * packet * DEFERS))


@helper
def _allow_at_hosts(clock: Any, routes: Any, alive: Any) -> None:
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
def _count_anew(r: int, clock: Any, ports: Any, hops: Any, routes: Any, active: Any) -> None:
    """Begin to count what route r sends and hears until windows move again."""
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
    clock[WISH] += max(0.0, row[CREDIT]) + row[AT_HOST]


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
            _end(i, clock, flows, routes, alive)
            continue
        if row[SAMPLED] >= 0.0:
            # Its law moves the window at each acknowledgement.
            flows[i, WINDOW] = flows[i, NET] = s.rows[int(row[SAMPLED])].cwnd
        else:
            _move(flows, i, groups, row, now, step, packet, random)
        if apart:
            _count_anew(r, clock, ports, hops, routes, active)
            row[WINDOWS] = max(0.0, flows[i, NET])
        a += 1
    if not apart:
        for a in range(int(clock[ROUTES])):
            _count_anew(alive[a, 1], clock, ports, hops, routes, active)
        for a in range(int(clock[FLOWS])):
            i = alive[a, 0]
            routes[int(flows[i, ROUTE]), WINDOWS] += max(0.0, flows[i, NET])
    _allow_at_hosts(clock, routes, alive)
