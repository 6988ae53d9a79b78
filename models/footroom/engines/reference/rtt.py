"""Round-trip time and retransmission timeout (RFC 6298)."""

from __future__ import annotations

from footroom.engines.plan import SECOND

#: The longest timeout (Linux), in ps.
LONGEST_TIMEOUT = 120 * SECOND


class RoundTrip:
    """Smoothed round-trip time, its variation and the timeout, all whole picoseconds.

    Departs from RFC 6298: no clock granularity, and the smallest timeout is the caller's. With ``floors_variance`` it
    is the least the timeout exceeds the round trip by (Linux), otherwise the least timeout. ``first`` holds until the
    first measurement (RFC 6298 §2.1).
    """

    def __init__(self, smallest: int, floors_variance: bool, first: int = SECOND) -> None:
        self.smallest, self.floors_variance = smallest, floors_variance
        self.smoothed: int | None = None
        self.shortest: int | None = None
        self.variation = 0
        self.timeout = first
        self.latest = 0  # of what arrived last, whether the timeout follows from it or not

    def sample(self, measured: int) -> None:
        """Take in one measurement [ps]; also ends the backoff."""
        if self.smoothed is None:
            self.smoothed, self.variation = measured, measured // 2
        else:
            self.variation = (3 * self.variation + abs(self.smoothed - measured)) // 4
            self.smoothed = (7 * self.smoothed + measured) // 8
        self.shortest = measured if self.shortest is None else min(self.shortest, measured)
        self._expect(self.smoothed, self.variation)

    def shake_hands(self, measured: int) -> None:
        """Setting up the connection took ``measured`` [ps]: the timeout follows from it, the round trip is still to be
        measured by data.
        """
        self._expect(measured, measured // 2)

    def _expect(self, smoothed: int, variation: int) -> None:
        margin = 4 * variation
        if self.floors_variance:
            timeout = smoothed + max(margin, self.smallest)
        else:
            timeout = max(smoothed + margin, self.smallest)
        self.timeout = min(timeout, LONGEST_TIMEOUT)

    def note_shortest(self, measured: int) -> None:
        """Note a round trip [ps] that does not count for the timeout, but may be the shortest."""
        self.shortest = measured if self.shortest is None else min(self.shortest, measured)

    def back_off(self) -> None:
        """Double the timeout: it expired."""
        self.timeout = min(2 * self.timeout, LONGEST_TIMEOUT)
