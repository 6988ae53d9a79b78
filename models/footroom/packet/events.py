"""The event queue: a timing wheel with one slot per component, and a heap for what lies beyond it.

A component has at most one pending event. Events at one instant run in the order of their component's number, so the
trace does not depend on how the queue happens to be laid out. Components: port p's transmitter is p, its wire P + p,
flow f's timer 2P + f, and the start of the next flow 2P + F, for P ports and F flows.
"""

from __future__ import annotations

import numpy as np

from footroom.compile_cache import helper
from footroom.kernel.calls import trailing_zeros
from footroom.kernel.tables import NEVER
from footroom.packet.tables import BUCKETS, u

_MASK = BUCKETS - 1
_ONES = np.int64(-1)
_ONE = np.int64(1)


@helper
def _before(t, a, b):
    return t.when[u(a)] < t.when[u(b)] or (t.when[u(a)] == t.when[u(b)] and a < b)


@helper
def _sift_up(t, i, component):
    while i > 0:
        parent = (i - 1) >> 1
        other = t.heap[u(parent)]
        if _before(t, other, component):
            break
        t.heap[u(i)] = other
        t.place[u(other)] = i
        i = parent
    t.heap[u(i)] = component
    t.place[u(component)] = i


@helper
def _pop_heap(t):
    s = t.state[0]
    n = s.heap - 1
    s.heap = n
    if n == 0:
        return
    component = t.heap[u(n)]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= n:
            break
        if child + 1 < n and _before(t, t.heap[u(child + 1)], t.heap[u(child)]):
            child += 1
        other = t.heap[u(child)]
        if _before(t, component, other):
            break
        t.heap[u(i)] = other
        t.place[u(other)] = i
        i = child
    t.heap[u(i)] = component
    t.place[u(component)] = i


@helper
def push(t, component, when):
    """Schedule ``component``, which has no pending event."""
    s = t.state[0]
    t.when[u(component)] = when
    number = when >> s.shift
    if number - s.bucket < BUCKETS:
        b = number & _MASK
        head = t.heads[u(b)]
        t.following[u(component)] = head
        t.heads[u(b)] = component
        t.place[u(component)] = -1
        s.wheel += 1
        if head < 0:
            t.bits[u(b >> 6)] |= _ONE << (b & 63)
            s.words |= _ONE << (b >> 6)
    else:
        i = s.heap
        s.heap = i + 1
        _sift_up(t, i, component)


@helper
def earliest(t):
    """The next event: component, time, its bucket (-1 in the heap) and the component before it in the bucket."""
    s = t.state[0]
    best, when, bucket, before = np.int64(-1), NEVER, np.int64(-1), np.int64(-1)
    if s.wheel > 0:
        start = s.bucket & _MASK
        w = start >> 6
        word = t.bits[u(w)] & (_ONES << (start & 63))
        if word == 0:
            later = s.words & ((_ONES << w) << 1)
            w = trailing_zeros(later if later != 0 else s.words)
            word = t.bits[u(w)]
        bucket = (w << 6) + trailing_zeros(word)
        best = t.heads[u(bucket)]
        when = t.when[u(best)]
        previous = best
        c = t.following[u(best)]
        while c >= 0:
            at = t.when[u(c)]
            if at < when or (at == when and c < best):
                best, when, before = c, at, previous
            previous = c
            c = t.following[u(c)]
    if s.heap > 0:
        c = t.heap[u(0)]
        if best < 0 or _before(t, c, best):
            return c, t.when[u(c)], np.int64(-1), np.int64(-1)
    return best, when, bucket, before


@helper
def _unlink(t, component, bucket, before):
    s = t.state[0]
    s.wheel -= 1
    rest = t.following[u(component)]
    if before >= 0:
        t.following[u(before)] = rest
        return
    t.heads[u(bucket)] = rest
    if rest < 0:
        left = t.bits[u(bucket >> 6)] & ~(_ONE << (bucket & 63))
        t.bits[u(bucket >> 6)] = left
        if left == 0:
            s.words &= ~(_ONE << (bucket >> 6))


@helper
def remove(t, component, bucket, before):
    """Take the event that ``earliest`` found; time is now its time."""
    s = t.state[0]
    if bucket >= 0:
        _unlink(t, component, bucket, before)
    else:
        _pop_heap(t)
    s.bucket = t.when[u(component)] >> s.shift


@helper
def move_earlier(t, component, when):
    """Bring the pending event of ``component`` forward."""
    i = t.place[u(component)]
    if i >= 0:
        t.when[u(component)] = when
        _sift_up(t, i, component)
        return
    bucket = (t.when[u(component)] >> t.state[0].shift) & _MASK
    before = np.int64(-1)
    c = t.heads[u(bucket)]
    while c != component:
        before = c
        c = t.following[u(c)]
    _unlink(t, component, bucket, before)
    push(t, component, when)
