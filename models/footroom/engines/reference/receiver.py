"""The receiving side of a flow: puts segments in order and acknowledges them."""

from __future__ import annotations

from collections.abc import Callable

from footroom.engines.plan import Stack
from footroom.engines.reference.clock import Clock
from footroom.engines.reference.packet import Hop, Packet
from footroom.engines.reference.receive_window import ReceiveWindow
from footroom.parts.traffic.sacks import AT_ONCE, MOST_TOGETHER, PARTS_OF_TRIP

#: Sends an acknowledgement: (next segment expected, echoed stamp, left, right, whether it reports a mark, telemetry).
Acknowledge = Callable[[int, int, int, int, bool, tuple[Hop, ...] | None], None]


class Receiver:
    """Cumulative acknowledgements with one block of selective ones (RFC 5681 §4.2, RFC 2018 with a single block).

    Every ``ack_every``-th segment is acknowledged, the first ``quick_acks`` and the last one of a flow and anything
    around a gap at once, and no segment later than ``ack_delay`` after the first that waits.

    Marks are reported as in RFC 3168 §6.1.3, from the marked segment on until the sender says that it has reacted, or,
    for laws with an accurate echo, as in RFC 8257 §3.2 and Linux (dctcp_ece_ack_update): each acknowledgement covers
    segments that were all marked or all not, and one that differs from the one before is acknowledged at once.
    """

    def __init__(
        self,
        stack: Stack,
        segments: int,
        clock: Clock,
        acknowledge: Acknowledge,
        round_trip: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._round_trip = round_trip
        self._window: ReceiveWindow | None = None
        self.stack, self.segments, self.clock, self.acknowledge = stack, segments, clock, acknowledge
        self.expected = 0
        self.quick = stack.quick_acks  # segments at the start acknowledged one by one
        self.delivered = 0  # segments put in order since the window opened
        self.ack_at: int | None = None
        self._accurate = stack.ecn and stack.law.accurate_echo
        self._echo = False
        self._beyond: set[int] = set()
        self._left = self._right = 0
        self._pending = 0
        self._pending_stamp = 0
        self._reported, self._reports = -1, 0  # the gap that was last reported, and how often at once
        self._newest: tuple[Hop, ...] | None = None  # telemetry of the segment that came last

    def on_data(self, packet: Packet) -> None:
        """A segment arrived."""
        self._newest = packet.telemetry
        changed = self._accurate and packet.marked != self._echo
        if self._accurate:
            if changed and self._pending > 0:
                self._send(self._pending_stamp)  # for those before it
            self._echo = packet.marked
        else:
            self._echo = packet.marked or (self._echo and not packet.cwr)
        if self._holds_back() and self._beyond and not self._left - 1 <= packet.seq <= self._right:
            self._send(self._pending_stamp)  # one block is all that an acknowledgement tells of
        if packet.seq >= self.expected:
            self._open()
        if packet.seq > self.expected:
            self._beyond.add(packet.seq)
            self._extend_block(packet.seq)
            if not changed and self._waits(packet):
                return
        elif packet.seq == self.expected:
            gap = bool(self._beyond)
            self._take_in_order()
            due = self._due(packet)
            if self._window is not None:
                self._window.on_read(self.expected, self._round_trip(), self.clock.time)
            if not gap and not due and not changed:
                return
        self._send(packet.stamp)

    def resume(self, before: Receiver) -> None:
        """Go on where the flow before on the same connection has ended."""
        self._echo = before._echo
        self.quick = max(0, before.quick - before.segments)
        if self.stack.receive_buffer:
            self.quick, self._window = before.quick, before._window
            if self._window is not None:
                self._window.renumber(before.expected)

    def on_delay(self) -> None:
        """The acknowledgement has been withheld for as long as it may be."""
        self._send(self._pending_stamp)

    def _open(self) -> None:
        """A new segment may widen the window; then at least one more acknowledgement is quick."""
        if not self.stack.receive_buffer:
            return
        if self._window is None:
            self._window = ReceiveWindow(int(self.stack.receive_buffer), self.stack.payload, self.clock.time)
        if self._window.opens():
            self.quick += 1 - self.quick % 2

    def _take_in_order(self) -> None:
        before = self.expected
        self.expected += 1
        while self.expected in self._beyond:
            self._beyond.remove(self.expected)
            self.expected += 1
        if self.clock.measuring:
            self.delivered += self.expected - before

    def _due(self, packet: Packet) -> bool:
        """Whether an in-order segment is acknowledged at once; if not, it waits for the next or for the delay."""
        self._pending += 1
        self._pending_stamp = packet.stamp
        quick = self.quick > 0 if self.stack.receive_buffer else self.expected <= self.quick
        short = self.stack.is_short(packet.seq, self.segments)
        if quick or packet.push or self._pending >= self.stack.ack_every or short:
            return True
        if self.ack_at is None:
            self.ack_at = self.clock.time + self.stack.ack_delay
        return False

    def _holds_back(self) -> bool:
        return self.stack.sack_delay > 0 and self._pending > 0

    def _waits(self, packet: Packet) -> bool:
        """Whether a segment beyond a gap is reported with those that follow it (Linux __tcp_ack_snd_check)."""
        early = self.stack.quick_acks > 0 and self.expected <= self.quick
        quick = self.quick > 0 if self.stack.receive_buffer else early
        if not self.stack.sack_delay or self.stack.recovery == "newreno" or quick or self._pending >= MOST_TOGETHER:
            return False
        if self._reported != self.expected:
            self._reported, self._reports = self.expected, 0
        if self._reports < AT_ONCE:
            self._reports += 1
            return False
        self._pending += 1
        self._pending_stamp = packet.stamp
        if self.ack_at is None:
            self.ack_at = self.clock.time + min(self.stack.sack_delay, (self._round_trip() or 0) // PARTS_OF_TRIP)
        return True

    def _extend_block(self, seq: int) -> None:
        if seq == self._right:
            self._right += 1
        elif seq == self._left - 1:
            self._left -= 1
        elif not self._left <= seq < self._right:
            self._left, self._right = seq, seq + 1

    def _send(self, stamp: int) -> None:
        self._pending = 0
        self.ack_at = None
        if self.stack.receive_buffer and self.quick > 0:
            self.quick -= 1
        if self._beyond and self._right > self.expected:
            self.acknowledge(self.expected, stamp, self._left, self._right, self._echo, self._newest)
        else:
            self.acknowledge(self.expected, stamp, 0, 0, self._echo, self._newest)
