"""Holes that packets leave in the fluid of a port, which come back with it.

While a port sends a packet, none of its fluid leaves. Fluid that acknowledgements clock comes back as it has left, with
that hole; and just then the packet's own acknowledgement lets out the next ones, which find the room that the hole
makes. So what a sender sends beyond what has left is lost by itself, and not by others. The fluid of a step is spread
evenly over it, so the holes are kept here.
"""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import helper


@helper
def note_hole(t, x, end, size):
    """A port with fluid row x sends a packet of ``size`` bytes on the link, up to ``end`` [ps]."""
    if x.hole_mask == 0:
        return
    x.hole_bytes += size
    k = x.holes
    if k > 0 and end - t.holes[x.first_hole + (k - 1 & x.hole_mask)].until < x.hole_least:
        # Packets that follow one another so closely are one, so that there is room for all holes of a round trip.
        k -= 1
    else:
        t.holes[x.first_hole + (k & x.hole_mask)].until = end
        x.holes = k + 1
    t.holes[x.first_hole + (k & x.hole_mask)].bytes = x.hole_bytes


@helper
def holes_up_to(t, x, k, until):
    """How many holes were made up to ``until`` [ps]. k: of some time before."""
    k = max(k, x.holes - x.hole_mask)
    while k < x.holes and t.holes[x.first_hole + (k & x.hole_mask)].until <= until:
        k += 1
    return k


@helper
def bytes_of_holes(t, x, k):
    """Bytes of the first k holes."""
    return t.holes[x.first_hole + (k - 1 & x.hole_mask)].bytes if k > 0 else 0.0


@helper
def behind(t, x, now):
    """Bytes by which the fluid of row x has come later than its rate says, below 0 where earlier.

    It is 0 at the beginning and at the end of the time for which that rate is set.
    """
    if x.hole_trip == 0 or now >= x.rate_until:
        return 0.0
    k = holes_up_to(t, x, x.hole_come, x.rate_since - x.hole_trip)
    x.hole_come = k
    before = bytes_of_holes(t, x, k)
    k = holes_up_to(t, x, k, now - x.hole_trip)
    come = bytes_of_holes(t, x, k) - before
    k = holes_up_to(t, x, k, x.rate_until - x.hole_trip)
    passed = float(now - x.rate_since) / float(x.rate_until - x.rate_since)
    return come - passed * (bytes_of_holes(t, x, k) - before)


def room_for_holes(duration: float, shortest: float) -> int:
    """Rows, a power of two, for all holes of ``duration``. shortest: time between two that are kept. Both in ps."""
    return int(2 ** np.ceil(np.log2(duration / shortest + 4.0)))
