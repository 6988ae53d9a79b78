"""BBR version 1 for the packet engine: Linux tcp_bbr.c, with times and rates that are exact."""

from __future__ import annotations

import math

from footroom.kernel.hooks import hook_part, law_hook, row
from footroom.parts.congestion.bbr_v1_modes import enter_probe_bw, leave_probe_rtt
from footroom.parts.congestion.bbr_v1_policer import lt_sample
from footroom.parts.congestion.bbr_v1_words import (
    _EXTRA1,
    AGGREGATION,
    BURST,
    BW,
    CONSERVES,
    CWND_GAIN,
    DEPARTURE,
    DRAIN,
    EPOCH_ACKED,
    EPOCH_AT,
    EXTRA,
    EXTRA_ROUNDS,
    EXTRA_TURN,
    FULL,
    FULL_BW,
    FULL_ROUNDS,
    IDLE,
    INTERVAL,
    LT_AT,
    LT_BW,
    LT_USED,
    MAX_BW,
    MILLISECOND,
    MIN_AT,
    MIN_RTT,
    MODE,
    NEXT_ROUND,
    PACING_GAIN,
    PAYLOAD,
    PHASE,
    PHASE_AT,
    POLICER,
    PRIOR,
    PROBE_BW,
    PROBE_END,
    PROBE_EXTRA,
    PROBE_RTT,
    PROBE_TIME,
    ROUND_DONE,
    ROUND_STARTS,
    ROUNDS,
    SPARED,
    STARTUP,
    STATE,
    TIMED,
    WINDOW_GAIN,
)
from footroom.parts.congestion.windowed import hold_max

_HIGH, _DRAINING = 739.0 / 256.0, 88.0 / 256.0  # 2/ln 2 and its inverse, as Linux rounds them
_FEWEST = 4.0  # least window


@hook_part
def _bandwidth(own):
    return own[LT_BW] if own[LT_USED] != 0.0 else own[MAX_BW]


@hook_part
def _burst(f, own):
    """Segments of a burst: as given, or those of 1/1024 s at the pacing rate."""
    if own[BURST] > 0.0:
        return own[BURST]
    payload = own[PAYLOAD]
    least = 1.0 if f.pace_rate * payload < 150_000.0 else 2.0
    return max(min(math.floor(f.pace_rate / 1024.0), math.floor(65215.0 / payload)), least)


@hook_part
def _bdp(own, params, bandwidth, gain):
    if own[MIN_RTT] == 0.0:  # no round trip is known
        return 10.0
    return math.ceil(bandwidth * own[MIN_RTT] * 1e-12 * gain)


@hook_part
def _budget(f, own, params, window):
    """``window`` plus room for the bursts held back by the hosts at both ends."""
    window += 3.0 * _burst(f, own)
    window = 2.0 * math.ceil(window / 2.0)
    if own[MODE] == PROBE_BW and own[PHASE] == 0.0:
        window += params[PROBE_EXTRA]
    return window


@hook_part
def _target(f, own, params, bandwidth, gain):
    return _budget(f, own, params, _bdp(own, params, bandwidth, gain))


@hook_part
def _in_flight(f):
    return float(f.nxt - f.una - f.sacked - f.lost + f.resent)


@hook_part
def _at_departure(f, own, params, flight, now):
    """Segments that will be in the network when the next burst leaves."""
    if params[DEPARTURE] == 0.0:
        return flight
    if own[PACING_GAIN] > 1.0:
        flight += _burst(f, own)
    return max(flight - math.floor(_bandwidth(own) * max(float(f.pace_at) - now, 0.0) * 1e-12), 0.0)


@hook_part
def _pace(f, own, params, bandwidth, gain):
    return gain * bandwidth * params[SPARED]


@hook_part
def _save_window(f, own):
    if own[STATE] == 0.0 and own[MODE] != PROBE_RTT:
        own[PRIOR] = f.cwnd
    else:
        own[PRIOR] = max(own[PRIOR], f.cwnd)


@hook_part
def _measure(f, own, params, r):
    """Take the sample of the delivery rate, count rounds, and measure how far acknowledgements come in bursts."""
    own[ROUND_STARTS] = 0.0
    if r.sample < 0 or r.interval <= 0:
        return
    if float(r.prior_arrived) >= own[NEXT_ROUND]:
        own[NEXT_ROUND] = float(f.arrived)
        own[ROUNDS] += 1.0
        own[ROUND_STARTS] = 1.0
        own[CONSERVES] = 0.0
    if params[POLICER] != 0.0:
        lt_sample(f, own, r.lost, r.limited)
    bandwidth = float(r.sample) / (float(r.interval) * 1e-12)
    if r.limited == 0 or bandwidth >= own[MAX_BW]:
        hold_max(own, BW, 10.0, own[ROUNDS], bandwidth)
    if params[AGGREGATION] != 0.0 and r.delivered > 0:
        count_lumps(f, own, r, _bandwidth(own), 5.0)


@hook_part
def count_lumps(f, own, r, bandwidth, rounds):
    """Measure how far acknowledgements come in bursts, at ``bandwidth``; the older maximum expires after ``rounds``."""
    if own[ROUND_STARTS] != 0.0:
        own[EXTRA_ROUNDS] += 1.0
        if own[EXTRA_ROUNDS] >= rounds:
            own[EXTRA_ROUNDS] = 0.0
            own[EXTRA_TURN] = 1.0 - own[EXTRA_TURN]
            own[EXTRA + int(own[EXTRA_TURN])] = 0.0
    expected = math.floor(bandwidth * (float(f.arrived_at) - own[EPOCH_AT]) * 1e-12)
    if own[EPOCH_ACKED] <= expected or own[EPOCH_ACKED] + float(r.delivered) >= 1048576.0:
        own[EPOCH_ACKED] = 0.0
        own[EPOCH_AT] = float(f.arrived_at)
        expected = 0.0
    own[EPOCH_ACKED] += float(r.delivered)
    turn = EXTRA + int(own[EXTRA_TURN])
    own[turn] = max(own[turn], min(own[EPOCH_ACKED] - expected, f.cwnd))


@hook_part
def _cycle(f, own, params, r, now):
    """End a phase of ProbeBW when its time is over or its target is reached."""
    long_enough = float(f.arrived_at) - own[PHASE_AT] > own[MIN_RTT]
    if own[PACING_GAIN] == 1.0:
        ends = long_enough
    else:
        flight = _at_departure(f, own, params, float(r.prior_flight), now)
        if own[PACING_GAIN] > 1.0:
            ends = long_enough and (r.lost > 0 or flight >= _target(f, own, params, own[MAX_BW], own[PACING_GAIN]))
        else:
            ends = long_enough or flight <= _target(f, own, params, own[MAX_BW], 1.0)
    if ends:
        own[PHASE] = float((int(own[PHASE]) + 1) % 8)
        own[PHASE_AT] = float(f.arrived_at)


@hook_part
def _fill(f, own, params, r, now):
    """Startup ends after three rounds with less than a quarter more, Drain once the queue it left is gone."""
    if own[FULL] == 0.0 and own[ROUND_STARTS] != 0.0 and r.limited == 0:
        if own[MAX_BW] >= 1.25 * own[FULL_BW]:
            own[FULL_BW] = own[MAX_BW]
            own[FULL_ROUNDS] = 0.0
        else:
            own[FULL_ROUNDS] += 1.0
            if own[FULL_ROUNDS] >= 3.0:
                own[FULL] = 1.0
    if own[MODE] == STARTUP and own[FULL] != 0.0:
        own[MODE] = DRAIN
        f.ssthresh = _target(f, own, params, own[MAX_BW], 1.0)
    if own[MODE] == DRAIN and _at_departure(f, own, params, _in_flight(f), now) <= _target(
        f, own, params, own[MAX_BW], 1.0
    ):
        enter_probe_bw(f, own)


@hook_part
def _time(f, own, params, r, now):
    """The shortest round trip; ProbeRTT once none shorter was seen for long."""
    expired = params[INTERVAL] > 0.0 and now > own[MIN_AT] + params[INTERVAL]
    if r.sample_rtt >= 0 and (own[MIN_RTT] == 0.0 or float(r.sample_rtt) <= own[MIN_RTT] or expired):
        own[MIN_RTT] = float(r.sample_rtt)
        own[MIN_AT] = now
    if expired and own[IDLE] == 0.0 and own[MODE] != PROBE_RTT:
        own[MODE] = PROBE_RTT
        _save_window(f, own)
        own[PROBE_END] = 0.0
    if own[MODE] == PROBE_RTT:
        flight = _in_flight(f)
        f.limited = max(f.arrived + int(flight), 1)
        if own[PROBE_END] == 0.0:
            if flight <= _FEWEST:
                own[PROBE_END] = now + params[PROBE_TIME]
                own[ROUND_DONE] = 0.0
                own[NEXT_ROUND] = float(f.arrived)
        else:
            if own[ROUND_STARTS] != 0.0:
                own[ROUND_DONE] = 1.0
            if own[ROUND_DONE] != 0.0:
                leave_probe_rtt(f, own, now)
    if r.sample > 0:
        own[IDLE] = 0.0


@hook_part
def _set_gains(own, params):
    own[CWND_GAIN] = _HIGH
    if own[MODE] == STARTUP:
        own[PACING_GAIN] = _HIGH
    elif own[MODE] == DRAIN:
        own[PACING_GAIN] = _DRAINING
    elif own[MODE] == PROBE_BW:
        own[CWND_GAIN] = params[WINDOW_GAIN]
        own[PACING_GAIN] = 1.0
        if own[LT_USED] == 0.0 and own[PHASE] < 2.0:
            own[PACING_GAIN] = 1.25 if own[PHASE] == 0.0 else 0.75
    else:
        own[PACING_GAIN] = 1.0
        own[CWND_GAIN] = 1.0


@hook_part
def _set_window(f, own, params, r):
    delivered, flight = float(r.delivered), _in_flight(f)
    if delivered > 0.0:
        window = f.cwnd
        if r.lost > 0:
            window = max(window - float(r.lost), 1.0)
        if f.mode == 1 and own[STATE] != 1.0:
            own[CONSERVES] = 1.0
            own[NEXT_ROUND] = float(f.arrived)
            window = flight + delivered
        elif own[STATE] != 0.0 and f.mode == 0:
            window = max(window, own[PRIOR])
            own[CONSERVES] = 0.0
        own[STATE] = float(f.mode)
        if own[CONSERVES] != 0.0:
            f.cwnd = max(window, flight + delivered)
        else:
            target = _bdp(own, params, _bandwidth(own), own[CWND_GAIN])
            if own[FULL] != 0.0 and params[AGGREGATION] != 0.0:
                # At most the segments of 100 ms.
                target += min(max(own[EXTRA], own[_EXTRA1]), math.floor(_bandwidth(own) * 0.1))
            target = _budget(f, own, params, target)
            if own[FULL] != 0.0:
                window = min(window + delivered, target)
            elif window < target or f.arrived < 10:
                window += delivered
            f.cwnd = max(window, _FEWEST)
    if own[MODE] == PROBE_RTT:
        f.cwnd = min(f.cwnd, _FEWEST)


@law_hook
def on_start(flow, own, params, report):
    """A connection is set up, or goes on after a pause."""
    f, r = row(flow), row(report)
    now = float(r.now)
    if r.resumed == 0:
        f.cwnd = float(r.window)
        f.ssthresh = 1e18
        own[BURST] = float(r.burst) if r.autosize == 0 else 0.0
        own[PAYLOAD] = float(r.payload)
        own[MIN_RTT] = float(r.handshake)
        own[MIN_AT] = now
        own[TIMED] = 1.0 if r.handshake > 0 else 0.0
        # Without a measured round trip, 1 ms is assumed.
        f.pace_rate = _pace(
            f, own, params, f.cwnd / (max(float(r.handshake), 1e6) if r.handshake > 0 else 1e9) * 1e12, _HIGH
        )
        own[MODE] = STARTUP
        _set_gains(own, params)
        own[LT_AT] = math.floor(now / MILLISECOND)
    own[IDLE] = 1.0
    own[EPOCH_AT] = now
    own[EPOCH_ACKED] = 0.0
    if r.resumed != 0:
        if own[MODE] == PROBE_BW:
            f.pace_rate = _pace(f, own, params, _bandwidth(own), 1.0)
        elif own[MODE] == PROBE_RTT:
            leave_probe_rtt(f, own, now)
    return 0


@law_hook
def on_sample(flow, own, params, report):
    """An acknowledgement: bring the model of the path up to date, and set pacing rate and window by it."""
    f, r = row(flow), row(report)
    now = float(r.now)
    _measure(f, own, params, r)
    if own[MODE] == PROBE_BW:
        _cycle(f, own, params, r, now)
    _fill(f, own, params, r, now)
    _time(f, own, params, r, now)
    _set_gains(own, params)
    rate = _pace(f, own, params, _bandwidth(own), own[PACING_GAIN])
    if own[TIMED] == 0.0 and f.srtt > 0:
        own[TIMED] = 1.0
        f.pace_rate = _pace(f, own, params, f.cwnd / float(f.srtt) * 1e12, _HIGH)
    if own[FULL] != 0.0 or rate > f.pace_rate:
        f.pace_rate = rate
    _set_window(f, own, params, r)
    return 0


@law_hook
def on_loss(flow, own, params, report):
    """Recovery begins: save the window, to restore it at the end."""
    _save_window(row(flow), own)
    return 0


@law_hook
def on_timeout(flow, own, params, report):
    """The retransmission timer expired: Startup's search begins anew, as if a round had ended."""
    f = row(flow)
    if f.mode == 0 or (f.mode == 2 and f.una > f.tried):
        _save_window(f, own)
    own[STATE] = 2.0
    own[FULL_BW] = 0.0
    own[ROUND_STARTS] = 1.0
    if params[POLICER] != 0.0:
        lt_sample(f, own, 1, 0)
    return 0
