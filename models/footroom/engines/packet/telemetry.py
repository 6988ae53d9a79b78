"""Telemetry (INT): what every switch writes into a data packet as it leaves, and how it gets back to the sender.

A data packet turns into its acknowledgement in place and keeps its telemetry: row k of the table belongs to packet k.
There are rows only where some law asks for telemetry.

Over TCP a probe may carry it in place of data. One is under way at a time: it leaves after the data that the sender
sends once the probe before has come back, while data is outstanding; pacing does not delay it. It is lost when an
acknowledgement echoes the time stamp of data that was sent later, since one path keeps the order, or when the
retransmission timer expires.
An acknowledgement that was withheld carries the telemetry of the newest packet it covers, as in the simulator below,
whose receiver answers the packet that makes an acknowledgement due.
Source: alibaba-edu/High-Precision-Congestion-Control, switch-node.cc (SwitchNotifyDequeue) and int-header.h, but for
its units: time, bytes and queue are exact here.
"""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import helper, routine
from footroom.engines.packet.tables import u
from footroom.kernel.memory import charged
from footroom.kernel.tables import (
    HOP_BYTES,
    HOP_QUEUE,
    HOP_RATE,
    HOP_TIME,
    HOP_WORDS,
    INT,
    PROBE,
    PROBE_REPLY,
    TELEMETRY_WORDS,
)


@routine
def stamp(t, i, p, k, now):
    """Packet k leaves port i of a switch, which has not counted it as sent yet."""
    row = u(k)
    place = HOP_WORDS * t.telemetry[row, u(0)]
    t.telemetry[row, u(0)] += 1
    queue = p.bytes
    if p.sending == k:  # the port keeps its memory, so that it still counts
        queue -= charged(t.switches[u(t.queues[u(p.sending_of)].memory)], np.int64(t.packets[u(k)].size))
    t.telemetry[row, u(place + HOP_TIME)] = now
    t.telemetry[row, u(place + HOP_BYTES)] = p.sent_bytes
    t.telemetry[row, u(place + HOP_QUEUE)] = queue
    t.telemetry[row, u(place + HOP_RATE)] = p.rate


@helper
def ask(t, k):
    """Packet k, new, asks switches for telemetry."""
    t.packets[u(k)].flags |= INT
    t.telemetry[u(k), u(0)] = 0


@helper
def address(t, k):
    """Where the telemetry of packet k is in memory."""
    return t.state[0].telemetry_base + k * (8 * TELEMETRY_WORDS)


@helper
def begin(t, f, c):
    """What a law that reads telemetry over TCP is told at the start, beside the rest."""
    r = t.report[0]
    r.tcp = 1
    r.bytes = c.segment + t.state[0].gap
    r.base_rtt = c.base_rtt
    f.rate = 8e12 * 65536.0 / float(t.ports[u(t.routes[u(f.forward)])].rate)


@helper
def probe(t, i, f, c, k, now):
    """Turn the new packet k into a probe of flow i."""
    f.asked_at = now
    packet = t.packets[u(k)]
    packet.flow = i
    packet.sort = PROBE
    packet.klass = f.priority
    packet.flags = c.ect
    packet.hop = f.forward
    packet.size = c.probe_size
    packet.seq = f.top
    packet.stamp = now
    packet.left = 0
    packet.right = 0
    ask(t, k)


@helper
def reply(f, c, packet):
    """Send a probe back to where it came from, with what switches wrote into it."""
    packet.sort = PROBE_REPLY
    packet.klass = f.ack_priority
    packet.flags = c.ack_flags
    packet.hop = f.reverse


@helper
def withhold(t, i, k):
    """Keep the telemetry of packet k, whose acknowledgement by flow i's receiver is withheld."""
    for word in range(TELEMETRY_WORDS):
        t.withheld[u(i), word] = t.telemetry[u(k), word]


@helper
def give(t, i, k):
    """Put the telemetry that was kept into acknowledgement k."""
    for word in range(TELEMETRY_WORDS):
        t.telemetry[u(k), word] = t.withheld[u(i), word]
