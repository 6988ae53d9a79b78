"""CUBIC: the window is a cubic of the time since the last loss; the state is that time and the window at the loss.

    W = max(c (s - K)^3 + W_max, beta W_max + e, 1),     K = cbrt((1 - beta) W_max / c)
    dW_max/dt = -(W_max - W) l,    ds/dt = 1 - s l,    de/dt = a/R - e l,    l = min(p_d W_d, 1) / R_d

s: age of the last loss; e: what the Reno-friendly line has grown since, a = 3 (1 - beta)/(1 + beta) packets per round
trip (RFC 9438, §4.3); l: losses per second, at most one per round trip, as one window of losses is answered once.
Source: Vardoyan, Hollot, Towsley (INFOCOM 2018), eq. 3-6, without the line and without the bound on l.

Equilibrium on the cubic, dW/ds = 0: the linear equations have a root at zero, and a perturbation decays as t^(-1/2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.base.compile_cache import helper
from footroom.engines.fluid import layout
from footroom.engines.fluid.laws.flows import (
    NET,
    THRESHOLD,
    WINDOW,
    WORDS,
    Flows,
    Law,
    OneFlow,
    Pace,
    Path,
    Pressure,
    Rest,
    climb,
)
from footroom.engines.fluid.sight import level, locate, noticed, round_trip, waiting

OWN, STATE, SEEN, BASE = layout.OWN, layout.STATE, layout.SEEN, layout.BASE
GROWTH, BETA, FRIENDLY = OWN, OWN + 1, OWN + 2
TOP, AGE, GROWN = 0, 1, 2
ROUND_TRIP, LOSSES = 0, 1


@helper
def _window(top: float, age: float, grown: float, params: Any, own: int) -> float:
    growth, beta = params[own + GROWTH], params[own + BETA]
    # A stage of the integration may leave the legal range for a moment.
    since = age - (max(0.0, (1.0 - beta) * top) / growth) ** (1.0 / 3.0)
    return max(1.0, growth * since * since * since + top, beta * top + grown)


@helper
def _now(state: Any, params: Any, own: int) -> float:
    block = int(params[own + STATE])
    return _window(state[block + TOP], state[block + AGE], state[block + GROWN], params, own)


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    return _now(state, params, own) / (params[own + BASE] + waiting(state, params))


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    trip = round_trip(past, params, own, time, out[at + ROUND_TRIP])
    place = locate(past, time - trip)
    window = _window(
        level(past, place, block + TOP, params),
        level(past, place, block + AGE, params),
        level(past, place, block + GROWN, params),
        params,
        own,
    )
    out[at + ROUND_TRIP] = trip
    out[at + LOSSES] = min(noticed(past, place, params) * window, 1.0) / trip


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    losses = seen[int(params[own + SEEN]) + LOSSES]
    out[block + TOP] = (_now(state, params, own) - state[block + TOP]) * losses
    out[block + AGE] = 1.0 - state[block + AGE] * losses
    often = 1.0 / (params[own + BASE] + waiting(state, params))
    out[block + GROWN] = params[own + FRIENDLY] * often - state[block + GROWN] * losses


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    out[block + TOP] = max(1.0, out[block + TOP])
    out[block + AGE] = max(0.0, out[block + AGE])
    out[block + GROWN] = max(0.0, out[block + GROWN])


# One flow by itself: W_max, when the climb began, K, the Reno-friendly window, the window before the cut (0: none yet).
_TOP, _SINCE, _EPOCH, _LINE, _PRIOR = WORDS, WORDS + 1, WORDS + 2, WORDS + 3, WORDS + 4
_GROWTH, _BETA, _SLOPE, _CONVERGES, _STEEPENS = range(5)


def _grow(row: Any, params: Any, now: float, step: float, trip: float) -> None:
    if row[_PRIOR] <= 0.0:  # never cut: Reno's line until the first loss
        row[WINDOW] += step / trip
        return
    steep = params[_STEEPENS] > 0.0 and row[_LINE] >= row[_PRIOR]
    row[_LINE] += (1.0 if steep else params[_SLOPE]) * step / trip
    since = now - row[_SINCE] - row[_EPOCH]
    cubic = params[_GROWTH] * since * since * since + row[_TOP]
    line = row[_LINE] if params[_SLOPE] > 0.0 else 0.0
    # At most by half of what is acknowledged in a round trip, however long that is (RFC 9438, section 4.2).
    row[WINDOW] = max(row[WINDOW], min(cubic, row[WINDOW] + 0.5 * max(0.0, row[NET]) * step / trip), line)


def _cut(row: Any, params: Any, now: float, step: float, trip: float) -> None:
    before = row[WINDOW]
    # A flow that did not get back to where it lost leaves room to newer ones (RFC 9438, section 4.7).
    converges = params[_CONVERGES] > 0.0 and before < row[_TOP]
    row[_TOP] = 0.5 * (1.0 + params[_BETA]) * before if converges else before
    row[_PRIOR] = before
    row[THRESHOLD] = max(params[_BETA] * before, 2.0)
    row[WINDOW] = row[THRESHOLD]
    row[_LINE] = row[WINDOW]
    row[_SINCE] = now + trip  # the climb begins when the recovery is over
    row[_EPOCH] = (max(0.0, row[_TOP] - row[WINDOW]) / params[_GROWTH]) ** (1.0 / 3.0)


_grown = helper(_grow)


def _climb(rows: Any, count: int, params: Any, now: float, step: float, trip: float) -> float:
    return climb(rows, count, params, now, step, trip, _grown)


@dataclass(frozen=True)
class Cubic(Flows):
    """growth: c, packets/s^3.  beta: factor on the window at a loss.  friendly: with the Reno-friendly line.
    window: least window at t = 0, packets; where an even share of the path is more, slow start has reached that.
    converges, steepens: fast convergence, and a line that grows by a packet per round trip above the window of the last
    loss (RFC 9438, sections 4.7 and 4.3); of flows followed one by one.
    """

    growth: float = 0.4
    beta: float = 0.7
    friendly: bool = True
    window: float = 10.0
    converges: bool = True
    steepens: bool = False

    law: ClassVar[Law] = Law(("window_max", "age", "grown"), 2, _rate, _look, _slope, _project)
    one_flow: ClassVar[OneFlow | None] = OneFlow(_grow, _cut, _climb)
    source: ClassVar[str] = "Vardoyan, Hollot, Towsley, INFOCOM 2018 (arXiv 1801.02741); RFC 9438"
    holds: ClassVar[str] = "windows of about 4 packets or more, many unsynchronised flows"
    rest_formula: ClassVar[str] = (
        "W = max((R/p)^(3/4) (c/(1-beta))^(1/4), sqrt(a/((1-beta) p))), a = 3 (1-beta)/(1+beta)"
    )
    departures: ClassVar[str] = (
        "Reno-friendly line added; at most one cut per round trip; starts at an even share of "
        "the path, on the plateau of the cubic"
    )

    @property
    def line(self) -> float:
        """Growth of the Reno-friendly line, packets per round trip; 0 without."""
        return 3.0 * (1.0 - self.beta) / (1.0 + self.beta) if self.friendly else 0.0

    def epoch(self, window: float) -> float:
        """K (s): from a loss at ``window`` packets until the cubic is back there."""
        return float(math.cbrt((1.0 - self.beta) * window / self.growth))

    def climb(self, window: float, trip: float) -> float:
        """Time (s) in which the Reno-friendly line makes up for a loss at ``window`` packets; needs the line."""
        return (1.0 - self.beta) * window / self.line * trip

    def parameters(self, path: Path) -> tuple[float, ...]:
        return self.growth, self.beta, self.line

    def one_flow_parameters(self) -> tuple[float, ...]:
        return self.growth, self.beta, self.line, float(self.converges), float(self.steepens)

    def start(self, path: Path) -> tuple[float, ...]:
        window = max(self.window, path.capacity * path.base / path.flows)
        return window, self.epoch(window), (1.0 - self.beta) * window if self.friendly else 0.0

    def steady_window(self, notice: float, trip: float) -> float:
        """Window (packets, at least 1) in equilibrium at this probability and round trip (s)."""
        depth = 1.0 - self.beta
        if notice <= 0.0:
            return math.inf
        # Where more than one packet of a window is lost, a window is cut once per round trip: K = R, or a = depth W.
        cubic = max((trip / notice) ** 0.75 * (self.growth / depth) ** 0.25, self.growth * trip**3 / depth)
        return max(1.0, cubic, math.sqrt(self.line / (depth * notice)), self.line / depth)

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        trip = path.round_trip(pressure.queue)
        window = self.steady_window(pressure.notice, trip)
        if not math.isfinite(window):
            return Rest(math.inf, (window, math.inf, math.inf))
        age = trip / min(1.0, pressure.notice * window)
        return Rest(window / trip, (window, age, self.line * age / trip))

    def notice_for(self, path: Path, rate: float, queue: float) -> float | None:
        trip, depth = path.round_trip(queue), 1.0 - self.beta
        window = rate * trip
        least = max(1.0, self.line / depth, self.growth * trip**3 / depth)
        if window <= least * (1.0 + 1e-12):
            return None
        return max(trip * math.cbrt(self.growth / depth) / window ** (4.0 / 3.0), self.line / (depth * window**2))

    def pace(self, path: Path) -> Pace:
        wait = path.buffer / path.capacity if math.isfinite(path.buffer) else path.base
        peak = max(4.0, path.capacity * (path.base + wait) / path.flows)
        climb = self.climb(peak, path.base + wait) if self.friendly else math.inf
        return Pace(path.base / 100.0, max(min(self.epoch(peak), climb), path.base))

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        top, age, grown = states
        cubic = self.growth * (age - self.epoch(top)) ** 3 + top
        window = max(1.0, cubic, self.beta * top + grown)
        return {"window": window * path.packet, "window_packets": window, "epoch": self.epoch(top)}
