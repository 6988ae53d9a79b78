"""Selective recovery of RDMA (IRN): the receiver keeps what comes beyond a gap, and only holes are sent again.

Every packet is acknowledged; one beyond a gap by a negative acknowledgement with the first segment missing and its own.
Recovery begins with that, or with a timeout, and sends the first missing segment, then every other one below the
highest reported, each once, before anything new. It ends when all that was sent before it is acknowledged. A segment
lost again waits for the timeout, which is short while few segments are outstanding.
Source: Mittal et al., Revisiting Network Support for RDMA (SIGCOMM 2018), sections 3.1 and 3.2.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.go_back_n import ACKNOWLEDGE, REPORT_GAP
from footroom.engines.packet.receiver import keep, take_in_order
from footroom.engines.packet.rings import slot
from footroom.engines.packet.tables import OPEN, RECOVERY, SACKED, u


@helper
def receive(t, f, packet):
    """A data packet reached its receiver; what it answers at once."""
    seq = packet.seq
    if seq < f.rcv:
        return ACKNOWLEDGE
    if seq > f.rcv:
        keep(t, f, seq)
        return REPORT_GAP
    take_in_order(t, f)
    return ACKNOWLEDGE


@helper
def advance(t, f, upto):
    """All segments below ``upto`` are acknowledged."""
    for seq in range(f.una, upto):
        a = t.segments[u(slot(f, seq))]
        if a.flags & SACKED:
            f.sacked -= 1
        a.flags = 0
    if upto > f.una:
        f.force = 0
    f.una = upto
    if f.mode == RECOVERY and f.una > f.recover:
        f.mode = OPEN


@helper
def recover(f):
    """A gap was reported, or the timer expired (``f.mode`` then OPEN): begin recovery unless it is under way."""
    if f.mode == OPEN:
        f.mode = RECOVERY
        f.recover = f.nxt - 1
        f.repair = f.una
        f.force = 1  # the first missing segment, whether or not anything beyond it was reported


@helper
def report_of(t, f, seq):
    """Segment ``seq``, beyond a gap, has arrived. Returns the number of segments that are news."""
    if seq < f.una:
        return 0
    a = t.segments[u(slot(f, seq))]
    if a.flags & SACKED:
        return 0
    a.flags |= SACKED
    f.sacked += 1
    f.high1 = max(f.high1, seq)
    return 1


@helper
def choose(t, f, c):
    """The segment that may be sent now, or -1."""
    if f.mode == RECOVERY:
        seq = max(f.repair, f.una)
        while seq < f.high1 and t.segments[u(slot(f, seq))].flags & SACKED:
            seq += 1
        f.repair = seq
        if seq < f.high1 or (f.force != 0 and seq == f.una and seq < f.nxt):
            return seq
    # The limit on what is outstanding counts from the first missing segment (BDP-FC, section 3.2).
    if f.nxt >= f.ready or f.nxt - f.una >= min(float(c.receive_window), f.cwnd):
        return -1
    return f.nxt
