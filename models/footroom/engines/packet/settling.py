"""How long a port's backlog had each length: its integral over time, and a histogram."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.tables import SUB_BITS
from footroom.kernel.calls import leading_zeros


@helper
def bin_of(size):
    """Histogram bin of a queue length."""
    if size < (1 << SUB_BITS):
        return size
    exponent = 63 - leading_zeros(size)
    return ((exponent - SUB_BITS + 1) << SUB_BITS) + ((size >> (exponent - SUB_BITS)) & ((1 << SUB_BITS) - 1))


@helper
def settle(t, p, now):
    """Account for the time port p's backlog kept its present length."""
    span = now - p.changed
    if span > 0:
        p.area += float(p.bytes) * float(span)
        if p.histogram >= 0:
            t.histogram[p.histogram, bin_of(p.bytes)] += span
        p.changed = now
