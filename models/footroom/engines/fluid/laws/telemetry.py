"""Common parts of laws that set windows from telemetry: pacing at W/T, the line's window, the link the packet met.

A sender is paced at W/T, T being the base round trip windows are computed with, and keeps at most W in flight, so it
sends W / max(T, R). Windows lie between one byte and what the sender's line carries in T.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from footroom.base.compile_cache import helper
from footroom.engines.fluid import layout
from footroom.engines.fluid.history import straight
from footroom.engines.fluid.laws.flows import Flows, Pace, Path
from footroom.engines.fluid.sight import arrived, locate, overflowed, round_trip, waiting

OWN, STATE, SEEN, BASE = layout.OWN, layout.STATE, layout.SEEN, layout.BASE
TRIP, LEAST, MOST = OWN, OWN + 1, OWN + 2
#: First parameter of the law itself.
LAW = OWN + 3
ROUND_TRIP, WINDOW_THEN, WAIT_THEN, CURRENT_THEN = 0, 1, 2, 3
SEEN_NUMBER = 4


def rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    """W / max(T, R)."""
    window = min(max(state[int(params[own + STATE])], params[own + LEAST]), params[own + MOST])
    return window / max(params[own + TRIP], params[own + BASE] + waiting(state, params))


def look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    """The window, the wait in units of T and the current in units of C when the packet acknowledged now arrived.

    The current is dq/dt plus what the link sent: all arrivals that were not lost. Arrivals are remembered as straight
    lines; windows and queue are read alike, so that what should cancel cancels.
    """
    at = int(params[own + SEEN])
    trip = round_trip(past, params, own, time, out[at + ROUND_TRIP])
    place = locate(past, time - trip)
    per_packet = params[layout.PER_PACKET]
    out[at + ROUND_TRIP] = trip
    out[at + WINDOW_THEN] = straight(past, place, int(params[own + STATE]))[0]
    out[at + WAIT_THEN] = straight(past, place, layout.QUEUE)[0] * per_packet / params[own + TRIP]
    out[at + CURRENT_THEN] = arrived(past, place) * (1.0 - overflowed(past, place)) * per_packet


def project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    """Keep the window in its range."""
    block = int(params[own + STATE])
    out[block] = min(max(out[block], params[own + LEAST]), params[own + MOST])


@helper
def bounded(slope: float, window: float, params: Any, own: int) -> float:
    """The slope of a window, 0 where it would leave its range."""
    stuck = (window >= params[own + MOST] and slope > 0.0) or (window <= params[own + LEAST] and slope < 0.0)
    return 0.0 if stuck else slope


@dataclass(frozen=True)
class Telemetric(Flows):
    """Windows in packets. increase: what every update adds.  trip: T in s; none means the path's base round trip.
    line: packets/s of the sender's link.  window: at t = 0; none means the line's.  follows: T is what the network has,
    and grows with it.
    """

    increase: float
    trip: float | None = None
    line: float = math.inf
    window: float | None = None
    follows: bool = False

    notices: ClassVar[bool] = False

    def base_trip(self, path: Path) -> float:
        """T in s."""
        return path.base if self.trip is None else self.trip

    def lengthened(self, extra: float) -> Telemetric:
        return self if self.trip is None or not self.follows else replace(self, trip=self.trip + extra)

    def most(self, path: Path) -> float:
        """Largest window in packets: the line's."""
        return self.line * self.base_trip(path)

    def bounds(self, path: Path) -> tuple[float, float, float]:
        """T and the range of windows: the first of the law's parameters."""
        return self.base_trip(path), 1.0 / path.packet, self.most(path)

    def start(self, path: Path) -> tuple[float, ...]:
        most = self.most(path)
        if self.window is not None:
            return (min(self.window, most),)
        return (most if math.isfinite(most) else path.capacity * self.base_trip(path),)

    def paced(self, path: Path, speed: float, target: float, rest: float) -> Pace:
        """Time scales of a law that approaches ``target`` times W_d / load at ``speed`` (1/s).

        rest: the load in equilibrium over an endless buffer, queue included, in units of C T.
        """
        trip = self.base_trip(path)
        pipe = path.capacity * trip
        settling = 1.0 / speed + trip
        started, full = path.flows * self.start(path)[0] / pipe, 1.0 + path.buffer / pipe
        # The queue from a start at line rate has to drain. While the buffer overflows, the load seen only shows that it
        # is full, and windows shrink only by its share beyond the target.
        draining = min(started, full) * trip
        if started > full:
            draining += math.log(started / full) * settling / (1.0 - target / full)
        # So does each window on its own where flows differ, and where the buffer stays full.
        alone = 0.0
        if path.count < path.flows or rest > full:
            alone = 2.0 * settling / (1.0 - target / min(rest, full))
        return Pace(min(path.base / 25.0, 0.25 / speed), max(4.0 * settling + draining, alone))

    def held(self, path: Path, states: tuple[float, ...]) -> tuple[int, ...]:
        _, least, most = self.bounds(path)
        return () if least < states[0] < most else (0,)

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        return {"window": states[0] * path.packet, "window_packets": states[0]}
