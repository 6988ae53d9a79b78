"""Go-back-N, the recovery of RDMA over lossless Ethernet: the receiver keeps only what is in order.

A packet beyond a gap is thrown away and reported, at most once an interval for the same gap; the sender then goes back
to the first segment that is missing. Source: alibaba-edu/High-Precision-Congestion-Control, rdma-hw.cc
(ReceiverCheckSeq, RecoverQueue). Departures: a segment received before is acknowledged again (InfiniBand C9-110), and
there is a timeout, which that simulator has not.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.queries import ends

#: What a receiver answers.
NOTHING, ACKNOWLEDGE, REPORT_GAP = 0, 1, 2


@helper
def receive(f, c, packet, now):
    """A data packet reached its receiver; what it answers at once."""
    seq = packet.seq
    if seq < f.rcv:
        return ACKNOWLEDGE
    if seq > f.rcv:
        if now < f.nack_at and f.nacked == f.rcv:
            return NOTHING
        f.nack_at = now + c.nack_interval
        f.nacked = f.rcv
        return REPORT_GAP
    f.rcv += 1
    f.pending += 1
    if f.pending >= c.ack_every or ends(f, c):
        return ACKNOWLEDGE
    f.pending_stamp = packet.stamp
    if f.pending == 1:
        f.ack_at = now + c.ack_delay
    return NOTHING


@helper
def advance(f, upto):
    """All segments below ``upto`` are acknowledged."""
    f.una = upto
    if f.nxt < upto:
        f.nxt = upto


@helper
def go_back(f):
    """A gap was reported, or the timer expired."""
    f.nxt = f.una


@helper
def choose(f, c):
    """The segment that may be sent now, or -1."""
    if f.nxt >= f.ready or f.nxt - f.una >= min(float(c.receive_window), f.cwnd):
        return -1
    return f.nxt
