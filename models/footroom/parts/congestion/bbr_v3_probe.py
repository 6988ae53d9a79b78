"""BBR version 3's model of the path, and the cycle that probes it: down, cruise, refill, up."""

from __future__ import annotations

import math

from footroom.kernel.hooks import hook_part
from footroom.parts.congestion.bbr_v1 import _in_flight, count_lumps
from footroom.parts.congestion.bbr_v1_words import (
    AGGREGATION,
    DRAIN,
    FULL,
    FULL_BW,
    FULL_ROUNDS,
    MIN_RTT,
    MODE,
    NEXT_ROUND,
    PHASE,
    PHASE_AT,
    PROBE_BW,
    ROUND_STARTS,
    STARTUP,
)
from footroom.parts.congestion.bbr_v3_path import FEWEST, aim, at_departure, bandwidth, max_bw
from footroom.parts.congestion.bbr_v3_words import (
    ACK_PHASE,
    ALPHA,
    ALPHA_ARRIVED,
    ALPHA_MARKED,
    BW_HI,
    BW_LATEST,
    BW_LO,
    BW_NEW,
    CRUISE,
    CUT_END,
    DOWN,
    ECN_IN_CYCLE,
    ECN_IN_ROUND,
    ELIGIBLE,
    FEEDBACK,
    FULL_NOW,
    HI,
    IN_LATEST,
    INIT,
    LO,
    LOSS_EVENTS,
    LOSS_IN_CYCLE,
    LOSS_IN_ROUND,
    LOSS_ROUND_END,
    LOSS_ROUND_STARTS,
    MARKED_ROUNDS,
    MARKS,
    REFILL,
    REFILLING,
    RISKY,
    ROUNDS_SINCE,
    SAMPLES,
    STARTING,
    STOPPING,
    TOO_HIGH,
    UP,
    UP_ACKS,
    UP_COUNT,
    UP_ROUNDS,
    WAIT,
)
from footroom.parts.congestion.draws import draw

UNBOUNDED = 1e18
STARTING_GAIN, DRAINING = 710.0 / 256.0, 88.0 / 256.0  # 4 ln 2, and the inverse of 2/ln 2, as Linux rounds them
_CUT = 180.0 / 256.0  # what losses leave of a bound


@hook_part
def _probing(own):
    return own[MODE] == STARTUP or (own[MODE] == PROBE_BW and (own[PHASE] == REFILL or own[PHASE] == UP))


@hook_part
def _reset_lower(own):
    own[BW_LO] = own[LO] = UNBOUNDED


@hook_part
def _reset_full(own):
    own[FULL_BW] = own[FULL_ROUNDS] = own[FULL_NOW] = 0.0


@hook_part
def _reset_signals(own):
    own[LOSS_IN_ROUND] = own[ECN_IN_ROUND] = own[LOSS_IN_CYCLE] = own[ECN_IN_CYCLE] = 0.0
    own[BW_LATEST] = own[IN_LATEST] = 0.0


@hook_part
def _headroom(own):
    """The upper bound less 15 %, which is left to other flows."""
    if own[HI] == UNBOUNDED:
        return UNBOUNDED
    return max(own[HI] - max(math.floor(own[HI] * 38.0 / 256.0), 1.0), FEWEST)


@hook_part
def _too_high(own, lost, sent, marked, arrived):
    """Whether more than 2 % were lost of what was in flight, or more than half marked of what arrived."""
    if lost > 0.0 and sent > 0.0 and lost > math.floor(sent * 5.0 / 256.0):
        return True
    return own[ELIGIBLE] != 0.0 and arrived > 0.0 and marked > math.floor(arrived / 2.0)


@hook_part
def _full_of_queue(f, own, params):
    """Startup has built too long a queue."""
    own[FULL] = 1.0
    own[HI] = max(aim(f, own, params, max_bw(own)), own[IN_LATEST])


@hook_part
def _measure_marks(f, own, params):
    """A round begins: the part that was marked, averaged over about 16 rounds."""
    own[ROUNDS_SINCE] = min(own[ROUNDS_SINCE] + 1.0, 255.0)
    if params[MARKS] != 0.0 and 0.0 < own[MIN_RTT] <= 5e9:
        own[ELIGIBLE] = 1.0
    arrived, marked = float(f.arrived) - own[ALPHA_ARRIVED], float(f.arrived_marked) - own[ALPHA_MARKED]
    if own[ELIGIBLE] == 0.0 or arrived == 0.0:
        return
    share = marked / arrived
    own[ALPHA] = min((15.0 * own[ALPHA] + share) / 16.0, 1.0)
    own[ALPHA_ARRIVED] = float(f.arrived)
    own[ALPHA_MARKED] = float(f.arrived_marked)
    if own[FULL] == 0.0:
        own[MARKED_ROUNDS] = own[MARKED_ROUNDS] + 1.0 if share >= 0.5 else 0.0
        if own[MARKED_ROUNDS] >= 2.0:
            _full_of_queue(f, own, params)


@hook_part
def _latest(f, own, r, bandwidth):
    own[BW_LATEST] = max(own[BW_LATEST], bandwidth)
    own[IN_LATEST] = max(own[IN_LATEST], float(r.sample))
    if float(r.prior_arrived) >= own[LOSS_ROUND_END]:
        own[LOSS_ROUND_END] = float(f.arrived)
        own[LOSS_ROUND_STARTS] = 1.0


@hook_part
def _adapt_lower(f, own, params, r, bandwidth):
    """The largest bandwidth; and after a round with losses or marks, while not probing, lower bounds."""
    if r.limited == 0 or bandwidth >= max_bw(own):
        own[BW_NEW] = max(own[BW_NEW], bandwidth)
    if r.lost > 0:
        own[LOSS_IN_ROUND] = 1.0
    if own[LOSS_ROUND_STARTS] == 0.0:
        return
    if not _probing(own):
        by_marks = UNBOUNDED
        if (own[ECN_IN_ROUND] != 0.0 or own[LOSS_IN_ROUND] != 0.0) and own[LO] == UNBOUNDED:
            own[LO] = f.cwnd
        if own[ECN_IN_ROUND] != 0.0:
            by_marks = math.floor(own[LO] * (1.0 - own[ALPHA] * 85.0 / 256.0))
        if own[LOSS_IN_ROUND] != 0.0:
            if own[BW_LO] == UNBOUNDED:
                own[BW_LO] = max_bw(own)
            own[BW_LO] = max(own[BW_LATEST], own[BW_LO] * _CUT)
            own[LO] = max(own[IN_LATEST], math.floor(own[LO] * _CUT))
        own[LO] = min(own[LO], by_marks)
    own[LOSS_IN_ROUND] = own[ECN_IN_ROUND] = 0.0


@hook_part
def _aggregate(f, own, params, r):
    """Measure how far acknowledgements come in bursts."""
    if params[AGGREGATION] != 0.0:
        count_lumps(f, own, r, bandwidth(own), 5.0 if own[FULL] != 0.0 else 1.0)


@hook_part
def _losses_in_startup(f, own, params, r):
    """Startup ends after a round of recovery with six losses or more, and more than 2 % of what was in flight."""
    if own[FULL] != 0.0:
        return
    if r.lost > 0:
        own[LOSS_EVENTS] = min(own[LOSS_EVENTS] + 1.0, 15.0)
    if own[LOSS_ROUND_STARTS] != 0.0:
        if f.mode == 1 and own[LOSS_EVENTS] >= 6.0 and _sample_too_high(own, r):
            _full_of_queue(f, own, params)
            return
        own[LOSS_EVENTS] = 0.0


@hook_part
def _sample_too_high(own, r):
    if r.sample < 0:
        return False
    return _too_high(own, float(r.since_losses), float(r.sent_flight), float(r.since_marked), float(r.sample))


@hook_part
def _full(own, r, bandwidth):
    """Three rounds with less than a quarter more: the pipe is full."""
    if own[FULL_NOW] != 0.0 or r.limited != 0:
        return
    if bandwidth >= own[FULL_BW] * 1.25:
        _reset_full(own)
        own[FULL_BW] = bandwidth
        return
    if own[ROUND_STARTS] == 0.0:
        return
    own[FULL_ROUNDS] += 1.0
    if own[FULL_ROUNDS] >= 3.0:
        own[FULL_NOW] = own[FULL] = 1.0


@hook_part
def _drain(f, own, params, now):
    if own[MODE] == STARTUP and own[FULL] != 0.0:
        own[MODE] = DRAIN
        f.ssthresh = aim(f, own, params, max_bw(own))
        _reset_signals(own)
    if own[MODE] == DRAIN and at_departure(f, own, params, _in_flight(f), now) <= aim(f, own, params, max_bw(own)):
        own[MODE] = PROBE_BW
        _down(f, own, now)


@hook_part
def _steepen(f, own):
    """Each round of a probe adds twice as much as the one before."""
    own[UP_COUNT] = max(math.floor(f.cwnd / 2.0 ** own[UP_ROUNDS]), 1.0)
    own[UP_ROUNDS] = min(own[UP_ROUNDS] + 1.0, 30.0)


@hook_part
def _refill(f, own, rounds):
    _reset_lower(own)
    own[UP_ROUNDS] = rounds
    own[UP_ACKS] = own[RISKY] = 0.0
    own[ACK_PHASE] = REFILLING
    own[NEXT_ROUND] = float(f.arrived)
    own[PHASE] = REFILL


@hook_part
def _down(f, own, now):
    _reset_signals(own)
    own[UP_COUNT] = UNBOUNDED
    # Wait for 2 to 3 s, and for at most 62 to 63 rounds.
    own[ROUNDS_SINCE] = math.floor(draw(f) * 2.0)
    own[WAIT] = (2.0 + draw(f)) * 1e12
    own[PHASE_AT] = now
    own[ACK_PHASE] = STOPPING
    own[NEXT_ROUND] = float(f.arrived)
    own[PHASE] = DOWN


@hook_part
def _cruise(own):
    if own[LO] != UNBOUNDED:
        own[LO] = min(own[LO], own[HI])
    own[PHASE] = CRUISE


@hook_part
def _too_much(f, own, params, sent, limited, now):
    """A probe went too far: lower the upper bound to what was in flight then, by 30 % at most."""
    own[TOO_HIGH] = 1.0
    own[SAMPLES] = 0.0
    if limited == 0:
        target = min(aim(f, own, params, bandwidth(own)), f.cwnd)
        own[HI] = max(sent, math.floor(target * _CUT))
    if own[MODE] == PROBE_BW and own[PHASE] == UP:
        _down(f, own, now)


@hook_part
def _adapt_upper(f, own, params, r, now):
    """Follow a probe through its acknowledgements. True where the next phase is decided."""
    if own[ROUND_STARTS] != 0.0:
        if own[ACK_PHASE] == STARTING:
            own[ACK_PHASE] = FEEDBACK
        elif own[ACK_PHASE] == STOPPING:
            own[SAMPLES] = 0.0
            own[ACK_PHASE] = INIT
            if own[MODE] == PROBE_BW:
                if r.limited == 0 and own[BW_NEW] > 0.0:
                    own[BW_HI] = own[BW_NEW]
                    own[BW_NEW] = 0.0
                if own[RISKY] != 0.0 and own[TOO_HIGH] == 0.0:
                    _refill(f, own, 0.0)
                    return True
    if _sample_too_high(own, r):
        if own[SAMPLES] != 0.0:
            _too_much(f, own, params, float(r.sent_flight), r.limited, now)
        return False
    if own[HI] == UNBOUNDED:
        return False
    if r.sample >= 0:
        own[HI] = max(own[HI], float(r.sent_flight))
    if own[MODE] == PROBE_BW and own[PHASE] == UP and f.window_full != 0 and f.cwnd >= own[HI]:
        own[UP_ACKS] += float(r.delivered)
        if own[UP_ACKS] >= own[UP_COUNT]:
            more = math.floor(own[UP_ACKS] / own[UP_COUNT])
            own[UP_ACKS] -= more * own[UP_COUNT]
            own[HI] += more
        if own[ROUND_STARTS] != 0.0:
            _steepen(f, own)
    return False


@hook_part
def _due(f, own, params, now):
    """Begin to probe where it is time: marks have ceased, or the wait is over. True where it does."""
    calm = f.mode == 0 and own[CUT_END] == 0.0
    if own[ELIGIBLE] != 0.0 and own[ECN_IN_CYCLE] != 0.0 and own[LOSS_IN_CYCLE] == 0.0 and calm:
        # The first round adds half the upper bound.
        _refill(f, own, math.floor(math.log2(max(min(own[HI], 2.0**32) / 2.0, 1.0))))
        return True
    rounds = min(63.0, aim(f, own, params, bandwidth(own)), f.cwnd)
    if now - own[PHASE_AT] > own[WAIT] or own[ROUNDS_SINCE] >= rounds:
        _refill(f, own, 0.0)
        return True
    return False


@hook_part
def _cycle(f, own, params, r, bandwidth, now):
    """Adapt the upper bound, and end a phase of ProbeBW when its time is over or its target is reached."""
    if own[FULL] == 0.0 or _adapt_upper(f, own, params, r, now) or own[MODE] != PROBE_BW:
        return
    flight = at_departure(f, own, params, float(r.prior_flight), now)
    phase = own[PHASE]
    if phase == REFILL:
        if own[ROUND_STARTS] != 0.0:
            own[SAMPLES] = 1.0
            own[ACK_PHASE] = STARTING
            own[NEXT_ROUND] = float(f.arrived)
            own[PHASE_AT] = now
            _reset_full(own)
            own[FULL_BW] = bandwidth
            own[PHASE] = UP
            _steepen(f, own)
    elif phase == UP:
        done = False
        if own[TOO_HIGH] != 0.0 and flight >= own[HI]:
            own[RISKY] = 1.0
            done = True
        elif f.window_full != 0 and f.cwnd >= own[HI]:
            _reset_full(own)
            own[FULL_BW] = bandwidth
        else:
            done = own[FULL_NOW] != 0.0
        if done:
            own[TOO_HIGH] = 0.0
            _down(f, own, now)
    elif (
        not _due(f, own, params, now)
        and phase == DOWN
        and flight <= min(_headroom(own), aim(f, own, params, max_bw(own)))
    ):
        _cruise(own)
