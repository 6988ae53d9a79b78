"""Ports, queues and switch memory: offering a packet, admitting it, sending it."""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import helper, routine
from footroom.engines.packet.admission import accept, accept_lossless, count_passing
from footroom.engines.packet.events import push
from footroom.engines.packet.features import coupled, lossless, pausable, telemetry_asked
from footroom.engines.packet.fluid_holes import note_hole
from footroom.engines.packet.fluid_time import let_pass, pass_time, stood
from footroom.engines.packet.pauses import retest
from footroom.engines.packet.pool import release
from footroom.engines.packet.settling import settle
from footroom.engines.packet.tables import ARRIVAL, DEPARTURE, DROP, FRAMES, u
from footroom.engines.packet.telemetry import stamp
from footroom.engines.packet.turns import choose, on_a_card
from footroom.kernel.answers import WHOLE
from footroom.kernel.calls import call_policy, prefetch
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.groups import release_from_group
from footroom.kernel.memory import MEMORY_SIZE, QUEUE_SIZE, charged
from footroom.kernel.memory import release as release_memory
from footroom.kernel.tables import CE, DATA, ECT, INT, PACKET, PORT

_FLOW_SIZE = FLOW.itemsize
_PACKET_SIZE = PACKET.itemsize
_PORT_SIZE = PORT.itemsize


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
        line.ack = packet.sort
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
def transmit(t, i, p, k, now):
    """Start sending packet k on idle port i and put it on the wire."""
    s = t.state[0]
    packet = t.packets[u(k)]
    size = np.int64(packet.size) + s.gap
    end = now + ((size * p.rate) >> 16)
    if coupled(t) and p.fluid >= 0:
        note_hole(t, p, t.fluids[u(p.fluid)], now, end)
    p.busy_until = end
    if telemetry_asked(t) and packet.flags & INT and p.switch >= 0:
        stamp(t, i, p, k, now)
    p.sent += 1
    p.sent_bytes += size
    if lossless(t) and p.lossless != 0:
        t.ingresses[u(i)].sent[packet.klass] += 1
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
        push(t, s.wires + i, arrival)
    else:
        t.packets[u(p.line_tail)].next = k
    p.line_tail = k
    if s.tracing != 0:
        record(t, end, DEPARTURE, i, k)


@helper
def drop(t, i, p, k, now):
    """Port i drops packet k."""
    p.dropped += 1
    t.state[0].dropped += 1
    if t.packets[u(k)].sort == DATA:
        t.flows[u(t.packets[u(k)].flow)].dropped += 1
    if t.state[0].tracing != 0:
        record(t, now, DROP, i, k)
    release(t, k)


@helper
def offer(t, i, k, now, card, begins):
    """Packet k, come in by line card ``card``, arrives at port i: it is sent at once, waits, or is dropped.

    begins: when it may be sent at the earliest [ps], which is later than now where there is fluid before it.
    """
    p = t.ports[u(i)]
    packet = t.packets[u(k)]
    size = np.int64(packet.size)
    p.offered += 1
    if t.state[0].tracing != 0:
        record(t, now, ARRIVAL, i, k)
    klass = packet.klass if p.classes > 1 else 0
    idle = p.armed == 0 and now >= p.busy_until and begins <= now
    if idle and ((p.keeps | p.paused) >> klass) & 1 == 0:
        if t.state[0].passing != 0 and p.switch >= 0 and (p.lossless >> klass) & 1 == 0:
            count_passing(t, p, k, size, now, card)
        transmit(t, i, p, k, now)
        if coupled(t) and p.fluid >= 0:
            t.fluids[u(p.fluid)].work += float(size + t.state[0].gap)
        return
    number = p.queue + card * p.classes + klass
    q = t.queues[u(number)]
    if p.switch >= 0:
        size = charged(t.switches[u(q.memory)], size)
        if lossless(t) and (p.lossless >> klass) & 1:
            accepted = accept_lossless(t, i, p, q, number, k, size, now)
        else:
            accepted = accept(t, p, q, number, k, size, now)
        if not accepted:
            drop(t, i, p, k, now)
            return
        settle(t, p, now)
    elif packet.sort == DATA:
        t.flows[u(packet.flow)].at_host += 1
    if p.bytes == 0:
        p.since = now
    p.bytes += size
    if p.bytes > p.largest:
        p.largest = p.bytes
    if p.bytes > p.peak:
        p.peak = p.bytes
    mine = np.int64(1) << klass
    if idle and p.paused & mine == 0:
        p.sending = k
        p.sending_of = number
        transmit(t, i, p, k, now)
        push(t, i, p.busy_until)
        p.armed = 1
        return
    if coupled(t) and p.fluid >= 0:
        x, taken = t.fluids[u(p.fluid)], float(packet.size + t.state[0].gap)
        x.work += taken
        x.waiting += taken
        packet.time = begins - stood(t, x, now)
    packet.next = -1
    if q.head < 0:
        q.head = k
    else:
        t.packets[u(q.tail)].next = k
    q.tail = k
    p.backlog += 1
    p.waiting |= mine
    p.eligible = p.waiting & ~p.paused
    if p.armed == 0 and p.eligible != 0:
        push(t, i, max(begins, p.busy_until))
        p.armed = 1


@helper
def _free(t, p, number, k, now):
    """Give back the memory of packet k, of queue row ``number``."""
    base, q, packet = t.state[0], t.queues[u(number)], t.packets[u(k)]
    settle(t, p, now)
    s = t.switches[u(q.memory)]
    size = charged(s, np.int64(packet.size))
    p.bytes -= size
    if lossless(t) and (p.lossless >> q.klass) & 1:
        i = np.int64(packet.ingress)
        n = t.ingresses[u(i)]
        pool = t.switches[u(n.pool)]
        release_from_group(s, pool, n, t.groups[u(i * WHOLE + q.klass)], q, size)
        if pool.pauses != 0:
            retest(t, pool, i, now)
        return
    release_memory(
        s,
        q,
        base.memory_base + q.memory * MEMORY_SIZE,
        base.queue_base + number * QUEUE_SIZE,
        base.flow_base + np.int64(packet.flow) * _FLOW_SIZE,
        base.packet_base + k * _PACKET_SIZE,
        size,
        now,
    )
    if lossless(t) and s.pauses != 0:
        retest(t, s, -1, now)


@helper
def free_sent(t, p, now):
    """The last byte of the packet that port p was sending has left: so has its memory."""
    _free(t, p, p.sending_of, p.sending, now)
    p.sending = -1


@helper
def _mark_late(t, p, q, number, k, now):
    """Mark packet k, which is leaving queue row q, if its marking says so."""
    base, packet = t.state[0], t.packets[u(k)]
    if (
        call_policy(
            p.marker,
            base.memory_base + q.memory * MEMORY_SIZE,
            base.queue_base + number * QUEUE_SIZE,
            p.marker_params,
            base.flow_base + np.int64(packet.flow) * _FLOW_SIZE,
            base.packet_base + k * _PACKET_SIZE,
            np.int64(packet.size) + base.gap,
            now,
        )
        != 0
    ):
        packet.flags |= CE
        p.marked += 1
        q.marked += 1


@routine
def send_frame(t, i, now):
    """Send the oldest pause frame that waits at port i, which is idle."""
    s, p = t.state[0], t.ports[u(i)]
    k = np.int64(p.frame_head)
    p.frame_head = t.packets[u(k)].next
    if p.frame_head < 0:
        p.waiting &= ~FRAMES
        p.eligible &= ~FRAMES
    packet = t.packets[u(k)]
    size = np.int64(packet.size) + s.gap
    if pausable(t, p):
        x = t.fluids[u(p.fluid)]
        pass_time(t, p, x, now)
        let_pass(p, x, size)
    p.busy_until = now + ((size * p.rate) >> 16)
    p.frame_until = p.busy_until
    p.last_arrival = max(p.last_arrival, p.busy_until + p.delay)
    packet.time = p.last_arrival
    packet.next = -1
    if p.line_head < 0:
        p.line_head = k
        push(t, s.wires + i, packet.time)
    else:
        t.packets[u(p.line_tail)].next = k
    p.line_tail = k


@helper
def take(t, i, p, now):
    """Remove the packet that port p, number i, sends next; its memory is free from now on, unless the port keeps it."""
    number = choose(t, i, p) if p.classes * p.cards > 1 else p.queue
    q = t.queues[u(number)]
    k = np.int64(q.head)
    packet = t.packets[u(k)]
    q.head = packet.next
    prefetch(t.state[0].packet_base + np.int64(q.head) * _PACKET_SIZE)  # it is needed when this one has been sent
    if p.switch >= 0:
        if (p.keeps >> q.klass) & 1 == 0:
            _free(t, p, number, k, now)
        else:
            p.sending = k
            p.sending_of = number
        if p.marks_late != 0 and packet.flags & ECT:
            _mark_late(t, p, q, number, k, now)
    else:
        p.bytes -= np.int64(packet.size)
    p.backlog -= 1
    if coupled(t) and p.fluid >= 0:
        t.fluids[u(p.fluid)].waiting -= float(packet.size + t.state[0].gap)
    if q.head < 0 and (p.cards == 1 or not on_a_card(t, p, q.klass)):
        p.waiting &= ~(np.int64(1) << q.klass)
        p.eligible = p.waiting & ~p.paused
        p.emptied |= np.int64(1) << q.klass
    return k
