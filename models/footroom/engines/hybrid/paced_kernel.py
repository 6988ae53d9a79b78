"""Fluid of flows that a rate paces: RDMA hosts under DCQCN, marked by queues and notified one by one.

Every flow has the state of its law, and the law is the packets' own: its hooks are called when a notification comes,
when its timer is due, and for the bytes sent since. In between a flow is a rate. So increases by timer and byte counter
fall where they fall among packets, flows are notified at different times, and of all marks within the interval of
notifications the first counts.

**Marks.** A packet is marked with the chance that the marking gives the queue as it stands. Packets of a paced flow
come one by one at equal distances: from the end of the interval the first marked one is 1/p - 1/2 of these away in the
mean. So marks are the events of a Poisson process of p/(1 - p/2) per packet, and each falls on a flow in proportion to
its rate.

**Queues.** What waits at a port is kept by route, mixed: what leaves it is of every route in proportion to what waits
of it (Liu et al. 2003 move fluid by rates in this way, but first come, first served). It is with the next port a step
later. Acknowledgements go back as fluid of their own size.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from footroom.base.compile_cache import entry, helper
from footroom.engines.fluid.per_flow.kernel import uniform
from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.hybrid.between import bring_packets
from footroom.engines.packet.backlog import bring_up
from footroom.engines.packet.tables import DONE, u
from footroom.kernel.calls import call_law
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.hooks import words
from footroom.kernel.tables import NEVER

_FLOW_SIZE = FLOW.itemsize
PICO = layout.PICO


@helper
def _put(at: int, i: int, what: int, clock: Any, ring: Any, slots: Any) -> None:
    """Have ``what`` happen to flow i in ``at`` steps, or as late as the ring reaches."""
    k = int(clock[layout.FREE])
    clock[layout.FREE] = ring[k, 2]
    slot = (int(clock[layout.COUNT]) + min(max(at, 1), len(slots) - 1)) % len(slots)
    ring[k, 0], ring[k, 1], ring[k, 2] = i, what, slots[slot]
    slots[slot] = k


@helper
def _account(i: int, now: float, flows: Any) -> None:
    """Count what flow i has sent up to ``now``."""
    flows[i, layout.SENT] += flows[i, layout.SENDS] * (now - flows[i, layout.ACCOUNTED])
    flows[i, layout.ACCOUNTED] = now


@helper
def _call(t: Any, which: int, i: int, at: int, size: int, laws: Any, addresses: Any, rows: Any) -> None:
    """Call the hook ``which`` of flow i's law, as of ``at`` [ps], with ``size`` bytes sent."""
    if laws[i, which] == 0:
        return
    r = t.report[0]
    r.now, r.bytes, r.resumed = at, size, 0
    call_law(
        laws[i, which],
        addresses[layout.FLOW_BASE] + i * _FLOW_SIZE,
        rows[i].scratch,
        laws[i, layout.PARAMS],
        addresses[layout.REPORT_BASE],
    )


@helper
def _share_link(h: int, now: float, flows: Any, hosts: Any, routes: Any) -> None:
    """Share the link of host h among its flows: each the rate of its law, or an equal part of what others leave."""
    line, total = hosts[h, layout.LINE], hosts[h, layout.SUM]
    level = line
    if total > line * (1.0 + 1e-12):
        # Water is filled up to ``level``: from below, as the least flows leave more to the others.
        level, before = 0.0, -1.0
        while level > before:
            before, small, count = level, 0.0, 0.0
            i = int(hosts[h, layout.FIRST_FLOW])
            while i >= 0:
                if flows[i, layout.RATE] <= before:
                    small += flows[i, layout.RATE]
                elif flows[i, layout.RATE] > 0.0:
                    count += 1.0
                i = int(flows[i, layout.FOLLOWING])
            if count == 0.0:
                break
            level = max(before, (line - small) / count)
    i = int(hosts[h, layout.FIRST_FLOW])
    while i >= 0:
        sends = min(flows[i, layout.RATE], level)
        if sends != flows[i, layout.SENDS]:
            _account(i, now, flows)
            routes[int(flows[i, layout.ROUTE]), layout.RATE_NOW] += sends - flows[i, layout.SENDS]
            flows[i, layout.SENDS] = sends
        i = int(flows[i, layout.FOLLOWING])


@helper
def _follow(
    i: int, now: float, clock: Any, flows: Any, hosts: Any, routes: Any, rows: Any, ring: Any, slots: Any
) -> None:
    """Have flow i send what its law says now, and wake the law when it wants to be."""
    rate, h = rows[i].rate / 8.0, int(flows[i, layout.HOST])
    if rate != flows[i, layout.RATE]:
        hosts[h, layout.SUM] += rate - flows[i, layout.RATE]
        flows[i, layout.RATE] = rate
        _share_link(h, now, flows, hosts, routes)
    if rows[i].law_at < NEVER and flows[i, layout.TIMED] == 0.0:
        flows[i, layout.TIMED] = 1.0
        _put(int((float(rows[i].law_at) / PICO - now) / clock[layout.STEP] + 0.5), i, layout.TIMER, clock, ring, slots)


@helper
def _tell_sent(t: Any, i: int, now: float, flows: Any, laws: Any, addresses: Any, rows: Any) -> None:
    """Tell flow i's law of the bytes that it has sent since."""
    _account(i, now, flows)
    size = int(flows[i, layout.SENT] - flows[i, layout.TOLD])
    if size > 0:
        flows[i, layout.TOLD] += size
        _call(t, layout.ON_SENT, i, t.state[0].now, size, laws, addresses, rows)


@helper
def _happen(
    t: Any,
    now: float,
    clock: Any,
    flows: Any,
    hosts: Any,
    routes: Any,
    ring: Any,
    slots: Any,
    laws: Any,
    addresses: Any,
    rows: Any,
) -> None:
    """What is due at this step: flows that start, notifications, timers."""
    i = int(clock[layout.STARTED])
    while i < len(flows) and flows[i, layout.START] <= now:
        flows[i, layout.ACCOUNTED] = now
        _call(t, layout.ON_START, i, t.state[0].now, 0, laws, addresses, rows)
        _follow(i, now, clock, flows, hosts, routes, rows, ring, slots)
        i += 1
    clock[layout.STARTED] = i
    slot = int(clock[layout.COUNT]) % len(slots)
    k = slots[slot]
    slots[slot] = -1
    # The step nearest to the instant: always the next one would make every timer half a step longer.
    nearest = (now + 0.5 * clock[layout.STEP]) * PICO
    while k >= 0:
        i, what, following = ring[k, 0], ring[k, 1], ring[k, 2]
        ring[k, 2] = int(clock[layout.FREE])
        clock[layout.FREE] = k
        if what == layout.NOTICE:
            _tell_sent(t, i, now, flows, laws, addresses, rows)
            _call(t, layout.ON_NOTICE, i, t.state[0].now, 0, laws, addresses, rows)
        else:
            flows[i, layout.TIMED] = 0.0
            if float(rows[i].law_at) <= nearest:
                due = rows[i].law_at
                rows[i].law_at = NEVER
                _tell_sent(t, i, now, flows, laws, addresses, rows)
                _call(t, layout.ON_TIMER, i, due, 0, laws, addresses, rows)
        _follow(i, now, clock, flows, hosts, routes, rows, ring, slots)
        k = following


@helper
def _move(t: Any, clock: Any, ports: Any, listed: Any, passes: Any, routes: Any) -> None:
    """What every port has sent and lost since the last step, by route."""
    for n in range(len(ports)):
        x, row = t.fluids[u(n)], ports[n]
        p = t.ports[u(x.port)]
        bring_up(t, p, x, t.state[0].now)
        row[layout.DELAY] = x.work * float(p.rate) / 65536.0 / PICO
        sent, lost = x.sent - row[layout.LEFT_BEFORE], x.lost - row[layout.GONE]
        row[layout.LEFT_BEFORE], row[layout.GONE] = x.sent, x.lost
        came, held = 0.0, 0.0
        for j in range(int(row[layout.BEGINS]), int(row[layout.ENDS])):
            k = listed[j]
            came += passes[k, layout.COMES]
            held += passes[k, layout.HELD]
        came *= clock[layout.STEP]
        # What comes is lost first; packets that are taken in take the place of what waits.
        kept = 1.0 - min(1.0, lost / came) if came > 0.0 else 1.0
        stays = 1.0 - min(1.0, max(0.0, lost - came) / held) if held > 0.0 else 1.0
        waits = came * kept + held * stays
        part = min(1.0, sent / waits) if waits > 0.0 else 0.0
        for j in range(int(row[layout.BEGINS]), int(row[layout.ENDS])):
            k = listed[j]
            there = passes[k, layout.HELD] * stays + passes[k, layout.COMES] * clock[layout.STEP] * kept
            left = there * part
            passes[k, layout.HELD] = there - left
            passes[k, layout.LEFT] = left / clock[layout.STEP]
            if k >= routes[int(passes[k, layout.OF]), layout.THERE]:
                row[layout.ANSWERED] += left
        if row[layout.ANSWERED] > 0.0:
            # As fluid each acknowledgement is a part of a packet; counted it is one.
            more = 1.0 / clock[layout.ANSWER_SIZE] - 1.0 / clock[layout.PACKET]
            whole = math.floor(row[layout.ANSWERED] * more)
            p.offered += whole
            p.sent += whole
            row[layout.ANSWERED] -= whole / more


@helper
def _chance(p: Any, q: Any, row: Any, step: float, packet: float, addresses: Any) -> float:
    """Of a mark, for a packet that comes to port p now."""
    level = float(q.bytes)
    if p.marker == addresses[layout.STEPS]:
        return 1.0 if level > words(p.marker_params)[0] else 0.0
    if p.marker != addresses[layout.RED]:
        return 0.0
    params = words(p.marker_params)
    least, most, top, weight = params[0], params[1], params[2], params[3]
    if weight < 1.0:
        keep = (1.0 - weight) ** (step * PICO * 65536.0 / float(p.rate) / packet)
        row[layout.AVERAGE] = keep * row[layout.AVERAGE] + (1.0 - keep) * level
        level = row[layout.AVERAGE]
    if level <= least:
        return 0.0
    if level > most:
        return 1.0
    return float(top * (level - least) / (most - least))


@helper
def _hit(flows: Any, routes: Any, members: Any, r: int, random: Any) -> int:
    """The flow of route r that a packet belongs to: in proportion to what each sends; -1 for none."""
    left, last = uniform(random) * routes[r, layout.RATE_NOW], -1
    for j in range(int(routes[r, layout.MEMBERS]), int(routes[r, layout.MEMBERS_END])):
        i = members[j]
        if flows[i, layout.SENDS] > 0.0:
            last = i
            left -= flows[i, layout.SENDS]
            if left <= 0.0:
                break
    return last


@helper
def _notify(
    i: int,
    k: int,
    at: float,
    late: int,
    clock: Any,
    flows: Any,
    ports: Any,
    port_of: Any,
    routes: Any,
    ring: Any,
    slots: Any,
) -> None:
    """A packet of flow i was marked at pass k, ``at`` s from now: its receiver notifies its sender, if it is time.

    late: 1 where it was marked as it left the queue.
    """
    r, step = int(flows[i, layout.ROUTE]), clock[layout.STEP]
    for h in range(k + late, int(routes[r, layout.LAST])):
        at += ports[port_of[h], layout.DELAY]
    # From port to port it took a step of the round trip.
    at += routes[r, layout.TRIP] - float(k - routes[r, layout.FIRST]) * step
    comes = clock[layout.COUNT] * step + at
    if comes < flows[i, layout.NOTIFIES]:
        return
    flows[i, layout.NOTIFIES] = comes + flows[i, layout.INTERVAL]
    _put(int(at / step + 0.5), i, layout.NOTICE, clock, ring, slots)


@helper
def _mark(
    t: Any,
    clock: Any,
    flows: Any,
    ports: Any,
    port_of: Any,
    listed: Any,
    passes: Any,
    routes: Any,
    members: Any,
    ring: Any,
    slots: Any,
    addresses: Any,
    random: Any,
) -> None:
    """Mark packets of the last step at every port."""
    step, packet = clock[layout.STEP], clock[layout.PACKET]
    for n in range(len(ports)):
        x, row = t.fluids[u(n)], ports[n]
        p = t.ports[u(x.port)]
        chance = _chance(p, t.queues[u(x.queue)], row, step, packet, addresses)
        if chance <= 0.0:
            continue
        data = 0.0
        for j in range(int(row[layout.BEGINS]), int(row[layout.ENDS])):
            k = listed[j]
            if k < routes[int(passes[k, layout.OF]), layout.THERE]:
                data += passes[k, layout.COMES]
        packets = data * step / packet
        row[layout.MARKED] += packets * chance
        whole = math.floor(row[layout.MARKED])
        row[layout.MARKED] -= whole
        p.marked += whole
        t.queues[u(x.queue)].marked += whole
        row[layout.UNTIL_MARK] -= packets * chance / (1.0 - 0.5 * chance)
        while row[layout.UNTIL_MARK] < 0.0:
            row[layout.UNTIL_MARK] -= math.log(1.0 - uniform(random))
            wanted, found = uniform(random) * data, -1
            for j in range(int(row[layout.BEGINS]), int(row[layout.ENDS])):
                k = listed[j]
                if k < routes[int(passes[k, layout.OF]), layout.THERE] and passes[k, layout.COMES] > 0.0:
                    found = k
                    wanted -= passes[k, layout.COMES]
                    if wanted <= 0.0:
                        break
            if found < 0:
                break
            i = _hit(flows, routes, members, int(passes[found, layout.OF]), random)
            if i >= 0:
                at = -uniform(random) * step
                _notify(i, found, at, p.marks_late, clock, flows, ports, port_of, routes, ring, slots)


@helper
def _send(t: Any, clock: Any, ports: Any, listed: Any, passes: Any, routes: Any) -> None:
    """What comes to every port over the next step."""
    for r in range(len(routes)):
        first, last, there = int(routes[r, layout.FIRST]), int(routes[r, layout.LAST]), int(routes[r, layout.THERE])
        comes = max(0.0, routes[r, layout.RATE_NOW])
        clock[layout.GIVEN] += comes * clock[layout.STEP]
        for k in range(first, last):
            passes[k, layout.COMES] = comes
            comes = passes[k, layout.LEFT] * (routes[r, layout.ANSWER] if k + 1 == there else 1.0)
    for n in range(len(ports)):
        x, total = t.fluids[u(n)], 0.0
        for j in range(int(ports[n, layout.BEGINS]), int(ports[n, layout.ENDS])):
            total += passes[listed[j], layout.COMES]
        x.rate = total / PICO


@helper
def step(
    t: Any,
    clock: Any,
    flows: Any,
    hosts: Any,
    ports: Any,
    port_of: Any,
    listed: Any,
    passes: Any,
    routes: Any,
    members: Any,
    ring: Any,
    slots: Any,
    laws: Any,
    addresses: Any,
    rows: Any,
    random: Any,
) -> None:
    """Bring the fluid from its last step to now, and say what it does over the next."""
    now = float(t.state[0].now) / PICO
    _move(t, clock, ports, listed, passes, routes)
    _mark(t, clock, flows, ports, port_of, listed, passes, routes, members, ring, slots, addresses, random)
    _happen(t, now, clock, flows, hosts, routes, ring, slots, laws, addresses, rows)
    _send(t, clock, ports, listed, passes, routes)
    clock[layout.COUNT] += 1.0
    clock[layout.DUE] = math.floor(clock[layout.COUNT] * clock[layout.STEP] * PICO + 0.5)


@entry
def run_paced(
    t: Any,
    until: int,
    clock: Any,
    flows: Any,
    hosts: Any,
    ports: Any,
    port_of: Any,
    listed: Any,
    passes: Any,
    routes: Any,
    members: Any,
    ring: Any,
    slots: Any,
    laws: Any,
    addresses: Any,
    rows: Any,
    random: Any,
) -> int:
    """As ``packet.loop.run``, with the steps of paced fluid in between.

    clock, flows (in the order of their start), hosts, ports, passes, routes: rows of ``paced_layout``.  port_of: port
    of each pass.  listed: passes of each port.  members: flows of each route.  ring: entries of what is to happen,
    (entries, 3).  slots: first entry of each step, -1 for none.  laws, addresses: as ``paced_layout``
    says.  rows: of FLOW, one a flow.
    """
    while True:
        due = np.int64(clock[layout.DUE])
        status = bring_packets(t, min(until, due))
        if status != DONE:
            return int(status)
        if due > until:
            return int(DONE)
        step(
            t,
            clock,
            flows,
            hosts,
            ports,
            port_of,
            listed,
            passes,
            routes,
            members,
            ring,
            slots,
            laws,
            addresses,
            rows,
            random,
        )
