"""BBR version 1 against a policer: the long-term bandwidth, off by default."""

from __future__ import annotations

import math

from footroom.kernel.hooks import hook_part
from footroom.parts.congestion.bbr_v1_modes import enter_probe_bw
from footroom.parts.congestion.bbr_v1_words import (
    LT_ARRIVED,
    LT_AT,
    LT_BW,
    LT_LOST,
    LT_ROUNDS,
    LT_SAMPLING,
    LT_USED,
    MILLISECOND,
    MODE,
    PACING_GAIN,
    PAYLOAD,
    PROBE_BW,
    ROUND_STARTS,
)


@hook_part
def _lt_interval(f, own):
    own[LT_AT] = math.floor(float(f.arrived_at) / MILLISECOND)
    own[LT_ARRIVED] = float(f.arrived)
    own[LT_LOST] = float(f.losses)
    own[LT_ROUNDS] = 0.0


@hook_part
def _lt_reset(f, own):
    own[LT_BW] = 0.0
    own[LT_USED] = 0.0
    own[LT_SAMPLING] = 0.0
    _lt_interval(f, own)


@hook_part
def lt_sample(f, own, lost, limited):
    """Two similar intervals with a fifth lost in each point to a policer: send at their rate for 48 rounds."""
    if own[LT_USED] != 0.0:
        if own[MODE] == PROBE_BW and own[ROUND_STARTS] != 0.0:
            own[LT_ROUNDS] += 1.0
            if own[LT_ROUNDS] >= 48.0:
                _lt_reset(f, own)
                enter_probe_bw(f, own)
        return
    if own[LT_SAMPLING] == 0.0:
        if lost == 0:
            return
        _lt_interval(f, own)
        own[LT_SAMPLING] = 1.0
    if limited != 0:
        _lt_reset(f, own)
        return
    if own[ROUND_STARTS] != 0.0:
        own[LT_ROUNDS] += 1.0
    if own[LT_ROUNDS] < 4.0:
        return
    if own[LT_ROUNDS] > 16.0:
        _lt_reset(f, own)
        return
    if lost == 0:
        return
    gone, arrived = float(f.losses) - own[LT_LOST], float(f.arrived) - own[LT_ARRIVED]
    if arrived == 0.0 or gone * 256.0 < 50.0 * arrived:
        return
    span = math.floor(float(f.arrived_at) / MILLISECOND) - own[LT_AT]
    if span < 1.0:
        return
    bandwidth = arrived / (span * 1e-3)
    if own[LT_BW] != 0.0:
        difference = abs(bandwidth - own[LT_BW])
        if difference * 8.0 <= own[LT_BW] or difference * own[PAYLOAD] * 0.99 <= 500.0:
            own[LT_BW] = (bandwidth + own[LT_BW]) / 2.0
            own[LT_USED] = 1.0
            own[PACING_GAIN] = 1.0
            own[LT_ROUNDS] = 0.0
            return
    own[LT_BW] = bandwidth
    _lt_interval(f, own)
