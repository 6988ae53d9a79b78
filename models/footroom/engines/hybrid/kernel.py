"""The fluid beside packets: steps of its own between the events of the packet engine.

**Acknowledgements clock the senders.** What leaves the last queue of a route comes back to its sender one round trip
of propagation later and is sent again, with what windows grow by and without what they shrink by. A queue of such flows
settles within a round trip; rates of W/RTT would fill and empty it over several, and would lose more packets before
their senders know.

**Fluid stays in one piece.** What a route sends in one step waits, leaves and comes back as one block, first come,
first served. Packets of one window lie close together in a queue and come back to it together: such bouts fill a queue
for some microseconds and leave room in it for the next. Fluid that is mixed loses that within a few round trips.

Windows move as in ``footroom.engines.fluid.per_flow``, every ``EVERY`` steps.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from footroom.base.compile_cache import entry, helper
from footroom.engines.fluid.laws.flows import NET, WINDOW
from footroom.engines.fluid.per_flow.kernel import MODE, RECOVERING, WAITING, advance, lose, uniform
from footroom.engines.fluid.per_flow.kernel import ROW as OWN_ROW
from footroom.engines.packet.backlog import bring_up
from footroom.engines.packet.events import earliest
from footroom.engines.packet.loop import run
from footroom.engines.packet.tables import DONE
from footroom.kernel.tables import table

# A flow's row goes on where that of ``per_flow`` ends. START: s. MOST: packets its receiver takes. SENT, LOST: packets,
# whole run.
START, MOST, ROUTE, SENT, LOST = range(OWN_ROW, OWN_ROW + 5)
ROW = OWN_ROW + 5

# A port's row. LEFT_BEFORE, GONE: bytes that it had sent and lost at the last step. OWED: bytes lost that flows have
# yet to lose. DELAY: s. DUE_OUT: bytes that it has sent and blocks have not. COME: bytes of the blocks that come over
# this step. FIRST, LAST: blocks that wait; NEW, NEW_LAST: those that come.
LEFT_BEFORE, GONE, OWED, DELAY, DUE_OUT, COME = range(6)
PORT_ROW = 6
FIRST, LAST, NEW, NEW_LAST = range(4)
PORT_LISTS = 4

# A route's row. NIC: most bytes/s that its sender sends. CREDIT: bytes by which windows have grown and that are still
# to be sent, below 0 where acknowledgements are still to come that let nothing out. TRIP: s of propagation and
# transmission. WAIT: s in queues. WINDOWS: packets in the network of all its flows. INSIDE: bytes in the network.
# ACKED: bytes that come back at this step. AT_HOST: bytes that wait for its host's link. COUNTED: bytes sent since
# windows last moved.
# STEPS: TRIP in steps. ALONE: its only flow, -1 for several. HELD_UP: whether its host's link held it up since. LISTED:
# whether it sends over this step. HELD_BACK: share of what comes back that is not sent again while CREDIT is below 0.
NIC, CREDIT, TRIP, WAIT, WINDOWS, INSIDE, ACKED, AT_HOST, COUNTED, STEPS, ALONE, HELD_UP, LISTED, HELD_BACK = range(14)
ROUTE_ROW = 14

# The clock: seconds of a step, picoseconds when the next one is due, steps up to then, flows started, steps between two
# moves of windows, first free block and how many are free, and bytes of a packet. SPAN: steps that are taken at once
# now. LONGEST: most of them. WISH: bytes by which windows have grown and that are still to be sent.
STEP, DUE, COUNT, STARTED, EVERY, FREE, FREE_COUNT, PACKET, SPAN, LONGEST, WISH = range(11)
CLOCK_ROW = 11

#: What a route sends in one step.
BLOCK = table(("route", "i4"), ("hop", "i4"), ("bytes", "f8"), ("following", "i8"))

#: Returned when there are too few free blocks: the owner adds some and calls again.
GROW_BLOCKS = 100

#: Packets of room beside which single steps find what is lost: more than a sender's first window, and some beside it.
MARGIN = 32.0

PICO = 1e12


@helper
def _ports(t: Any, ports: Any) -> None:
    """What every port's fluid did since the last step."""
    for n in range(len(ports)):
        x, row = t.fluids[n], ports[n]
        bring_up(t, t.ports[x.port], x, t.state[0].now)
        speed = 65536.0 / float(t.ports[x.port].rate) * PICO
        row[OWED] += x.lost - row[GONE]
        row[DUE_OUT] += x.sent - row[LEFT_BEFORE]
        row[DELAY] = x.work / speed
        row[LEFT_BEFORE], row[GONE] = x.sent, x.lost


@helper
def _strike(
    n: int, clock: Any, ports: Any, lists: Any, blocks: Any, flows: Any, routes: Any, now: float, random: Any
) -> None:
    """Take the packets that port n has lost from flows whose fluid came to it over the last step.

    Where a flow has less than a packet there, others give the rest and it owes it to them: each loses whole packets.
    """
    packet = clock[PACKET]
    while ports[n, COME] >= packet and ports[n, OWED] >= packet * (0.5 + uniform(random)):
        wanted = uniform(random) * ports[n, COME]
        k = lists[n, NEW]
        while blocks[k].following >= 0 and wanted > blocks[k].bytes:
            wanted -= blocks[k].bytes
            k = blocks[k].following
        r = int(blocks[k].route)
        i = int(routes[r, ALONE])
        if i < 0:
            wanted = uniform(random) * routes[r, WINDOWS]
            for each in range(int(clock[STARTED])):
                if int(flows[each, ROUTE]) == r:
                    i = each
                    wanted -= max(0.0, flows[i, NET])
                    if wanted <= 0.0:
                        break
        if i >= 0 and flows[i, MODE] != WAITING:
            flows[i, LOST] += 1.0
            if flows[i, MODE] == RECOVERING:
                routes[r, CREDIT] += packet
            lose(flows, i, now, routes[r, TRIP] + routes[r, WAIT])
        else:
            # What comes back of it lets nothing out, so nothing is missing.
            routes[r, CREDIT] += packet
        gone = min(packet, blocks[k].bytes)
        blocks[k].bytes -= gone
        routes[r, INSIDE] -= gone
        rest = packet - gone
        routes[r, CREDIT] -= rest
        k = lists[n, NEW]
        while k >= 0 and rest > 0.0:
            gone = min(rest, blocks[k].bytes)
            blocks[k].bytes -= gone
            routes[int(blocks[k].route), INSIDE] -= gone
            routes[int(blocks[k].route), CREDIT] += gone
            rest -= gone
            k = blocks[k].following
        ports[n, COME] -= packet
        ports[n, OWED] -= packet


@helper
def _queue_up(n: int, ports: Any, lists: Any, blocks: Any) -> None:
    """What came to port n over the last step, and was not lost, waits behind what came before."""
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
def _come(n: int, k: int, ports: Any, lists: Any, blocks: Any) -> None:
    """Block k comes to port n over the next step."""
    blocks[k].following = -1
    if lists[n, NEW] < 0:
        lists[n, NEW] = k
    else:
        blocks[lists[n, NEW_LAST]].following = k
    lists[n, NEW_LAST] = k
    ports[n, COME] += blocks[k].bytes


@helper
def _take(n: int, left: float, clock: Any, ports: Any, lists: Any, blocks: Any) -> int:
    """The next block of the ``left`` bytes that have left port n, or the part of one that has; -1 for none."""
    k = lists[n, FIRST]
    if k < 0 or left <= 1.0:
        return -1
    if left >= blocks[k].bytes:
        ports[n, DUE_OUT] -= blocks[k].bytes
        lists[n, FIRST] = blocks[k].following
        return int(k)
    part = int(clock[FREE])
    clock[FREE] = blocks[part].following
    clock[FREE_COUNT] -= 1.0
    blocks[part].route, blocks[part].hop, blocks[part].bytes = blocks[k].route, blocks[k].hop, left
    blocks[k].bytes -= left
    ports[n, DUE_OUT] -= left
    return part


@helper
def _leave(n: int, clock: Any, ports: Any, lists: Any, blocks: Any, back: Any, hops: Any, routes: Any) -> None:
    """What has left port n over the last steps goes on to the next port, or back to its sender in as many steps."""
    ring, past = back.shape[0], int(clock[SPAN])
    begun = int(clock[COUNT]) - past
    due, share, taken = ports[n, DUE_OUT], ports[n, DUE_OUT] / past, 0.0
    for j in range(past):
        until = due if j == past - 1 else share * (j + 1)
        k = _take(n, until - taken, clock, ports, lists, blocks)
        while k >= 0:
            taken += blocks[k].bytes
            r, h = int(blocks[k].route), int(blocks[k].hop) + 1
            if h < hops.shape[1] and hops[r, h] >= 0:
                blocks[k].hop = h
                _come(hops[r, h], k, ports, lists, blocks)
            else:
                slot = (begun + j + int(routes[r, STEPS])) % ring
                blocks[k].following = -1
                if back[slot, 0] < 0:
                    back[slot, 0] = k
                else:
                    blocks[back[slot, 1]].following = k
                back[slot, 1] = k
            k = _take(n, until - taken, clock, ports, lists, blocks)


@helper
def _span(t: Any, clock: Any, ports: Any, blocks: Any, back: Any) -> int:
    """How many of the next steps may be taken at once, because the queue becomes neither full nor empty in them.

    In such a queue fluid keeps its order and its gaps, so nothing is lost of it; only windows move once instead of
    several times. Of several queues each has what others send on, so steps are single.
    """
    most = int(clock[LONGEST])
    if most <= 1 or len(ports) > 1:
        return 1
    at, ring, x, every = int(clock[COUNT]), back.shape[0], t.fluids[0], int(clock[EVERY])
    sent = 65536.0 / float(t.ports[x.port].rate) * PICO * clock[STEP]
    room = x.limit - MARGIN * clock[PACKET] - clock[WISH]
    held = x.inside + x.waiting
    for j in range(most):
        k = back[(at + j) % ring, 0]
        while k >= 0:
            held += blocks[k].bytes
            k = blocks[k].following
        held -= sent
        if held > room or held < 0.0:
            return max(1, j // every * every)
    return most


@helper
def _send(r: int, clock: Any, ports: Any, lists: Any, blocks: Any, hops: Any, routes: Any) -> int:
    """What the sender of route r sends over the next step. Whether its host's link has more to send.

    A window grows by acknowledgements, so what it grows by is sent with them, at most as much again; where none are to
    come, at once. What it shrinks by is held back from what comes back over a round trip, in equal parts (RFC 6937).
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
    row[AT_HOST] += max(0.0, acked + grown)
    sent = min(row[AT_HOST], row[NIC] * step)
    if sent <= 0.0:
        return 0
    row[AT_HOST] -= sent
    row[INSIDE] += sent
    row[COUNTED] += sent
    k = int(clock[FREE])
    clock[FREE] = blocks[k].following
    clock[FREE_COUNT] -= 1.0
    blocks[k].route, blocks[k].hop, blocks[k].bytes = r, 0, sent
    _come(hops[r, 0], k, ports, lists, blocks)
    if row[AT_HOST] > 0.0:
        row[HELD_UP] = 1.0
        return 1
    return 0


@helper
def _aim(flows: Any, i: int) -> float:
    """Packets that flow i is to have in the network: one that recovers, those of its new window."""
    return float(flows[i, WINDOW]) if flows[i, MODE] == RECOVERING else float(flows[i, NET])


@helper
def _hold_back(row: Any, size: float) -> None:
    """Have the sender of a route send ``size`` bytes less than comes back to it, over a round trip."""
    row[CREDIT] -= size
    if row[CREDIT] < 0.0:
        row[HELD_BACK] = min(1.0, -row[CREDIT] / max(row[INSIDE], 1.0))


@helper
def _flows(clock: Any, flows: Any, groups: Any, ports: Any, hops: Any, routes: Any, now: float) -> None:
    """Start flows, and move every window over the next ``EVERY`` steps."""
    step, packet = clock[STEP] * max(clock[EVERY], clock[SPAN]), clock[PACKET]
    count = int(clock[STARTED])
    for i in range(count):
        row = routes[int(flows[i, ROUTE])]
        if row[WINDOWS] > 0.0:
            flows[i, SENT] += row[COUNTED] / packet * max(0.0, flows[i, NET]) / row[WINDOWS]
        window, net, aim = flows[i, WINDOW], flows[i, NET], _aim(flows, i)
        advance(flows, i, groups, now, step, row[TRIP] + row[WAIT])
        if flows[i, WINDOW] > window and (net >= flows[i, MOST] or row[HELD_UP] > 0.0):
            flows[i, WINDOW], flows[i, NET] = window, net
        more = (_aim(flows, i) - aim) * packet
        if more < 0.0:
            _hold_back(row, -more)
        else:
            row[CREDIT] += more
    while count < len(flows) and flows[count, START] <= now:
        routes[int(flows[count, ROUTE]), CREDIT] += flows[count, NET] * packet
        count += 1
    clock[STARTED] = count
    for r in range(len(routes)):
        row = routes[r]
        row[WAIT] = row[WINDOWS] = row[COUNTED] = row[HELD_UP] = 0.0
        for h in range(hops.shape[1]):
            if hops[r, h] >= 0:
                row[WAIT] += ports[hops[r, h], DELAY]
    for i in range(count):
        routes[int(flows[i, ROUTE]), WINDOWS] += max(0.0, flows[i, NET])
    clock[WISH] = 0.0
    for r in range(len(routes)):
        clock[WISH] += max(0.0, routes[r, CREDIT]) + routes[r, AT_HOST]


@helper
def _step(
    t: Any,
    clock: Any,
    flows: Any,
    groups: Any,
    ports: Any,
    lists: Any,
    blocks: Any,
    back: Any,
    hops: Any,
    routes: Any,
    active: Any,
    random: Any,
) -> None:
    """Bring the fluid from its last step to now, and say what it does over the next."""
    step, now, ring = clock[STEP], float(t.state[0].now) / PICO, back.shape[0]
    at = int(clock[COUNT])
    _ports(t, ports)
    for n in range(len(ports)):
        _strike(n, clock, ports, lists, blocks, flows, routes, now, random)
        _queue_up(n, ports, lists, blocks)
    for n in range(len(ports)):
        _leave(n, clock, ports, lists, blocks, back, hops, routes)
    span = 1
    if at % int(clock[EVERY]) == 0:
        _flows(clock, flows, groups, ports, hops, routes, now)
        for r in range(len(routes)):
            if routes[r, CREDIT] > 0.0 and routes[r, INSIDE] < clock[PACKET] and routes[r, LISTED] == 0.0:
                active[active[-1]] = r
                active[-1] += 1
                routes[r, LISTED] = 1.0
        span = _span(t, clock, ports, blocks, back)
    for j in range(span):
        k = back[(at + j) % ring, 0]
        back[(at + j) % ring, 0] = -1
        while k >= 0:
            r = int(blocks[k].route)
            routes[r, ACKED] += blocks[k].bytes
            if routes[r, LISTED] == 0.0:
                active[active[-1]] = r
                active[-1] += 1
                routes[r, LISTED] = 1.0
            following = blocks[k].following
            blocks[k].following = int(clock[FREE])
            clock[FREE] = k
            clock[FREE_COUNT] += 1.0
            k = following
        left = 0
        for a in range(active[-1]):
            r = active[a]
            if _send(r, clock, ports, lists, blocks, hops, routes):
                active[left] = r
                left += 1
            else:
                routes[r, LISTED] = 0.0
        active[-1] = left
    clock[SPAN] = span
    for n in range(len(ports)):
        t.fluids[n].rate = ports[n, COME] / (step * clock[SPAN] * PICO)
    clock[COUNT] += clock[SPAN]


@entry
def run_both(
    t: Any,
    until: int,
    clock: Any,
    flows: Any,
    groups: Any,
    ports: Any,
    lists: Any,
    blocks: Any,
    back: Any,
    hops: Any,
    routes: Any,
    active: Any,
    random: Any,
) -> int:
    """As ``packet.loop.run``, with the fluid's steps in between.

    clock: (CLOCK_ROW,).  flows: in the order of their start, (flows, ROW).  groups: (kinds, GROUP_ROW).
    ports: (ports, PORT_ROW).  lists: (ports, PORT_LISTS), -1 for none.  blocks: rows of BLOCK.  back: first and last
    block that come back to their senders, by step, -1 for none.  hops: ports of each route, (routes, hops), -1 beyond
    the last.
    routes: (routes, ROUTE_ROW).  active: routes that send over the next step, their number last.
    """
    while True:
        due = np.int64(clock[DUE])
        last = min(until, due)
        component, when, _, _ = earliest(t)
        if component >= 0 and when <= last:
            status = run(t, last)
            if status != DONE:
                return status
        t.state[0].now = max(t.state[0].now, last)
        if due > until:
            return DONE
        if clock[FREE_COUNT] < (len(routes) + len(ports)) * (clock[LONGEST] + 1.0):
            return GROW_BLOCKS
        _step(t, clock, flows, groups, ports, lists, blocks, back, hops, routes, active, random)
        clock[DUE] = math.floor(clock[COUNT] * clock[STEP] * PICO + 0.5)
