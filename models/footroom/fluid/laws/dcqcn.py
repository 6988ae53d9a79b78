"""DCQCN: notifications cut the rate, a timer and a byte counter raise it.

    dalpha/dt = (g/t') [ 1 - (1-p_d)^(t' R_d) - alpha ]
    dR_T/dt   = -(R_T - R)/t a + R_AI R_d (c + e)
    dR/dt     = -R alpha/(2 t) a + (R_T - R)/2 R_d (b + d)

    a = 1 - (1-p_d)^(t R_d)              chance of a notification in the interval t
    b = p_d/((1-p_d)^-B - 1)             increases by volume per packet; beyond fast recovery c = b (1-p_d)^(F B)
    d = p_d/((1-p_d)^(-T R_d) - 1)       increases by time per packet; beyond fast recovery e = d (1-p_d)^(F T R_d)

Subscript d: one loop delay ago, which is constant because marks are set as packets leave the queue. Rates in packets/s;
p is the marking probability per packet. All is written with L = -ln(1-p), exact for tiny p and bounded for p = 1.
Source: Zhu, Ghobadi, Misra, Padhye, ECN or Delay (CoNEXT 2016), section 3; Zhu et al. (SIGCOMM 2015), section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from scipy.optimize import brentq

from footroom.compile_cache import helper
from footroom.congestion.dcqcn import Dcqcn as DcqcnComponent
from footroom.fluid import layout
from footroom.fluid.laws.building import Setting
from footroom.fluid.laws.flows import Flows, Law, Pace, Path, Pressure, Rest
from footroom.fluid.sight import level, locate, noticed
from footroom.traffic.host import Host

OWN, STATE, SEEN, BASE = layout.OWN, layout.STATE, layout.SEEN, layout.BASE
INCREASE, GAIN, INTERVAL, ALPHA_TIMER, TIMER, COUNTER, RECOVERY, LINE = (OWN + i for i in range(8))
ALPHA, TARGET, RATE = 0, 1, 2
RATE_THEN, NOTICE_THEN = 0, 1

#: Beyond this exponent an exponential counts as infinite, its inverse as 0.
_MOST = 700.0
#: Slowest rate, as a share of the line rate: a flow that stands still never hears of marks again.
_SLOWEST = 1e-6


@helper
def _events(notice: float, log_kept: float, packets: float) -> float:
    """Increases per packet when one comes every ``packets`` without a notification: p/((1-p)^-packets - 1)."""
    exponent = packets * log_kept
    if exponent < 1e-12:
        return 1.0 / packets
    if exponent > _MOST:
        return 0.0
    return notice / math.expm1(exponent)


@helper
def _beyond(log_kept: float, packets: float) -> float:
    """Chance that ``packets`` in a row go unmarked."""
    exponent = packets * log_kept
    return 0.0 if exponent > _MOST else math.exp(-exponent)


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    return min(params[own + LINE], max(0.0, state[int(params[own + STATE]) + RATE]))


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    at = int(params[own + SEEN])
    place = locate(past, time - params[own + BASE])
    out[at + RATE_THEN] = level(past, place, int(params[own + STATE]) + RATE, params)
    out[at + NOTICE_THEN] = noticed(past, place, params)


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    notice = min(1.0, max(0.0, seen[at + NOTICE_THEN]))
    then = max(_SLOWEST * params[own + LINE], seen[at + RATE_THEN])
    alpha, target, rate = state[block + ALPHA], state[block + TARGET], state[block + RATE]
    log_kept = -math.log1p(-notice) if notice < 1.0 else 1e300
    told = -math.expm1(-min(_MOST, params[own + INTERVAL] * then * log_kept))
    marked = -math.expm1(-min(_MOST, params[own + ALPHA_TIMER] * then * log_kept))
    timed = params[own + TIMER] * then
    by_volume = _events(notice, log_kept, params[own + COUNTER])
    by_time = _events(notice, log_kept, timed)
    beyond = by_volume * _beyond(log_kept, params[own + RECOVERY] * params[own + COUNTER])
    beyond += by_time * _beyond(log_kept, params[own + RECOVERY] * timed)
    often = told / params[own + INTERVAL]
    out[block + ALPHA] = params[own + GAIN] / params[own + ALPHA_TIMER] * (marked - alpha)
    out[block + TARGET] = (rate - target) * often + params[own + INCREASE] * then * beyond
    out[block + RATE] = -0.5 * rate * alpha * often + 0.5 * (target - rate) * then * (by_volume + by_time)
    # At the line rate nothing rises further.
    for i in (TARGET, RATE):
        if state[block + i] >= params[own + LINE] and out[block + i] > 0.0:
            out[block + i] = 0.0


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, line = int(params[own + STATE]), params[own + LINE]
    out[block + ALPHA] = min(1.0, max(0.0, out[block + ALPHA]))
    for i in (TARGET, RATE):
        out[block + i] = min(line, max(_SLOWEST * line, out[block + i]))


@dataclass(frozen=True)
class Dcqcn(Flows):
    """increase: R_AI, packets/s.  gain: g.  interval, alpha_timer, timer: s.  counter: packets.  recovery: F.
    line: the sender's line rate, packets/s.  start_rate: at t = 0, the line rate if None.
    """

    increase: float
    line: float
    gain: float = 1.0 / 256.0
    interval: float = 50e-6
    alpha_timer: float = 55e-6
    timer: float = 55e-6
    counter: float = 10_000.0
    recovery: float = 5.0
    start_rate: float | None = None

    law: ClassVar[Law] = Law(("alpha", "rate_target", "rate"), 2, _rate, _look, _slope, _project)
    source: ClassVar[str] = "Zhu, Ghobadi, Misra, Padhye, ECN or Delay, CoNEXT 2016, section 3"
    holds: ClassVar[str] = "marks on the ramp; start-up overshoots pause frames or a finite buffer would cut"
    departures: ClassVar[str] = "no hyper increase; a rate never falls below 1e-6 of the line rate"
    rest_formula: ClassVar[str] = "a^2 alpha / ((b + d)(c + e)) = t^2 R_AI R"

    def parameters(self, path: Path) -> tuple[float, ...]:
        return (self.increase, self.gain, self.interval, self.alpha_timer, self.timer, self.counter, self.recovery,
                self.line)

    def start(self, path: Path) -> tuple[float, ...]:
        rate = self.line if self.start_rate is None else self.start_rate
        return 1.0, rate, rate

    def _forces(self, notice: float, rate: float) -> tuple[float, float, float, float]:
        """a, alpha, b + d and c + e at rest; scalar twins of the compiled terms, for the search of the rest."""
        kept = -math.log1p(-notice)

        def events(packets: float) -> float:
            exponent = packets * kept
            return 1.0 / packets if exponent < 1e-12 else 0.0 if exponent > _MOST else notice / math.expm1(exponent)

        timed = self.timer * rate
        volume, time = events(self.counter), events(timed)
        beyond = (volume * math.exp(-min(_MOST, self.recovery * self.counter * kept))
                  + time * math.exp(-min(_MOST, self.recovery * timed * kept)))
        return (-math.expm1(-self.interval * rate * kept), -math.expm1(-self.alpha_timer * rate * kept),
                volume + time, beyond)

    def _excess(self, notice: float, rate: float) -> float:
        """Logarithm of what pulls down over what pushes up at rest; rises with the notice and with the rate."""
        told, alpha, more, beyond = self._forces(notice, rate)
        if more <= 0.0 or beyond <= 0.0:
            return 1e3
        return (2.0 * math.log(told) + math.log(alpha) - math.log(more) - math.log(beyond)
                - math.log(self.interval**2 * self.increase * rate))

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        notice = pressure.notice
        if notice <= 0.0 or self._excess(min(notice, 1.0 - 1e-12), self.line) <= 0.0:
            return Rest(self.line, (0.0, self.line, self.line))
        notice = min(notice, 1.0 - 1e-12)
        slowest = _SLOWEST * self.line
        if self._excess(notice, slowest) >= 0.0:
            return self._at(notice, slowest)
        rate = math.exp(brentq(lambda x: self._excess(notice, math.exp(x)), math.log(slowest), math.log(self.line),
                               xtol=1e-15, rtol=8.9e-16))
        return self._at(notice, rate)

    def _at(self, notice: float, rate: float) -> Rest:
        told, alpha, more, _ = self._forces(notice, rate)
        target = rate + told * alpha / (self.interval * more) if more > 0.0 else self.line
        return Rest(rate, (alpha, min(target, self.line), rate))

    def notice_for(self, path: Path, rate: float, queue: float) -> float | None:
        low, high = math.log(1e-14), math.log(1.0 - 1e-12)
        if rate >= self.line or self._excess(math.exp(low), rate) >= 0.0 or self._excess(math.exp(high), rate) <= 0.0:
            return None
        return math.exp(brentq(lambda x: self._excess(math.exp(x), rate), low, high, xtol=1e-15, rtol=8.9e-16))

    def delays(self, path: Path, queue: float) -> tuple[float, ...]:
        return (path.base,)

    def pace(self, path: Path) -> Pace:
        # The rate answers within a notification interval, alpha within t'/g.
        return Pace(min(path.base / 10.0, self.interval / 50.0), self.alpha_timer / self.gain)

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        alpha, target, rate = states
        return {"alpha": alpha, "rate_target": target * path.packet * 8.0, "target_over_rate": target / rate}


def of(congestion: DcqcnComponent, host: Host, setting: Setting) -> Dcqcn:
    """The law of ``dcqcn``; a sender cannot be faster than its link."""
    packet = 8.0 * setting.packet
    return Dcqcn(
        congestion.rate_increase / packet, setting.access, congestion.gain, congestion.notification_interval,
        congestion.alpha_timer, congestion.rate_timer, congestion.byte_counter / setting.packet,
        float(congestion.fast_recovery))
