"""Telemetry (INT): what every switch writes into a data packet as it leaves, and how it gets back to the sender.

A data packet turns into its acknowledgement in place and keeps its telemetry: row k of the table belongs to packet k.
There are rows only where some law asks for telemetry.
Source: alibaba-edu/High-Precision-Congestion-Control, switch-node.cc (SwitchNotifyDequeue) and int-header.h, but for
its units: time, bytes and queue are exact here.
"""

from __future__ import annotations

import numpy as np

from footroom.compile_cache import helper, routine
from footroom.kernel.memory import charged
from footroom.kernel.tables import (
    HOP_BYTES,
    HOP_QUEUE,
    HOP_RATE,
    HOP_TIME,
    HOP_WORDS,
    INT,
    TELEMETRY_WORDS,
)
from footroom.packet.tables import u


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
