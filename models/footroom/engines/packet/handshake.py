"""What setting up a connection measures: the first timeout of a flow that starts over standing queues.

No packets set up a connection. Its round trip is that of the idle path plus what a packet would wait now on the way and
back: the bytes that wait at every port (in classes served by strict priority only those of its own class and above) at
the rate of the link. The timeout until data has measured a round trip follows from it (RFC 6298 §2.2; Linux
tcp_synack_rtt_meas).

Left out: queues that change meanwhile, a set-up packet that is lost, the packet that a port is sending, the gaps
between frames, and pauses.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.sender import timeout_after
from footroom.engines.packet.tables import u


@helper
def _wait(t, hop, klass):
    """Time [ps] that packets of ``klass`` would wait now along the route that begins at ``hop``."""
    total = 0
    while t.routes[hop] >= 0:
        p = t.ports[u(t.routes[hop])]
        waiting = p.bytes
        if klass >= p.ranked and p.switch >= 0:
            waiting = 0
            for n in range(p.queue, p.queue + p.classes * p.cards):
                if t.queues[u(n)].klass >= klass:
                    waiting += t.queues[u(n)].bytes
        total += (waiting * p.rate) >> 16
        hop += 1
    return total


@helper
def shake_hands(t, f, c):
    """Lengthen the round trip that setting up flow f's connection measures, and its timeout, by the queues it meets."""
    if f.handshake == 0:
        return
    wait = _wait(t, f.forward, f.priority) + _wait(t, f.reverse, f.ack_priority)
    if wait > 0:
        f.handshake += wait
        f.rto = timeout_after(c, f.handshake, f.handshake // 2)
