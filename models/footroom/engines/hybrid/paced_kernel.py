"""Fluid of flows paced by a rate: RDMA hosts under DCQCN, marked by queues and notified one by one.

What senders do is in ``paced_senders``, marks are in ``paced_marks``; here are the queues and the loop.

The fluid that waits at a port is kept by route, mixed: it leaves in proportion to what waits of each route (Liu et al.
2003 move fluid by rates in this way, but first come, first served). It reaches the next port a step later, or, where
classes may be paused, after the steps that are nearest to the delay of the link. Acknowledgements go back as fluid of
their own size.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from footroom.base.compile_cache import entry, helper
from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.hybrid.between import bring_packets
from footroom.engines.hybrid.paced_hosts import take_turns
from footroom.engines.hybrid.paced_marks import mark
from footroom.engines.hybrid.paced_senders import happen
from footroom.engines.packet.backlog import bring_up
from footroom.engines.packet.features import lossless
from footroom.engines.packet.tables import DONE, GROW_PACKETS, u

PICO = layout.PICO


@helper
def _there(t: Any, passes: Any, k: int, kept: float, stays: float, clock: Any) -> float:
    """Bytes of pass k that came over the last step or waited before, without what was lost of them.

    kept, stays: part of either that was not lost. Priority groups refuse what came in by their own port instead.
    """
    held, comes = passes[k, layout.HELD], passes[k, layout.COMES] * clock[layout.STEP]
    if lossless(t) and passes[k, layout.PART] >= 0.0:
        part = t.parts[u(int(passes[k, layout.PART]))]
        total = part.held + part.comes * clock[layout.STEP] * PICO
        return float((held + comes) * (1.0 - min(1.0, part.lost / total) if total > 0.0 else 1.0))
    return float(held * stays + comes * kept)


@helper
def _arrives(passes: Any, k: int, leaves: float, clock: Any, wires: Any) -> float:
    """What comes to pass k over the next step [bytes/s], where ``leaves`` left the port before over the last one."""
    behind = int(passes[k, layout.LAG]) - 1
    if behind == 0:
        return leaves
    place = int(passes[k, layout.WIRE]) + int(clock[layout.COUNT]) % behind
    comes = wires[place]
    wires[place] = leaves
    passes[k, layout.PUT] += leaves * clock[layout.STEP]
    passes[k, layout.CAME] += comes * clock[layout.STEP]
    return float(comes)


@helper
def _part_again(t: Any, passes: Any) -> None:
    """Tell priority groups of all ports what waits and comes by each port."""
    for k in range(len(t.parts)):
        part = t.parts[u(k)]
        part.held, part.comes, part.lost, part.at = 0.0, 0.0, 0.0, t.state[0].now
    for k in range(len(passes)):
        if passes[k, layout.PART] >= 0.0:
            part = t.parts[u(int(passes[k, layout.PART]))]
            part.held += passes[k, layout.HELD]
            part.comes += passes[k, layout.COMES] / PICO


@helper
def _move(t: Any, clock: Any, ports: Any, listed: Any, passes: Any, routes: Any) -> None:
    """What every port has sent and lost since the last step, by route."""
    for n in range(len(ports)):
        x, row = t.fluids[u(n)], ports[n]
        p = t.ports[u(x.port)]
        bring_up(t, p, x, t.state[0].now)
        row[layout.DELAY] = x.work * float(p.rate) / 65536.0 / PICO
        row[layout.LONGEST] = max(row[layout.LONGEST], row[layout.DELAY])
        sent, lost = x.sent - row[layout.LEFT_BEFORE], x.lost - row[layout.GONE]
        row[layout.LEFT_BEFORE], row[layout.GONE] = x.sent, x.lost
        if lost > 0.0:
            now = float(t.state[0].now) / PICO
            if now > row[layout.LOST_AT] + clock[layout.APART]:
                row[layout.SPELLS] += 1.0
            row[layout.LOST_AT] = now
        came, held = 0.0, 0.0
        for j in range(int(row[layout.BEGINS]), int(row[layout.ENDS])):
            k = listed[j]
            came += passes[k, layout.COMES]
            held += passes[k, layout.HELD]
        came *= clock[layout.STEP]
        # What comes is lost first; packets that are taken in take the place of what waits.
        kept = 1.0 - min(1.0, lost / came) if came > 0.0 else 1.0
        row[layout.KEPT] = kept
        stays = 1.0 - min(1.0, max(0.0, lost - came) / held) if held > 0.0 else 1.0
        waits = came * kept + held * stays
        if lossless(t):
            waits = 0.0
            for j in range(int(row[layout.BEGINS]), int(row[layout.ENDS])):
                waits += _there(t, passes, listed[j], kept, stays, clock)
        part = min(1.0, sent / waits) if waits > 0.0 else 0.0
        for j in range(int(row[layout.BEGINS]), int(row[layout.ENDS])):
            k = listed[j]
            there = _there(t, passes, k, kept, stays, clock)
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
def _send(t: Any, clock: Any, ports: Any, listed: Any, passes: Any, routes: Any, wires: Any) -> None:
    """What comes to every port over the next step."""
    for r in range(len(routes)):
        first, last, there = int(routes[r, layout.FIRST]), int(routes[r, layout.LAST]), int(routes[r, layout.THERE])
        comes = max(0.0, routes[r, layout.RATE_NOW])
        clock[layout.GIVEN] += comes * clock[layout.STEP]
        for k in range(first, last):
            passes[k, layout.COMES] = comes if k == first else _arrives(passes, k, comes, clock, wires)
            comes = passes[k, layout.LEFT] * (routes[r, layout.ANSWER] if k + 1 == there else 1.0)
    for n in range(len(ports)):
        x, total = t.fluids[u(n)], 0.0
        for j in range(int(ports[n, layout.BEGINS]), int(ports[n, layout.ENDS])):
            total += passes[listed[j], layout.COMES]
        x.rate = total / PICO
    if lossless(t):
        _part_again(t, passes)


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
    wires: Any,
) -> None:
    """Advance the fluid from its last step to now, and set what it sends over the next."""
    now = float(t.state[0].now) / PICO
    _move(t, clock, ports, listed, passes, routes)
    mark(t, clock, flows, ports, port_of, listed, passes, routes, members, ring, slots, addresses, random)
    happen(t, now, clock, flows, hosts, routes, ring, slots, laws, addresses, rows)
    take_turns(t, now, clock, flows, hosts, routes)
    _send(t, clock, ports, listed, passes, routes, wires)
    clock[layout.COUNT] += 1.0
    clock[layout.DUE] = math.floor(clock[layout.COUNT] * clock[layout.STEP] * PICO + 0.5)


@entry
def run_paced(
    t: Any,
    until: int,
    loop: int,
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
    wires: Any,
) -> int:
    """As ``packet.loop.run``, with the steps of paced fluid in between.

    loop: address of that, ``packet.loop_address``.  clock, flows (in the order of their start), hosts, ports, passes,
    routes: rows of ``paced_layout``.  port_of: port of each pass.  listed: passes of each port.  members: flows of each
    route.  ring: entries of what is to happen, (entries, 3).  slots: first entry of each step, -1 for none.  laws,
    addresses: as ``paced_layout`` says.  rows: of FLOW, one a flow.  wires: bytes/s on the way between ports.
    """
    while True:
        due = np.int64(clock[layout.DUE])
        status = bring_packets(t, min(until, due), loop)
        if status != DONE:
            return int(status)
        if due > until:
            return int(DONE)
        if lossless(t) and t.state[0].free_count < t.state[0].spare:
            return int(GROW_PACKETS)
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
            wires,
        )
