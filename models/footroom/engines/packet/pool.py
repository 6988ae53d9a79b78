"""The pool of packets: a list of the free ones, last in, first out."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.tables import u
from footroom.kernel.calls import prefetch
from footroom.kernel.tables import PACKET

_PACKET_SIZE = PACKET.itemsize


@helper
def take_new(t):
    """Take a packet out of the pool, which must not be empty."""
    s = t.state[0]
    k = s.free
    s.free = t.packets[u(k)].next
    prefetch(s.packet_base + s.free * _PACKET_SIZE)  # what the next taking will wait for
    s.free_count -= 1
    s.created += 1
    return k


@helper
def release(t, k):
    """Return a packet to the pool."""
    s = t.state[0]
    t.packets[u(k)].next = s.free
    s.free = k
    s.free_count += 1
