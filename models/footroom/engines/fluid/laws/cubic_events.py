"""CUBIC under drop-tail: a window is cut when a packet of it is lost, flow by flow in turn.

Between losses the window is the cubic and the Reno-friendly line of ``cubic``. Under drop-tail losses come in bursts,
and the mean of ages and windows that describes randomly marked flows would stay on the cubic's plateau with a full
buffer, whatever the number of flows. So here classes of flows (``turns``) are cut when they lose packets, once per
round trip at most. Losses hit flows at random: of n flows sharing L lost packets, (1 - 1/n)^L are spared. So a class is
cut when the losses since its last cut reach a level drawn from that law, at evenly spread quantiles, each class early
and late in turn. One flow is cut by the first packet lost: the sawtooth of RFC 9438.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.base.compile_cache import helper
from footroom.engines.fluid import layout
from footroom.engines.fluid.laws import turns
from footroom.engines.fluid.laws.building import Setting
from footroom.engines.fluid.laws.cubic import Cubic
from footroom.engines.fluid.laws.flows import Law, Oscillation, Path, Pressure, Rest
from footroom.engines.fluid.sawtooth import cubic_ramp_utilisation, sawtooth_utilisation
from footroom.engines.fluid.sight import level, locate, overflowed, round_trip, waiting
from footroom.parts.congestion.cubic import Cubic as CubicComponent
from footroom.parts.traffic.host import Host
from footroom.result.explanation import Explanation, Term

OWN, STATE, SEEN, BASE, COUNT = layout.OWN, layout.STATE, layout.SEEN, layout.BASE, layout.COUNT
GROWTH, BETA, FRIENDLY, FLOWS, FIRST, SHARES = OWN, OWN + 1, OWN + 2, OWN + 3, OWN + 4, OWN + 4 + turns.MOST
CLASSES = turns.MOST
# One class: window at its last loss, K, age of that loss, what the line has grown since, losses per flow until the next
# cut, cuts so far.
TOP, EPOCH, AGE, GROWN, LEFT, CUTS = range(6)
PER_CLASS = 6
#: Multiples of it fall evenly between 0 and 1, whatever their number.
_GOLDEN = 0.6180339887498949
ROUND_TRIP, LOST, WINDOWS = 0, 1, 2


@helper
def _window(state: Any, at: int, params: Any, own: int) -> float:
    top = state[at + TOP]
    since = state[at + AGE] - state[at + EPOCH]
    return max(1.0, params[own + GROWTH] * since * since * since + top, params[own + BETA] * top + state[at + GROWN])


def _level(quantile: float, flows: float) -> float:
    """Losses per flow after which one of ``flows`` is hit with probability ``quantile`` (its fractional part)."""
    spared = 1.0 - (quantile - math.floor(quantile))
    if flows <= 1.0:
        return 1.0
    return max(1.0, math.ceil(math.log(max(spared, 1e-12)) / math.log(1.0 - 1.0 / flows))) / flows


_losses = helper(_level)


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    block = int(params[own + STATE])
    windows = 0.0
    for k in range(CLASSES):
        share = params[own + SHARES + k]
        if share > 0.0:
            windows += share * _window(state, block + PER_CLASS * k, params, own)
    return windows / (params[own + COUNT] * (params[own + BASE] + waiting(state, params)))


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    trip = round_trip(past, params, own, time, out[at + ROUND_TRIP])
    place = locate(past, time - trip)
    out[at + ROUND_TRIP] = trip
    out[at + LOST] = overflowed(past, place)
    if out[at + LOST] > 0.0:
        for k in range(CLASSES):
            one = block + PER_CLASS * k
            top = level(past, place, one + TOP, params)
            since = level(past, place, one + AGE, params) - level(past, place, one + EPOCH, params)
            out[at + WINDOWS + k] = max(
                1.0,
                params[own + GROWTH] * since * since * since + top,
                params[own + BETA] * top + level(past, place, one + GROWN, params),
            )


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    line = params[own + FRIENDLY] / (params[own + BASE] + waiting(state, params))
    trip = seen[at + ROUND_TRIP]
    for k in range(CLASSES):
        one = block + PER_CLASS * k
        out[one + TOP] = 0.0
        out[one + EPOCH] = 0.0
        out[one + AGE] = 1.0
        out[one + GROWN] = line
        out[one + LEFT] = 0.0
        out[one + CUTS] = 0.0
        if seen[at + LOST] > 0.0 and state[one + AGE] >= trip:
            out[one + LEFT] = -seen[at + LOST] * seen[at + WINDOWS + k] / trip


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    for k in range(CLASSES):
        one = block + PER_CLASS * k
        if out[one + LEFT] <= 0.0:
            window = _window(out, one, params, own)
            out[one + TOP] = window
            out[one + EPOCH] = ((1.0 - params[own + BETA]) * window / params[own + GROWTH]) ** (1.0 / 3.0)
            out[one + AGE] = 0.0
            out[one + GROWN] = 0.0
            out[one + CUTS] += 1.0
            out[one + LEFT] = _losses(params[own + FIRST + k] + _GOLDEN * out[one + CUTS], params[own + FLOWS])


@dataclass(frozen=True)
class CubicEvents(Cubic):
    """The fields of ``Cubic``. Its fixed point is that of ``Cubic``: flows never in step, a full buffer."""

    law: ClassVar[Law] = Law(
        tuple(
            f"{name}_{k}" for k in range(CLASSES) for name in ("window_max", "epoch", "age", "grown", "left", "cuts")
        ),
        WINDOWS + CLASSES,
        _rate,
        _look,
        _slope,
        _project,
    )
    jumps: ClassVar[bool] = True
    takes_turns: ClassVar[bool] = True
    source: ClassVar[str] = "RFC 9438, sections 4.2 to 4.6; fixed point: Vardoyan, Hollot, Towsley, INFOCOM 2018"
    holds: ClassVar[str] = "windows of about 4 packets or more; exact for one flow, without recovery pauses"
    departures: ClassVar[str] = (
        "flows in at most six classes, hit at evenly spread quantiles; no fast convergence; "
        "no slow start: starts at an even share of the path, on the plateau of the cubic"
    )

    def parameters(self, path: Path) -> tuple[float, ...]:
        return *super().parameters(path), path.flows, *self._first(path), *turns.shares(path)

    @staticmethod
    def _first(path: Path) -> tuple[float, ...]:
        """Quantile of each class's first level."""
        return tuple(ahead + 0.5 / turns.classes(path) for ahead in turns.evenly(path))

    def start(self, path: Path) -> tuple[float, ...]:
        window, age, grown = super().start(path)
        return tuple(
            x for quantile in self._first(path) for x in (window, age, age, grown, _level(quantile, path.flows), 0.0)
        )

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        rest = super().rest(path, pressure)
        window, age, grown = rest.states
        epoch = self.epoch(window) if math.isfinite(window) else math.inf
        return Rest(rest.rate, (window, epoch, age, grown, 0.0, 0.0) * CLASSES)

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        """Means over the flows."""
        found = {"window": 0.0, "window_packets": 0.0, "epoch": 0.0}
        for k, share in enumerate(turns.shares(path)):
            top, _, age, grown, *_ = states[PER_CLASS * k : PER_CLASS * (k + 1)]
            for name, value in super().describe(path, (top, age, grown)).items():
                found[name] += value * share / path.count
        return found

    def closed_forms(self, path: Path, oscillation: Oscillation) -> tuple[Explanation, ...]:
        """The sawtooth of one flow alone on the link."""
        if path.flows != 1.0 or not math.isfinite(path.buffer):
            return ()
        pipe = path.capacity * path.base
        ratio = path.buffer / pipe
        line = self.friendly and self.climb(pipe + path.buffer, path.base) < self.epoch(pipe + path.buffer)
        formula, value = (
            (
                "w = beta (1+b); 1 if w >= 1, else [(1-w^2)/2 + ((1+b)^2-1)/2] / [(1-w) + ((1+b)^2-1)/2]",
                sawtooth_utilisation(ratio, self.beta),
            )
            if line
            else (
                "mean over 0 <= u <= 1 of min(1, (1+b) (1 - (1-beta) (1-u)^3))"
                + (
                    "; with fast convergence every other climb is over a plateau of (1+beta)/2"
                    if self.converges
                    else ""
                ),
                cubic_ramp_utilisation(ratio, self.beta, converges=self.converges),
            )
        )
        return (
            Explanation(
                "sawtooth_utilisation",
                "Utilisation of one flow that cuts once per overflow",
                formula,
                value,
                "1",
                "Time average of the deterministic sawtooth (RFC 9438, section 4.2, or 4.3 where that grows faster)",
                "One flow, no slow start or recovery pauses; the cubic ramp takes the round trip as constant.",
                (
                    Term("b", "buffer over capacity times round trip", ratio, "1"),
                    Term("beta", "factor on the window at a loss", self.beta, "1"),
                ),
            ),
        )


def of(congestion: CubicComponent, host: Host, setting: Setting) -> Cubic:
    """The law of ``cubic``: the mean of randomly marked flows, or under drop-tail one cut after the other."""
    law = Cubic if setting.early else CubicEvents
    return law(
        congestion.growth,
        congestion.beta,
        congestion.reno_friendly,
        float(host.initial_window),
        congestion.fast_convergence,
        congestion.friendly_steepens,
    )
