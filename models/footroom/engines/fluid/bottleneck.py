"""One queue shared by groups of flows, each under its own congestion control: the compiled equations.

    dq/dt = sum N_g x_g + background - C            within [0, B], less what the marking drops
    p = 1 - (1 - early) (1 - overflow),   overflow = 1 - C/y while q = B and y > C

x_g is what one flow of the group sends, by its law; ``early`` is the marking's. Laws and markings are reached by
address, so that any mixture runs on the same compiled shell. The last three state components integrate packets offered,
carried and lost.
"""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.fluid import layout
from footroom.engines.fluid.calls import call_law, call_marking_slope, call_rate
from footroom.engines.fluid.model import Model
from footroom.engines.fluid.sight import early

QUEUE, MARKING_STATE = layout.QUEUE, layout.MARKING_STATE
CAPACITY, BUFFER, BALANCE, GROUPS, PER_GROUP = (
    layout.CAPACITY,
    layout.BUFFER,
    layout.BALANCE,
    layout.GROUPS,
    layout.PER_GROUP,
)


def _delayed(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    for g in range(int(params[layout.GROUPS_NUMBER])):
        own = GROUPS + PER_GROUP * g
        call_law(int(params[own + layout.LOOK_AT]), time, state, seen, past, params, out, own)


@helper
def _loads(time: float, state: Any, seen: Any, past: Any, params: Any, probability: float) -> Any:
    """Packets per second offered, and those of them that the marking does not drop."""
    offered = params[layout.BACKGROUND]
    admitted = offered * (1.0 - probability * params[layout.BACKGROUND_DROPS])
    for g in range(int(params[layout.GROUPS_NUMBER])):
        own = GROUPS + PER_GROUP * g
        rate = call_rate(int(params[own + layout.RATE_AT]), time, state, seen, past, params, own)
        rate *= params[own + layout.COUNT]
        offered += rate
        admitted += rate * (1.0 - probability * params[own + layout.DROPS])
    return offered, admitted


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    capacity = params[CAPACITY]
    offered, admitted = _loads(time, state, seen, past, params, early(state[QUEUE], state[MARKING_STATE], params))
    overflow = 0.0
    carried = capacity
    if admitted > capacity:
        if state[QUEUE] >= params[BUFFER]:
            overflow = admitted - capacity
    elif state[QUEUE] <= 0.0:
        carried = admitted
    # By construction d(queue) = d(offered) - d(carried) - d(lost).
    out[QUEUE] = admitted - overflow - carried
    at = int(params[layout.MARKING_SLOPE_AT])
    out[MARKING_STATE] = (
        0.0 if at == 0 else call_marking_slope(at, state[QUEUE], out[QUEUE], state[MARKING_STATE], params)
    )
    balance = int(params[BALANCE])
    out[balance + layout.OFFERED] = offered
    out[balance + layout.CARRIED] = carried
    out[balance + layout.LOST] = offered - admitted + overflow
    for g in range(int(params[layout.GROUPS_NUMBER])):
        own = GROUPS + PER_GROUP * g
        call_law(int(params[own + layout.SLOPE_AT]), time, state, seen, past, params, out, own)


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    """Keep the queue in [0, B] and every law in its range; what a step overshot is booked as carried or lost."""
    balance = int(params[BALANCE])
    if out[QUEUE] > params[BUFFER]:
        out[balance + layout.LOST] += out[QUEUE] - params[BUFFER]
        out[QUEUE] = params[BUFFER]
    elif out[QUEUE] < 0.0:
        out[balance + layout.CARRIED] += out[QUEUE]
        out[QUEUE] = 0.0
    if int(params[layout.MARKING_SLOPE_AT]) != 0:
        # A marking's first parameter is the largest value of its state.
        out[MARKING_STATE] = min(params[layout.MARKING], max(0.0, out[MARKING_STATE]))
    for g in range(int(params[layout.GROUPS_NUMBER])):
        own = GROUPS + PER_GROUP * g
        call_law(int(params[own + layout.PROJECT_AT]), time, state, seen, past, params, out, own)


def _observe(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    probability = early(state[QUEUE], state[MARKING_STATE], params)
    wait = state[QUEUE] * params[layout.PER_PACKET]
    flows = 0.0
    windows = 0.0
    offered = params[layout.BACKGROUND]
    admitted = offered * (1.0 - probability * params[layout.BACKGROUND_DROPS])
    for g in range(int(params[layout.GROUPS_NUMBER])):
        own = GROUPS + PER_GROUP * g
        rate = call_rate(int(params[own + layout.RATE_AT]), time, state, seen, past, params, own)
        count = params[own + layout.COUNT]
        flows += count
        windows += count * rate * (params[own + layout.BASE] + wait)
        offered += count * rate
        admitted += count * rate * (1.0 - probability * params[own + layout.DROPS])
        out[layout.RATES + g] = rate
    first = layout.RATES + int(params[layout.GROUPS_NUMBER])
    for i in range(layout.BLOCKS, int(params[BALANCE])):
        out[first + i - layout.BLOCKS] = state[i]
    overflow = 0.0
    if state[QUEUE] >= params[BUFFER] and admitted > params[CAPACITY]:
        overflow = 1.0 - params[CAPACITY] / admitted
    out[QUEUE] = state[QUEUE]
    out[layout.OVERFLOW] = overflow
    out[layout.ARRIVALS] = offered
    out[layout.PROBABILITY] = probability + (1.0 - probability) * overflow
    out[layout.WINDOW] = windows / flows


BOTTLENECK = Model("bottleneck", _delayed, _slope, _project, _observe)
