"""Every packet of a trace through one switch: no network, and the same memory code as in the packet engine."""

from __future__ import annotations

from footroom.base.compile_cache import entry, helper
from footroom.calculators.emulator.tables import (
    ASKED,
    BACKLOGGED,
    BURST_BYTES,
    BURST_DROPPED,
    BURST_DROPPED_BYTES,
    BURST_FIRST,
    BURST_PACKETS,
    DROPPED,
    DROPPED_BYTES,
    END,
    FIRST_DROP,
    HIGHEST,
    LAST,
    LIMIT_HIGHEST,
    LIMIT_LOWEST,
    LOST,
    LOWEST,
    OFFERED,
    OFFERED_BYTES,
    PEAK,
    SEEN,
    SENT,
    SENT_BYTES,
    STEP,
    STOP,
    USED_HIGHEST,
    USED_LAST,
    USED_LOWEST,
    USED_SEEN,
)
from footroom.kernel.calls import call_policy
from footroom.kernel.memory import QUEUE_SIZE, admit, refuse, release
from footroom.kernel.tables import NEVER


@helper
def _present(r, k):
    """Fill the packet's row with that of packet k, for the policy."""
    packet = r.packet_row[0]
    packet.size = r.wire[k] - r.switch[0].gap
    packet.seq = r.seq[k]
    packet.flow = r.flow[k]


@helper
def _record(r, i, now):
    """The queue of port i, and the memory in use, have changed."""
    if r.scalars[STEP] == 0:
        return
    step = min(now // r.scalars[STEP], r.memory.shape[0] - 1)
    length, line = r.queues[i].bytes, r.series[i, step]
    if line[SEEN] == 0 or length < line[LOWEST]:
        line[LOWEST] = length
    line[HIGHEST] = max(line[HIGHEST], length)
    line[LAST] = length
    line[SEEN] = 1
    used, whole = r.switch[0].shared, r.memory[step]
    if whole[USED_SEEN] == 0 or used < whole[USED_LOWEST]:
        whole[USED_LOWEST] = used
    whole[USED_HIGHEST] = max(whole[USED_HIGHEST], used)
    whole[USED_LAST] = used
    whole[USED_SEEN] = 1


@helper
def _ask(r, i, size, now):
    """Record the policy's limit for the present packet."""
    step = min(now // r.scalars[STEP], r.memory.shape[0] - 1)
    s, q, line = r.switch[0], r.queues[i], r.series[i, step]
    limit = q.reserved + call_policy(
        s.policy, r.bases[0], r.bases[1] + i * QUEUE_SIZE, s.params, r.bases[2], r.bases[3], size, now
    )
    if line[ASKED] == 0 or limit < line[LIMIT_LOWEST]:
        line[LIMIT_LOWEST] = limit
    line[LIMIT_HIGHEST] = max(line[LIMIT_HIGHEST], limit)
    line[ASKED] = 1


@helper
def _send(r, i, k, now):
    """Begin to transmit packet k on idle port i."""
    r.busy[i] = now + ((r.wire[k] * r.rate[0]) >> 16)
    r.counts[i, SENT] += 1
    r.counts[i, SENT_BYTES] += r.size[k]


@helper
def _depart(r, i, now):
    """The oldest packet waiting at port i leaves the memory."""
    q = r.queues[i]
    k = q.head
    size = r.taken[k]
    _present(r, k)
    release(r.switch[0], q, r.bases[0], r.bases[1] + i * QUEUE_SIZE, r.bases[2], r.bases[3], size, now)
    r.scalars[END] = now
    q.head = r.following[k]
    _send(r, i, k, now)
    r.due[i] = r.busy[i] if q.packets > 0 else NEVER
    _record(r, i, now)


@helper
def _drop(r, i, k, now):
    """Packet k was refused."""
    size, b = r.size[k], r.burst[k]
    refuse(r.switch[0], r.bases[0], r.bases[1] + i * QUEUE_SIZE, r.bases[2], r.bases[3], r.taken[k], now)
    r.counts[i, DROPPED] += 1
    r.counts[i, DROPPED_BYTES] += size
    if b >= 0:
        if r.bursts[b, BURST_DROPPED] == 0:
            r.bursts[b, BURST_FIRST] = now
        r.bursts[b, BURST_DROPPED] += 1
        r.bursts[b, BURST_DROPPED_BYTES] += size
    if r.scalars[STEP] > 0:
        r.series[i, min(now // r.scalars[STEP], r.memory.shape[0] - 1), LOST] += size
    if r.scalars[FIRST_DROP] < 0 and (b >= 0 or r.bursts.shape[0] == 0):
        r.scalars[FIRST_DROP] = k


@helper
def _arrive(r, k):
    """Packet k arrives. Whether it waits now as the only one of its port."""
    i, size, now, b = r.port[k], r.size[k], r.time[k], r.burst[k]
    r.counts[i, OFFERED] += 1
    r.counts[i, OFFERED_BYTES] += size
    if b >= 0:
        r.bursts[b, BURST_PACKETS] += 1
        r.bursts[b, BURST_BYTES] += size
    size = r.taken[k]
    q = r.queues[i]
    if q.packets == 0 and now >= r.busy[i]:
        s = r.switch[0]
        if s.on_pass != 0:
            _present(r, k)
            call_policy(s.on_pass, r.bases[0], r.bases[1] + i * QUEUE_SIZE, s.params, r.bases[2], r.bases[3], size, now)
        _send(r, i, k, now)
        return False
    _present(r, k)
    if r.scalars[STEP] > 0:
        _ask(r, i, size, now)
    taken = admit(r.switch[0], q, r.bases[0], r.bases[1] + i * QUEUE_SIZE, r.bases[2], r.bases[3], size, now)
    if not taken:
        _drop(r, i, k, now)
        return False
    if q.packets == 1:
        q.head = k
    else:
        r.following[q.tail] = k
    q.tail = k
    r.following[k] = -1
    r.counts[i, PEAK] = max(r.counts[i, PEAK], q.bytes)
    _record(r, i, now)
    if q.packets > 1:
        return False
    r.due[i] = r.busy[i]
    return True


@helper
def _earliest(r):
    """Place in ``waiting`` of the port that sends next, the lowest of several; -1 when none has packets waiting."""
    if r.scalars[BACKLOGGED] == 0:
        return -1
    best = 0
    for place in range(1, r.scalars[BACKLOGGED]):
        i, b = r.waiting[place], r.waiting[best]
        if r.due[i] < r.due[b] or (r.due[i] == r.due[b] and i < b):
            best = place
    return best


@entry
def replay(r):
    """All arrivals, then until all queues are empty; a departure comes before an arrival at the same instant."""
    count, k = len(r.time), 0
    first, due = -1, NEVER
    while k < count or first >= 0:
        if first >= 0 and (k == count or due <= r.time[k]):
            i = r.waiting[first]
            _depart(r, i, due)
            if r.due[i] == NEVER:
                r.scalars[BACKLOGGED] -= 1
                r.waiting[first] = r.waiting[r.scalars[BACKLOGGED]]
            first = _earliest(r)
        else:
            if _arrive(r, k):
                r.waiting[r.scalars[BACKLOGGED]] = r.port[k]
                r.scalars[BACKLOGGED] += 1
                first = _earliest(r)
            k += 1
            if r.scalars[STOP] != 0 and r.scalars[FIRST_DROP] >= 0:
                break
        due = r.due[r.waiting[first]] if first >= 0 else NEVER
    return 0
