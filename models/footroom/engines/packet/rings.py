"""Rings of outstanding segments: memory follows the window of a flow, not what it has sent."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.features import rate_samples
from footroom.engines.packet.tables import GROW_SEGMENTS, RESENT, RING_MIN, u
from footroom.kernel.calls import leading_zeros


@helper
def slot(f, seq):
    """Row of segment ``seq`` of flow f."""
    return f.ring + (seq & (f.ring_size - 1))


@helper
def give_back(t, f):
    """Return the flow's ring to the free list of its size."""
    if f.ring_size > 0:
        s = t.state[0]
        exponent = 63 - leading_zeros(f.ring_size)
        t.segments[u(f.ring)].sent = s.ring_free[exponent]
        s.ring_free[exponent] = f.ring
        f.ring_size = 0


@helper
def reserve(t, f):
    """Double the flow's ring (or give it its first). False, with the status set, when the table must grow first."""
    s = t.state[0]
    exponent = RING_MIN if f.ring_size == 0 else 64 - leading_zeros(f.ring_size)
    size = 1 << exponent
    start = s.ring_free[exponent]
    if start >= 0:
        s.ring_free[exponent] = t.segments[u(start)].sent
    elif s.ring_top + size <= len(t.segments):
        start = s.ring_top
        s.ring_top += size
    else:
        s.status = GROW_SEGMENTS
        return False
    for i in range(start, start + size):
        t.segments[u(i)].flags = 0
    old, old_size = f.ring, f.ring_size
    for seq in range(f.una, f.top):
        a, b = t.segments[u(start + (seq & (size - 1)))], t.segments[u(old + (seq & (old_size - 1)))]
        a.sent = b.sent
        a.next = b.next
        a.prev = b.prev
        a.flags = b.flags
        if rate_samples(t) and len(t.samples) > 1:
            p, q = t.samples[u(start + (seq & (size - 1)))], t.samples[u(old + (seq & (old_size - 1)))]
            p.arrived = q.arrived
            p.arrived_at = q.arrived_at
            p.first_sent = q.first_sent
            p.limited = q.limited
            p.flight = q.flight
            p.losses = q.losses
            p.marked = q.marked
    give_back(t, f)
    f.ring = start
    f.ring_size = size
    return True


@helper
def resent_append(t, f, seq):
    """Put ``seq`` at the end of the list of resent segments, which is ordered by time."""
    a = t.segments[u(slot(f, seq))]
    a.prev = f.resent_tail
    a.next = -1
    if f.resent_tail >= 0:
        t.segments[u(slot(f, f.resent_tail))].next = seq
    else:
        f.resent_head = seq
    f.resent_tail = seq
    a.flags |= RESENT
    f.resent += 1


@helper
def resent_remove(t, f, seq):
    """Take ``seq`` out of the list of resent segments."""
    a = t.segments[u(slot(f, seq))]
    if a.prev >= 0:
        t.segments[u(slot(f, a.prev))].next = a.next
    else:
        f.resent_head = a.next
    if a.next >= 0:
        t.segments[u(slot(f, a.next))].prev = a.prev
    else:
        f.resent_tail = a.prev
    a.flags &= ~RESENT
    f.resent -= 1
