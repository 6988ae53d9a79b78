"""BBR version 3 for the packet engine: Google's v3 branch of Linux tcp_bbr.c, with times and rates that are exact.

Here is what happens on each event; ``bbr_v3_probe`` has the model of the path and the cycle that probes it.
"""

from __future__ import annotations

import math

from footroom.kernel.hooks import hook_part, law_hook, row
from footroom.parts.congestion.bbr_v1 import _in_flight, _pace, _save_window
from footroom.parts.congestion.bbr_v1_words import (
    AGGREGATION,
    BURST,
    CWND_GAIN,
    DRAIN,
    EPOCH_ACKED,
    EPOCH_AT,
    EXTRA,
    FULL,
    IDLE,
    INTERVAL,
    MIN_AT,
    MIN_RTT,
    MODE,
    NEXT_ROUND,
    PACING_GAIN,
    PAYLOAD,
    PHASE,
    PRIOR,
    PROBE_BW,
    PROBE_END,
    PROBE_RTT,
    PROBE_TIME,
    ROUND_DONE,
    ROUND_STARTS,
    STARTUP,
    STATE,
    TIMED,
)
from footroom.parts.congestion.bbr_v3_path import FEWEST, _bdp, _budget
from footroom.parts.congestion.bbr_v3_path import bandwidth as _bandwidth
from footroom.parts.congestion.bbr_v3_probe import (
    DRAINING,
    STARTING_GAIN,
    UNBOUNDED,
    _adapt_lower,
    _aggregate,
    _cruise,
    _cycle,
    _down,
    _drain,
    _full,
    _headroom,
    _latest,
    _losses_in_startup,
    _measure_marks,
    _probing,
    _reset_full,
    _reset_lower,
    _too_high,
    _too_much,
)
from footroom.parts.congestion.bbr_v3_words import (
    ACK_PHASE,
    ALPHA,
    BW_LATEST,
    CRUISE,
    CUT_END,
    DOWN,
    ECN_IN_CYCLE,
    ECN_IN_ROUND,
    ELIGIBLE,
    HI,
    IN_LATEST,
    INITIAL,
    LO,
    LOSS_IN_CYCLE,
    LOSS_IN_ROUND,
    LOSS_ROUND_END,
    LOSS_ROUND_STARTS,
    PROBE_MIN,
    PROBE_MIN_AT,
    SAMPLES,
    STOPPING,
    UP,
)

#: Words of memory per flow.
WORDS = 71
_SECOND = 1e12


@hook_part
def _least(own, params):
    """Window of ProbeRTT: half a bandwidth-delay product."""
    return max(_bdp(own, _bandwidth(own), 0.5), FEWEST)


@hook_part
def _leave_probe_rtt(f, own, params, now):
    if own[PROBE_END] == 0.0 or now <= own[PROBE_END]:
        return
    own[PROBE_MIN_AT] = now
    f.cwnd = max(f.cwnd, own[PRIOR])
    _reset_lower(own)
    if own[FULL] != 0.0:
        own[MODE] = PROBE_BW
        _down(f, own, now)
        _cruise(own)
    else:
        own[MODE] = STARTUP


@hook_part
def _time(f, own, params, r, now):
    """The shortest round trips of 5 s and of 10 s; ProbeRTT once none shorter was seen for the former."""
    expired = params[INTERVAL] > 0.0 and now > own[PROBE_MIN_AT] + params[INTERVAL]
    if r.sample_rtt >= 0 and (own[PROBE_MIN] == 0.0 or float(r.sample_rtt) < own[PROBE_MIN] or expired):
        own[PROBE_MIN] = float(r.sample_rtt)
        own[PROBE_MIN_AT] = now
    if own[PROBE_MIN] != 0.0 and (
        own[MIN_RTT] == 0.0 or own[PROBE_MIN] <= own[MIN_RTT] or now > own[MIN_AT] + 10.0 * _SECOND
    ):
        own[MIN_RTT] = own[PROBE_MIN]
        own[MIN_AT] = own[PROBE_MIN_AT]
    if expired and own[IDLE] == 0.0 and own[MODE] != PROBE_RTT:
        own[MODE] = PROBE_RTT
        _save_window(f, own)
        own[PROBE_END] = 0.0
        own[ACK_PHASE] = STOPPING
        own[NEXT_ROUND] = float(f.arrived)
    if own[MODE] == PROBE_RTT:
        flight = _in_flight(f)
        f.limited = max(f.arrived + int(flight), 1)
        if own[PROBE_END] == 0.0:
            if flight <= _least(own, params):
                own[PROBE_END] = now + params[PROBE_TIME]
                own[ROUND_DONE] = 0.0
                own[NEXT_ROUND] = float(f.arrived)
        else:
            if own[ROUND_STARTS] != 0.0:
                own[ROUND_DONE] = 1.0
            if own[ROUND_DONE] != 0.0:
                _leave_probe_rtt(f, own, params, now)
    if r.sample > 0:
        own[IDLE] = 0.0


@hook_part
def _watch_marks(f, own, r):
    """A mark begins a state that lasts until what was sent by then is acknowledged (Linux tcp_enter_cwr)."""
    if f.mode != 0 or float(f.una) >= own[CUT_END]:
        own[CUT_END] = 0.0
    if r.echo != 0 and f.mode == 0 and own[CUT_END] == 0.0:
        own[CUT_END] = float(f.nxt) + 1.0
        _save_window(f, own)


@hook_part
def _set_gains(own):
    own[PACING_GAIN] = 1.0
    own[CWND_GAIN] = 2.0
    if own[MODE] == STARTUP:
        own[PACING_GAIN] = STARTING_GAIN
    elif own[MODE] == DRAIN:
        own[PACING_GAIN] = DRAINING
    elif own[MODE] == PROBE_RTT:
        own[CWND_GAIN] = 1.0
    elif own[PHASE] == UP:
        own[PACING_GAIN] = 1.25
        own[CWND_GAIN] = 2.25
    elif own[PHASE] == DOWN:
        own[PACING_GAIN] = 232.0 / 256.0


@hook_part
def _set_window(f, own, params, r):
    delivered = float(r.delivered)
    if delivered > 0.0:
        window = f.cwnd
        target = _bdp(own, _bandwidth(own), own[CWND_GAIN])
        if params[AGGREGATION] != 0.0:  # at most what 100 ms hold
            target += min(max(own[EXTRA], own[EXTRA + 1]), math.floor(_bandwidth(own) * 0.1))
        target = _budget(f, own, params, target)
        if own[FULL] != 0.0:
            window = min(window + delivered, target)
        elif window < target or window < 2.0 * own[INITIAL]:
            window += delivered
        f.cwnd = max(window, FEWEST)
    if own[MODE] == PROBE_RTT:
        f.cwnd = min(f.cwnd, _least(own, params))
    cap = UNBOUNDED
    if own[MODE] == PROBE_BW and own[PHASE] != CRUISE:
        cap = own[HI]
    elif own[MODE] == PROBE_BW or own[MODE] == PROBE_RTT:
        cap = _headroom(own)
    f.cwnd = min(f.cwnd, max(min(cap, own[LO]), FEWEST))


@law_hook
def on_start(flow, own, params, report):
    """A connection is set up, or goes on after a pause."""
    f, r = row(flow), row(report)
    now = float(r.now)
    if r.resumed == 0:
        f.cwnd = float(r.window)
        f.ssthresh = 1e18
        own[INITIAL] = f.cwnd
        own[BURST] = float(r.burst) if r.autosize == 0 else 0.0
        own[PAYLOAD] = float(r.payload)
        own[MIN_RTT] = own[PROBE_MIN] = float(r.handshake)
        own[MIN_AT] = own[PROBE_MIN_AT] = now
        own[TIMED] = 1.0 if r.handshake > 0 else 0.0
        # Without a measured round trip, 1 ms is assumed.
        f.pace_rate = _pace(
            f, own, params, f.cwnd / (max(float(r.handshake), 1e6) if r.handshake > 0 else 1e9) * 1e12, STARTING_GAIN
        )
        own[MODE] = STARTUP
        own[LOSS_ROUND_END] = float(f.arrived) + 1.0
        own[HI] = UNBOUNDED
        own[ALPHA] = 1.0
        _reset_lower(own)
        _set_gains(own)
    own[CUT_END] = 0.0
    own[IDLE] = 1.0
    own[EPOCH_AT] = now
    own[EPOCH_ACKED] = 0.0
    if r.resumed != 0:
        if own[MODE] == PROBE_BW:
            f.pace_rate = _pace(f, own, params, _bandwidth(own), 1.0)
        elif own[MODE] == PROBE_RTT:
            _leave_probe_rtt(f, own, params, now)
    return 0


@law_hook
def on_sample(flow, own, params, report):
    """An acknowledgement: bring the model of the path up to date, and set pacing rate and window by it."""
    f, r = row(flow), row(report)
    now = float(r.now)
    if own[STATE] == 2.0 and f.mode != 2:
        f.cwnd = max(f.cwnd, own[PRIOR])
    _watch_marks(f, own, r)
    valid = r.sample >= 0 and r.interval > 0
    own[ROUND_STARTS] = 0.0
    if valid and float(r.prior_arrived) >= own[NEXT_ROUND]:
        own[NEXT_ROUND] = float(f.arrived)
        own[ROUND_STARTS] = 1.0
        _measure_marks(f, own, params)
    if own[ELIGIBLE] != 0.0 and r.echo != 0:
        own[ECN_IN_ROUND] = 1.0
    bandwidth = float(r.sample) / (float(r.interval) * 1e-12) if valid else 0.0
    heard = valid and r.delivered > 0
    own[LOSS_ROUND_STARTS] = 0.0
    if heard:
        _latest(f, own, r, bandwidth)
        _adapt_lower(f, own, params, r, bandwidth)
        _aggregate(f, own, params, r)
    _losses_in_startup(f, own, params, r)
    _full(own, r, bandwidth)
    _drain(f, own, params, now)
    _cycle(f, own, params, r, bandwidth, now)
    _time(f, own, params, r, now)
    _set_gains(own)
    rate = _pace(f, own, params, _bandwidth(own), own[PACING_GAIN])
    if own[TIMED] == 0.0 and f.srtt > 0:
        own[TIMED] = 1.0
        f.pace_rate = _pace(f, own, params, f.cwnd / float(f.srtt) * 1e12, STARTING_GAIN)
    if own[FULL] != 0.0 or rate > f.pace_rate:
        f.pace_rate = rate
    _set_window(f, own, params, r)
    if own[LOSS_ROUND_STARTS] != 0.0:
        own[BW_LATEST] = bandwidth
        own[IN_LATEST] = float(r.sample)
    own[STATE] = float(f.mode)
    if r.sample >= 0 and r.since_losses > 0:
        own[LOSS_IN_CYCLE] = 1.0
    if r.sample >= 0 and r.since_marked > 0:
        own[ECN_IN_CYCLE] = 1.0
    return 0


@law_hook
def on_lost(flow, own, params, report):
    """A segment is found lost: while probing, judge whether too many of those sent about then were lost.

    A probe of a lost tail that repaired one (``lost_since`` 0) is judged by what the last round delivered.
    """
    f, r = row(flow), row(report)
    if own[LOSS_IN_ROUND] == 0.0:
        own[LOSS_ROUND_END] = float(f.arrived + r.delivered)
    own[LOSS_IN_ROUND] = own[LOSS_IN_CYCLE] = 1.0
    if own[SAMPLES] == 0.0:
        return 0
    lost, sent = float(r.lost_since), float(r.lost_flight)
    if lost == 0.0:
        lost, sent = 1.0, own[IN_LATEST] + 1.0
        if _too_high(own, lost, sent, 0.0, 0.0):
            _too_much(f, own, params, sent, 0, float(r.now))
    elif _too_high(own, lost, sent, 0.0, 0.0):
        # How much was in flight when the losses became too many.
        sent -= 1.0
        lost -= 1.0
        budget = math.ceil(sent * 5.0 / 256.0)
        if lost < budget:
            sent += math.floor((budget - lost) * 256.0 / 251.0)
        _too_much(f, own, params, sent, r.lost_limited, float(r.now))
    return 0


@law_hook
def on_timeout(flow, own, params, report):
    """The retransmission timer expired: Startup's search begins anew."""
    f = row(flow)
    if f.mode == 0 or (f.mode == 2 and f.una > f.tried):
        _save_window(f, own)
    own[STATE] = 2.0
    _reset_full(own)
    if not _probing(own) and own[LO] == UNBOUNDED:
        own[LO] = max(own[PRIOR], 1.0)
    return 0


@law_hook
def on_ecn(flow, own, params, report):
    """Marks are counted with the samples."""
    return 0
