"""What setting up a connection measures: the first timeout of a flow that starts over standing queues.

Where no packets set up the connection (``packet.connection_setup`` has those that do), its round trip is that of the
idle path plus what a packet would wait now on the way and back: the bytes that wait at every port (in classes served by
strict priority only those of its own class and above) at the rate of the link. The timeout until data has measured a
round trip follows from it (RFC 6298 §2.2; Linux tcp_synack_rtt_meas).

A handshake is over when data begins. So between hosts whose clocks tick, only a queue counts that has stood for at
least the idle path's round trip: flows that begin together do not meet one another's first windows. Without ticks the
present queue counts: it spreads probes and timeouts that no coarse timer spreads.

Left out: queues that change meanwhile, the packet that a port is sending, the gaps
between frames, and pauses.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.sender import timeout_after
from footroom.engines.packet.tables import u


@helper
def _wait(t, hop, klass, before):
    """Time [ps] that packets of ``klass`` would wait along the route that begins at ``hop``, by what waits now.

    Queues that rose from nothing after ``before`` do not count.
    """
    total = 0
    while t.routes[hop] >= 0:
        p = t.ports[u(t.routes[hop])]
        waiting = p.bytes if p.since <= before else 0
        if waiting != 0 and klass >= p.ranked and p.switch >= 0:
            waiting = 0
            for n in range(p.queue, p.queue + p.classes * p.cards):
                if t.queues[u(n)].klass >= klass:
                    waiting += t.queues[u(n)].bytes
        total += (waiting * p.rate) >> 16
        hop += 1
    return total


@helper
def shake_hands(t, f, c, now):
    """Lengthen the round trip that setting up flow f's connection measures, and its timeout, by the queues it meets."""
    if f.handshake == 0 or f.setup != 0:
        return
    before = now - f.handshake if c.timer_tick != 0 else now
    wait = _wait(t, f.forward, f.priority, before) + _wait(t, f.reverse, f.ack_priority, before)
    if wait > 0:
        f.handshake += wait
        f.rto = timeout_after(c, f.handshake, f.handshake // 2)
