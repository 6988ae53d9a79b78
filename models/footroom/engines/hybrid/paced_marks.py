"""Marks of fluid paced by a rate, packet by packet, and the notifications that follow from them.

A packet is marked with the chance that the marking gives the queue as it stands. Packets of a paced flow come one by
one at equal distances: from the end of the interval of notifications the first marked one is 1/p - 1/2 of these away in
the mean. So marks are the events of a Poisson process of p/(1 - p/2) per packet, each falls on a flow in proportion to
its rate, and of all marks within an interval the first counts.
"""

from __future__ import annotations

import math
from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.fluid.per_flow.kernel import uniform
from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.hybrid.paced_senders import put
from footroom.engines.packet.tables import u
from footroom.kernel.hooks import words

PICO = layout.PICO


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
    passes: Any,
    routes: Any,
    ring: Any,
    slots: Any,
) -> None:
    """A packet of flow i was marked at pass k, ``at`` s from now: its receiver notifies its sender, if one is due.

    late: 1 where it was marked as it left the queue.
    """
    r, step = int(flows[i, layout.ROUTE]), clock[layout.STEP]
    for h in range(k + late, int(routes[r, layout.LAST])):
        at += ports[port_of[h], layout.DELAY]
    # From port to port it took some steps of the round trip.
    at += routes[r, layout.TRIP] - passes[k, layout.ELAPSED]
    comes = clock[layout.COUNT] * step + at
    if comes < flows[i, layout.NOTIFIES]:
        return
    flows[i, layout.NOTIFIES] = comes + flows[i, layout.INTERVAL]
    put(int(at / step + 0.5), i, layout.NOTICE, clock, ring, slots)


@helper
def mark(
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
        # Of packets that are marked as they leave, those of a flow are as many as leave of it, not as come.
        seen = layout.LEFT if p.marks_late != 0 else layout.COMES
        data = 0.0
        for j in range(int(row[layout.BEGINS]), int(row[layout.ENDS])):
            k = listed[j]
            if k < routes[int(passes[k, layout.OF]), layout.THERE]:
                data += passes[k, seen]
        # What is lost is not marked.
        packets = data * step / packet * (1.0 if p.marks_late != 0 else row[layout.KEPT])
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
                if k < routes[int(passes[k, layout.OF]), layout.THERE] and passes[k, seen] > 0.0:
                    found = k
                    wanted -= passes[k, seen]
                    if wanted <= 0.0:
                        break
            if found < 0:
                break
            i = _hit(flows, routes, members, int(passes[found, layout.OF]), random)
            if i >= 0:
                at = -uniform(random) * step
                _notify(i, found, at, p.marks_late, clock, flows, ports, port_of, passes, routes, ring, slots)
