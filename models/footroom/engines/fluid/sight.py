"""What a congestion control can see of the past: levels, notices and arrivals some time ago.

Compiled into the laws that call them; not callable from Python. ``own`` is where the group's parameter row begins.
"""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.fluid import layout
from footroom.engines.fluid.calls import call_probability
from footroom.engines.fluid.history import locate, queueing_round_trip, signal, smooth, straight


@helper
def level(past: Any, place: Any, component: int, params: Any) -> float:
    """A state component at a past place, as a cubic or as straight lines, whichever suits the equations."""
    if params[layout.SMOOTH] > 0.0:
        return smooth(past, place, component)[0]
    return straight(past, place, component)[0]


@helper
def round_trip(past: Any, params: Any, own: int, time: float, guess: float) -> float:
    """Round trip (s) of the packet acknowledged at ``time``, the queue it met included. ``guess``: the last answer."""
    base = params[own + layout.BASE]
    if params[layout.SMOOTH] > 0.0:
        return queueing_round_trip(past, layout.QUEUE, params[layout.PER_PACKET], base, time, guess, smooth)
    return queueing_round_trip(past, layout.QUEUE, params[layout.PER_PACKET], base, time, guess, straight)


@helper
def early(queue: float, state: float, params: Any) -> float:
    """Probability of the marking at a queue length and its own state; 0 without marking."""
    at = int(params[layout.PROBABILITY_AT])
    if at == 0:
        return 0.0
    return call_probability(at, queue, state, params)


@helper
def marked(past: Any, place: Any, params: Any) -> float:
    """Probability that the marking picked a packet that arrived at a past place."""
    if int(params[layout.PROBABILITY_AT]) == 0:
        return 0.0
    # Nothing was marked before the start.
    return early(level(past, place, layout.QUEUE, params), level(past, place, layout.MARKING_STATE, params), params)


@helper
def overflowed(past: Any, place: Any) -> float:
    """Probability that a packet of then found the buffer full."""
    return signal(past, place, layout.OVERFLOW)


@helper
def noticed(past: Any, place: Any, params: Any) -> float:
    """Probability that a packet of then was marked or dropped."""
    first = marked(past, place, params)
    return first + (1.0 - first) * overflowed(past, place)


@helper
def arrived(past: Any, place: Any) -> float:
    """Packets per second offered to the queue then."""
    return signal(past, place, layout.ARRIVALS)


@helper
def waiting(state: Any, params: Any) -> float:
    """Seconds a packet that arrives now waits."""
    return state[layout.QUEUE] * params[layout.PER_PACKET]


__all__ = ["arrived", "early", "level", "locate", "marked", "noticed", "overflowed", "round_trip", "waiting"]
