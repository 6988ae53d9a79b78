"""The fluid beside packets: steps of its own between the events of the packet engine.

**Acknowledgements clock the senders.** What leaves the last queue of a route comes back to its sender one round trip
of propagation later and is sent again, plus the growth of windows and minus their cuts. A queue of such flows settles
within a round trip; rates of W/RTT would fill and empty it over several, and would lose more packets before their
senders react.

**Fluid stays in one piece.** What a route sends in one step waits, leaves and comes back as one block, first come,
first served. Packets of one window lie close together in a queue and come back to it together: such bursts fill a queue
for some microseconds and leave room in it for the next. Mixed fluid would lose that within a few round trips.

Windows move as in ``footroom.engines.fluid.per_flow``, every ``EVERY`` steps.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from footroom.base.compile_cache import entry, helper
from footroom.engines.fluid.laws.flows import NET
from footroom.engines.fluid.per_flow.kernel import MODE, RECOVERING, WAITING, lose, uniform
from footroom.engines.hybrid.ahead import fetch_slot
from footroom.engines.hybrid.between import bring_packets
from footroom.engines.hybrid.blocks import give_back, leave, queue_up
from footroom.engines.hybrid.layout import (
    ACKED,
    ALONE,
    ANSWER_SIZE,
    ANSWERED,
    BACK,
    COME,
    COUNT,
    CREDIT,
    DELAY,
    DUE,
    DUE_OUT,
    EVERY,
    FIRST,
    FLOWS,
    FREE_COUNT,
    GONE,
    INLINE,
    INSIDE,
    LAST,
    LEFT,
    LEFT_BEFORE,
    LISTED,
    LONGEST,
    LOST,
    MARKS,
    NEW,
    NEW_LAST,
    OWED,
    PACKET,
    PASSES,
    PICO,
    ROUTE,
    ROUTES,
    SAMPLED,
    SPAN,
    START,
    STARTED,
    STEP,
    THERE,
    TRIP,
    WAIT,
    WINDOWS,
    WISH,
    WOKEN,
)
from footroom.engines.hybrid.marked import mark_new
from footroom.engines.hybrid.sampled import hear, send_sampled
from footroom.engines.hybrid.sampled_layout import GONE as GONE_ON_WAY
from footroom.engines.hybrid.sampled_layout import TAKEN
from footroom.engines.hybrid.senders import enlist, move_windows, send, start_flows
from footroom.engines.packet.backlog import bring_up, bring_up_idle
from footroom.engines.packet.tables import DONE

#: Returned when there are too few free blocks: the owner adds some and calls again.
GROW_BLOCKS = 100

#: Blocks that flows which start in one step may take.
FEWEST = 1024.0
#: Packets of room beside which single steps find what is lost: more than a sender's first window, and some beside it.
MARGIN = 32.0


@helper
def _count_answers(p: Any, row: Any, clock: Any) -> None:
    """Count acknowledgements that have left port p as the packets they are: as fluid each is a part of one."""
    more = 1.0 / clock[ANSWER_SIZE] - 1.0 / clock[PACKET]
    whole = math.floor(row[ANSWERED] * more)
    p.offered += whole
    p.sent += whole
    row[ANSWERED] -= whole / more


@helper
def _ports(t: Any, clock: Any, ports: Any) -> None:
    """What every port's fluid did since the last step. Of several ports, most hold none."""
    several = len(ports) > 1
    for n in range(len(ports)):
        x, row = t.fluids[n], ports[n]
        if row[PASSES] > 0.0:
            x.offered += row[COME]
            x.sent += row[COME]
        elif several and x.rate == 0.0 and x.inside == 0.0 and x.sent == row[LEFT_BEFORE] and x.lost == row[GONE]:
            row[DELAY] = 0.0
            continue
        p, now = t.ports[x.port], t.state[0].now
        if not (several and bring_up_idle(t, p, x, now)):
            bring_up(t, p, x, now)
        speed = 65536.0 / float(t.ports[x.port].rate) * PICO
        row[OWED] += x.lost - row[GONE]
        row[DUE_OUT] += x.sent - row[LEFT_BEFORE]
        row[DELAY] = x.work / speed
        row[LEFT_BEFORE], row[GONE] = x.sent, x.lost
        if row[ANSWERED] > 0.0:
            _count_answers(t.ports[x.port], row, clock)


@helper
def _make_up(rest: float, n: int, lists: Any, blocks: Any, routes: Any, s: Any) -> float:
    """Take ``rest`` bytes from what comes to port n, then from what waits there; their routes send them again. What is
    left of ``rest``.
    """
    for which in (NEW, FIRST):
        k = lists[n, which]
        while k >= 0 and rest > 0.0:
            gone, r = min(rest, blocks[k].bytes), int(blocks[k].route)
            blocks[k].bytes -= gone
            if blocks[k].hop < routes[r, THERE]:
                routes[r, INSIDE] -= gone
                if routes[r, SAMPLED] >= 0.0:
                    s.own[int(routes[r, SAMPLED]), TAKEN] += gone
                else:
                    routes[r, CREDIT] += gone
            rest -= gone
            k = blocks[k].following
    return rest


@helper
def _call_up(x: Any, n: int, ports: Any, lists: Any) -> bool:
    """Let all that waits at port n come anew, if the port has lost it all: nothing of it will leave, and its senders
    would wait for it. Whether that is so. x: the port's fluid.
    """
    if lists[n, NEW] >= 0 or lists[n, FIRST] < 0 or x.inside >= 1.0 or ports[n, DUE_OUT] >= 1.0:
        return False
    lists[n, NEW], lists[n, NEW_LAST] = lists[n, FIRST], lists[n, LAST]
    lists[n, FIRST] = -1
    ports[n, COME] = ports[n, OWED]
    return True


@helper
def _strike(
    t: Any,
    n: int,
    clock: Any,
    ports: Any,
    lists: Any,
    blocks: Any,
    flows: Any,
    routes: Any,
    alive: Any,
    now: float,
    random: Any,
    s: Any,
) -> None:
    """Take the packets that port n has lost from flows whose fluid came to it over the last step.

    Each flow loses whole packets: where it has less than one there, the rest is taken from others and owed to them.
    On short paths less than a packet comes in a step, and more than that may be lost in it.
    """
    packet = clock[PACKET]
    stuck = ports[n, OWED] > 1.0 and _call_up(t.fluids[n], n, ports, lists)
    patience = 0.0 if stuck else 0.5
    while ports[n, COME] > 0.0 and ports[n, OWED] >= packet * (patience + uniform(random)):
        wanted = uniform(random) * ports[n, COME]
        k = lists[n, NEW]
        while blocks[k].following >= 0 and wanted > blocks[k].bytes:
            wanted -= blocks[k].bytes
            k = blocks[k].following
        r = int(blocks[k].route)
        if blocks[k].hop >= routes[r, THERE]:
            # Of acknowledgements: those that follow tell the same.
            gone = min(packet, blocks[k].bytes)
            blocks[k].bytes -= gone
            ports[n, COME] -= packet
            ports[n, OWED] -= packet - _make_up(packet - gone, n, lists, blocks, routes, s)
            continue
        i = int(routes[r, ALONE])
        if i < 0:
            wanted = uniform(random) * routes[r, WINDOWS]
            for a in range(int(clock[FLOWS])):
                each = alive[a, 0]
                if int(flows[each, ROUTE]) == r:
                    i = each
                    wanted -= max(0.0, flows[i, NET])
                    if wanted <= 0.0:
                        break
        if routes[r, SAMPLED] >= 0.0:
            # Its sender counts it as in flight until what is left of the block is back.
            flows[i, LOST] += 1.0
            gone = min(packet, blocks[k].bytes)
            blocks[k].bytes -= gone
            routes[r, INSIDE] -= gone
            s.stamps[k].lost += 1.0
            s.own[int(routes[r, SAMPLED]), GONE_ON_WAY] += 1.0
            s.own[int(routes[r, SAMPLED]), TAKEN] += gone
            ports[n, COME] -= packet
            ports[n, OWED] -= packet - _make_up(packet - gone, n, lists, blocks, routes, s)
            continue
        if i >= 0 and flows[i, MODE] != WAITING:
            flows[i, LOST] += 1.0
            if flows[i, MODE] == RECOVERING:
                routes[r, CREDIT] += packet
            lose(flows, i, now, routes[r, TRIP] + routes[r, WAIT])
        else:
            # What comes back of it lets nothing out, so nothing is missing.
            routes[r, CREDIT] += packet
        routes[r, LEFT] += packet
        gone = min(packet, blocks[k].bytes)
        blocks[k].bytes -= gone
        routes[r, INSIDE] -= gone
        routes[r, CREDIT] -= packet - gone
        ports[n, COME] -= packet
        ports[n, OWED] -= packet - _make_up(packet - gone, n, lists, blocks, routes, s)
    if stuck and ports[n, OWED] > 0.0:
        # By chance not a packet of any flow.
        ports[n, OWED] = _make_up(ports[n, OWED], n, lists, blocks, routes, s)


@helper
def _span(t: Any, clock: Any, flows: Any, ports: Any, back: Any) -> int:
    """How many of the next steps may be taken at once, because the queue becomes neither full nor empty in them.

    In such a queue fluid keeps its order and its gaps, so nothing is lost of it; only windows move once instead of
    several times. Of several queues each has what others send on, so steps are single.
    """
    most = int(clock[LONGEST])
    if most <= 1 or len(ports) > 1:
        return 1
    started = int(clock[STARTED])
    if started < len(flows):
        most = min(most, int(flows[started, START] / clock[STEP] - clock[COUNT]))
    at, ring, x, every = int(clock[COUNT]), back.shape[0], t.fluids[0], int(clock[EVERY])
    sent = 65536.0 / float(t.ports[x.port].rate) * PICO * clock[STEP]
    room = x.limit - MARGIN * clock[PACKET] - clock[WISH]
    held = x.inside + x.waiting
    for j in range(most):
        held += back[(at + j) % ring].bytes - sent
        if held > room or held < 0.0:
            return max(1, j // every * every)
    return max(1, most // every * every)


@helper
def _give(k: Any, at: int, clock: Any, blocks: Any, routes: Any, active: Any, s: Any) -> None:
    """Give its sender block k, which comes back over step ``at``."""
    r = int(blocks[k].route)
    if routes[r, SAMPLED] >= 0.0:
        hear(r, k, at, clock, blocks, routes, s)
    else:
        routes[r, ACKED] += blocks[k].bytes
        routes[r, BACK] += blocks[k].bytes / clock[PACKET]
        routes[r, MARKS] += blocks[k].marked
        if blocks[k].bytes == 0.0:
            routes[r, WOKEN] = 0.0
        enlist(r, routes, active)
    give_back(k, clock, blocks)


@helper
def _come_back(at: int, clock: Any, blocks: Any, back: Any, routes: Any, active: Any, s: Any) -> None:
    """Give senders what comes back over step ``at``."""
    x = back[at % back.shape[0]]
    fetch_slot(at, blocks, back, routes)
    for n in range(min(x.count, INLINE)):
        _give(np.int64(x.blocks[n]), at, clock, blocks, routes, active, s)
    k = np.int64(x.first) if x.count > INLINE else np.int64(-1)
    while k >= 0:
        following = blocks[k].following
        _give(k, at, clock, blocks, routes, active, s)
        k = following
    x.count, x.bytes = 0, 0.0


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
    alive: Any,
    random: Any,
    s: Any,
) -> None:
    """Advance the fluid from its last step to now, and set what it sends over the next."""
    step, now = clock[STEP], float(t.state[0].now) / PICO
    at = int(clock[COUNT])
    _ports(t, clock, ports)
    for n in range(len(ports)):
        _strike(t, n, clock, ports, lists, blocks, flows, routes, alive, now, random, s)
        mark_new(t, n, clock, ports, lists, blocks, routes, random)
        queue_up(n, ports, lists, blocks)
    for n in range(len(ports)):
        leave(n, clock, ports, lists, blocks, back, hops, routes, s)
    span, moves = 1, at % int(clock[EVERY]) == 0
    if moves:
        move_windows(clock, flows, groups, ports, hops, routes, active, alive, now, random, s)
    start_flows(t, clock, flows, ports, hops, routes, active, alive, now, s)
    if moves:
        span = _span(t, clock, flows, ports, back)
    for j in range(span):
        _come_back(at + j, clock, blocks, back, routes, active, s)
        left = 0
        for a in range(active[-1]):
            r = active[a]
            if routes[r, SAMPLED] >= 0.0:
                more = send_sampled(t, r, at + j, clock, ports, lists, blocks, hops, routes, random, s)
            else:
                more = send(r, at + j, clock, ports, lists, blocks, back, routes, s)
            if more:
                active[left] = r
                left += 1
            else:
                routes[r, LISTED] = 0.0
        active[-1] = left
    clock[SPAN] = span
    for n in range(len(ports)):
        x = t.fluids[n]
        if ports[n, PASSES] > 0.0 or (ports[n, COME] == 0.0 and x.rate == 0.0):
            continue
        if x.at < t.state[0].now:
            bring_up(t, t.ports[x.port], x, t.state[0].now)
        x.rate = ports[n, COME] / (step * span * PICO)
    clock[COUNT] += span


@entry
def run_both(
    t: Any,
    until: int,
    loop: int,
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
    alive: Any,
    random: Any,
    s: Any,
) -> int:
    """As ``packet.loop.run``, with the fluid's steps in between.

    loop: address of that, ``packet.loop_address``.  clock: (CLOCK_ROW,).  flows: in the order of their start,
    (flows, ROW).  groups: (kinds, GROUP_ROW).  ports: (ports, PORT_ROW).  lists: (ports, PORT_LISTS), -1 for none.
    blocks: rows of BLOCK.  back: what comes back to its senders, by step, rows of SLOT.  hops:
    ports of each route, there and back, (routes, hops), -1 beyond the last.  routes: (routes, ROUTE_ROW).  active:
    routes that send over the next step, their number last.  alive: flows that send and routes that have some,
    (longer, 2).  s: ``sampled_layout.Sampled``.
    """
    while True:
        due = np.int64(clock[DUE])
        status = bring_packets(t, min(until, due), loop)
        if status != DONE:
            return status
        if due > until:
            return DONE
        if clock[FREE_COUNT] < 2.0 * (clock[ROUTES] + len(ports)) * (clock[LONGEST] + 1.0) + FEWEST:
            return GROW_BLOCKS
        _step(t, clock, flows, groups, ports, lists, blocks, back, hops, routes, active, alive, random, s)
        clock[DUE] = math.floor(clock[COUNT] * clock[STEP] * PICO + 0.5)
