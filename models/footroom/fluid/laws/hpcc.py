"""HPCC: the window that produced a load, scaled to the wanted load, and a little more.

    dW/dt = (1/T) [eta W_old / U + W_AI - W],     U = q/(C T) + sent/C

W_old, q and what the link sent are those of one instant: when the packet acknowledged now reached the queue. A sender
is paced at W/T and keeps at most W in flight, so it sends W / max(T, R). At rest sum W = eta C T + sum W_AI; what of it
exceeds C T stands in the queue.
Source: Li et al. (SIGCOMM 2019), sections 3.2 and 3.3, appendix A.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.congestion.hpcc import Hpcc as HpccComponent
from footroom.fluid import layout
from footroom.fluid.laws.building import Setting
from footroom.fluid.laws.flows import Flows, Law, Pace, Path, Pressure, Rest
from footroom.fluid.sight import arrived, level, locate, round_trip, waiting
from footroom.traffic.host import Host

OWN, STATE, SEEN, BASE = layout.OWN, layout.STATE, layout.SEEN, layout.BASE
TARGET, INCREASE, TRIP, LEAST, MOST, REFERENCE = OWN, OWN + 1, OWN + 2, OWN + 3, OWN + 4, OWN + 5
ROUND_TRIP, WINDOW_THEN, LOAD_THEN = 0, 1, 2
#: Loads below are taken for this one: nothing divides by an idle link.
_IDLE = 1e-6


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    window = min(max(state[int(params[own + STATE])], params[own + LEAST]), params[own + MOST])
    return window / max(params[own + TRIP], params[own + BASE] + waiting(state, params))


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    at = int(params[own + SEEN])
    trip = round_trip(past, params, own, time, out[at + ROUND_TRIP])
    place = locate(past, time - trip)
    queue = level(past, place, layout.QUEUE, params)
    sent = 1.0 if queue > 0.0 else min(1.0, arrived(past, place) * params[layout.PER_PACKET])
    out[at + ROUND_TRIP] = trip
    out[at + WINDOW_THEN] = level(past, place, int(params[own + STATE]), params)
    out[at + LOAD_THEN] = max(_IDLE, queue * params[layout.PER_PACKET] / params[own + TRIP] + sent)


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    window = state[block]
    scaled = seen[at + WINDOW_THEN] if params[own + REFERENCE] > 0.0 else window
    wanted = params[own + TARGET] * scaled / seen[at + LOAD_THEN] + params[own + INCREASE]
    slope = (wanted - window) / params[own + TRIP]
    stuck = (window >= params[own + MOST] and slope > 0.0) or (window <= params[own + LEAST] and slope < 0.0)
    out[block] = 0.0 if stuck else slope


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    out[block] = min(max(out[block], params[own + LEAST]), params[own + MOST])


@dataclass(frozen=True)
class Hpcc(Flows):
    """target: eta.  increase: W_AI, packets.  trip: T, s; none means the path's base round trip.
    line: packets/s of the sender's link.  window: packets at t = 0, none means the line's, line T.
    reference: scale the window that produced the load; otherwise the present one, which diverges.
    """

    target: float = 0.95
    increase: float = 0.08
    trip: float | None = None
    line: float = math.inf
    window: float | None = None
    reference: bool = True

    law: ClassVar[Law] = Law(("window",), 3, _rate, _look, _slope, _project)
    source: ClassVar[str] = "Li et al., SIGCOMM 2019, sections 3.2 and 3.3, appendix A"
    holds: ClassVar[str] = "lossless fabrics, one bottleneck, senders paced at W/T; losses are not answered to"
    departures: ClassVar[str] = "every update is multiplicative; telemetry of the instant the packet reached the queue"
    rest_formula: ClassVar[str] = "W = W_AI / (1 - eta/U), U = q/(C T) + load; sum W = eta C T + sum W_AI"
    notices: ClassVar[bool] = False

    def base_trip(self, path: Path) -> float:
        """T in s."""
        return path.base if self.trip is None else self.trip

    def most(self, path: Path) -> float:
        """Largest window in packets: the line's."""
        return self.line * self.base_trip(path)

    def parameters(self, path: Path) -> tuple[float, ...]:
        # At least one byte.
        return (self.target, self.increase, self.base_trip(path), 1.0 / path.packet, self.most(path),
                float(self.reference))

    def start(self, path: Path) -> tuple[float, ...]:
        most = self.most(path)
        if self.window is not None:
            return (min(self.window, most),)
        return (most if math.isfinite(most) else path.capacity * self.base_trip(path),)

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        trip = self.base_trip(path)
        load = pressure.load + pressure.queue / (path.capacity * trip)
        window = self.increase / (1.0 - self.target / load) if load > self.target else math.inf
        window = min(window, self.most(path))
        return Rest(window / max(trip, path.round_trip(pressure.queue)), (window,))

    def pace(self, path: Path) -> Pace:
        trip = self.base_trip(path)
        pipe = path.capacity * trip
        # What a start at line rate piles up has to drain; windows that differ approach one another by a share of
        # W_AI/W per round trip.
        piled = min(path.flows * self.start(path)[0], path.buffer) / path.capacity
        total = path.flows * self.increase
        apart = 2.0 * trip * (1.0 + self.target * pipe / total) if path.count < path.flows else 0.0
        return Pace(path.base / 25.0, max(4.0 * trip + piled, apart))

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        return {"window": states[0] * path.packet, "window_packets": states[0]}


def of(congestion: HpccComponent, host: Host, setting: Setting) -> Hpcc:
    """The law of ``hpcc``."""
    trip = setting.longest_rtt if congestion.base_rtt is None else congestion.base_rtt
    return Hpcc(congestion.target_utilisation, congestion.additive_increase / setting.packet, trip, setting.access,
                reference=congestion.reference_window)
