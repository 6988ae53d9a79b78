"""When a host's timers expire: exactly on time, or at the next tick of the host's clock."""

from __future__ import annotations

from footroom.base.compile_cache import helper


@helper
def _grain(ticks):
    """Binary digits of the tick count that a timer ``ticks`` ahead cannot use: the wheel keeps far timers coarsely.

    Levels of 64 slots, each eight times as coarse as the one before; a level serves waits of less than 63 of its slots
    (Linux kernel/time/timer.c, LVL_START and LVL_SHIFT).
    """
    shift = 0
    while ticks >= 63 << shift and shift < 12:
        shift += 3
    return shift


@helper
def goes_off(f, c, begun, wait):
    """When a timer of the sender of flow f, a host of class c, set at ``begun`` for ``wait``, goes off, all in ps.

    With ``timer_tick`` the wait is rounded up to whole ticks, counted from the last tick before ``begun``, and one tick
    is added, so that no timer is early (Linux usecs_to_jiffies and calc_index of its timer wheel). From 63 ticks on
    eight ticks take the place of one, from 504 on 64, and so forth: far timers go off together. Hosts were started at
    different times, so each one's ticks come at times of their own.
    """
    if c.timer_tick == 0:
        return begun + wait
    ahead = c.timer_tick * (f.clock >> 16) + ((c.timer_tick * (f.clock & 65535)) >> 16)
    ticks = (wait + c.timer_tick - 1) // c.timer_tick
    shift = _grain(ticks)
    rings = (((begun + ahead) // c.timer_tick + ticks) >> shift) + 1
    return c.timer_tick * (rings << shift) - ahead
