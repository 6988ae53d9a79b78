"""The event queue: an indexed binary heap with one slot per component.

A component has at most one pending event. Events at one instant run in the order of their component's number, so the
trace does not depend on how the heap happens to be laid out. Components: port p's transmitter is p, its wire P + p,
flow f's timer 2P + f, and the start of the next flow 2P + F, for P ports and F flows.
"""

from __future__ import annotations

from footroom.compile_cache import helper


@helper
def _sift_up(t, i, component, when):  # type: ignore[no-untyped-def]
    while i > 0:
        parent = (i - 1) >> 1
        other = t.heap_id[parent]
        at = t.heap_time[parent]
        if at < when or (at == when and other < component):
            break
        t.heap_id[i] = other
        t.heap_time[i] = at
        t.heap_at[other] = i
        i = parent
    t.heap_id[i] = component
    t.heap_time[i] = when
    t.heap_at[component] = i


@helper
def _sift_down(t, component, when, n):  # type: ignore[no-untyped-def]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= n:
            break
        at = t.heap_time[child]
        if child + 1 < n:
            right = t.heap_time[child + 1]
            if right < at or (right == at and t.heap_id[child + 1] < t.heap_id[child]):
                child += 1
                at = right
        other = t.heap_id[child]
        if when < at or (when == at and component < other):
            break
        t.heap_id[i] = other
        t.heap_time[i] = at
        t.heap_at[other] = i
        i = child
    t.heap_id[i] = component
    t.heap_time[i] = when
    t.heap_at[component] = i


@helper
def push(t, component, when):  # type: ignore[no-untyped-def]
    """Schedule ``component``, which has no pending event."""
    s = t.state[0]
    n = s.heap
    s.heap = n + 1
    _sift_up(t, n, component, when)


@helper
def move_earlier(t, component, when):  # type: ignore[no-untyped-def]
    """Bring the pending event of ``component`` forward."""
    _sift_up(t, t.heap_at[component], component, when)


@helper
def replace_top(t, component, when):  # type: ignore[no-untyped-def]
    """The event being handled, the earliest one, is followed by another of the same component."""
    _sift_down(t, component, when, t.state[0].heap)


@helper
def drop_top(t):  # type: ignore[no-untyped-def]
    """The event being handled, the earliest one, has no successor."""
    s = t.state[0]
    n = s.heap - 1
    s.heap = n
    if n > 0:
        _sift_down(t, t.heap_id[n], t.heap_time[n], n)
