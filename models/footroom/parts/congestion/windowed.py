"""The largest of recent measurements, kept in three samples (Kathleen Nichols' filter; Linux lib/win_minmax.c)."""

from __future__ import annotations

from footroom.kernel.hooks import hook_part


@hook_part
def hold_max(own, at, window, now, value):
    """Add ``value`` at time ``now`` to the filter in own[at:at + 6]: pairs of time and value, largest first.

    Drops samples older than ``window``; times are whole numbers.
    """
    if value >= own[at + 1] or now - own[at + 4] > window:
        for n in range(3):
            own[at + 2 * n] = now
            own[at + 2 * n + 1] = value
        return
    if value >= own[at + 3]:
        own[at + 2] = own[at + 4] = now
        own[at + 3] = own[at + 5] = value
    elif value >= own[at + 5]:
        own[at + 4] = now
        own[at + 5] = value
    age = now - own[at]
    if age > window:  # the best is too old, and perhaps the second as well
        for n in range(4):
            own[at + n] = own[at + n + 2]
        own[at + 4] = now
        own[at + 5] = value
        if now - own[at] > window:
            for n in range(4):
                own[at + n] = own[at + n + 2]
            own[at + 4] = now
            own[at + 5] = value
    elif own[at + 2] == own[at] and age > window // 4:  # a quarter of the window without a second best
        own[at + 2] = own[at + 4] = now
        own[at + 3] = own[at + 5] = value
    elif own[at + 4] == own[at + 2] and age > window // 2:
        own[at + 4] = now
        own[at + 5] = value
