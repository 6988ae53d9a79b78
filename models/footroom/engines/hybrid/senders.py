"""The senders of the fluid: flows that start and end, and what acknowledgements let out."""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.fluid.laws.flows import NET
from footroom.engines.hybrid.blocks import come, fresh, put_back
from footroom.engines.hybrid.layout import (
    ACKED,
    AT_HOST,
    AT_MOST,
    AT_NIC,
    BURST,
    BY_TURNS,
    COUNTED,
    CREDIT,
    ENTRY,
    FIRST_FLOW,
    FLOWS,
    FOLLOWING,
    HELD_BACK,
    HELD_UP,
    INSIDE,
    LEFT,
    LISTED,
    MOVED,
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
    SHAPED,
    START,
    STARTED,
    STEP,
    TOGETHER,
    WATCHED,
    WATCHED_COUNT,
    WINDOWS,
    WOKEN,
)
from footroom.engines.hybrid.sampled import begin

#: Share of its window that a sender waits for before it opens a burst (Linux tcp_tso_win_divisor).
DEFERS = 1.0 / 3.0


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
        # What leaves during a long step makes room for as much again.
        most = max(row[AT_MOST], most) - row[AT_NIC]
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
def watch(r: int, clock: Any, routes: Any, alive: Any) -> None:
    """The windows of route r move every time from now on, until they do nothing but grow."""
    if clock[BY_TURNS] > 0.0 and routes[r, WATCHED] == 0.0:
        routes[r, WATCHED] = 1.0
        alive[int(clock[WATCHED_COUNT]), 2] = r
        clock[WATCHED_COUNT] += 1.0


@helper
def _join(i: int, r: int, flows: Any, routes: Any) -> None:
    """Flow i is the last of those of route r."""
    flows[i, FOLLOWING] = -1.0
    k = int(routes[r, FIRST_FLOW])
    if k < 0:
        routes[r, FIRST_FLOW] = i
        return
    while flows[k, FOLLOWING] >= 0.0:
        k = int(flows[k, FOLLOWING])
    flows[k, FOLLOWING] = i


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
        flows[i, MOVED] = now
        _join(i, r, flows, routes)
        watch(r, clock, routes, alive)
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
def end(i: int, clock: Any, flows: Any, routes: Any, alive: Any) -> None:
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
