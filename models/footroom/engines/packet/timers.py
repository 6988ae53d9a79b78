"""When a host's timers go off: at once when their time has come, or at the next tick of the host's clock."""

from __future__ import annotations

from footroom.base.compile_cache import helper


@helper
def goes_off(f, c, begun, wait):
    """When a timer of the sender of flow f, a host of class c, set at ``begun`` for ``wait``, goes off, all in ps.

    With ``timer_tick`` the wait is rounded up to whole ticks, counted from the last tick before ``begun``, and one tick
    is added, so that no timer is early (Linux usecs_to_jiffies and calc_index of its timer wheel). Hosts were started
    at different times, so each one's ticks come at times of their own.
    """
    if c.timer_tick == 0:
        return begun + wait
    ahead = (c.timer_tick * f.clock) >> 16
    return c.timer_tick * ((begun + ahead) // c.timer_tick + (wait + c.timer_tick - 1) // c.timer_tick + 1) - ahead
