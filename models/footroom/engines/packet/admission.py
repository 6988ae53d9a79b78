"""Whether a packet is admitted: to a queue, to a priority group, or past a port that is idle."""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import helper
from footroom.engines.packet.pauses import ask
from footroom.engines.packet.tables import u
from footroom.kernel.answers import PAUSE_GROUP, PAUSE_PORT, REFUSED, WHOLE
from footroom.kernel.calls import call_policy
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.groups import GROUP_SIZE, INGRESS_SIZE, admit_to_group
from footroom.kernel.memory import MEMORY_SIZE, QUEUE_SIZE, admit, refuse
from footroom.kernel.tables import CE, ECT, NO_MARK, PACKET

_FLOW_SIZE = FLOW.itemsize
_PACKET_SIZE = PACKET.itemsize


@helper
def accept(t, p, q, number, k, size, now):
    """Whether the switch admits packet k to queue row q (number ``number``); marks it if that is due.

    size: memory that it takes [B].
    """
    base = t.state[0]
    packet = t.packets[u(k)]
    s = t.switches[u(q.memory)]
    switch, queue = base.memory_base + q.memory * MEMORY_SIZE, base.queue_base + number * QUEUE_SIZE
    flow = base.flow_base + np.int64(packet.flow) * _FLOW_SIZE
    row = base.packet_base + np.int64(k) * _PACKET_SIZE
    marked = 0
    if p.marker != 0 and (p.marks_late == 0 or packet.flags & ECT == 0):
        marked = call_policy(p.marker, switch, queue, p.marker_params, flow, row, np.int64(packet.size) + base.gap, now)
    if (marked != 0 and packet.flags & ECT == 0) or not admit(s, q, switch, queue, flow, row, size, now):
        q.dropped += 1
        refuse(s, switch, queue, flow, row, size, now)
        return False
    if marked != 0:
        packet.flags |= CE
        p.marked += 1
        q.marked += 1
    return True


@helper
def accept_lossless(t, port, p, q, number, k, size, now):
    """The same for a packet of a lossless class: it is charged to its priority group, which may ask for a pause.

    port: number of p.
    """
    base, packet = t.state[0], t.packets[u(k)]
    i, klass = np.int64(packet.ingress), np.int64(packet.klass)
    n, g, s = t.ingresses[u(i)], t.groups[u(i * WHOLE + klass)], t.switches[u(q.memory)]
    pool = t.switches[u(n.pool)]
    marked = 0
    if p.marker != 0 and (p.marks_late == 0 or packet.flags & ECT == 0):
        marked = call_policy(
            p.marker,
            base.memory_base + q.memory * MEMORY_SIZE,
            base.queue_base + number * QUEUE_SIZE,
            p.marker_params,
            base.flow_base + np.int64(packet.flow) * _FLOW_SIZE,
            base.packet_base + np.int64(k) * _PACKET_SIZE,
            np.int64(packet.size) + base.gap,
            now,
        )
    if marked != 0 and packet.flags & ECT == 0:
        g.dropped[NO_MARK] += 1
        q.dropped += 1
        return False
    found = admit_to_group(
        s,
        pool,
        n,
        g,
        q,
        base.memory_base + np.int64(n.pool) * MEMORY_SIZE,
        base.ingress_base + i * INGRESS_SIZE,
        base.group_base + (i * WHOLE + klass) * GROUP_SIZE,
        size,
    )
    if found & PAUSE_PORT:
        ask(t, i, WHOLE, port, klass, now)
    if found & REFUSED:
        q.dropped += 1
        return False
    if found & PAUSE_GROUP:
        ask(t, i, klass, port, klass, now)
    if marked != 0:
        packet.flags |= CE
        p.marked += 1
        q.marked += 1
    return True


@helper
def count_passing(t, p, k, size, now, card):
    """Tell the sharing policy of a packet that finds its port idle."""
    packet = t.packets[u(k)]
    number = p.queue + card * p.classes + packet.klass
    base, memory = t.state[0], t.queues[u(number)].memory
    s = t.switches[u(memory)]
    if s.on_pass != 0:
        call_policy(
            s.on_pass,
            base.memory_base + memory * MEMORY_SIZE,
            base.queue_base + number * QUEUE_SIZE,
            s.params,
            base.flow_base + np.int64(packet.flow) * _FLOW_SIZE,
            base.packet_base + np.int64(k) * _PACKET_SIZE,
            size,
            now,
        )
