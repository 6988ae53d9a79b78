"""A switch's memory: admitting and releasing a packet, the same for every user of compiled code.

A packet is charged to its queue: first to what is reserved for that queue, the rest to the shared pool. The sharing
policy is called, by address, only for packets that need the pool. A packet of a lossless class is charged to its
priority group instead (``footroom.kernel.groups``). Sizes are in whole cells, see ``charged``.

Whatever is charged, every limit is tested first: a packet is charged everywhere or nowhere.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.kernel.calls import call_policy
from footroom.kernel.tables import MEMORY, QUEUE

QUEUE_SIZE = QUEUE.itemsize
MEMORY_SIZE = MEMORY.itemsize


@helper
def charged(s, size):
    """Bytes of memory row s that a packet of ``size`` bytes takes: whole cells."""
    if s.cell > 1:
        return (size + s.cell - 1) // s.cell * s.cell
    return size


@helper
def count_in(s, q, size):
    """A packet of ``size`` bytes of memory row s waits in queue row q from now on."""
    s.used += size
    if s.used > s.largest:
        s.largest = s.used
    q.bytes += size
    q.packets += 1
    if q.bytes > q.peak:
        q.peak = q.bytes


@helper
def count_out(s, q, size):
    """A packet of ``size`` bytes of memory row s no longer waits in queue row q."""
    s.used -= size
    q.bytes -= size
    q.packets -= 1


@helper
def admit(s, q, switch, queue, flow, packet, size, now):
    """Charge ``size`` bytes to queue row q in memory row s; False leaves everything as it was.

    switch, queue, flow, packet: addresses of the rows, for the policy.
    """
    if q.bytes + size > q.limit_bytes or q.packets >= q.limit_packets or s.used + size > s.buffer:
        return False
    excess = max(0, q.bytes + size - q.reserved)
    grow = excess - max(0, q.bytes - q.reserved)
    if grow > 0:
        if s.shared + grow > s.pool - s.spare:
            return False
        if excess > call_policy(s.policy, switch, queue, s.params, flow, packet, size, now):
            return False
        s.shared += grow
        if s.shared > s.peak:
            s.peak = s.shared
    count_in(s, q, size)
    if s.on_enqueue != 0:
        call_policy(s.on_enqueue, switch, queue, s.params, flow, packet, size, now)
    return True


@helper
def release(s, q, switch, queue, flow, packet, size, now):
    """Give back ``size`` bytes of queue row q: their transmission begins, or has ended."""
    s.shared -= max(0, q.bytes - q.reserved) - max(0, q.bytes - size - q.reserved)
    count_out(s, q, size)
    if s.on_dequeue != 0:
        call_policy(s.on_dequeue, switch, queue, s.params, flow, packet, size, now)


@helper
def refuse(s, switch, queue, flow, packet, size, now):
    """Tell the policy that a packet was dropped."""
    if s.on_drop != 0:
        call_policy(s.on_drop, switch, queue, s.params, flow, packet, size, now)
