"""BBR version 3: the path as it is estimated, and the windows that follow from it."""

from __future__ import annotations

import math

from footroom.kernel.hooks import hook_part
from footroom.parts.congestion.bbr_v1 import _burst
from footroom.parts.congestion.bbr_v1_words import (
    DEPARTURE,
    MIN_RTT,
    MODE,
    PACING_GAIN,
    PHASE,
    PROBE_BW,
    PROBE_EXTRA,
)
from footroom.parts.congestion.bbr_v3_words import (
    BW_HI,
    BW_LO,
    BW_NEW,
    INITIAL,
    UP,
)

FEWEST = 4.0  # least window


@hook_part
def max_bw(own):
    """The largest bandwidth of the last two cycles."""
    return max(own[BW_HI], own[BW_NEW])


@hook_part
def bandwidth(own):
    """The bandwidth that bounds what is sent."""
    return min(max_bw(own), own[BW_LO])


@hook_part
def _bdp(own, bandwidth, gain):
    if own[MIN_RTT] == 0.0:  # no round trip is known
        return own[INITIAL]
    return math.ceil(bandwidth * own[MIN_RTT] * 1e-12 * gain)


@hook_part
def _budget(f, own, params, window):
    """``window``, or what the bursts of the hosts at both ends need if that is more."""
    window = max(window, 3.0 * _burst(f, own), FEWEST)
    if own[MODE] == PROBE_BW and own[PHASE] == UP:
        window += params[PROBE_EXTRA]
    return window


@hook_part
def aim(f, own, params, bandwidth):
    """The window of one bandwidth-delay product at ``bandwidth``."""
    return _budget(f, own, params, _bdp(own, bandwidth, 1.0))


@hook_part
def at_departure(f, own, params, flight, now):
    """Segments that will be in the network when the next burst leaves."""
    if params[DEPARTURE] == 0.0:
        return flight
    if own[PACING_GAIN] > 1.0:
        flight += _burst(f, own)
    return max(flight - math.floor(bandwidth(own) * max(float(f.pace_at) - now, 0.0) * 1e-12), 0.0)
