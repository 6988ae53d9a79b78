"""Fluid that waits at a port of a switch with lossless classes, charged to priority groups as packets are.

What waits at a port is mixed, so of its bytes every group has the share that came in by its own port. A group is
charged by difference, in pieces of a packet at most, through the hook that places packets: pauses are asked for, and
end, where fluid and packets together reach a threshold. Fluid that a full headroom refuses is lost.
"""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import helper, routine
from footroom.engines.packet.pauses import ask, retest
from footroom.engines.packet.settling import settle
from footroom.engines.packet.tables import u
from footroom.kernel.answers import PAUSE_GROUP, PAUSE_PORT, WHOLE
from footroom.kernel.calls import call_headroom
from footroom.kernel.groups import GROUP_SIZE, INGRESS_SIZE, charge_group, give_back
from footroom.kernel.memory import MEMORY_SIZE


@helper
def _there(part, now):
    """Bytes of the part that came and did not leave, as if none had left since the last step."""
    return max(0.0, part.held + part.comes * float(now - part.at) - part.lost)


@helper
def _count(t, p, x, q, s, size, now):
    """``size`` bytes more, or fewer, of fluid row x wait in queue row q."""
    settle(t, p, now)
    if p.bytes == 0:
        p.since = now
    p.bytes += size
    q.bytes += size
    s.used += size
    x.charged += size
    p.largest, p.peak = max(p.largest, p.bytes), max(p.peak, p.bytes)
    q.peak, s.largest = max(q.peak, q.bytes), max(s.largest, s.used)


@helper
def _lose(x, part, g, cause, size):
    """``size`` bytes of a part are refused."""
    x.lost += size
    x.inside -= size
    x.work -= size
    part.lost += size
    part.refused += size / x.packet
    whole = np.int64(part.refused)
    part.refused -= float(whole)
    g.dropped[cause] += whole


@routine
def _charge_part(t, p, x, number, size, now):
    """Have the group of part ``number`` hold ``size`` bytes for it."""
    base, part, q = t.state[0], t.parts[u(number)], t.queues[u(x.queue)]
    i = np.int64(part.ingress)
    n, g, s = t.ingresses[u(i)], t.groups[u(i * WHOLE)], t.switches[u(q.memory)]
    pool = t.switches[u(n.pool)]
    more = size - part.charged
    if more < 0:
        give_back(s, pool, n, g, -more)
        part.charged = size
        _count(t, p, x, q, s, more, now)
        if pool.pauses != 0:
            retest(t, pool, i, now)
        return
    pool_at = base.memory_base + np.int64(n.pool) * MEMORY_SIZE
    ingress_at, group_at = base.ingress_base + i * INGRESS_SIZE, base.group_base + i * WHOLE * GROUP_SIZE
    comes = more == 0 and part.comes > 0.0 and part.charged > 0  # a test as well, though as much leaves
    if comes and (call_headroom(pool.place, pool_at, ingress_at, group_at, 0) & PAUSE_GROUP) != 0:
        ask(t, i, 0, x.port, 0, now)
    while more > 0:
        piece = min(more, np.int64(x.packet))
        found, cause = charge_group(s, pool, n, g, pool_at, ingress_at, group_at, piece)
        if found & PAUSE_PORT:
            ask(t, i, WHOLE, x.port, 0, now)
        if cause >= 0:
            _lose(x, part, g, cause, float(more))
            return
        part.charged += piece
        _count(t, p, x, q, s, piece, now)
        if found & PAUSE_GROUP:
            ask(t, i, 0, x.port, 0, now)
        more -= piece


@routine
def charge_parts(t, p, x, now):
    """Have the priority groups hold what fluid of row x waits at port p now."""
    q = t.queues[u(x.queue)]
    # What is being sent waits no longer. That remains so while the port is paused, though fluid that a pause stops is
    # not finished: it would come back into the memory.
    since = x.stood_at if x.stood_at >= 0 else now
    aside = 0.0 if p.busy_until > since and p.frame_until != p.busy_until else x.packet
    total = 0.0
    for k in range(x.first_part, x.last_part):
        total += _there(t.parts[u(k)], now)
    scale = max(0.0, x.inside - aside) / total if total > 0.0 else 0.0
    for k in range(x.first_part, x.last_part):
        _charge_part(t, p, x, k, np.int64(scale * _there(t.parts[u(k)], now)), now)
    packets = np.int64(float(x.charged) / x.packet)
    q.packets += packets - x.packets
    x.packets = packets
