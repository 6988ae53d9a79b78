"""What windows set from a switch's telemetry share: pacing at W/T, the line's window, the link as the packet met it.

A sender is paced at W/T, T being the base round trip windows are reckoned with, and keeps at most W in flight, so it
sends W / max(T, R). Windows lie between one byte and what the sender's line carries in T.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.compile_cache import helper
from footroom.fluid import layout
from footroom.fluid.history import straight
from footroom.fluid.laws.flows import Flows, Pace, Path
from footroom.fluid.sight import arrived, locate, overflowed, round_trip, waiting

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
    line: packets/s of the sender's link.  window: at t = 0; none means the line's.
    """

    increase: float
    trip: float | None = None
    line: float = math.inf
    window: float | None = None

    notices: ClassVar[bool] = False

    def base_trip(self, path: Path) -> float:
        """T in s."""
        return path.base if self.trip is None else self.trip

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

    def paced(self, path: Path, settling: float, alone: float, queue: float) -> Pace:
        """Time scales of a law whose sum of windows settles in ``settling`` s, and each window alone in ``alone`` s.

        queue: packets, that an endless buffer would hold at rest. Each window goes its own way where flows differ, and
        where the buffer is shorter, as the current then no longer tells the sum.  What a start at line rate piles up
        has to drain first.
        """
        piled = min(path.flows * self.start(path)[0], path.buffer) / path.capacity
        apart = path.count < path.flows or path.buffer < queue
        return Pace(path.base / 25.0, max(settling + piled, alone if apart else 0.0))

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        return {"window": states[0] * path.packet, "window_packets": states[0]}
