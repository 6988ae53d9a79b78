"""TIMELY: rates set from queueing delay and its gradient; the law of 2015 and the one patched in 2016.

    dg/dt = (a/tau*) (-g + (q(t-tau') - q(t-tau'-tau*)) / (C D)),     tau* = max(Seg/R, D)
    dR/dt = delta/tau*                                        where q_d = q(t-tau') is below C T_low
            -(beta/tau*) (1 - C T_high/q_d) R                 where it is above C T_high
    between, original:  delta/tau* while g <= 0, -(beta/tau*) g R while g > 0
             patched:   (1-w) delta/tau* - (w beta/tau*) R (q_d - q')/q',  w = slope g + 1/2 in [0, 1],  q' = C T_low

tau' = q/C + MTU/C + D_prop is the age of a measurement, by the present queue and rate as printed, like tau*.
Patched and in equilibrium every flow sends delta q' / (beta (q - q')), hence q = q' + N delta q' / (beta C).
Source: Mittal et al. (SIGCOMM 2015); Zhu, Ghobadi, Misra, Padhye (CoNEXT 2016), section 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.base.errors import Infeasible
from footroom.engines.fluid import layout
from footroom.engines.fluid.laws.building import Setting
from footroom.engines.fluid.laws.flows import Flows, Law, Pace, Path, Pressure, Rest
from footroom.engines.fluid.sight import level, locate
from footroom.parts.congestion.timely import Timely as TimelyComponent
from footroom.parts.traffic.host import Host

OWN, STATE, BASE, PER_PACKET = layout.OWN, layout.STATE, layout.BASE, layout.PER_PACKET
PATCHED, DELTA, BETA, WEIGHT, SLOPE, LOW, HIGH, SPACING, SEGMENT, LEAST, MOST = (OWN + i for i in range(11))
RATE, GRADIENT = 0, 1


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    return min(max(state[int(params[own + STATE]) + RATE], params[own + LEAST]), params[own + MOST])


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    """Nothing: both delays follow from the present state."""


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    rate = min(max(state[block + RATE], params[own + LEAST]), params[own + MOST])
    gradient = state[block + GRADIENT]
    between = max(params[own + SEGMENT] / rate, params[own + SPACING])
    # A stage of the integration may leave the buffer at either end.
    queued = min(max(0.0, state[layout.QUEUE]), params[layout.BUFFER])
    age = params[own + BASE] + (queued + 1.0) * params[PER_PACKET]
    queue = level(past, locate(past, time - age), layout.QUEUE, params)
    before = level(past, locate(past, time - age - between), layout.QUEUE, params)
    risen = (queue - before) * params[PER_PACKET] / params[own + SPACING]
    out[block + GRADIENT] = params[own + WEIGHT] * (risen - gradient) / between
    low, high = params[own + LOW], params[own + HIGH]
    if queue < low:
        change = params[own + DELTA]
    elif queue > high:
        change = -params[own + BETA] * (1.0 - high / queue) * rate
    elif params[own + PATCHED] > 0.0:
        weight = min(1.0, max(0.0, params[own + SLOPE] * gradient + 0.5))
        change = (1.0 - weight) * params[own + DELTA] - weight * params[own + BETA] * rate * (queue - low) / low
    elif gradient <= 0.0:
        change = params[own + DELTA]
    else:
        change = -params[own + BETA] * gradient * rate
    stuck = (rate >= params[own + MOST] and change > 0.0) or (rate <= params[own + LEAST] and change < 0.0)
    out[block + RATE] = 0.0 if stuck else change / between


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    out[block + RATE] = min(max(out[block + RATE], params[own + LEAST]), params[own + MOST])


@dataclass(frozen=True)
class Timely(Flows):
    """delta, line, rate, least: packets/s, the rates being that of the sender's link, that at t = 0 (none means a fair
    share) and the smallest.  segment: packets.  weight: a.  low, high, spacing: T_low, T_high and D, s.
    """

    delta: float
    segment: float
    patched: bool = True
    beta: float = 0.008
    weight: float = 0.875
    slope: float = 2.0
    low: float = 50e-6
    high: float = 500e-6
    spacing: float = 20e-6
    line: float = math.inf
    least: float = 1.0
    rate: float | None = None

    law: ClassVar[Law] = Law(("rate", "gradient"), 0, _rate, _look, _slope, _project)
    source: ClassVar[str] = "Mittal et al., SIGCOMM 2015; Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016, section 4"
    holds: ClassVar[str] = "lossless fabrics, one bottleneck, per-packet pacing; no reaction to losses"
    departures: ClassVar[str] = (
        "no hyperactive increase; rates stay between a minimum and the line's; the printed slope of 2 of the weight "
        "gives other stability limits than the published curve, 1/2 reproduces it"
    )
    rest_formula: ClassVar[str] = "R = delta q' / (beta (q - q')), q' = C T_low"
    notices: ClassVar[bool] = False

    def parameters(self, path: Path) -> tuple[float, ...]:
        return (
            float(self.patched),
            self.delta,
            self.beta,
            self.weight,
            self.slope,
            path.capacity * self.low,
            path.capacity * self.high,
            self.spacing,
            self.segment,
            self.least,
            self.line,
        )

    def start(self, path: Path) -> tuple[float, ...]:
        rate = path.capacity / path.flows if self.rate is None else self.rate
        return min(max(rate, self.least), self.line), 0.0

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        rate = self.steady_rate(path, pressure.queue)
        return Rest(rate, (rate, 0.0))

    def steady_rate(self, path: Path, queue: float) -> float:
        """Rate (packets/s) that a flow keeps while the queue stays at ``queue`` packets. Raises Infeasible for the
        original law between the thresholds, where no rate or any rate is steady.
        """
        low, high = path.capacity * self.low, path.capacity * self.high
        queue = min(queue, path.buffer)
        if queue <= low:
            return self.line
        if not self.patched:
            raise self.without_rest(path)
        if queue > high:
            return self.least
        return min(max(self.delta * low / (self.beta * (queue - low)), self.least), self.line)

    def jumps_at(self, path: Path) -> tuple[float, ...]:
        return (path.capacity * self.high,)

    def without_rest(self, path: Path) -> Infeasible:
        return Infeasible(
            "original TIMELY has no fixed point: with a gradient of 0 every rate still grows; were it to stay, any "
            "queue between the thresholds and any shares would be in equilibrium (Zhu et al., CoNEXT 2016, section 4). "
            'The variant "patched" converges'
        )

    def held(self, path: Path, states: tuple[float, ...]) -> tuple[int, ...]:
        return () if self.least < states[RATE] < self.line else (RATE,)

    def between(self, rate: float) -> float:
        """Time (s) between updates at a rate."""
        return max(self.segment / rate, self.spacing)

    def age(self, path: Path, queue: float) -> float:
        """Age (s) of a measurement that met ``queue`` packets."""
        return path.round_trip(queue + 1.0)

    def delays(self, path: Path, queue: float) -> tuple[float, ...]:
        age = self.age(path, queue)
        return age, age + self.between(self.steady_rate(path, queue))

    def longest_delay(self, path: Path, ceiling: float) -> float:
        return self.age(path, ceiling) + self.between(self.least)

    def pace(self, path: Path) -> Pace:
        between = self.between(path.capacity / path.flows)
        # Time in which additive increase makes up a fair share, in which cuts at twice T_high lower rates by a factor
        # e, in which an oscillating queue fills and drains, and of one undamped oscillation about the fixed point.
        grow = path.capacity / path.flows * between / self.delta
        fall = 2.0 * between / self.beta
        fill = math.sqrt(2.0 * (self.low + path.base) * grow)
        turn = 2.0 * math.pi * math.sqrt(2.0 * self.low * between / self.beta)
        # Rates that differ approach one another in twice ``grow``.
        apart = 2.0 * grow if path.count < path.flows else 0.0
        return Pace(min(path.base, self.low / 10.0, self.spacing / 4.0), max(25.0 * fill, 6.0 * turn, fall, apart))

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        return {"rate": states[RATE] * path.packet * 8.0, "gradient": states[GRADIENT]}


#: Strength of a cut and bytes per measurement: Zhu et al. 2016, section 4; Mittal et al. 2015, as quoted there.
_PUBLISHED = {"patched": (0.008, 16e3), "original": (0.8, 64e3)}


def of(congestion: TimelyComponent, host: Host, setting: Setting) -> Timely:
    """The law of ``timely``."""
    beta, segment = _PUBLISHED[congestion.variant]
    bits = 8.0 * setting.packet
    return Timely(
        congestion.additive_increase / bits,
        (congestion.segment or segment) / setting.packet,
        congestion.variant == "patched",
        congestion.multiplicative_decrease or beta,
        congestion.weight,
        congestion.slope,
        congestion.t_low,
        congestion.t_high,
        congestion.min_rtt,
        setting.access,
        min(congestion.min_rate / bits, setting.access),
        None if congestion.start_rate is None else congestion.start_rate / bits,
    )
