"""Many Reno flows over a buffer so small that it is not a state: only a loss curve p(rho) remains.

Source: Raina, Towsley, Wischik, "Buffer sizing part II", CCR 35(3), 2005; Raina and Wischik, NGI 2005. Per group of
N flows with window w and constant round trip T, rho = (sum N w/T + background)/C:

    dw/dt = (w_d/T) [ (1-p_d)/(b w) - p_d w/2 ],   p_d = p(rho(t-T)),   w >= 1

The loss curve is handed over as a table of ln p against ln rho, so that any curve runs on the same equations.

Before t = 0 the load is the starting one, and so is its loss.

State:   rho (linear in the windows, kept so that the past needs one look-up), w_0 .. w_{G-1} | offered, carried, lost.
Signals: rho, p, mean window per flow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import brentq

from footroom.base.compile_cache import helper
from footroom.base.errors import NotConverged
from footroom.engines.fluid.batch import Batch, Floats, checked_step, whole_steps
from footroom.engines.fluid.history import locate, smooth
from footroom.engines.fluid.laws import Group, Reno
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.model import Model

LOAD, WINDOWS = 0, 1
PROBABILITY, WINDOW = 1, 2
GROUPS_NUMBER, PER_PACKET, CAPACITY, BACKGROUND, LOWEST, SPACING, INTERVALS, GROUPS = 0, 1, 2, 3, 4, 5, 6, 7
COUNT, BASE, ACK_EVERY, PER_GROUP = 0, 1, 2, 3
WINDOW_THEN, PROBABILITY_THEN, PER_GROUP_SEEN = 0, 1, 2
OFFERED, CARRIED, LOST = 0, 1, 2

Curve = Callable[[Any], Any]
# The table spans loads 1/e to e and holds rho = 1, where curves bend, as a node. Beyond: a power law below,
# a constant capacity above.
_SPAN = 1.0


@helper
def _load(state: Any, params: Any) -> float:
    total = params[BACKGROUND]
    for g in range(int(params[GROUPS_NUMBER])):
        base = GROUPS + PER_GROUP * g
        total += params[base + COUNT] * state[WINDOWS + g] / params[base + BASE]
    return total * params[PER_PACKET]


@helper
def _loss(load: float, params: Any) -> float:
    """Cubic Hermite in ln p over ln rho; the table holds pairs (ln p, its slope times the spacing)."""
    table = GROUPS + PER_GROUP * int(params[GROUPS_NUMBER])
    intervals = int(params[INTERVALS])
    place = (math.log(max(load, 1e-9)) - params[LOWEST]) / params[SPACING]
    if not place > 0.0:  # also when not a number: it must not become an index
        return math.exp(params[table] + place * params[table + 1])
    if place >= intervals:
        passed = (
            -math.expm1(params[table + 2 * intervals]) * math.exp(params[LOWEST] + intervals * params[SPACING]) / load
        )
        return 1.0 - passed
    index = min(intervals - 1, int(place))
    u = place - index
    row = table + 2 * index
    y0, d0, y1, d1 = params[row], params[row + 1], params[row + 2], params[row + 3]
    rise = y1 - y0
    return math.exp(y0 + u * (d0 + u * (3.0 * rise - 2.0 * d0 - d1 + u * (d0 + d1 - 2.0 * rise))))


def _delayed(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    for g in range(int(params[GROUPS_NUMBER])):
        place = locate(past, time - params[GROUPS + PER_GROUP * g + BASE])
        out[PER_GROUP_SEEN * g + WINDOW_THEN] = smooth(past, place, WINDOWS + g)[0]
        out[PER_GROUP_SEEN * g + PROBABILITY_THEN] = _loss(smooth(past, place, LOAD)[0], params)


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    groups = int(params[GROUPS_NUMBER])
    growth = 0.0
    for g in range(groups):
        base = GROUPS + PER_GROUP * g
        window = state[WINDOWS + g]
        probability = seen[PER_GROUP_SEEN * g + PROBABILITY_THEN]
        rate = seen[PER_GROUP_SEEN * g + WINDOW_THEN] / params[base + BASE]
        slope = rate * ((1.0 - probability) / (params[base + ACK_EVERY] * window) - 0.5 * probability * window)
        if window <= 1.0 and slope < 0.0:
            slope = 0.0
        out[WINDOWS + g] = slope
        growth += params[base + COUNT] * slope / params[base + BASE]
    out[LOAD] = growth * params[PER_PACKET]
    offered = state[LOAD] * params[CAPACITY]
    lost = offered * _loss(state[LOAD], params)
    balance = WINDOWS + groups
    out[balance + OFFERED] = offered
    out[balance + CARRIED] = offered - lost
    out[balance + LOST] = lost


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    for g in range(int(params[GROUPS_NUMBER])):
        out[WINDOWS + g] = max(1.0, out[WINDOWS + g])
    out[LOAD] = _load(out, params)


def _observe(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    flows = 0.0
    windows = 0.0
    for g in range(int(params[GROUPS_NUMBER])):
        count = params[GROUPS + PER_GROUP * g + COUNT]
        flows += count
        windows += count * state[WINDOWS + g]
    out[LOAD] = state[LOAD]
    out[PROBABILITY] = _loss(state[LOAD], params)
    out[WINDOW] = windows / flows


SMALL_BUFFER = Model("reno with a small-buffer loss curve", _delayed, _slope, _project, _observe)


def _reno(group: Group) -> Reno:
    """The law of a group, which must be Reno: this model knows no other."""
    assert isinstance(group.flows, Reno)
    return group.flows


def tabulate(curve: Curve, sharpness: float) -> Floats:
    """A loss curve as (nodes, 2): ln p and its slope times the spacing, on even steps of ln rho in [-1, 1].

    sharpness: 1/width in ln rho over which ln p bends, about the buffer in packets; sets the spacing.
    """
    half = int(min(4096, max(128, 2.0 * sharpness * _SPAN)))
    grid = np.linspace(-_SPAN, _SPAN, 2 * half + 1)
    grid[half] = 0.0
    values = np.log(np.maximum(curve(np.exp(grid)), 1e-300))
    rise = np.diff(values)
    # Harmonic mean of neighbouring rises (Fritsch and Butland 1984): no overshoot, also where a curve has a kink.
    both = rise[:-1] * rise[1:]
    inner = np.where(both > 0.0, 2.0 * both / np.where(both > 0.0, rise[:-1] + rise[1:], 1.0), 0.0)
    return np.stack([values, np.concatenate([rise[:1], inner, rise[-1:]])], axis=1)


def arrange(
    links: Sequence[Link],
    tables: Sequence[Floats],
    groups: Sequence[Group],
    *,
    step: float | Floats,
    duration: float | Floats,
    warmup: float | Floats = 0.0,
    highest_load: float = 4.0,
    points: int = 0,
) -> Batch:
    """One lane per link and its table (``tabulate``).

    step, duration, warmup: seconds, each one for all or one per link.  highest_load: upper end of the
    histogram of rho.  Raises InvalidInput if the step exceeds the shortest round trip.
    """
    step = checked_step(step, len(links), min(group.base for group in groups))
    lanes, nodes = len(links), max(len(table) for table in tables)
    head = GROUPS + PER_GROUP * len(groups)
    params = np.zeros((lanes, head + 2 * nodes))
    for row, link, table in zip(params, links, tables, strict=True):
        row[:GROUPS] = (
            len(groups),
            1.0 / link.capacity,
            link.capacity,
            link.background,
            -_SPAN,
            2.0 * _SPAN / (len(table) - 1),
            len(table) - 1,
        )
        row[GROUPS:head] = [x for group in groups for x in (group.count, group.base, _reno(group).ack_every)]
        row[head : head + 2 * len(table)] = table.ravel()
    windows = [_reno(group).window for group in groups]
    initial = [
        [
            (link.background + sum(group.count * w / group.base for group, w in zip(groups, windows, strict=True)))
            / link.capacity,
            *windows,
            0.0,
            0.0,
            0.0,
        ]
        for link in links
    ]
    return Batch(
        params=params,
        initial=np.array(initial),
        remembered=WINDOWS + len(groups),
        delays=PER_GROUP_SEEN * len(groups),
        signals=3,
        remembered_signals=0,
        step=step,
        steps=whole_steps(duration, step),
        warmup=whole_steps(warmup, step),
        longest_delay=np.full(lanes, max(group.base for group in groups) + step),
        levels=np.tile([0.0, highest_load], (lanes, 1)),
        bins=2048,
        points=points,
        whole_cycles=True,
    )


@dataclass(frozen=True)
class LoadPoint:
    """Fixed point: load rho, loss probability, window per group (packets)."""

    load: float
    probability: float
    windows: tuple[float, ...]


def fixed_point(link: Link, groups: Sequence[Group], curve: Curve) -> LoadPoint:
    """Where every group's window satisfies b w^2 p = 2 (1 - p) at the loss its own load causes.

    Raises NotConverged where no load balances the windows.
    """

    def windows(probability: float) -> tuple[float, ...]:
        return tuple(replace(_reno(group), refined=True).steady_window(probability) for group in groups)

    def excess(log_load: float) -> float:
        load = math.exp(log_load)
        p = max(float(curve(load)), 1e-300)
        wanted = link.background + sum(
            group.count * window / group.base for group, window in zip(groups, windows(p), strict=True)
        )
        return math.log(wanted / (link.capacity * load))

    low, high = math.log(0.01), math.log(100.0)
    if excess(low) <= 0.0 or excess(high) >= 0.0:
        raise NotConverged("no load between 0.01 and 100 balances the windows; one packet per flow overloads the link")
    load = math.exp(brentq(excess, low, high, xtol=1e-14, rtol=1e-14))
    probability = float(curve(load))
    return LoadPoint(load, probability, windows(probability))


def critical_delay_ratio(link: Link, group: Group, curve: Curve, point: LoadPoint) -> float:
    """Critical delay over the actual round trip T: the fixed point is stable when it exceeds 1; infinite if always.

    u' = -a u - b u(t-T) with a = w p/T and b = (w/T) dp/dw (1/(b_ack w) + w/2) at the fixed point; stable for b <= a or
    T < arccos(-a/b)/sqrt(b^2-a^2). One group; the ratio does not depend on T.
    """
    window, load, probability = point.windows[0], point.load, point.probability
    nudge = 1e-5
    steepness = (float(curve(load * math.exp(nudge))) - float(curve(load * math.exp(-nudge)))) / (2.0 * nudge * load)
    by_window = steepness * group.count / (group.base * link.capacity)
    present = window * probability
    past = window * by_window * (1.0 / (_reno(group).ack_every * window) + 0.5 * window)
    if past <= present:
        return math.inf
    return math.acos(-present / past) / math.sqrt(past * past - present * present)
