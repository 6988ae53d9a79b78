"""TCP Reno as a fluid: the compiled equations.

Source: Misra, Gong, Towsley (SIGCOMM 2000); Hollot, Misra, Towsley, Gong (INFOCOM 2001). Per group g of N_g flows with
window W_g (packets), base round trip T_g and one ACK per b_g packets; q the queue in packets, C packets/s:

    dW/dt = 1/(b R) - W(t) W(t-R) p(t-R) / (2 R(t-R)),     R = T + q/C
    dq/dt = sum N W/R + background - C                        within [0, B]

Refinement for large p (an additive step per *delivered* ACK): first term (1 - p_d) W_d / (b R_d W).

Departures from the source: t-R is the instant the acknowledged packet met the queue, solved implicitly; W >= 1; the
queue ends at B, where the share p = 1 - C/y of arrivals is lost (drop-tail); several groups share the queue; packets
offered, carried and lost are integrated along with the state by the same quadrature, so that they balance exactly.

State:   q, law (averaged queue for RED, probability for PI, else unused), W_0 .. W_{G-1} | offered, carried, lost
Signals: q, overflow probability, total probability of a mark or drop, arrivals per second, mean window per flow.
"""

from __future__ import annotations

from typing import Any

from footroom.compile_cache import helper
from footroom.fluid.history import locate, queueing_round_trip, signal, smooth, straight
from footroom.fluid.model import Model

# State components.
QUEUE, LAW, WINDOWS = 0, 1, 2
# Integrated components, counted from the end of the windows.
OFFERED, CARRIED, LOST = 0, 1, 2
BALANCES = 3
# Signals.
OVERFLOW, PROBABILITY, ARRIVALS, WINDOW = 1, 2, 3, 4
SIGNALS, REMEMBERED_SIGNALS = 5, 2
# Parameters.
CAPACITY, PER_PACKET, BUFFER, GROUPS_NUMBER, REFINED, BACKGROUND = 0, 1, 2, 3, 4, 5
RED_MINIMUM, RED_SLOPE, RED_MAXIMUM, RED_POLE, RED_DROPS = 6, 7, 8, 9, 10
PI_GAIN, PI_ZERO, PI_TARGET = 6, 7, 8
GROUPS = 11
# Per group: parameters, and values looked up in the past.
COUNT, BASE, ACK_EVERY, PER_GROUP = 0, 1, 2, 3
ROUND_TRIP, RATE_THEN, PROBABILITY_THEN = 0, 1, 2


@helper
def _arrivals(state: Any, params: Any) -> float:
    """Packets per second offered to the queue by all groups and the background."""
    wait = state[QUEUE] * params[PER_PACKET]
    total = params[BACKGROUND]
    for g in range(int(params[GROUPS_NUMBER])):
        base = GROUPS + PER_GROUP * g
        total += params[base + COUNT] * max(1.0, state[WINDOWS + g]) / (params[base + BASE] + wait)
    return total


@helper
def _overflow(state: Any, params: Any, admitted: float) -> float:
    """Share of the admitted arrivals that finds the buffer full."""
    if state[QUEUE] >= params[BUFFER] and admitted > params[CAPACITY]:
        return 1.0 - params[CAPACITY] / admitted
    return 0.0


@helper
def _window_slopes(state: Any, seen: Any, params: Any, out: Any) -> None:
    """Additive increase and multiplicative decrease of every group."""
    wait = state[QUEUE] * params[PER_PACKET]
    for g in range(int(params[GROUPS_NUMBER])):
        base = GROUPS + PER_GROUP * g
        window = max(1.0, state[WINDOWS + g])  # a stage may overshoot where a whole window is marked at once
        every = params[base + ACK_EVERY]
        rate = seen[PER_GROUP * g + RATE_THEN]
        probability = seen[PER_GROUP * g + PROBABILITY_THEN]
        if params[REFINED] > 0.0:
            growth = (1.0 - probability) * rate / (every * window)
        else:
            growth = 1.0 / (every * (params[base + BASE] + wait))
        slope = growth - 0.5 * window * rate * probability
        out[WINDOWS + g] = slope if window > 1.0 or slope > 0.0 else 0.0


@helper
def _queue_slopes(state: Any, params: Any, out: Any, arrivals: float, admitted: float) -> None:
    """Queue and balances; by construction d(queue) = d(offered) - d(carried) - d(lost)."""
    capacity = params[CAPACITY]
    overflow = 0.0
    carried = capacity
    if admitted > capacity:
        if state[QUEUE] >= params[BUFFER]:
            overflow = admitted - capacity
    elif state[QUEUE] <= 0.0:
        carried = admitted
    out[QUEUE] = admitted - overflow - carried
    balance = WINDOWS + int(params[GROUPS_NUMBER])
    out[balance + OFFERED] = arrivals
    out[balance + CARRIED] = carried
    out[balance + LOST] = arrivals - admitted + overflow


@helper
def _look_back(time: float, past: Any, params: Any, out: Any, read: Any) -> None:
    """Round trip, sending rate of one flow and overflow probability each group is being told about at ``time``."""
    for g in range(int(params[GROUPS_NUMBER])):
        own = PER_GROUP * g
        trip = queueing_round_trip(
            past, QUEUE, params[PER_PACKET], params[GROUPS + own + BASE], time, out[own + ROUND_TRIP], read)
        out[own + ROUND_TRIP] = trip
        place = locate(past, time - trip)
        out[own + RATE_THEN] = read(past, place, WINDOWS + g)[0] / trip
        out[own + PROBABILITY_THEN] = signal(past, place, OVERFLOW)


@helper
def _report(state: Any, params: Any, out: Any, arrivals: float, early: float, overflow: float) -> None:
    flows = 0.0
    windows = 0.0
    for g in range(int(params[GROUPS_NUMBER])):
        count = params[GROUPS + PER_GROUP * g + COUNT]
        flows += count
        windows += count * state[WINDOWS + g]
    out[QUEUE] = state[QUEUE]
    out[OVERFLOW] = overflow
    out[PROBABILITY] = early + (1.0 - early) * overflow
    out[ARRIVALS] = arrivals
    out[WINDOW] = windows / flows


@helper
def _keep_legal(out: Any, params: Any) -> None:
    """Queue in [0, B], windows at least one packet; what the step carried too far is booked where it belongs."""
    groups = int(params[GROUPS_NUMBER])
    balance = WINDOWS + groups
    if out[QUEUE] > params[BUFFER]:
        out[balance + LOST] += out[QUEUE] - params[BUFFER]
        out[QUEUE] = params[BUFFER]
    elif out[QUEUE] < 0.0:
        out[balance + CARRIED] += out[QUEUE]
        out[QUEUE] = 0.0
    for g in range(groups):
        out[WINDOWS + g] = max(1.0, out[WINDOWS + g])


# Drop-tail. Linear history: the loss jumps and the queue has kinks, which a cubic would overshoot.


def _tail_delayed(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    _look_back(time, past, params, out, straight)


def _tail_slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    arrivals = _arrivals(state, params)
    _window_slopes(state, seen, params, out)
    _queue_slopes(state, params, out, arrivals, arrivals)
    out[LAW] = 0.0


def _tail_project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    _keep_legal(out, params)


def _tail_observe(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    arrivals = _arrivals(state, params)
    _report(state, params, out, arrivals, 0.0, _overflow(state, params, arrivals))


DROP_TAIL = Model("reno with drop-tail", _tail_delayed, _tail_slope, _tail_project, _tail_observe)


# Random early detection, of the queue itself (pole 0) or of its exponential average.


@helper
def _red_probability(level: float, params: Any) -> float:
    """0 below the lower threshold, a ramp up to the maximum, 1 above the upper threshold."""
    probability = (level - params[RED_MINIMUM]) * params[RED_SLOPE]
    if probability <= 0.0:
        return 0.0
    return probability if probability <= params[RED_MAXIMUM] else 1.0


@helper
def _red_level(state: Any, params: Any) -> float:
    return state[LAW] if params[RED_POLE] > 0.0 else state[QUEUE]


def _red_delayed(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    _look_back(time, past, params, out, smooth)
    component = LAW if params[RED_POLE] > 0.0 else QUEUE
    for g in range(int(params[GROUPS_NUMBER])):
        own = PER_GROUP * g
        early = _red_probability(smooth(past, locate(past, time - out[own + ROUND_TRIP]), component)[0], params)
        out[own + PROBABILITY_THEN] = early + (1.0 - early) * out[own + PROBABILITY_THEN]


def _red_slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    arrivals = _arrivals(state, params)
    admitted = arrivals * (1.0 - params[RED_DROPS] * _red_probability(_red_level(state, params), params))
    _window_slopes(state, seen, params, out)
    _queue_slopes(state, params, out, arrivals, admitted)
    out[LAW] = params[RED_POLE] * (state[QUEUE] - state[LAW])


def _red_observe(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    arrivals = _arrivals(state, params)
    early = _red_probability(_red_level(state, params), params)
    admitted = arrivals * (1.0 - params[RED_DROPS] * early)
    _report(state, params, out, arrivals, early, _overflow(state, params, admitted))


RED = Model("reno with random early detection", _red_delayed, _red_slope, _tail_project, _red_observe)


# Proportional-integral marking (Hollot et al., INFOCOM 2001, second paper): dp/dt = K (dq/dt / z + q - q_ref).


def _pi_delayed(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    _look_back(time, past, params, out, smooth)
    for g in range(int(params[GROUPS_NUMBER])):
        own = PER_GROUP * g
        early = smooth(past, locate(past, time - out[own + ROUND_TRIP]), LAW)[0]
        out[own + PROBABILITY_THEN] = early + (1.0 - early) * out[own + PROBABILITY_THEN]


def _pi_slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    arrivals = _arrivals(state, params)
    _window_slopes(state, seen, params, out)
    _queue_slopes(state, params, out, arrivals, arrivals)
    slope = params[PI_GAIN] * (out[QUEUE] / params[PI_ZERO] + state[QUEUE] - params[PI_TARGET])
    at_end = (state[LAW] <= 0.0 and slope < 0.0) or (state[LAW] >= 1.0 and slope > 0.0)
    out[LAW] = 0.0 if at_end else slope


def _pi_project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    _keep_legal(out, params)
    out[LAW] = min(1.0, max(0.0, out[LAW]))


def _pi_observe(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    arrivals = _arrivals(state, params)
    _report(state, params, out, arrivals, state[LAW], _overflow(state, params, arrivals))


PI = Model("reno with PI marking", _pi_delayed, _pi_slope, _pi_project, _pi_observe)
