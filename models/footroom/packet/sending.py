"""Sending: which segment goes next, when, and in what bursts."""

from __future__ import annotations

from footroom.compile_cache import helper
from footroom.kernel.tables import CLASS_SHIFT, CWR, NEVER
from footroom.packet.events import move_earlier, push
from footroom.packet.ports import offer
from footroom.packet.rings import resent_append, reserve, slot
from footroom.packet.sender import in_flight
from footroom.packet.tables import FEWEST_FREE, GROW_PACKETS, LOST, NEWRENO, OPEN, RECOVERY, RESENT, u


@helper
def arm(t, i, f, when):
    """Make the flow's timer fire no later than ``when``; moving a deadline later costs nothing."""
    if when < f.timer_at:
        s = t.state[0]
        component = 2 * s.ports + i
        if f.timer_at == NEVER:
            push(t, component, when)
        else:
            move_earlier(t, component, when)
        f.timer_at = when


@helper
def _next_lost(t, f):
    seq = max(f.repair, f.una)
    while t.segments[u(slot(f, seq))].flags & (LOST | RESENT) != LOST:
        seq += 1
    f.repair = seq
    return seq


@helper
def _choose(t, f, c, granted):
    """The segment that may be sent now, or -1."""
    if c.recovery == NEWRENO:
        if f.force > 0:
            return f.una
        # Limited transmit: the first two duplicates let one new segment out each (RFC 3042).
        extra = f.dupacks if f.mode == OPEN and f.dupacks < 3 else 0
        pipe = f.nxt - f.una - extra
    else:
        pipe = in_flight(f)
        if f.lost > f.resent and (f.force > 0 or pipe + 1.0 <= f.cwnd):
            return _next_lost(t, f)
    fresh = min(f.segments - f.nxt, c.receive_window - (f.nxt - f.una))
    if pipe + 1.0 > f.cwnd or fresh <= 0:
        return -1
    if granted == 0 and c.burst > 1 and c.pacing == 0 and f.nxt > f.una and pipe + min(c.burst, fresh) > f.cwnd:
        return -1  # wait until a whole burst may go
    return f.nxt


@helper
def _paced(f, c, now):
    """Whether pacing, and the most a flow may send, let a segment go now; opens the next burst when it is due."""
    paces = c.pacing != 0 and f.srtt != 0
    if (not paces and c.spacing == 0) or f.pace_left > 0:
        return True
    if now < f.pace_at:
        return False
    interval = c.spacing
    if paces:
        factor = 2.0 if f.cwnd < f.ssthresh else 1.2
        interval = max(interval, int(c.burst * f.srtt / (factor * max(f.cwnd, 1.0))))
    f.pace_left = c.burst
    f.pace_at = now + interval
    return True


@helper
def _queued(f, c):
    """Whether as much of the flow waits in its host's own queue as may (Linux TCP small queues)."""
    if f.at_host < 2 or c.small_queue == 0 or f.srtt == 0:
        return False
    return f.at_host >= 1.2 * f.cwnd * c.small_queue / f.srtt


@helper
def send(t, i, f, c, now):
    """Send all that window, pacing and data of flow i allow."""
    s = t.state[0]
    granted = 0
    f.blocked = 0
    while True:
        seq = _choose(t, f, c, granted)
        if seq < 0:
            break
        if _queued(f, c):
            f.blocked = 1
            break
        if not _paced(f, c, now):
            f.wake_at = f.pace_at
            arm(t, i, f, f.wake_at)
            break
        k = s.free
        if s.free_count <= FEWEST_FREE:
            k = -1
            s.status = GROW_PACKETS
        elif seq - f.una >= f.ring_size and not reserve(t, f):
            k = -1
        if k < 0:  # carry on at the same instant once the tables have grown
            f.wake_at = now
            arm(t, i, f, now)
            break
        s.free = t.packets[u(k)].next
        s.free_count -= 1
        s.created += 1
        if c.burst > 1 and seq == f.nxt:  # a repair neither opens nor uses up a burst
            granted = granted - 1 if granted > 0 else c.burst - 1
        f.pace_left -= 1
        a = t.segments[u(slot(f, seq))]
        a.sent = now
        if seq == f.nxt:
            f.nxt = seq + 1
        if seq < f.top:
            f.retransmissions += 1
            if c.recovery == NEWRENO:
                a.flags |= RESENT
            else:
                resent_append(t, f, seq)
                if seq == f.una:  # the repair gets a full timeout of its own, as in Linux
                    f.rto_at = now + f.rto
        else:
            f.top = seq + 1
        f.force = 0
        if f.mode == RECOVERY:
            f.prr_out += 1
        packet = t.packets[u(k)]
        packet.flow = i
        packet.ack = 0
        packet.flags = (f.priority << CLASS_SHIFT) | c.ect
        if f.cwr != 0 and seq >= f.cut_end:
            packet.flags |= CWR
            f.cwr = 0
        packet.hop = f.forward
        packet.size = c.segment if seq < f.segments - 1 else f.last_size
        packet.seq = seq
        packet.stamp = now
        packet.left = 0
        packet.right = 0
        if f.rto_at == NEVER:
            f.rto_at = now + f.rto
            arm(t, i, f, f.rto_at)
        offer(t, t.routes[u(f.forward)], k, now, 0)
    arm(t, i, f, f.rto_at)
