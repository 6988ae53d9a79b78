"""BBR version 1: entering ProbeBW, and leaving ProbeRTT."""

from __future__ import annotations

from footroom.kernel.hooks import hook_part
from footroom.parts.congestion.bbr_v1_words import (
    FULL,
    MIN_AT,
    MODE,
    PHASE,
    PHASE_AT,
    PRIOR,
    PROBE_BW,
    PROBE_END,
    STARTUP,
)
from footroom.parts.congestion.draws import draw


@hook_part
def enter_probe_bw(f, own):
    """ProbeBW begins at a random phase, never at the one that drains."""
    own[MODE] = PROBE_BW
    # Any phase but the one that drains.
    own[PHASE] = float((8 - int(draw(f) * 7.0)) % 8)
    own[PHASE_AT] = float(f.arrived_at)


@hook_part
def leave_probe_rtt(f, own, now):
    """Back from ProbeRTT when its time has passed, with the window of before."""
    if own[PROBE_END] == 0.0 or now <= own[PROBE_END]:
        return
    own[MIN_AT] = now
    f.cwnd = max(f.cwnd, own[PRIOR])
    if own[FULL] != 0.0:
        enter_probe_bw(f, own)
    else:
        own[MODE] = STARTUP
