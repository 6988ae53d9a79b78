"""Ports, queues and switch memory: offering a packet, admitting it, sending it."""

from __future__ import annotations

import numpy as np

from footroom.compile_cache import helper
from footroom.kernel.calls import call_policy, leading_zeros
from footroom.kernel.tables import QUEUE, SWITCH
from footroom.packet.events import push
from footroom.packet.tables import ARRIVAL, DEPARTURE, DROP, SUB_BITS, u

_QUEUE_SIZE = QUEUE.itemsize
_SWITCH_SIZE = SWITCH.itemsize


@helper
def record(t, when, what, port, k):
    """One line of the trace."""
    s = t.state[0]
    n = s.traced
    if n < len(t.trace):
        line, packet = t.trace[n], t.packets[u(k)]
        line.time = when
        line.what = what
        line.port = port
        line.flow = packet.flow
        line.ack = packet.ack
        line.seq = packet.seq
    s.traced = n + 1


@helper
def draw(p):
    """Next number of the port's splitmix64 generator, uniform in [0, 1)."""
    p.random += np.uint64(0x9E3779B97F4A7C15)
    z = p.random
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(np.int64(z >> np.uint64(11))) * 2.0**-53


@helper
def bin_of(size):
    """Histogram bin of a queue length."""
    if size < (1 << SUB_BITS):
        return size
    exponent = 63 - leading_zeros(size)
    return ((exponent - SUB_BITS + 1) << SUB_BITS) + ((size >> (exponent - SUB_BITS)) & ((1 << SUB_BITS) - 1))


@helper
def settle(t, q, histogram, now):
    """Account for the time the queue kept its present length."""
    span = now - q.changed
    if span > 0:
        q.area += float(q.bytes) * float(span)
        if histogram >= 0:
            t.histogram[histogram, bin_of(q.bytes)] += span
        q.changed = now


@helper
def release(t, k):
    """Return a packet to the pool."""
    s = t.state[0]
    t.packets[u(k)].next = s.free
    s.free = k
    s.free_count += 1


@helper
def transmit(t, i, p, k, now):
    """Start sending packet k on idle port i and put it on the wire."""
    s = t.state[0]
    packet = t.packets[u(k)]
    size = np.int64(packet.size)
    end = now + ((size * p.rate) >> 16)
    p.busy_until = end
    p.sent += 1
    p.sent_bytes += size
    arrival = end + p.delay
    if p.jitter > 0:
        arrival += int(draw(p) * (p.jitter + 1))
    if arrival < p.last_arrival:
        arrival = p.last_arrival
    p.last_arrival = arrival
    packet.time = arrival
    packet.next = -1
    if p.line_head < 0:
        p.line_head = k
        push(t, s.ports + i, arrival)
    else:
        t.packets[u(p.line_tail)].next = k
    p.line_tail = k
    if s.tracing != 0:
        record(t, end, DEPARTURE, i, k)


@helper
def admit(t, p, q, size):
    """Whether the switch has room for ``size`` more bytes in queue q; if so they are charged."""
    s = t.switches[u(p.switch)]
    before = max(0, q.bytes - q.reserved)
    excess = max(0, q.bytes + size - q.reserved)
    grow = excess - before
    if grow > 0:
        if s.shared + grow > s.pool:
            return False
        base = t.state[0]
        switch, queue = base.switch_base + p.switch * _SWITCH_SIZE, base.queue_base + p.queue * _QUEUE_SIZE
        limit = call_policy(s.policy, switch, queue, s.params, size)
        if excess > limit:
            return False
        s.shared += grow
    s.used += size
    if s.used > s.largest:
        s.largest = s.used
    return True


@helper
def offer(t, i, k, now):
    """Packet k arrives at port i: it is sent at once, waits, or is dropped."""
    p = t.ports[u(i)]
    size = np.int64(t.packets[u(k)].size)
    p.offered += 1
    if t.state[0].tracing != 0:
        record(t, now, ARRIVAL, i, k)
    if p.backlog == 0 and now >= p.busy_until:
        transmit(t, i, p, k, now)
        return
    q = t.queues[u(p.queue)]
    if p.switch >= 0:
        if not admit(t, p, q, size):
            p.dropped += 1
            t.state[0].dropped += 1
            if t.state[0].tracing != 0:
                record(t, now, DROP, i, k)
            release(t, k)
            return
        settle(t, q, p.histogram, now)
    q.bytes += size
    if q.bytes > q.largest:
        q.largest = q.bytes
    q.packets += 1
    t.packets[u(k)].next = -1
    if q.head < 0:
        q.head = k
    else:
        t.packets[u(q.tail)].next = k
    q.tail = k
    p.backlog += 1
    if p.backlog == 1:
        push(t, i, p.busy_until)


@helper
def take(t, p, now):
    """Remove the packet that port p sends next; its memory is free from now on."""
    q = t.queues[u(p.queue)]
    k = np.int64(q.head)
    packet = t.packets[u(k)]
    q.head = packet.next
    size = np.int64(packet.size)
    if p.switch >= 0:
        settle(t, q, p.histogram, now)
        s = t.switches[u(p.switch)]
        s.used -= size
        s.shared -= max(0, q.bytes - q.reserved) - max(0, q.bytes - size - q.reserved)
    q.bytes -= size
    q.packets -= 1
    p.backlog -= 1
    return k
