"""DCQCN: notifications of marks cut the rate, a timer and a byte counter raise it.

    dalpha/dt = (g/t') [1 - (1-p)^(t' R_d) - alpha]
    dR_T/dt   = -(R_T - R) a/t + R_AI R_d (c + e)
    dR/dt     = -R alpha a/(2 t) + (R_T - R) R_d (b + d)/2,          R_min <= R, R_T <= line rate, 0 <= alpha <= 1

    a = 1 - (1-p)^(t R_d)             chance of a notification in the CNP interval t
    b = p / ((1-p)^-B - 1)            increases by the byte counter, per packet; beyond fast recovery c = b (1-p)^(F B)
    d = p / ((1-p)^(-T R_d) - 1)      increases by the timer, per packet; beyond fast recovery e = d (1-p)^(F T R_d)

p and R_d are one loop delay old. The delay is constant, the base round trip, because packets are marked as they leave
the queue. Rates are in packets/s, B in packets. With L = -ln(1-p) every power is exp(-x L), exact for the smallest p.
Equilibrium: R_T = R + a alpha/(t (b + d)) and a^2 alpha/((b + d)(c + e)) = t^2 R_AI R; both sides cross once.
Source: Zhu, Ghobadi, Misra, Padhye, ECN or Delay (CoNEXT 2016), section 3; Zhu et al. (SIGCOMM 2015), section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from scipy.optimize import brentq

from footroom.base.compile_cache import helper
from footroom.base.errors import Unsupported
from footroom.engines.fluid import layout
from footroom.engines.fluid.dcqcn_rest import explanations
from footroom.engines.fluid.laws.building import Setting
from footroom.engines.fluid.laws.flows import Flows, Law, Oscillation, Pace, Path, Pressure, Rest
from footroom.engines.fluid.sight import level, locate, marked
from footroom.parts.congestion.dcqcn import Dcqcn as DcqcnComponent
from footroom.parts.traffic.host import Host
from footroom.result.explanation import Explanation

OWN, STATE, SEEN, BASE = layout.OWN, layout.STATE, layout.SEEN, layout.BASE
INCREASE, GAIN, INTERVAL, ALPHA_TIMER, TIMER, COUNTER, RECOVERY, LEAST, LINE = (OWN + i for i in range(9))
ALPHA, TARGET, RATE = 0, 1, 2
# Looked up: the chance of a notification within the CNP interval over that, the chance of a mark within alpha's timer,
# increases per second, and those beyond fast recovery.
CUTS, WANTED, INCREASES, RAISED = range(4)

#: exp of more overflows; exp of minus that is nothing.
_MOST = 700.0
#: More packets than any byte counter reaches.
_ENDLESS = 1e300
#: Probabilities between which a fixed point is looked for; below, 1 - p is 1.
_FEWEST, _NEARLY_ALL = 1e-18, 1.0 - 1e-12


@helper
def _per_second(marks: float, log: float, rate: float, packets: float, recovery: float) -> Any:
    """(increases per second, those beyond fast recovery) when one is due every ``packets`` without a notification."""
    exponent = packets * log
    # Endless packets (no counter) times no marks is no number.
    if packets > _ENDLESS or exponent > _MOST:
        return 0.0, 0.0
    # An unmarked flow comes round every ``packets``.
    often = rate * marks / math.expm1(exponent) if exponent > 1e-12 else rate / packets
    return often, often * math.exp(-min(recovery * exponent, _MOST))


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    return min(params[own + LINE], max(params[own + LEAST], state[int(params[own + STATE]) + RATE]))


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    at = int(params[own + SEEN])
    place = locate(past, time - params[own + BASE])
    rate = level(past, place, int(params[own + STATE]) + RATE, params)
    then, marks = min(params[own + LINE], max(params[own + LEAST], rate)), marked(past, place, params)
    # All of this depends on the past alone, which four stages of a step look up twice.
    if marks < 1.0:
        log = -math.log1p(-marks)
        notified = -math.expm1(-params[own + INTERVAL] * then * log)
        wanted = -math.expm1(-params[own + ALPHA_TIMER] * then * log)
        counted, raised = _per_second(marks, log, then, params[own + COUNTER], params[own + RECOVERY])
        timed, raised_too = _per_second(marks, log, then, params[own + TIMER] * then, params[own + RECOVERY])
    else:
        notified, wanted, counted, raised, timed, raised_too = 1.0, 1.0, 0.0, 0.0, 0.0, 0.0
    out[at + CUTS] = notified / params[own + INTERVAL]
    out[at + WANTED] = wanted
    out[at + INCREASES] = counted + timed
    out[at + RAISED] = raised + raised_too


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    alpha, target, rate = state[block + ALPHA], state[block + TARGET], state[block + RATE]
    cuts = seen[at + CUTS]
    out[block + ALPHA] = params[own + GAIN] / params[own + ALPHA_TIMER] * (seen[at + WANTED] - alpha)
    out[block + TARGET] = (rate - target) * cuts + params[own + INCREASE] * seen[at + RAISED]
    out[block + RATE] = -0.5 * rate * alpha * cuts + 0.5 * (target - rate) * seen[at + INCREASES]
    for i in (block + TARGET, block + RATE):
        if (state[i] >= params[own + LINE] and out[i] > 0.0) or (state[i] <= params[own + LEAST] and out[i] < 0.0):
            out[i] = 0.0


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    out[block + ALPHA] = min(1.0, max(0.0, out[block + ALPHA]))
    for i in (block + TARGET, block + RATE):
        out[i] = min(params[own + LINE], max(params[own + LEAST], out[i]))


@dataclass(frozen=True)
class Dcqcn(Flows):
    """increase: R_AI, packets/s.  line, least: largest and smallest rate, packets/s.  gain: g.  interval, alpha_timer,
    timer: s.  counter: packets, infinite without one.  recovery: F.

    start_rate: R and R_T at t = 0, packets/s, the line rate where it is None.  start_alpha: alpha then.
    """

    increase: float
    line: float
    gain: float = 1.0 / 256.0
    interval: float = 50e-6
    alpha_timer: float = 55e-6
    timer: float = 55e-6
    counter: float = 10_000.0
    recovery: float = 5.0
    least: float = 100.0
    start_rate: float | None = None
    start_alpha: float = 1.0

    law: ClassVar[Law] = Law(("alpha", "rate_target", "rate"), 4, _rate, _look, _slope, _project)
    source: ClassVar[str] = "Zhu, Ghobadi, Misra, Padhye, ECN or Delay, CoNEXT 2016, section 3"
    holds: ClassVar[str] = (
        "marking at the egress, flows that start at line rate and stay; how far the queue overshoots at the start "
        "is for pause frames or drops to limit, which the equations do not contain"
    )
    departures: ClassVar[str] = "no hyper increase; rates never below a minimum; loss and pause frames change nothing"
    rest_formula: ClassVar[str] = (
        "a^2 alpha / ((b + d)(c + e)) = t^2 R_AI R, alpha = 1 - (1-p)^(t' R), R_T = R + a alpha / (t (b + d))"
    )

    def parameters(self, path: Path) -> tuple[float, ...]:
        return (
            self.increase,
            self.gain,
            self.interval,
            self.alpha_timer,
            self.timer,
            self.counter,
            self.recovery,
            self._least,
            self.line,
        )

    @property
    def _least(self) -> float:
        return min(self.least, self.line)

    def start(self, path: Path) -> tuple[float, ...]:
        rate = self.line if self.start_rate is None else self.start_rate
        return self.start_alpha, rate, rate

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        if pressure.early >= 1.0:
            return Rest(self._least, (1.0, self._least, self._least))
        marks = min(pressure.early, _NEARLY_ALL)
        almost = self.line * (1.0 - 1e-12)
        if marks < _FEWEST or self._least > almost or self.imbalance(marks, almost) <= 0.0:
            return Rest(self.line, (0.0, self.line, self.line))
        rate = self._least
        if self.imbalance(marks, rate) < 0.0:
            rate = _root(lambda r: self.imbalance(marks, r), rate, almost)
        told, wanted, raises, _ = self._terms(marks, rate)
        above = math.exp(told + wanted - raises) / self.interval if told + wanted - raises < _MOST else math.inf
        return Rest(rate, (math.exp(wanted), min(self.line, rate + above), rate))

    def notice_for(self, path: Path, rate: float, queue: float) -> float | None:
        return None if not self._least < rate < self.line else _notice(self, rate)

    def _terms(self, marks: float, rate: float) -> tuple[float, float, float, float]:
        """Logarithms of a, alpha, b + d and c + e: no power of 1-p is too small for them."""
        log = -math.log1p(-marks)
        counted, timed = self.counter * log, self.timer * rate * log
        first, second = -_log_expm1(counted), -_log_expm1(timed)
        each = math.log(marks)
        return (
            _log_part(self.interval * rate * log),
            _log_part(self.alpha_timer * rate * log),
            each + _log_sum(first, second),
            each + _log_sum(first - self.recovery * counted, second - self.recovery * timed),
        )

    def imbalance(self, marks: float, rate: float) -> float:
        """Logarithm of what takes the rate down over what raises it; rises with the marks and with the rate.

        Two balances: of the target rate, and of the rate while the target stands at the line rate. The larger counts.
        """
        told, wanted, raises, beyond = self._terms(marks, rate)
        of_target = 2.0 * told + wanted - raises - beyond - math.log(self.interval**2 * self.increase * rate)
        return max(of_target, told + wanted - raises - math.log(self.interval * (self.line - rate)))

    def delays(self, path: Path, queue: float) -> tuple[float, ...]:
        return (path.base,)

    def pace(self, path: Path) -> Pace:
        # The fastest rate is 1/interval, while all is marked; they last many times the mean of interval and timer.
        step = min(
            path.base / 4.0,
            self.interval / 4.0,
            math.sqrt(self.interval * self.timer) / 25.0,
            self.counter / self.line,
            self.alpha_timer / self.gain / 4.0,
        )
        # Alpha's memory, or winning back a tenth of the rate step by step.
        climb = self.recovery + 0.1 * path.capacity / path.flows / self.increase
        return Pace(step, max(self.alpha_timer / self.gain, self.timer * climb))

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        packet = 8.0 * path.packet
        return {
            "rate": states[RATE] * packet,
            "rate_target": states[TARGET] * packet,
            "target_over_rate": states[TARGET] / states[RATE],
            "alpha": states[ALPHA],
        }

    def closed_forms(self, path: Path, oscillation: Oscillation) -> tuple[Explanation, ...]:
        return self.rest_forms(path)

    def rest_forms(self, path: Path) -> tuple[Explanation, ...]:
        share = path.capacity / path.flows
        marks = self.notice_for(path, share, 0.0)
        return () if marks is None else explanations(self, share, marks, path.marking, path.packet)


def _log_part(exponent: float) -> float:
    """ln(1 - exp(-x))."""
    return math.log(-math.expm1(-exponent))


def _log_expm1(exponent: float) -> float:
    """ln(exp(x) - 1), also where exp(x) is infinite."""
    return math.log(math.expm1(exponent)) if exponent < 30.0 else exponent


def _log_sum(one: float, other: float) -> float:
    """ln(exp(x) + exp(y)), also where one of them is minus infinity."""
    low, high = min(one, other), max(one, other)
    return high + math.log1p(math.exp(low - high)) if high > -math.inf else high


def _root(function: Any, low: float, high: float) -> float:
    """Of a rising function of a positive number, to rounding."""
    found: float = brentq(lambda x: function(low * math.exp(x)), 0.0, math.log(high / low), xtol=1e-15, rtol=1e-14)
    return low * math.exp(found)


@lru_cache(maxsize=4096)
def _notice(flows: Dcqcn, rate: float) -> float | None:
    """The share of marks at which a flow is in equilibrium at ``rate``."""
    ends = flows.imbalance(_FEWEST, rate), flows.imbalance(_NEARLY_ALL, rate)
    if ends[0] >= 0.0 or ends[1] <= 0.0:
        return None
    return _root(lambda p: flows.imbalance(p, rate), _FEWEST, _NEARLY_ALL)


def of(congestion: DcqcnComponent, host: Host, setting: Setting) -> Dcqcn:
    """The law of ``dcqcn``: the line rate is that of the sender's link. Raises Unsupported for hosts without ECN."""
    if not host.ecn:
        raise Unsupported(
            "DCQCN reacts to marks alone, so its hosts must understand them", path="traffic.host.ecn", given=False
        )
    packet = 8.0 * setting.packet
    counter = math.inf if congestion.byte_counter is None else congestion.byte_counter / setting.packet
    return Dcqcn(
        congestion.additive_increase / packet,
        setting.access,
        congestion.g,
        congestion.cnp_interval,
        congestion.alpha_timer,
        congestion.rate_timer,
        counter,
        float(congestion.fast_recovery),
        congestion.minimum_rate / packet,
    )
