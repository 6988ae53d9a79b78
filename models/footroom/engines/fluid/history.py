"""Reading the past: how a compiled right-hand side looks up the history buffer.

The past of one integration is a single float64 block: a header, then a ring of rows, one per time step,

    row = [x_0 .. x_{m-1} | dx_0 .. dx_{m-1} | s_0 .. s_{k-1}]

with ``m`` remembered state components, their slopes, and ``k`` remembered signals (algebraic quantities that may
jump, such as a drop probability). Row ``i`` belongs to time ``i*h``; row -1 holds the constant state before t = 0
with zero slopes and the signals of the start.

Every function here is inlined into the model that calls it and cannot be called from Python.
"""

from __future__ import annotations

import math
from typing import Any

from footroom.base.compile_cache import helper

# Header slots (float64; integers up to 2**53 are exact).
NEWEST = 0  # index of the newest stored row
STEP = 1  # h, seconds
INVERSE_STEP = 2  # 1/h
MASK = 3  # ring length - 1 (a power of two minus one)
WIDTH = 4  # floats per row
REMEMBERED = 5  # m
STATUS = 6  # see below
HEADER = 8  # first float of the ring

# Values of the STATUS slot.
FINE = 0.0
TOO_NEW = 1.0  # a lookup later than the newest row: the step is longer than the shortest delay
TOO_OLD = 2.0  # a lookup earlier than the oldest row: the delay exceeds the announced maximum
NOT_FINITE = 3.0  # the state left the finite numbers
NO_DELAY = 4.0  # an implicit delay was not found


@helper
def locate(past: Any, time: float) -> Any:
    """Where a past time lies: offsets of the rows before and after it, and the fraction of the step between them.

    Looking up several quantities at one time costs one ``locate``.
    """
    position = time * past[INVERSE_STEP]
    mask = int(past[MASK])
    width = int(past[WIDTH])
    if position < 0.0:
        row = HEADER + mask * width
        return row, row, 0.0
    index = int(position)
    newest = int(past[NEWEST])
    if index >= newest:
        if position > newest + 1e-6:
            past[STATUS] = TOO_NEW
        index = newest - 1
    elif index < newest - mask:
        past[STATUS] = TOO_OLD
    return HEADER + (index & mask) * width, HEADER + ((index + 1) & mask) * width, position - index


@helper
def smooth(past: Any, place: Any, component: int) -> Any:
    """(value, slope) of a state component by cubic Hermite interpolation; error O(h^4)."""
    left, right, u = place
    h = past[STEP]
    slopes = int(past[REMEMBERED]) + component
    x0 = past[left + component]
    d0 = h * past[left + slopes]
    d1 = h * past[right + slopes]
    rise = past[right + component] - x0
    c2 = 3.0 * rise - 2.0 * d0 - d1
    c3 = d0 + d1 - 2.0 * rise
    return x0 + u * (d0 + u * (c2 + u * c3)), (d0 + u * (2.0 * c2 + u * 3.0 * c3)) * past[INVERSE_STEP]


@helper
def straight(past: Any, place: Any, component: int) -> Any:
    """(value, slope) by linear interpolation: for components with kinks, which a cubic would overshoot; O(h^2)."""
    left, right, u = place
    x0 = past[left + component]
    rise = past[right + component] - x0
    return x0 + u * rise, rise * past[INVERSE_STEP]


@helper
def signal(past: Any, place: Any, number: int) -> float:
    """Remembered signal, linear between steps (signals may jump)."""
    left, right, u = place
    column = 2 * int(past[REMEMBERED]) + number
    x0 = past[left + column]
    return x0 + u * (past[right + column] - x0)


@helper
def queueing_round_trip(
    past: Any, queue: int, per_packet: float, base: float, time: float, guess: float, read: Any
) -> float:
    """Round-trip time d of the packet acknowledged at ``time``: d = base + per_packet * q(time - d).

    It left at time - d and met the queue of that instant. ``queue``: its component; ``per_packet``: seconds to send
    one. ``read`` is ``smooth`` or ``straight``. Newton from ``guess`` (the previous answer), kept inside the bracket
    found so far, because at the kinks of a queue that fills within a step plain Newton can jump back and forth. The
    right-hand side minus d falls with d, as a queue cannot fall faster than it is served, and is positive below base.
    """
    delay = max(guess, base)
    low, high = base, math.inf
    oldest = past[MASK] * past[STEP]
    for attempt in range(100):
        level, rate = read(past, locate(past, time - delay), queue)
        miss = base + level * per_packet - delay
        if abs(miss) <= 1e-9 * delay or high - low <= 1e-12 * delay:
            return delay
        if attempt > 40 and oldest - low <= 1e-9 * oldest:
            break
        if miss > 0.0:
            low = delay
        else:
            high = delay
        if attempt > 30:
            # While nothing enters, a queue falls as fast as it is served: all delays then have almost the same, tiny
            # residual, and Newton is very slow.
            delay = 0.5 * (low + min(high, oldest))
            continue
        delay += miss / max(1.0 + rate * per_packet, 1e-3)
        if not low < delay < high:
            delay = 0.5 * (low + high) if high < math.inf else low + miss
        # A step beyond what is remembered is no answer yet, only a long step: queues fall nearly as fast as they can.
        delay = min(delay, oldest)
    past[STATUS] = NO_DELAY
    return delay
