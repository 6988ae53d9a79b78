"""The event queue: a timing wheel with one slot per component, a coarse one for what lies beyond it, and a heap.

A bucket of the coarse wheel is as long as the whole fine wheel. Its events are dealt out to the fine one when nothing
earlier is left, so that a packet on a long wire costs two short lists instead of a walk through a large heap.

A component (``components.py``) has at most one pending event. Events at one instant run in the order of their
component's number, so the trace does not depend on how the queue happens to be laid out.
"""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import helper
from footroom.engines.packet.tables import BUCKET_BITS, BUCKETS, FAR, NEAR, u
from footroom.kernel.calls import trailing_zeros
from footroom.kernel.tables import NEVER

_MASK = BUCKETS - 1
_ONES = np.int64(-1)
_ONE = np.int64(1)


@helper
def _before(t, a, b):
    return t.slots[u(a)].when < t.slots[u(b)].when or (t.slots[u(a)].when == t.slots[u(b)].when and a < b)


@helper
def _sift_up(t, i, component):
    while i > 0:
        parent = (i - 1) >> 1
        other = t.heap[u(parent)]
        if _before(t, other, component):
            break
        t.heap[u(i)] = other
        t.slots[u(other)].place = i
        i = parent
    t.heap[u(i)] = component
    t.slots[u(component)].place = i


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
        t.slots[u(other)].place = i
        i = child
    t.heap[u(i)] = component
    t.slots[u(component)].place = i


@helper
def _push_near(t, component, number):
    """Into the fine wheel; ``number``: of the bucket, counted from time 0."""
    s = t.state[0]
    b = number & _MASK
    head = t.heads[u(b)]
    t.slots[u(component)].following = head
    t.heads[u(b)] = component
    t.slots[u(component)].place = NEAR
    s.wheel += 1
    if head < 0:
        t.bits[u(b >> 6)] |= _ONE << (b & 63)
        s.words |= _ONE << (b >> 6)


@helper
def _push_far(t, component, number):
    """Into the coarse wheel; ``number``: of its bucket, counted from time 0."""
    s = t.state[0]
    b = number & _MASK
    head = t.far_heads[u(b)]
    t.slots[u(component)].following = head
    t.slots[u(component)].preceding = -1
    if head >= 0:
        t.slots[u(head)].preceding = component
    else:
        t.far_bits[u(b >> 6)] |= _ONE << (b & 63)
        s.far_words |= _ONE << (b >> 6)
    t.far_heads[u(b)] = component
    t.slots[u(component)].place = FAR
    s.far_at = min(s.far_at, number << (s.shift + BUCKET_BITS))


@helper
def push(t, component, when):
    """Schedule ``component``, which has no pending event."""
    s = t.state[0]
    t.slots[u(component)].when = when
    number = when >> s.shift
    if u(number - s.bucket) < u(BUCKETS):
        _push_near(t, component, number)
    # What is pushed between two events may be earlier than the bucket that was dealt out to find the next one.
    elif number > s.bucket and (number >> BUCKET_BITS) - (s.bucket >> BUCKET_BITS) < BUCKETS:
        _push_far(t, component, number >> BUCKET_BITS)
    else:
        i = s.heap
        s.heap = i + 1
        _sift_up(t, i, component)


@helper
def _clear_far(t, b):
    """Bucket ``b`` of the coarse wheel has become empty."""
    s = t.state[0]
    left = t.far_bits[u(b >> 6)] & ~(_ONE << (b & 63))
    t.far_bits[u(b >> 6)] = left
    if left == 0:
        s.far_words &= ~(_ONE << (b >> 6))


@helper
def _first(words, bits, start):
    """The first bucket at or after ``start``, going round, whose bit is set; some bit is."""
    w = start >> 6
    word = bits[u(w)] & (_ONES << (start & 63))
    if word == 0:
        later = words & ((_ONES << w) << 1)
        w = trailing_zeros(later if later != 0 else words)
        word = bits[u(w)]
    return (w << 6) + trailing_zeros(word)


@helper
def _deal_out(t):
    """Move the events of the coarse wheel's first bucket to the fine wheel: nothing pending is earlier than it."""
    s = t.state[0]
    number = s.far_at >> (s.shift + BUCKET_BITS)
    s.bucket = max(s.bucket, number << BUCKET_BITS)
    b = number & _MASK
    c = t.far_heads[u(b)]
    if c >= 0:
        t.far_heads[u(b)] = -1
        _clear_far(t, b)
    while c >= 0:
        following = t.slots[u(c)].following
        _push_near(t, c, t.slots[u(c)].when >> s.shift)
        c = following
    if s.far_words == 0:
        s.far_at = NEVER
    else:
        here = s.bucket >> BUCKET_BITS
        number = here + ((_first(s.far_words, t.far_bits, here & _MASK) - here) & _MASK)
        s.far_at = number << (s.shift + BUCKET_BITS)


@helper
def _earliest_near(t):
    s = t.state[0]
    best, when, bucket, before = np.int64(-1), NEVER, np.int64(-1), np.int64(-1)
    if s.wheel > 0:
        bucket = _first(s.words, t.bits, s.bucket & _MASK)
        best = t.heads[u(bucket)]
        when = t.slots[u(best)].when
        previous = best
        c = t.slots[u(best)].following
        while c >= 0:
            at = t.slots[u(c)].when
            if at < when or (at == when and c < best):
                best, when, before = c, at, previous
            previous = c
            c = t.slots[u(c)].following
    if s.heap > 0:
        c = t.heap[u(0)]
        if best < 0 or _before(t, c, best):
            return c, t.slots[u(c)].when, np.int64(-1), np.int64(-1)
    return best, when, bucket, before


@helper
def earliest(t):
    """The next event: component, time, its bucket (-1 in the heap) and the component before it in the bucket.

    The component is -1 when nothing is pending.
    """
    s = t.state[0]
    while True:
        best, when, bucket, before = _earliest_near(t)
        if s.far_at > when or s.far_at == NEVER:
            return best, when, bucket, before
        _deal_out(t)


@helper
def _unlink(t, component, bucket, before):
    s = t.state[0]
    s.wheel -= 1
    rest = t.slots[u(component)].following
    if before >= 0:
        t.slots[u(before)].following = rest
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
    number = t.slots[u(component)].when >> s.shift
    if bucket >= 0:
        _unlink(t, component, bucket, before)
        s.bucket = number
    else:
        _pop_heap(t)
        s.bucket = max(s.bucket, number)


@helper
def move_earlier(t, component, when):
    """Bring the pending event of ``component`` forward."""
    i = t.slots[u(component)].place
    if i >= 0:
        t.slots[u(component)].when = when
        _sift_up(t, i, component)
        return
    s = t.state[0]
    if i == FAR:
        rest, previous = t.slots[u(component)].following, t.slots[u(component)].preceding
        if rest >= 0:
            t.slots[u(rest)].preceding = previous
        if previous >= 0:
            t.slots[u(previous)].following = rest
        else:
            b = (t.slots[u(component)].when >> (s.shift + BUCKET_BITS)) & _MASK
            t.far_heads[u(b)] = rest
            if rest < 0:
                _clear_far(t, b)
        push(t, component, when)
        return
    bucket = (t.slots[u(component)].when >> s.shift) & _MASK
    before = np.int64(-1)
    c = t.heads[u(bucket)]
    while c != component:
        before = c
        c = t.slots[u(c)].following
    _unlink(t, component, bucket, before)
    push(t, component, when)
