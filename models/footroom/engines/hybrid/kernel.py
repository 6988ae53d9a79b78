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
from footroom.engines.hybrid.ahead import fetch_slot
from footroom.engines.hybrid.between import bring_packets
from footroom.engines.hybrid.blocks import give_back, queue_up
from footroom.engines.hybrid.layout import (
    ACKED,
    ANSWER_SIZE,
    ANSWERED,
    BACK,
    COME,
    COUNT,
    DELAY,
    DUE,
    DUE_OUT,
    EVERY,
    FLOWS,
    FREE_COUNT,
    GONE,
    INLINE,
    LEFT_BEFORE,
    LISTED,
    LONGEST,
    MARKS,
    OWED,
    PACKET,
    PASSES,
    PICO,
    ROUTES,
    SAMPLED,
    SPAN,
    START,
    STARTED,
    STEP,
    WISH,
    WOKEN,
)
from footroom.engines.hybrid.losses import strike
from footroom.engines.hybrid.marked import mark_new
from footroom.engines.hybrid.moves import move_windows
from footroom.engines.hybrid.sampled import count_paced, hear, send_sampled
from footroom.engines.hybrid.senders import enlist, send, start_flows, watch
from footroom.engines.hybrid.window_lossless import (
    go_on,
    hold_new,
    part_in_order,
    tell_groups,
    time_trips,
    wait_as_measured,
)
from footroom.engines.packet.backlog import bring_up, bring_up_idle
from footroom.engines.packet.features import lossless
from footroom.engines.packet.fluid_holes import note_step, note_windows
from footroom.engines.packet.tables import DONE, GROW_PACKETS

#: Returned when there are too few free blocks: the owner adds some and calls again.
GROW_BLOCKS = 100

#: Free blocks beside those that one step can take, one for each route and a part of one for each port and step.
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
def _ports(t: Any, clock: Any, ports: Any, lists: Any, blocks: Any, w: Any) -> None:
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
        part_in_order(t, n, ports, lists, blocks, w)
        if lossless(t) or not (several and bring_up_idle(t, p, x, now)):
            bring_up(t, p, x, now)
        note_step(t, x, now)
        note_windows(t, x, now, clock[FLOWS] / len(ports))
        speed = 65536.0 / float(t.ports[x.port].rate) * PICO
        row[OWED] += x.lost - row[GONE]
        row[DUE_OUT] += x.sent - row[LEFT_BEFORE]
        row[DELAY] = x.work / speed
        row[LEFT_BEFORE], row[GONE] = x.sent, x.lost
        if row[ANSWERED] > 0.0:
            _count_answers(t.ports[x.port], row, clock)


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
def _give(k: Any, at: int, clock: Any, blocks: Any, routes: Any, active: Any, alive: Any, s: Any) -> None:
    """Give its sender block k, which comes back over step ``at``."""
    r = int(blocks[k].route)
    if routes[r, SAMPLED] >= 0.0:
        hear(r, k, at, clock, blocks, routes, s)
    else:
        routes[r, ACKED] += blocks[k].bytes
        routes[r, BACK] += blocks[k].bytes / clock[PACKET]
        if blocks[k].marked > 0.0:
            routes[r, MARKS] += blocks[k].marked
            watch(r, clock, routes, alive)
        if blocks[k].bytes == 0.0:
            routes[r, WOKEN] = 0.0
        enlist(r, routes, active)
    give_back(k, clock, blocks)


@helper
def _come_back(at: int, clock: Any, blocks: Any, back: Any, routes: Any, active: Any, alive: Any, s: Any) -> None:
    """Give senders what comes back over step ``at``."""
    x = back[at % back.shape[0]]
    fetch_slot(at, blocks, back, routes)
    for n in range(min(x.count, INLINE)):
        _give(np.int64(x.blocks[n]), at, clock, blocks, routes, active, alive, s)
    k = np.int64(x.first) if x.count > INLINE else np.int64(-1)
    while k >= 0:
        following = blocks[k].following
        _give(k, at, clock, blocks, routes, active, alive, s)
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
    w: Any,
) -> None:
    """Advance the fluid from its last step to now, and set what it sends over the next."""
    step, now = clock[STEP], float(t.state[0].now) / PICO
    at = int(clock[COUNT])
    _ports(t, clock, ports, lists, blocks, w)
    for n in range(len(ports)):
        strike(t, n, clock, ports, lists, blocks, flows, routes, alive, now, random, s, w)
        mark_new(t, n, clock, ports, lists, blocks, routes, random)
        hold_new(t, n, lists, blocks, w)
        queue_up(n, ports, lists, blocks)
    for n in range(len(ports)):
        go_on(t, n, clock, ports, lists, blocks, back, hops, routes, s, w)
    span, moves = 1, at % int(clock[EVERY]) == 0
    if moves:
        move_windows(clock, flows, groups, ports, hops, routes, active, alive, now, random, s)
        if len(s.stamps) > 1:
            count_paced(t, clock, ports, hops, routes, alive)
        wait_as_measured(t, clock, routes, alive)
    start_flows(t, clock, flows, ports, hops, routes, active, alive, now, s)
    if moves:
        span = _span(t, clock, flows, ports, back)
    for j in range(span):
        if j > 0 and clock[FREE_COUNT] < clock[ROUTES] + clock[LONGEST] + FEWEST:
            span = j  # the owner adds blocks before the next one
            break
        time_trips(t, at + j, clock, blocks, back, routes)
        _come_back(at + j, clock, blocks, back, routes, active, alive, s)
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
        x.rate, x.late = ports[n, COME] / (step * span * PICO), 0.0
        # Beside several steps nothing is lost, so it does not matter when in them fluid comes.
        x.rate_since = t.state[0].now
        x.rate_until = np.int64((clock[COUNT] + 1.0) * step * PICO) if span == 1 else 0
    tell_groups(t, clock, lists, blocks, w)
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
    w: Any,
) -> int:
    """As ``packet.loop.run``, with the fluid's steps in between.

    loop: address of that, ``packet.loop_address``.  clock: (CLOCK_ROW,).  flows: in the order of their start,
    (flows, ROW).  groups: (kinds, GROUP_ROW).  ports: (ports, PORT_ROW).  lists: (ports, PORT_LISTS), -1 for none.
    blocks: rows of BLOCK.  back: what comes back to its senders, by step, rows of SLOT.  hops:
    ports of each route, there and back, (routes, hops), -1 beyond the last.  routes: (routes, ROUTE_ROW).  active:
    routes that send over the next step, their number last.  alive: flows that send, routes that have some, and
    those whose windows move every time, (longer, 3).  s: ``sampled_layout.Sampled``.  w: ``window_lossless.Wires``.
    """
    while True:
        due = np.int64(clock[DUE])
        status = bring_packets(t, min(until, due), loop)
        if status != DONE:
            return status
        if due > until:
            return DONE
        if clock[FREE_COUNT] < 2.0 * (clock[ROUTES] + len(ports)) + len(ports) * clock[LONGEST] + FEWEST:
            return GROW_BLOCKS
        if lossless(t) and t.state[0].free_count < t.state[0].spare:
            return GROW_PACKETS
        _step(t, clock, flows, groups, ports, lists, blocks, back, hops, routes, active, alive, random, s, w)
        clock[DUE] = math.floor(clock[COUNT] * clock[STEP] * PICO + 0.5)
