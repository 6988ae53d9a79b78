"""The receiver: reassembly, when to acknowledge (RFC 5681 §4.2), the block (RFC 2018), marks (RFC 3168, 8257)."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.queries import ends
from footroom.engines.packet.receive_window import read, widen
from footroom.engines.packet.rings import slot
from footroom.engines.packet.tables import NEWRENO, RECEIVED, u
from footroom.kernel.tables import ACK, CE, CWR, ECHO, NEVER, PUSH
from footroom.parts.traffic.sacks import AT_ONCE, MOST_TOGETHER, PARTS_OF_TRIP


@helper
def make_ack(f, c, packet, stamp):
    """Turn ``packet`` into the acknowledgement of what was received so far."""
    packet.sort = ACK
    packet.klass = f.ack_priority
    packet.flags = (ECHO if f.echo != 0 else 0) | c.ack_flags
    packet.size = c.ack_size
    packet.hop = f.reverse
    packet.seq = f.rcv
    packet.stamp = stamp
    if f.beyond > 0 and f.rcv_right > f.rcv:
        packet.left = f.rcv_left
        packet.right = f.rcv_right
    else:
        packet.left = 0
        packet.right = 0
    f.pending = 0
    f.ack_at = NEVER
    if c.receive_buffer != 0 and f.quick > 0:
        f.quick -= 1


@helper
def note_mark(t, f, c, k):
    """Record whether data packet k was marked. True when what was received before must be acknowledged first."""
    flags = t.packets[u(k)].flags
    if c.accurate == 0:
        # A mark is reported until the sender says that it has reacted (RFC 3168 §6.1.3).
        if flags & CWR:
            f.echo = 0
        if flags & CE:
            f.echo = 1
        return False
    # Every acknowledgement speaks of packets that were all marked or all not (RFC 8257 §3.2). The packet that brings
    # the change is acknowledged at once as well, see ``receive``.
    return (flags & CE != 0) != (f.echo != 0) and f.pending > 0


@helper
def reports_first(f, c, seq):
    """Whether what is held back must be reported before segment ``seq``, which does not belong to the same block."""
    return c.sack_delay != 0 and f.pending > 0 and f.beyond > 0 and (seq < f.rcv_left - 1 or seq > f.rcv_right)


@helper
def _reports_gap(f, c, packet, now):
    """Segment of ``packet`` has come beyond a gap. Whether that is reported at once (Linux __tcp_ack_snd_check)."""
    quick = f.quick > 0 if c.receive_buffer != 0 else f.rcv <= f.quick and c.quick_acks != 0
    if c.sack_delay == 0 or c.recovery == NEWRENO or quick or f.pending >= MOST_TOGETHER:
        return True
    if f.gap_at != f.rcv:
        f.gap_at = f.rcv
        f.gap_reports = 0
    if f.gap_reports < AT_ONCE:
        f.gap_reports += 1
        return True
    f.pending += 1
    f.pending_stamp = packet.stamp
    if f.pending == 1:
        f.ack_at = now + min(c.sack_delay, f.srtt // PARTS_OF_TRIP)
    return False


@helper
def keep(t, f, seq):
    """Segment ``seq`` has come beyond a gap."""
    a = t.segments[u(slot(f, seq))]
    if a.flags & RECEIVED == 0:
        a.flags |= RECEIVED
        f.beyond += 1


@helper
def take_in_order(t, f):
    """The segment expected has come: it and those kept behind it are in order."""
    f.rcv += 1
    while f.beyond > 0:
        a = t.segments[u(slot(f, f.rcv))]
        if a.flags & RECEIVED == 0:
            break
        a.flags &= ~RECEIVED
        f.beyond -= 1
        f.rcv += 1


@helper
def receive(t, f, c, k, now):
    """Data packet k reached its receiver. True when it must be acknowledged at once."""
    packet = t.packets[u(k)]
    changed = False
    if c.accurate != 0:
        mark = 1 if packet.flags & CE else 0
        changed = mark != f.echo
        f.echo = mark
    seq = packet.seq
    if seq < f.rcv:
        return True
    if c.receive_buffer != 0:
        widen(f, c, now)
    if seq > f.rcv:
        keep(t, f, seq)
        if seq == f.rcv_right:
            f.rcv_right = seq + 1
        elif seq == f.rcv_left - 1:
            f.rcv_left = seq
        elif seq < f.rcv_left or seq > f.rcv_right:
            f.rcv_left = seq
            f.rcv_right = seq + 1
        return changed or _reports_gap(f, c, packet, now)
    gap = f.beyond > 0
    take_in_order(t, f)
    quick = f.rcv <= f.quick and c.quick_acks != 0
    if c.receive_buffer != 0:
        quick = f.quick > 0
        read(f, c, now)
    if gap or ends(f, c):
        return True
    f.pending += 1
    if f.pending >= c.ack_every or quick or changed or packet.flags & PUSH:
        return True
    f.pending_stamp = packet.stamp
    if f.pending == 1:
        f.ack_at = now + c.ack_delay
    return False
