"""A window that falls over a round trip: proportional rate reduction (RFC 9937), for losses and, as in Linux, marks.

Of what arrives, that part is sent which the new window is of the old one. A cut for a mark that goes on over a round
trip ends with the first acknowledgement of more than was outstanding when the mark was reported, and losses within
that round trip do not cut again (Linux tcp_enter_cwr, tcp_cwnd_reduction, tcp_fastretrans_alert, tcp_enter_recovery).
"""

from __future__ import annotations

import math

from footroom.base.compile_cache import helper
from footroom.engines.packet.tables import PRR
from footroom.parts.traffic import Host
from footroom.parts.traffic.option import code

_ROUND_TRIP = code(Host, "mark_cut", "round_trip")


@helper
def in_flight(f):
    """Segments thought to be in the network."""
    return (f.nxt - f.una) - f.sacked - f.lost + f.resent


@helper
def begin_reduction(f, flight):
    """The window is to fall over a round trip from ``flight`` to ssthresh."""
    f.prr_delivered = 0
    f.prr_out = 0
    f.prr_flight = flight


@helper
def reduce_window(f, target, delivered, safe, least):
    """Let out the part of ``delivered`` that ``target`` is of the flight, ``least`` or more (RFC 9937 §6.2)."""
    f.prr_delivered += delivered
    pipe = in_flight(f)
    if pipe > f.ssthresh:
        count = math.ceil(f.prr_delivered * target / f.prr_flight) - float(f.prr_out)
    else:
        # One segment more only while repairs make progress and nothing else is found lost.
        grow = max(f.prr_delivered - f.prr_out, delivered) + (1 if safe else 0)
        count = min(f.ssthresh - pipe, float(grow))
    f.cwnd = pipe + max(count, least)


@helper
def spread_cut(f, c, window):
    """A mark has just cut the window, ``window`` before: it is to fall over a round trip where the host does so."""
    if c.recovery == PRR and c.mark_cut == _ROUND_TRIP:
        f.reducing = 1
        # Linux counts whole segments here: of half a window every other one leaves, from the first on.
        begin_reduction(f, int(window))


@helper
def end_reduction(f):
    """End the cut for a mark once more is acknowledged than it covers."""
    if f.reducing != 0 and f.una > f.cut_end:
        f.reducing = 0
        f.cwnd = f.ssthresh
