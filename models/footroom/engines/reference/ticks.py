"""Timers of hosts whose clock ticks."""

from __future__ import annotations

from footroom.engines.plan import Stack


def rings(stack: Stack, begun: int, wait: int) -> int:
    """When a timer that a host sets at ``begun`` for ``wait`` rings [ps].

    A host counts ticks: those that have passed when it sets the timer, and as many as cover the wait. The timer rings
    at the end of the tick that follows, the first that is surely not early.
    """
    tick = int(stack.timer_tick)
    if not tick:
        return begun + wait
    passed, covering = begun // tick, -(-wait // tick)
    return (passed + covering + 1) * tick
