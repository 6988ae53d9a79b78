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
def _no_room(s, n, g, size):
    """Why ``size`` bytes of group g do not fit the headroom; -1 where they do."""
    if g.headroom + size > g.limit:
        return NO_GROUP
    if n.headroom + size > n.limit:
        return NO_PORT
    if s.headroom + size > s.headroom_pool:
        return NO_POOL
    return -1


@helper
def _largest(s, n, g):
    g.headroom_largest = max(g.headroom_largest, g.headroom)
    n.headroom_largest = max(n.headroom_largest, n.headroom)
    s.headroom_largest = max(s.headroom_largest, s.headroom)


@helper
def charge_group(s, pool, n, g, pool_at, ingress_at, group_at, size):
    """Charge ``size`` bytes to group g of ingress port n; no change where they are refused.

    s, pool: rows of the memory and of the pool its groups share.  pool_at, ingress_at, group_at: addresses for the
    hook.  Returns its answer, and why the bytes are refused, -1 where they are not.
    """
    if s.used + size > s.buffer:
        return 0, NO_MEMORY
    found = call_headroom(pool.place, pool_at, ingress_at, group_at, size)
    if found & HEADROOM:
        cause = _no_room(s, n, g, size)
        if cause >= 0:
            return found, cause
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
    return found, -1


@helper
def admit_to_group(s, pool, n, g, q, pool_at, ingress_at, group_at, size):
    """Charge a packet as ``charge_group`` does, and count it in queue q. Returns the hook's answer, with REFUSED where
    that applies.
    """
    found, cause = charge_group(s, pool, n, g, pool_at, ingress_at, group_at, size)
    if cause >= 0:
        g.dropped[cause] += 1
        return found | REFUSED
    count_in(s, q, size)
    return found


@helper
def give_back(s, pool, n, g, size):
    """Give back ``size`` bytes of group g: headroom first, then shared memory, then what is reserved."""
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


@helper
def release_from_group(s, pool, n, g, q, size):
    """A packet of ``size`` bytes of group g no longer waits in queue q."""
    count_out(s, q, size)
    give_back(s, pool, n, g, size)
