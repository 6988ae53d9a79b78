"""Priority groups: charging a packet of a lossless class, and giving its bytes back.

A group takes what is reserved for it, then shared memory, then headroom; a hook of its kind of headroom decides where a
packet goes and whether the group then asks for a pause. footroom.engines.plan.lossless has the limits in bytes. The
queue the packet waits in sets no limit.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.kernel.answers import HEADROOM, REFUSED
from footroom.kernel.calls import call_headroom
from footroom.kernel.memory import count_in, count_out
from footroom.kernel.tables import GROUP, INGRESS, NO_GROUP, NO_MEMORY, NO_POOL, NO_PORT

GROUP_SIZE = GROUP.itemsize
INGRESS_SIZE = INGRESS.itemsize


@helper
def _refused(g, cause):
    g.dropped[cause] += 1
    return REFUSED


@helper
def _largest(s, n, g):
    g.headroom_largest = max(g.headroom_largest, g.headroom)
    n.headroom_largest = max(n.headroom_largest, n.headroom)
    s.headroom_largest = max(s.headroom_largest, s.headroom)


@helper
def admit_to_group(s, pool, n, g, q, pool_at, ingress_at, group_at, size):
    """Charge ``size`` bytes to group g of ingress port n and count them in queue q; no change where it is refused.

    s, pool: rows of the memory and of the pool its groups share.  pool_at, ingress_at, group_at: addresses for the
    hook.  Returns its answer, with REFUSED where that applies.
    """
    if s.used + size > s.buffer:
        return _refused(g, NO_MEMORY)
    found = call_headroom(pool.place, pool_at, ingress_at, group_at, size)
    if found & HEADROOM:
        if g.headroom + size > g.limit:
            return found | _refused(g, NO_GROUP)
        if n.headroom + size > n.limit:
            return found | _refused(g, NO_PORT)
        if s.headroom + size > s.headroom_pool:
            return found | _refused(g, NO_POOL)
        g.headroom += size
        n.headroom += size
        s.headroom += size
        _largest(s, n, g)
    else:
        excess = max(0, g.own + size - g.reserved)
        g.own += size - excess
        g.shared += excess
        n.shared += excess
        pool.shared += excess
        if pool.shared > pool.peak:
            pool.peak = pool.shared
        g.largest = max(g.largest, g.own + g.shared)
    count_in(s, q, size)
    return found


@helper
def release_from_group(s, pool, n, g, q, size):
    """Give back ``size`` bytes of group g: headroom first, then shared memory, then what is reserved."""
    count_out(s, q, size)
    part = min(size, g.headroom)
    g.headroom -= part
    n.headroom -= part
    s.headroom -= part
    left = size - part
    part = min(left, g.shared)
    g.shared -= part
    n.shared -= part
    pool.shared -= part
    g.own -= left - part
