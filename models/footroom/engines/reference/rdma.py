"""RDMA hosts: the sending and the receiving side of a flow paced by a rate, with two styles of recovery.

Sources: alibaba-edu/High-Precision-Congestion-Control, rdma-hw.cc, for pacing, acknowledgements and go-back-N; Mittal
et al., SIGCOMM 2018, §3, for selective recovery; Zhu et al., SIGCOMM 2015, §5, for notifications.
"""

from __future__ import annotations

from collections.abc import Callable

from footroom.engines.plan import SECOND, Stack
from footroom.engines.reference.clock import Clock
from footroom.engines.reference.connection import Emit
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.rate_law import Line
from footroom.engines.reference.rates import rate_law_of

#: Sends what a receiver has to say: (next segment expected, the packet it answers, negative, segment that came beyond a
#: gap).
Answer = Callable[[int, Packet, bool, int | None], None]


class RdmaSender:
    """What both styles have in common. una, nxt, top, end: as ``connection.Connection`` has them.

    A packet leaves no earlier than its predecessor's bits take at the present rate after the transmission of that one
    began, and not while another of the flow waits in the host's queue.
    """

    def __init__(
        self, stack: Stack, segments: int, last_size: int, timeout: int, line: Line, gap: int, clock: Clock, emit: Emit
    ) -> None:
        self.stack, self.segments, self.last_size, self.timeout = stack, segments, last_size, timeout
        self.clock, self.emit, self.gap = clock, emit, gap
        self.law = rate_law_of(stack.law, line)
        self.una = self.nxt = self.top = 0
        self.end: int | None = None
        self._timed_from: int | None = None  # when the retransmission timer was last started
        self.tail = None
        self.timeouts = self.retransmissions = 0
        self._at_host = 0
        self._began = 0  # transmission of the last packet [ps]
        self._last_bits = 0.0  # of it
        self._paces = False

    # What a style of recovery decides.

    def wanted(self) -> int | None:
        """The segment to send next; None where there is none, or the window is full."""
        most = min(self.stack.receive_window, self.law.window)
        written = self.segments
        if self.stack.query > 0:  # only the queries that are under way
            written = self.stack.query * (self.una // self.stack.query + self.stack.outstanding)
        return self.nxt if self.nxt < written and self.nxt - self.una < most else None

    def go_back(self, expired: bool) -> bool:
        """A gap was reported, or the timer has expired. Returns whether a recovery begins."""
        raise NotImplementedError

    def learn(self, packet: Packet) -> None:
        """Take in an acknowledgement's report beyond ``una``, which has been moved already."""

    def wait(self) -> int:
        """The retransmission timeout, as it is now [ps]."""
        return self.timeout

    def _rto_at(self) -> int | None:
        return None if self._timed_from is None else self._timed_from + self.wait()

    # Events.

    def start(self, window: float = 0.0) -> None:
        """The flow begins."""
        self.send()

    def resume(self, before: RdmaSender) -> None:
        """The flow begins on the connection of one that has ended."""
        self.law = before.law
        self.law.on_resume()
        self._began, self._last_bits = before._began, before._last_bits
        self.send()

    def on_ack(self, packet: Packet) -> None:
        """An acknowledgement arrived, perhaps a negative one."""
        if self.end is not None:
            return
        acked = max(0, packet.seq - self.una)
        self.una += acked
        self.nxt = max(self.nxt, self.una)
        self.learn(packet)
        if packet.negative and self.go_back(expired=False):
            self.law.on_gap(packet, self.clock.time)
        self.law.on_ack(packet, acked, self.una, self.nxt, self.clock.time)
        if self.una == self.segments:
            self.end = self.clock.time
            self._timed_from, self._paces = None, False
            return
        self._timed_from = self.clock.time if self.top > self.una else None
        self.send()

    def on_notice(self) -> None:
        """A congestion notification arrived."""
        if self.end is None:
            self.law.on_notice(self.clock.time)
            self.send()

    def on_law_timer(self) -> None:
        """The law's timer is due."""
        if self.end is None:
            self.law.on_timer(self.clock.time)
            self.send()

    def on_host_queue(self, change: int) -> None:
        """One of its packets more or less waits in the host's own queue."""
        self._at_host += change
        if change < 0:
            self._began = self.clock.time
            if self.end is None:
                self.send()

    def deadline(self) -> int | None:
        """When ``on_timer`` is to be called next [ps]."""
        times = [t for t in (self._rto_at(), self._pace_at() if self._paces else None) if t is not None]
        return min(times, default=None)

    def on_timer(self) -> None:
        """A time that ``deadline`` gave has come."""
        if self.end is not None:
            return
        rto_at = self._rto_at()
        if rto_at is not None and rto_at <= self.clock.time:
            self.timeouts += self.clock.measuring
            self.go_back(expired=True)
            self.law.on_expiry(self.clock.time)
            self._timed_from = self.clock.time
        self.send()

    # Sending.

    def _pace_at(self) -> int:
        return self._began + int(self._last_bits / self.law.rate * SECOND)

    def send(self) -> None:
        """Send what may be sent now."""
        self._paces = False
        while self._at_host == 0 and (seq := self.wanted()) is not None:
            if self.clock.time < self._pace_at():
                self._paces = True
                return
            self._transmit(seq)

    def _transmit(self, seq: int) -> None:
        now = self.clock.time
        if seq < self.top:
            self.retransmissions += self.clock.measuring
        self.top = max(self.top, seq + 1)
        self.nxt = max(self.nxt, seq + 1)
        size = self.last_size if self.stack.is_short(seq, self.segments) else self.stack.segment
        if self._timed_from is None:
            self._timed_from = now
        self._began, self._last_bits = now, 8.0 * (size + self.gap)
        self.law.on_sent(size + self.gap, now)
        self.emit(seq, size, False)


class GoBackN(RdmaSender):
    """Sends everything again from the first segment missing on."""

    def go_back(self, expired: bool) -> bool:
        self.nxt = self.una
        return True


class Selective(RdmaSender):
    """Sends again only what is missing (IRN).

    Recovery begins with a report of a gap or a timeout: the first segment missing is sent again, then every segment
    below the highest one reported, each once. It ends when all that was outstanding at its start is acknowledged. The
    timeout is the short one where few segments are outstanding when that has passed (§6.1 of the paper).
    """

    def __init__(
        self, stack: Stack, segments: int, last_size: int, timeout: int, line: Line, gap: int, clock: Clock, emit: Emit
    ) -> None:
        super().__init__(stack, segments, last_size, timeout, line, gap, clock, emit)
        self._received: set[int] = set()
        self._again: set[int] = set()  # sent again in this recovery
        self._recover: int | None = None  # end of the recovery
        self._first = -1  # what it began with

    def learn(self, packet: Packet) -> None:
        self._received = {seq for seq in self._received if seq >= self.una}
        if packet.right > packet.left >= self.una:
            self._received.add(packet.left)
        if self._recover is not None and self.una >= self._recover:
            self._recover = None

    def go_back(self, expired: bool) -> bool:
        begins = self._recover is None or expired
        if begins:
            self._recover, self._first = self.nxt, self.una
            self._again = set()
        return begins

    def wanted(self) -> int | None:
        if self._recover is not None:
            highest = max(self._received, default=-1)
            missing = [
                seq
                for seq in range(self.una, max(highest, self._first + 1))
                if seq not in self._received and seq not in self._again
            ]
            if missing:
                return missing[0]
        return super().wanted()

    def wait(self) -> int:
        return self.stack.low_rto if self.nxt - self.una <= self.stack.low_rto_packets else self.timeout

    def _transmit(self, seq: int) -> None:
        if seq < self.top:
            self._again.add(seq)
        super()._transmit(seq)


class RdmaReceiver:
    """The receiving side with go-back-N: keeps what is in order, and reports a gap once an interval.

    notify: sends a congestion notification.
    """

    def __init__(self, stack: Stack, segments: int, clock: Clock, answer: Answer, notify: Callable[[], None]) -> None:
        self.stack, self.segments, self.clock, self.answer, self.notify = stack, segments, clock, answer, notify
        self.expected = self.delivered = 0
        self.ack_at: int | None = None
        self._pending = 0
        self._withheld: Packet | None = None  # the newest of those not acknowledged
        self._reported = -1  # the gap last reported, and until when it is not again
        self._quiet_until = 0
        self._notified_at: int | None = None

    def on_data(self, packet: Packet) -> None:
        """A segment arrived."""
        if packet.marked and self.stack.cnp_interval > 0:
            now = self.clock.time
            if self._notified_at is None or now >= self._notified_at + self.stack.cnp_interval:
                self._notified_at = now
                self.notify()
        self.take(packet)

    def take(self, packet: Packet) -> None:
        """Put it in order, and answer."""
        if packet.seq == self.expected:
            self._advance(1)
            self._pending += 1
            self._withheld = packet
            if self._pending >= self.stack.ack_every or self.stack.is_short(packet.seq, self.segments):
                self._acknowledge(packet)
            elif self.ack_at is None:
                self.ack_at = self.clock.time + self.stack.ack_delay
        elif packet.seq < self.expected:
            self._acknowledge(packet)
        elif self._reported != self.expected or self.clock.time >= self._quiet_until:
            self._reported = self.expected
            self._quiet_until = self.clock.time + self.stack.nack_interval
            self._acknowledge(packet, negative=True)

    def _advance(self, count: int) -> None:
        self.expected += count
        if self.clock.measuring:
            self.delivered += count

    def _acknowledge(self, packet: Packet, negative: bool = False, beyond: int | None = None) -> None:
        self._pending = 0
        self.ack_at = None
        self.answer(self.expected, packet, negative, beyond)

    def resume(self, before: RdmaReceiver) -> None:
        """Go on where the flow before on the same connection has ended."""
        self._notified_at = before._notified_at

    def on_delay(self) -> None:
        """The acknowledgement has been withheld for as long as it may be."""
        assert self._withheld is not None
        self._acknowledge(self._withheld)


class SelectiveReceiver(RdmaReceiver):
    """The receiving side with selective recovery: keeps everything, and acknowledges every packet."""

    def __init__(self, stack: Stack, segments: int, clock: Clock, answer: Answer, notify: Callable[[], None]) -> None:
        super().__init__(stack, segments, clock, answer, notify)
        self._beyond: set[int] = set()

    def take(self, packet: Packet) -> None:
        if packet.seq > self.expected:
            self._beyond.add(packet.seq)
            self._acknowledge(packet, negative=True, beyond=packet.seq)
            return
        if packet.seq == self.expected:
            count = 1
            while self.expected + count in self._beyond:
                self._beyond.remove(self.expected + count)
                count += 1
            self._advance(count)
        self._acknowledge(packet)


#: Sender and receiver by the style of recovery.
RDMA_STYLES: dict[str, tuple[type[RdmaSender], type[RdmaReceiver]]] = {
    "go_back_n": (GoBackN, RdmaReceiver),
    "selective": (Selective, SelectiveReceiver),
}
