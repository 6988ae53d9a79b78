"""TCP Reno: a packet more per round trip, half on notice.

    dW/dt = 1/(b R) - W(t) W(t-R) p(t-R) / (2 R(t-R)),     R = T + q/C

Refined for large p, an additive step per *delivered* packet: the first term becomes (1 - p_d) W_d / (b R_d W). Marks
leave packets delivered, so marked flows use the plain form, and flows that lose packets the refined one.
Source: Misra, Gong, Towsley (SIGCOMM 2000); Hollot, Misra, Towsley, Gong (INFOCOM 2001).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.base.compile_cache import helper
from footroom.engines.fluid import layout
from footroom.engines.fluid.laws.building import Setting
from footroom.engines.fluid.laws.flows import (
    THRESHOLD,
    WINDOW,
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
from footroom.parts.congestion.newreno import NewReno
from footroom.parts.traffic.host import Host

OWN, STATE, SEEN, BASE = layout.OWN, layout.STATE, layout.SEEN, layout.BASE
ACK_EVERY, REFINED = OWN, OWN + 1
ROUND_TRIP, RATE_THEN, NOTICE_THEN = 0, 1, 2


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    # A stage of the integration may fall below one packet where a whole window is marked at once.
    window = max(1.0, state[int(params[own + STATE])])
    return window / (params[own + BASE] + waiting(state, params))


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    at = int(params[own + SEEN])
    trip = round_trip(past, params, own, time, out[at + ROUND_TRIP])
    place = locate(past, time - trip)
    out[at + ROUND_TRIP] = trip
    out[at + RATE_THEN] = level(past, place, int(params[own + STATE]), params) / trip
    out[at + NOTICE_THEN] = noticed(past, place, params)


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    window = max(1.0, state[block])
    notice = seen[at + NOTICE_THEN]
    rate = seen[at + RATE_THEN]
    if params[own + REFINED] > 0.0:
        growth = (1.0 - notice) * rate / (params[own + ACK_EVERY] * window)
    else:
        growth = 1.0 / (params[own + ACK_EVERY] * (params[own + BASE] + waiting(state, params)))
    slope = growth - 0.5 * window * rate * notice
    out[block] = slope if window > 1.0 or slope > 0.0 else 0.0


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    out[block] = max(1.0, out[block])


def _grow(row: Any, params: Any, now: float, step: float, trip: float) -> None:
    row[WINDOW] += step / (params[0] * trip)


def _cut(row: Any, params: Any, now: float, step: float, trip: float) -> None:
    row[THRESHOLD] = max(0.5 * row[WINDOW], 2.0)
    row[WINDOW] = row[THRESHOLD]


_grown = helper(_grow)


def _climb(rows: Any, count: int, params: Any, now: float, step: float, trip: float) -> float:
    return climb(rows, count, params, now, step, trip, _grown)


@dataclass(frozen=True)
class Reno(Flows):
    """window: packets at t = 0.  ack_every: packets per acknowledgement that grows the window.
    refined: the large-p form, for packets that are lost rather than marked.
    """

    window: float = 1.0
    ack_every: float = 1.0
    refined: bool = False

    law: ClassVar[Law] = Law(("window",), 3, _rate, _look, _slope, _project)
    one_flow: ClassVar[OneFlow | None] = OneFlow(_grow, _cut, _climb)
    source: ClassVar[str] = "Misra, Gong, Towsley, SIGCOMM 2000; Hollot, Misra, Towsley, Gong, INFOCOM 2001"
    holds: ClassVar[str] = "windows of about 4 packets or more, a loss of at most about 5 %, many unsynchronised flows"
    rest_formula: ClassVar[str] = "W = sqrt(2 / (b p)); refined sqrt(2 (1 - p) / (b p))"
    departures: ClassVar[str] = "for lost packets, growth counts delivered packets (large-p form)"

    def parameters(self, path: Path) -> tuple[float, ...]:
        return self.ack_every, float(self.refined)

    def one_flow_parameters(self) -> tuple[float, ...]:
        return (self.ack_every,)

    def start(self, path: Path) -> tuple[float, ...]:
        return (self.window,)

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        window = self.steady_window(pressure.notice)
        return Rest(window / path.round_trip(pressure.queue), (window,))

    def steady_window(self, notice: float) -> float:
        """Window (packets, at least 1) where growth and cuts balance: b W^2 p = 2, or 2 (1 - p) when refined."""
        if notice <= 0.0:
            return math.inf
        return max(1.0, math.sqrt(2.0 * (1.0 - notice if self.refined else 1.0) / (self.ack_every * notice)))

    def notice_for(self, path: Path, rate: float, queue: float) -> float | None:
        window = rate * path.round_trip(queue)
        if window <= 1.0:
            return None
        square = self.ack_every * window * window
        return 2.0 / (square + 2.0) if self.refined else 2.0 / square

    def pace(self, path: Path) -> Pace:
        # One cycle: half the peak window at one packet per ack_every round trips; the peak is pipe and buffer shared.
        wait = path.buffer / path.capacity if math.isfinite(path.buffer) else path.base
        peak = max(4.0, path.capacity * (path.base + wait) / path.flows)
        return Pace(path.base / 100.0, 0.5 * peak * self.ack_every * (path.base + wait))

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        return {"window": states[0] * path.packet, "window_packets": states[0]}


def of(congestion: NewReno, host: Host, setting: Setting) -> Reno:
    """The law of ``newreno``: marks leave packets delivered, hence the plain form; losses do not.

    A flow starts at an even share of the path, where slow start would leave it after a few round trips: growing there
    by a packet per round trip can take longer than any run.
    """
    every = 1.0 if congestion.byte_counting else float(host.ack_every)
    share = setting.capacity * setting.rtt / setting.flows
    return Reno(max(float(host.initial_window), share), every, refined=not setting.marks)
