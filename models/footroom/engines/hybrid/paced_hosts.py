"""Links of hosts that paced flows share: with one another, with packets and with acknowledgements on the way back.

Of each flow at most one packet waits in the queue of its host, and the next is paced from when that one was begun
(``packet.rdma``). So a flow whose law lets out r sends a packet every L/r + w, where w is the wait: r/(1 + r w/L).
Flows at the line rate have equal shares; a slower one waits as long for each packet, but has fewer.

What is still to be sent at a link is in the mean half a packet more than the whole packets that one more waits for.

**While the link is paused** a flow puts the packet that is due next into the host's queue, and no other; the one after
it is paced from when that one is sent. How long after the pause began the packet is due is uniform in L/r. So after s
the flow has sent r (s - s² r/(2L)) in the mean that it would not have if its pacing had stood still, L/2 after L/r.
"""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.packet.features import lossless
from footroom.engines.packet.tables import u

#: Part of a packet to which the wait is solved.
ENOUGH = 1e-3


@helper
def account(i: int, now: float, flows: Any) -> None:
    """Count what flow i has sent up to ``now``."""
    flows[i, layout.SENT] += flows[i, layout.SENDS] * (now - flows[i, layout.ACCOUNTED])
    flows[i, layout.ACCOUNTED] = now


@helper
def send_at(i: int, sends: float, now: float, flows: Any, routes: Any) -> None:
    """Have flow i send ``sends`` bytes/s from ``now`` on."""
    if sends != flows[i, layout.SENDS]:
        account(i, now, flows)
        routes[int(flows[i, layout.ROUTE]), layout.RATE_NOW] += sends - flows[i, layout.SENDS]
        flows[i, layout.SENDS] = sends


@helper
def _wait(h: int, work: float, packets: float, clock: Any, flows: Any, hosts: Any) -> float:
    """Bytes that a packet at host h waits for at the end of the next step, where ``work`` bytes are to be sent now and
    ``packets`` bytes of packets come: what its flows send depends on it.
    """
    line, step, size = hosts[h, layout.LINE], clock[layout.STEP], clock[layout.PACKET]
    wait = 0.0
    if work + packets + step * (hosts[h, layout.SUM] - line) <= 0.5 * size:
        return wait
    # Newton's method, which comes to the solution from below: the excess is a concave function of the wait.
    while True:
        comes, slope = 0.0, 0.0
        i = int(hosts[h, layout.FIRST_FLOW])
        while i >= 0:
            slower = 1.0 / (1.0 + flows[i, layout.RATE] * wait / (line * size))
            comes += flows[i, layout.RATE] * slower
            slope += flows[i, layout.RATE] * flows[i, layout.RATE] * slower * slower / (line * size)
            i = int(flows[i, layout.FOLLOWING])
        more = (work + packets + step * (comes - line) - 0.5 * size - wait) / (1.0 + step * slope)
        if more <= ENOUGH * size:
            return wait
        wait += more


@helper
def _stand(h: int, paused: float, now: float, clock: Any, flows: Any, hosts: Any, routes: Any) -> None:
    """Set what every flow of host h, whose link has been paused for ``paused`` s, puts into its queue."""
    hosts[h, layout.CHANGED] = 1.0
    i = int(hosts[h, layout.FIRST_FLOW])
    while i >= 0:
        rate = flows[i, layout.RATE]
        sends = rate / (1.0 + rate * hosts[h, layout.WAIT] / (hosts[h, layout.LINE] * clock[layout.PACKET]))
        send_at(i, sends * max(0.0, 1.0 - paused * rate / clock[layout.PACKET]), now, flows, routes)
        i = int(flows[i, layout.FOLLOWING])


@helper
def take_turns(t: Any, now: float, clock: Any, flows: Any, hosts: Any, routes: Any) -> None:
    """Set what every flow sends over the next step where its host's link is shared."""
    for h in range(len(hosts)):
        n = int(hosts[h, layout.PORT])
        if n < 0:
            continue
        x = t.fluids[u(n)]
        total = float(t.ports[u(x.port)].sent_bytes - x.counted_bytes)
        packets, hosts[h, layout.PACKETS] = total - hosts[h, layout.PACKETS], total
        if lossless(t) and x.stood_at >= 0:
            _stand(h, now - float(x.stood_at) / layout.PICO, now, clock, flows, hosts, routes)
            continue
        # Packets are taken to be as many as over the last step.
        wait = _wait(h, x.work, packets, clock, flows, hosts)
        if wait == 0.0 and hosts[h, layout.WAIT] == 0.0 and hosts[h, layout.CHANGED] == 0.0:
            continue
        hosts[h, layout.WAIT], hosts[h, layout.CHANGED] = wait, 0.0
        i = int(hosts[h, layout.FIRST_FLOW])
        while i >= 0:
            rate = flows[i, layout.RATE]
            send_at(i, rate / (1.0 + rate * wait / (hosts[h, layout.LINE] * clock[layout.PACKET])), now, flows, routes)
            i = int(flows[i, layout.FOLLOWING])
