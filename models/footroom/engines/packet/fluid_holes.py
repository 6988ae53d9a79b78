"""Holes that packets leave in the fluid of a port, which come back with it.

While a port sends a packet, none of its fluid leaves. Fluid that acknowledgements clock comes back as it has left, with
that hole; and just then the packet's own acknowledgement lets out the next ones, which find the room that the hole
makes. So what a sender sends beyond what has left is lost by itself, and not by others. The fluid of a step is spread
evenly over it, so what had left at the beginning of every hole and of every step is kept here; between a hole and the
next one it is taken to leave evenly.
"""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import helper
from footroom.engines.packet.fluid_time import pass_time


@helper
def _row(t, x, k):
    """The row of hole k of fluid row x."""
    return t.holes[x.first_hole + (k & x.hole_mask)]


@helper
def note_hole(t, p, x, now, end):
    """Port p with fluid row x sends a packet on the link from now to ``end`` [ps]."""
    if x.hole_mask == 0:
        return
    pass_time(t, p, x, now)
    k = x.holes
    if k > 0 and end - _row(t, x, k - 1).until < x.hole_least:
        # Packets that follow one another so closely are one, so that there is room for all holes of a round trip.
        _row(t, x, k - 1).until = end
        return
    row = _row(t, x, k)
    row.begin, row.until, row.sent = now, end, x.sent
    x.holes = k + 1


@helper
def note_step(t, x, now):
    """A step of the fluid of row x, which is brought up to now, begins."""
    if x.hole_mask == 0 or (x.holes > 0 and _row(t, x, x.holes - 1).until >= now):
        return
    row = _row(t, x, x.holes)
    row.begin, row.until, row.sent = now, now, x.sent
    x.holes += 1


@helper
def holes_up_to(t, x, k, until):
    """How many holes were made up to ``until`` [ps]. k: of some time before."""
    k = max(k, x.holes - x.hole_mask)
    while k < x.holes and _row(t, x, k).until <= until:
        k += 1
    return k


@helper
def sent_up_to(t, x, k, until):
    """Bytes of fluid that had left by ``until`` [ps]. k: how many holes had been made by then."""
    if k >= x.holes:
        return _row(t, x, k - 1).sent if k > 0 else 0.0
    row = _row(t, x, k)
    if k == 0 or until >= row.begin:
        return row.sent
    before = _row(t, x, k - 1)
    part = float(until - before.until) / max(1.0, float(row.begin - before.until))
    return before.sent + min(1.0, part) * (row.sent - before.sent)


@helper
def note_windows(t, x, now, flows):
    """Note the mean window of ``flows`` flows of fluid row x: what has left in the last round trip."""
    if x.hole_trip > 0:
        since = now - x.hole_trip
        x.hole_come = holes_up_to(t, x, x.hole_come, since)
        x.window = (x.sent - sent_up_to(t, x, x.hole_come, since)) / max(1.0, flows)


@helper
def behind(t, x, now):
    """Bytes by which the fluid of row x has come later than its rate says, below 0 where earlier.

    It is 0 at the beginning and at the end of the time for which that rate is set.
    """
    if x.hole_trip == 0 or now >= x.rate_until:
        return 0.0
    first, last = x.rate_since - x.hole_trip, x.rate_until - x.hole_trip
    k = holes_up_to(t, x, x.hole_come, first)
    x.hole_come = k
    before = sent_up_to(t, x, k, first)
    k = holes_up_to(t, x, k, now - x.hole_trip)
    left = sent_up_to(t, x, k, now - x.hole_trip) - before
    k = holes_up_to(t, x, k, last)
    whole = sent_up_to(t, x, k, last) - before
    if whole <= 0.0:
        return 0.0
    # Windows that grow or are cut send more or less than has left.
    return x.rate * (float(now - x.rate_since) - left / whole * float(x.rate_until - x.rate_since))


@helper
def in_hole(t, p, x, now):
    """Whether a hole comes back to port p now, or has within the time that it sends a packet: no part of a burst of
    fluid row x does.
    """
    if x.hole_trip == 0 or now >= x.rate_until:
        return False
    sent = now - x.hole_trip
    k = holes_up_to(t, x, x.hole_come, sent)
    if k < x.holes and _row(t, x, k).begin < sent:
        return True
    k -= 1
    if k >= 0 and _row(t, x, k).begin == _row(t, x, k).until:
        k -= 1  # a step began
    return k >= 0 and float(sent - _row(t, x, k).until) * 65536.0 / float(p.rate) < x.packet


def room_for_holes(duration: float, shortest: float) -> int:
    """Rows, a power of two, for all holes of ``duration``. shortest: time between two that are kept. Both in ps."""
    return int(2 ** np.ceil(np.log2(duration / shortest + 4.0)))
