"""DCTCP: a packet more per round trip, marks cut by half their running share alpha.

    dW/dt = 1/R(t) - W(t) alpha(t) p(t-R*) / (2 R(t)) - W(t) W(t-R*) l(t-R*) / (2 R(t-R*)),     R = d + q/C
    dalpha/dt = (g/R(t)) (p(t-R*) - alpha(t)),          W >= 2,  0 <= alpha <= 1

p: share of marked packets; l: share lost at a full buffer, which halves as in Reno (RFC 8257, section 3.4). Under a
step at K the notice is R* = d + K/C old, a constant, as in the paper: marks tell of the queue when it stood near K.
Where no step pins the queue (RED, PI, no marking) the notice is as old as the round trip of the packet that brings it.
Source: Alizadeh, Javanmard, Prabhakar, Analysis of DCTCP (SIGMETRICS 2011), section 3; the floor from Linux.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.base.compile_cache import helper
from footroom.engines.fluid import history, layout
from footroom.engines.fluid.dctcp_sawtooth import explanations
from footroom.engines.fluid.laws.building import Setting
from footroom.engines.fluid.laws.flows import Flows, Law, Oscillation, Pace, Path, Pressure, Rest
from footroom.engines.fluid.laws.reno import Reno
from footroom.engines.fluid.sight import level, locate, marked, overflowed, round_trip, waiting
from footroom.formulas.transfer.dctcp_sawtooth import Sawtooth, share_of_marks
from footroom.parts.congestion.dctcp import Dctcp as DctcpComponent
from footroom.parts.traffic.host import Host
from footroom.result.explanation import Explanation

OWN, STATE, SEEN, BASE, QUEUE = layout.OWN, layout.STATE, layout.SEEN, layout.BASE, layout.QUEUE
GAIN, FLOOR, THRESHOLD, DELAY = (OWN + i for i in range(4))
WINDOW, ALPHA = 0, 1
ROUND_TRIP, RATE_THEN, MARKS_THEN, LOSS_THEN = 0, 1, 2, 3


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    window = max(params[own + FLOOR], state[int(params[own + STATE]) + WINDOW])
    return window / (params[own + BASE] + waiting(state, params))


@helper
def _share_above(first: float, second: float, threshold: float) -> float:
    """Share of a straight way from ``first`` to ``second`` that lies above a threshold."""
    if first > threshold:
        return 1.0 if second > threshold else (first - threshold) / (first - second)
    return (second - threshold) / (second - first) if second > threshold else 0.0


@helper
def _above(past: Any, time: float, threshold: float, params: Any) -> float:
    """Share of the step around ``time`` in which the queue was above a threshold.

    A single instant would give the crossing to a whole step only; the share of the step gives it exactly.
    """
    half = 0.5 * past[history.STEP]
    before = level(past, locate(past, time - half), QUEUE, params)
    middle = level(past, locate(past, time), QUEUE, params)
    after = level(past, locate(past, time + half), QUEUE, params)
    return 0.5 * (_share_above(before, middle, threshold) + _share_above(middle, after, threshold))


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    at = int(params[own + SEEN])
    threshold = params[own + THRESHOLD]
    if threshold >= 0.0:
        then = time - params[own + DELAY]
        place = locate(past, then)
        out[at + MARKS_THEN] = _above(past, then, threshold, params)
        trip = params[own + BASE] + level(past, place, QUEUE, params) * params[layout.PER_PACKET]
    else:
        trip = round_trip(past, params, own, time, out[at + ROUND_TRIP])
        place = locate(past, time - trip)
        out[at + MARKS_THEN] = marked(past, place, params)
    out[at + ROUND_TRIP] = trip
    out[at + RATE_THEN] = level(past, place, int(params[own + STATE]) + WINDOW, params) / trip
    out[at + LOSS_THEN] = overflowed(past, place)


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    window = max(params[own + FLOOR], state[block + WINDOW])
    marks = seen[at + MARKS_THEN]
    often = 1.0 / (params[own + BASE] + waiting(state, params))
    slope = often * (1.0 - 0.5 * window * state[block + ALPHA] * marks)
    slope -= 0.5 * window * seen[at + RATE_THEN] * seen[at + LOSS_THEN]
    out[block + WINDOW] = slope if window > params[own + FLOOR] or slope > 0.0 else 0.0
    out[block + ALPHA] = params[own + GAIN] * often * (marks - state[block + ALPHA])


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    out[block + WINDOW] = max(params[own + FLOOR], out[block + WINDOW])
    out[block + ALPHA] = min(1.0, max(0.0, out[block + ALPHA]))


@dataclass(frozen=True)
class Dctcp(Flows):
    """gain: g.  floor: smallest window, packets.  window, alpha: at t = 0.

    None is the window that just fills the pipe and the queue up to the threshold, and the sawtooth's alpha. From
    alpha = 1 the first cut would halve the window, which takes half its packets in round trips to grow again: on a long
    fat path longer than any run.
    """

    gain: float = 1.0 / 16.0
    floor: float = 2.0
    window: float | None = None
    alpha: float | None = None

    law: ClassVar[Law] = Law(("window", "alpha"), 4, _rate, _look, _slope, _project)
    stepped: ClassVar[bool] = True
    source: ClassVar[str] = "Alizadeh, Javanmard, Prabhakar, Analysis of DCTCP, SIGMETRICS 2011"
    holds: ClassVar[str] = (
        "windows above 2 packets and flows in step; bursts (30 to 40 packets at 10 Gb/s, SIGCOMM 2010, section 3.4) "
        "come on top"
    )
    departures: ClassVar[str] = (
        "window of at least 2 packets; lost packets halve it; notice as old as the round trip where no step pins the "
        "queue; starts where slow start leaves it"
    )
    rest_formula: ClassVar[str] = "W = 2/p^2, at least 2; alpha = p"

    def parameters(self, path: Path) -> tuple[float, ...]:
        threshold = path.threshold
        return self.gain, self.floor, -1.0 if threshold is None else threshold, self._notice_delay(path, 0.0)

    def _notice_delay(self, path: Path, queue: float) -> float:
        return path.round_trip(queue if path.threshold is None else path.threshold)

    def brim(self, path: Path) -> float:
        """Window W* (packets) of a flow when all together fill the pipe and the queue up to the threshold."""
        return (path.capacity * path.base + (path.threshold or 0.0)) / path.flows

    def start(self, path: Path) -> tuple[float, ...]:
        brim = self.brim(path)
        # Flows that overload the link even at the floor are marked all the time.
        alpha = share_of_marks(brim) if brim > self.floor else 1.0
        window = max(self.floor, brim)
        return window if self.window is None else self.window, alpha if self.alpha is None else self.alpha

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        # 1 = W p^2/2 + W^2 l/2, with p the marks among the packets that are not lost.
        marks, lost = pressure.early, pressure.overflow
        square = marks * marks
        cuts = square + math.sqrt(square * square + 8.0 * lost)
        window = math.inf if cuts <= 0.0 else max(self.floor, 4.0 / cuts)
        return Rest(window / path.round_trip(pressure.queue), (window, marks))

    def notice_for(self, path: Path, rate: float, queue: float) -> float | None:
        window = rate * path.round_trip(queue)
        return None if window <= self.floor else math.sqrt(2.0 / window)

    def pace(self, path: Path) -> Pace:
        brim, notice = self.brim(path), self._notice_delay(path, 0.0)
        # Flows that cannot go below the floor hold a queue of their own.
        trip = max(notice, self.floor * path.flows / path.capacity)
        # The sawtooth and the delay of its notices; where alpha forgets between two cuts, a cut takes g of the window.
        period = math.sqrt(2.0 * brim) + self.gain * brim + 5.0
        # Alpha starts near where the cycle has it, but has some way to go to any other end.
        memory = (0.25 if path.threshold is not None and brim > self.floor else 1.0) / self.gain
        return Pace(min(notice / 50.0, path.base / 4.0), trip * max(period, memory))

    def delays(self, path: Path, queue: float) -> tuple[float, ...]:
        return (self._notice_delay(path, queue),)

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        return {"window": states[WINDOW] * path.packet, "window_packets": states[WINDOW], "alpha": states[ALPHA]}

    def closed_forms(self, path: Path, oscillation: Oscillation) -> tuple[Explanation, ...]:
        if path.threshold is None or path.buffer <= path.threshold:
            return ()
        saw = Sawtooth(path.capacity * path.base, path.threshold, path.flows, path.base)
        return explanations(
            saw, self.gain, least=oscillation.least, greatest=oscillation.greatest, alpha=oscillation.states[ALPHA]
        )


def of(congestion: DctcpComponent, host: Host, setting: Setting) -> Flows:
    """The law of ``dctcp``; Reno without ECN on the host, or where the switch marks nothing: every notice is a loss.

    RFC 8257, section 3.4. The averaged law here would halve all flows at once, where losses hit one after the other.
    """
    if not host.ecn or not setting.early:
        share = setting.capacity * setting.rtt / setting.flows
        return Reno(max(float(host.initial_window), share), 1.0, refined=True)
    return Dctcp(congestion.g, congestion.minimum_window)
