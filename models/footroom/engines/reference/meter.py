"""Measurements at a watched port."""

from __future__ import annotations

from collections import defaultdict


class Meter:
    """Counters and the exact distribution of the queue over time, from ``opens`` to ``closes`` [ps].

    A transmission that straddles an edge of the window counts by the part inside it.
    """

    def __init__(self, opens: int, closes: int) -> None:
        self.opens, self.closes = opens, closes
        self.offered_packets = 0
        self.dropped_packets = 0
        self.marked_packets = 0
        self.sent_bits = 0.0
        self.time_at: defaultdict[int, int] = defaultdict(int)
        self.largest = 0
        self._bytes = 0
        self._since = 0

    def offered(self, now: int) -> None:
        """A packet was handed to the port."""
        self.offered_packets += now > self.opens

    def dropped(self, now: int) -> None:
        """The port's memory had no room for it."""
        self.dropped_packets += now > self.opens

    def marked(self, now: int) -> None:
        """It was taken in and marked."""
        self.marked_packets += now > self.opens

    def sent(self, start: int, end: int, size: int) -> None:
        """``size`` bytes are transmitted from ``start`` to ``end`` [ps]."""
        inside = min(end, self.closes) - max(start, self.opens)
        if inside > 0:
            self.sent_bits += 8.0 * size * inside / (end - start)

    def queue(self, now: int, waiting: int) -> None:
        """From now on ``waiting`` bytes wait."""
        inside = min(now, self.closes) - max(self._since, self.opens)
        if inside > 0:
            self.time_at[self._bytes] += inside
            self.largest = max(self.largest, self._bytes)
        if now > self.opens:
            self.largest = max(self.largest, waiting)
        self._bytes, self._since = waiting, now

    def close(self) -> None:
        """Account for the time since the last change."""
        self.queue(self.closes, self._bytes)
