"""Ends of slow start before a loss, in plain Python: HyStart (Linux tcp_cubic.c) and HyStart++ (RFC 9406)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.engines.plan import SECOND, Stack

_MS = SECOND // 1000


def margin(trip: float) -> float:
    """How much longer than ``trip`` [ps] round trips must get to end slow start: an eighth, from 4 to 16 ms."""
    return min(max(trip / 8.0, 4.0 * _MS), 16.0 * _MS)


@dataclass
class Heard:
    """An acknowledgement in slow start. now: time; trip: round trip of the newest segment acknowledged; smoothed: round
    trip [all ps]. una, nxt: segments outstanding.  window, threshold: before it. count: segments it lets the window
    grow by.
    """

    now: int
    trip: int
    smoothed: int
    una: int
    nxt: int
    window: float
    threshold: float
    count: float


class SlowStart:
    """Ends with the first loss."""

    over = False

    def hear(self, heard: Heard) -> float:
        """Segments by which the window may grow. ``over`` is True afterwards where slow start ends here."""
        return heard.count

    def reset(self, now: int, nxt: int) -> None:
        """The connection begins, or the timer expired."""

    def renumber(self) -> None:
        """The next flow on the connection counts its segments from 0."""


class HyStart(SlowStart):
    """Linux: trains of acknowledgements, and delays."""

    def __init__(self, stack: Stack) -> None:
        self._payload, self._paced = stack.payload, bool(stack.pacing)
        self.reset(0, 0)

    def reset(self, now: int, nxt: int) -> None:
        self._found = self.over = False
        self._shortest = math.inf
        self._begin_round(now, nxt)

    def renumber(self) -> None:
        self._end = 0

    def _begin_round(self, now: int, nxt: int) -> None:
        self._began = self._train = now
        self._end = nxt
        self._samples: list[int] = []

    def hear(self, heard: Heard) -> float:
        self.over = False
        self._shortest = min(self._shortest, heard.trip)
        if not self._found and heard.una > self._end:
            self._begin_round(heard.now, heard.nxt)
        if not self._found and heard.window >= 16:
            train, delay = self._long_train(heard), self._long_trips(heard)
            self._found = self.over = train or delay
        return heard.count

    def _long_train(self, heard: Heard) -> bool:
        if heard.now - self._train > 2 * _MS:
            return False
        self._train = heard.now
        # Two bursts of 64 kB at the pacing rate of slow start, twice the window per round trip, there and back.
        bursts = 2.0 * 65536.0 * heard.smoothed / (self._payload * heard.window)
        longest = self._shortest + min(1.0 * _MS, bursts)
        return heard.now - self._began > (longest if self._paced else longest / 2.0)

    def _long_trips(self, heard: Heard) -> bool:
        self._samples.append(heard.trip)
        return len(self._samples) > 8 and min(self._samples) > self._shortest + margin(self._shortest)


class HyStartPlusPlus(SlowStart):
    """RFC 9406 §4.2 and 4.3, in a connection's first slow start only."""

    def __init__(self, stack: Stack) -> None:
        self._most = math.inf if stack.pacing else 8.0
        self.reset(0, 0)

    def reset(self, now: int, nxt: int) -> None:
        self.over = False
        self._end = nxt
        self._last = math.inf
        self._trips: list[int] = []
        self._baseline: float | None = None
        self._rounds = 0

    def renumber(self) -> None:
        self._end = 0

    def hear(self, heard: Heard) -> float:
        if heard.threshold < 1e18:
            return heard.count
        if heard.una >= self._end:
            if self._baseline is not None:
                self._rounds += 1
                if self._rounds == 5:
                    self.over = True
                    return heard.count
            self._last, self._trips, self._end = min(self._trips, default=math.inf), [], heard.nxt
        self._trips.append(heard.trip)
        count = min(heard.count, self._most)
        if self._baseline is not None:
            count /= 4.0
        if len(self._trips) >= 8:
            now = min(self._trips)
            if self._baseline is None:
                if self._last < math.inf and now >= self._last + margin(self._last):
                    self._baseline, self._rounds = now, 0
            elif now < self._baseline:
                self._baseline = None
        return count


def slow_start_of(stack: Stack) -> SlowStart:
    """What ``host.hystart`` says."""
    if stack.hystart == "linux":
        return HyStart(stack)
    return HyStartPlusPlus(stack) if stack.hystart == "rfc9406" else SlowStart()
