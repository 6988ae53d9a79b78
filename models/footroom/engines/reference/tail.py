"""The probe of a lost tail (RFC 8985 §7), its timer and the timer of a hole."""

from __future__ import annotations

from footroom.engines.plan import SECOND, Stack
from footroom.engines.reference.ticks import Ticks


class Tail:
    """What a sender remembers of its probes.

    at: when something is to be done [ps], None for never.  end: ``nxt`` when the probe under way was sent, None while
    there is none.  repeats: whether that probe was no new data.  due: a probe waits for pacing only.  timed: a round
    trip was measured since the last probe.  copies: segments sent again as probes.  count: probes since the window
    opened.

    For departures from RFC 8985 see ``footroom.engines.packet.probe``.
    """

    def __init__(self, stack: Stack, handshake: int, ticks: Ticks) -> None:
        self.stack, self.handshake, self.ticks = stack, handshake, ticks
        self.at: int | None = None
        self.end: int | None = None
        self.repeats = False
        self.due = False
        self.timed = True
        self.copies: set[int] = set()
        self.count = 0

    def cancel(self) -> None:
        """Losses are being repaired: probes have no place there."""
        self.at = self.end = None
        self.due = False

    def wait(self, now: int, smoothed: int | None, outstanding: int, latest: int) -> None:
        """Start the timer (RFC 8985 §7.2). smoothed: round trip; latest: when the sender would time out [ps]."""
        trip = smoothed or self.handshake
        interval = SECOND
        if trip:
            interval = 2 * trip + (self.stack.min_rto if outstanding == 1 else self.stack.probe_margin)
        self.at = min(self.ticks.rings(now, interval), latest)

    def sent(self, end: int, repeats: bool, counted: bool) -> None:
        """A probe has left; ``end`` is the next new segment."""
        self.due = self.timed = False
        self.end, self.repeats = end, repeats
        self.count += counted

    def made_good(self, ack: int, acked: int, reports: bool) -> bool:
        """Whether the acknowledgement shows that the probe itself repaired a loss (RFC 8985 §7.4.2).

        reports: whether it carries a selective block.
        """
        if self.end is None or ack < self.end:
            return False
        if self.repeats and ack == self.end and (acked > 0 or reports):
            return False  # either copy may have led to it
        repaired = self.repeats and ack > self.end
        self.end = None
        return repaired
