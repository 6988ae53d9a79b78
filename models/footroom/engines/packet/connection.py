"""Connections that carry several flows one after the other: what each leaves to the next.

Kept are the window and threshold, the law's state, the round trip and timeout, pacing, and marks still to be reported;
sequence numbers begin anew. Left out: packets of the flow before that still wait in their host do not count for small
queues, and acknowledgements are withheld as before, however long the connection was idle.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet import allotment, rdma
from footroom.engines.packet.features import allotted, over_rdma, sampled
from footroom.engines.packet.receive_window import carry_over
from footroom.engines.packet.sender import begin
from footroom.engines.packet.tables import u
from footroom.kernel.hooks import words
from footroom.parts.traffic import Host
from footroom.parts.traffic.option import code

_KEPT, _RESTARTED = (code(Host, "idle_restart", choice) for choice in ("none", "rfc5681"))


@helper
def resume(t, i, f, c, now):
    """Flow i takes over the connection of the flow before it, which has ended."""
    p = t.flows[u(f.continues)]
    f.cwnd = p.cwnd
    f.ssthresh = p.ssthresh
    if c.scratch > 0:
        own, before = words(f.scratch), words(p.scratch)
        for n in range(c.scratch):
            own[n] = before[n]
    f.rto = p.rto
    f.srtt = p.srtt
    f.rttvar = p.rttvar
    f.min_rtt = p.min_rtt
    f.trip = p.trip
    f.pace_at = p.pace_at
    f.pace_left = p.pace_left
    f.cwr = p.cwr
    f.echo = p.echo
    f.room = p.room
    if c.receive_buffer != 0:
        carry_over(f, p)
    if sampled(t, c):
        f.pace_rate = p.pace_rate
        f.arrived = p.arrived
        f.arrived_at = p.arrived_at
        f.losses = p.losses
        f.arrived_marked = p.arrived_marked
        f.random = p.random
    if over_rdma(t, c):
        f.rate = p.rate
        f.paced_at = p.paced_at
        f.paced_bits = p.paced_bits
        f.law_at = max(p.law_at, now)
        f.cnp_at = p.cnp_at
        rdma.begin(t, i, f, c, now, 1)
        return
    if allotted(t, c):
        allotment.open_window(f, c, 1)
    begin(t, i, f, c, now, 1)
    idle = now - p.last_sent
    if c.idle_restart == _KEPT or idle <= f.rto or sampled(t, c):
        return
    least = min(float(c.initial_window), f.cwnd)
    if c.idle_restart == _RESTARTED:  # RFC 5681 §4.1
        f.cwnd = least
        return
    f.ssthresh = max(f.ssthresh, 0.75 * f.cwnd)  # RFC 2861 §3, as Linux tcp_cwnd_restart
    idle -= f.rto
    while idle > 0 and f.cwnd > least:
        f.cwnd /= 2.0
        idle -= f.rto
    f.cwnd = max(f.cwnd, least)
