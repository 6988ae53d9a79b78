"""Links of hosts that paced flows share: with one another, with packets and with acknowledgements on the way back.

Of each flow at most one packet waits in the queue of its host, behind those of others (``packet.rdma``). So flows that
the link holds back have as many packets there as they are, and send in turns with whatever else waits.
"""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.packet.tables import u


@helper
def account(i: int, now: float, flows: Any) -> None:
    """Count what flow i has sent up to ``now``."""
    flows[i, layout.SENT] += flows[i, layout.SENDS] * (now - flows[i, layout.ACCOUNTED])
    flows[i, layout.ACCOUNTED] = now


@helper
def share_link(h: int, now: float, flows: Any, hosts: Any, routes: Any) -> None:
    """Share what the link of host h has for its flows: each has the rate of its law, or an equal part of what others
    leave.
    """
    line, total = hosts[h, layout.OPEN], hosts[h, layout.SUM]
    level = line
    if total > line * (1.0 + 1e-12):
        # Water-filling up to ``level``, from below: the smallest flows leave more to the others.
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
    held = 0.0
    i = int(hosts[h, layout.FIRST_FLOW])
    while i >= 0:
        sends = min(flows[i, layout.RATE], level)
        if flows[i, layout.RATE] > level:
            held += 1.0
        if sends != flows[i, layout.SENDS]:
            account(i, now, flows)
            routes[int(flows[i, layout.ROUTE]), layout.RATE_NOW] += sends - flows[i, layout.SENDS]
            flows[i, layout.SENDS] = sends
        i = int(flows[i, layout.FOLLOWING])
    hosts[h, layout.HELD_UP] = held


@helper
def limit(t: Any, now: float, clock: Any, flows: Any, hosts: Any, routes: Any) -> None:
    """Set what every host's link has for its flows over the next step, so that one packet of each waits at its end."""
    for h in range(len(hosts)):
        n = int(hosts[h, layout.PORT])
        if n < 0:
            continue
        x, line = t.fluids[u(n)], hosts[h, layout.LINE] * clock[layout.STEP]
        p = t.ports[u(x.port)]
        packets = float(p.sent_bytes - x.counted_bytes)
        sent, hosts[h, layout.PACKETS] = packets - hosts[h, layout.PACKETS], packets
        # What of the fluid leaves over the step: behind the packet that is being sent it takes turns with those that
        # wait. Where all that waits will be gone before, packets are taken to be as many as over the last step.
        begun = min(line, max(0.0, float(p.busy_until - t.state[0].now)) * 65536.0 / float(p.rate))
        waits, left = max(0.0, x.work - x.inside - begun), line - begun
        if x.inside + waits >= left:
            leaves = left * x.inside / max(1.0, x.inside + waits)
        else:
            leaves = left - min(left, max(waits, sent - begun))
        room = max(1.0, hosts[h, layout.HELD_UP]) * clock[layout.PACKET] - x.inside
        opens = min(line, max(0.0, room + leaves)) / clock[layout.STEP]
        if opens != hosts[h, layout.OPEN]:
            least = min(opens, hosts[h, layout.OPEN])
            hosts[h, layout.OPEN] = opens
            if hosts[h, layout.SUM] > least:
                share_link(h, now, flows, hosts, routes)
