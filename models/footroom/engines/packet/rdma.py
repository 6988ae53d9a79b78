"""RDMA hosts: flows paced at the rate of their law, recovery by go-back-N or selective, congestion notifications.

A flow starts at the rate of its host's link, without handshake or slow start. At most one of its packets waits in the
host's own queue, so flows of one host take turns as queue pairs of an adapter do. The next packet leaves no earlier
than its predecessor's bits at the present rate after that one left, as in the queue pairs of
alibaba-edu/High-Precision-Congestion-Control (rdma-hw.cc, UpdateNextAvail and ChangeRate).

The timer is restarted by every acknowledgement while something is outstanding and does not back off (InfiniBand o9-85).
Acknowledgements and notifications understand marks, so that no switch drops them for one; nobody reacts to these marks.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet import go_back_n, selective, telemetry
from footroom.engines.packet.events import move_earlier, push
from footroom.engines.packet.features import with_telemetry
from footroom.engines.packet.go_back_n import NOTHING, REPORT_GAP
from footroom.engines.packet.pool import release, take_new
from footroom.engines.packet.queries import size_of
from footroom.engines.packet.receiver import make_ack
from footroom.engines.packet.rings import reserve
from footroom.engines.packet.sender import finish, law, report
from footroom.engines.packet.sending import arm, hand_over
from footroom.engines.packet.tables import GROW_PACKETS, OPEN, SELECTIVE, u
from footroom.kernel.tables import CE, CNP, DATA, ECT, NACK, NEVER

_SECOND = 1e12
#: Longest time [ps] that a packet waits for its predecessor, however low the rate: 26 days, beyond every run.
_LONGEST = 2.0**61
#: The window [segments] of a law that sets none.
_NO_WINDOW = 1e18


@helper
def _call(t, address, i, f, c):
    """Call one hook of the law, if it has it, and see to the law's timer."""
    if address == 0:
        return
    law(t, address, i, f, c, f.nxt - f.una)
    if f.law_at < f.law_armed:
        component = t.state[0].law_timers + i
        if f.law_armed == NEVER:
            push(t, component, f.law_at)
        else:
            move_earlier(t, component, f.law_at)
        f.law_armed = f.law_at


@helper
def _switches(t, f):
    """How many switches the data of flow f leaves."""
    count = 0
    hop = f.forward
    while t.routes[u(hop)] >= 0:
        if t.ports[u(t.routes[u(hop)])].switch >= 0:
            count += 1
        hop += 1
    return count


@helper
def begin(t, i, f, c, now, resumed):
    """Flow i begins to send; ``resumed``: 1 over the connection of one that has ended, whose rate it has taken over."""
    report(t, now, 0, 0, 0, -1)
    t.report[0].resumed = resumed
    t.report[0].tcp = 0
    t.report[0].bytes = c.segment + t.state[0].gap
    t.report[0].base_rtt = c.base_rtt
    t.report[0].hops = _switches(t, f)
    if resumed == 0:
        f.cwnd = _NO_WINDOW
        f.rate = 8.0 * _SECOND * 65536.0 / float(t.ports[u(t.routes[u(f.forward)])].rate)
    _call(t, c.on_start, i, f, c)


@helper
def on_law_timer(t, i, f, c, now):
    """The event of the law's timer of flow i."""
    f.law_armed = NEVER
    if f.end >= 0:
        return
    if f.law_at <= now:
        f.law_at = NEVER
        report(t, now, 0, 0, 0, -1)
        t.report[0].bytes = 0
        _call(t, c.on_timer, i, f, c)
    elif f.law_at < NEVER:
        f.law_armed = f.law_at
        push(t, t.state[0].law_timers + i, f.law_at)


@helper
def on_notice(t, i, f, c, now):
    """A congestion notification reached the sender of flow i."""
    report(t, now, 0, 0, 0, -1)
    _call(t, c.on_notice, i, f, c)


@helper
def _restart_timer(t, i, f, c, now):
    f.timed_from = now
    short = c.recovery == SELECTIVE and f.nxt - f.una <= c.low_rto_packets
    f.rto_at = now + (c.low_rto if short else f.rto)
    arm(t, i, f, f.rto_at)


@helper
def on_ack(t, i, f, c, k, now):
    """Acknowledgement k, perhaps a negative one, reached the sender of flow i."""
    packet = t.packets[u(k)]
    if packet.seq < f.una:
        return
    acked = packet.seq - f.una
    delivered = acked
    flight = f.nxt - f.una
    gap = False
    if c.recovery == SELECTIVE:
        before = f.sacked
        selective.advance(t, f, packet.seq)
        delivered -= before - f.sacked
        if packet.flags & NACK:
            delivered += selective.report_of(t, f, packet.left)
            gap = f.mode == OPEN
            selective.recover(f)
    else:
        go_back_n.advance(f, packet.seq)
        if packet.flags & NACK:
            gap = True
            go_back_n.go_back(f)
    f.delivered += acked
    if gap and c.on_gap != 0:
        report(t, now, acked, delivered, 0, now - packet.stamp)
        law(t, c.on_gap, i, f, c, flight)
    if c.on_ack != 0:
        report(t, now, acked, delivered, 0, now - packet.stamp)
        if with_telemetry(t, c):
            t.report[0].telemetry = telemetry.address(t, k)
        law(t, c.on_ack, i, f, c, flight)
    if f.una >= f.segments:
        finish(t, f, now)
    elif f.una < f.top:
        _restart_timer(t, i, f, c, now)
    else:
        f.rto_at = NEVER


@helper
def on_timeout(t, i, f, c, now):
    """The retransmission timer of flow i expired."""
    if c.recovery == SELECTIVE:
        if f.nxt - f.una > c.low_rto_packets and now < f.timed_from + f.rto:
            f.rto_at = f.timed_from + f.rto  # more was sent since the short timeout was set
            return
        f.mode = OPEN
        selective.recover(f)
    else:
        go_back_n.go_back(f)
    f.timeouts += 1
    if c.on_expiry != 0:
        report(t, now, 0, 0, 0, -1)
        law(t, c.on_expiry, i, f, c, f.nxt - f.una)
    _restart_timer(t, i, f, c, now)


@helper
def send(t, i, f, c, now):
    """Send what pacing, the window and data of flow i allow."""
    s = t.state[0]
    if f.at_host > 0:
        return
    if f.blocked != 0:  # its packet has just left the host's queue
        f.blocked = 0
        f.paced_at = now
    while f.blocked == 0:
        seq = selective.choose(t, f, c) if c.recovery == SELECTIVE else go_back_n.choose(f, c)
        if seq < 0:
            return
        f.wake_at = f.paced_at + int(min(float(f.paced_bits) / f.rate * _SECOND, _LONGEST))
        if now < f.wake_at:
            arm(t, i, f, f.wake_at)
            return
        full = False
        if s.free_count <= s.spare:
            full = True
            s.status = GROW_PACKETS
        elif c.recovery == SELECTIVE and seq - f.una >= f.ring_size and not reserve(t, f):
            full = True
        f.wake_at = NEVER
        if full:
            s.unsent = i
            return
        k = take_new(t)
        if seq == f.nxt:
            f.nxt = seq + 1
        else:  # a hole
            f.repair = seq + 1
            f.force = 0
        if seq < f.top:
            f.retransmissions += 1
        else:
            f.top = seq + 1
        packet = t.packets[u(k)]
        packet.flow = i
        packet.sort = DATA
        packet.klass = f.priority
        packet.flags = c.ect
        packet.hop = f.forward
        packet.size = size_of(f, c, seq)
        packet.seq = seq
        packet.stamp = now
        packet.left = 0
        packet.right = 0
        if with_telemetry(t, c):
            telemetry.ask(t, k)
        size = packet.size + s.gap
        f.paced_at = now
        f.paced_bits = 8 * size
        if f.rto_at == NEVER:
            _restart_timer(t, i, f, c, now)
        hand_over(t, t.routes[u(f.forward)], k, now)
        f.blocked = 1 if f.at_host > 0 else 0
        if c.on_sent != 0:
            report(t, now, 0, 0, 0, -1)
            t.report[0].bytes = size
            _call(t, c.on_sent, i, f, c)


@helper
def _notify(t, i, f, c, now):
    """A new congestion notification of flow i's receiver."""
    k = take_new(t)
    packet = t.packets[u(k)]
    packet.flow = i
    packet.sort = CNP
    packet.klass = f.ack_priority
    packet.flags = ECT
    packet.size = c.ack_size
    packet.hop = f.reverse
    packet.seq = f.rcv
    packet.stamp = now
    packet.left = 0
    packet.right = 0
    f.cnp_at = now + c.cnp_interval
    f.notices += 1
    return k


@helper
def receive(t, i, f, c, k, now):
    """Data packet k reached the receiver of flow i. Returns a packet it sends, or -1; state.extra is another."""
    packet = t.packets[u(k)]
    seq = packet.seq
    notice = -1
    if c.cnp_interval > 0 and packet.flags & CE and now >= f.cnp_at:
        notice = _notify(t, i, f, c, now)
    answer = selective.receive(t, f, packet) if c.recovery == SELECTIVE else go_back_n.receive(f, c, packet, now)
    if answer == NOTHING:
        release(t, k)
        arm(t, i, f, f.ack_at)
        return notice
    make_ack(f, c, packet, packet.stamp)
    packet.left = seq
    packet.right = seq
    if answer == REPORT_GAP:
        packet.flags |= NACK
    t.state[0].created += 1
    if notice < 0:
        return k
    t.state[0].extra = k
    return notice
