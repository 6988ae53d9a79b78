"""The state of a flow's sending side, what has been acknowledged of it, and what a style of loss recovery decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from footroom.engines.plan import Stack
from footroom.engines.reference.allotment import Window
from footroom.engines.reference.clock import Clock
from footroom.engines.reference.delivery import Delivery, SampledLaw
from footroom.engines.reference.laws import CubicLaw, law_of
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.rtt import RoundTrip
from footroom.engines.reference.slow_start import slow_start_of
from footroom.engines.reference.tail import Tail
from footroom.engines.reference.ticks import Ticks
from footroom.engines.reference.write_buffer import WriteBuffer

#: Puts a segment on the wire: (segment, bytes, whether it says that a mark has been answered).
Emit = Callable[[int, int, bool], None]


class Mode(Enum):
    """open: no losses. recovery: losses are repaired by fast retransmission. loss: the timer expired."""

    OPEN = 0
    RECOVERY = 1
    LOSS = 2


class Connection:
    """State common to all styles of recovery; windows in segments, times in ps.

    una: oldest segment not acknowledged.  nxt: next one to send.  top: highest ever sent, plus one.  recover: where an
    episode of repair ends.  end: when the last segment was acknowledged, None until then.  selective: whether blocks
    of selective acknowledgements are read.
    """

    selective = True

    def __init__(
        self,
        stack: Stack,
        segments: int,
        last_size: int,
        first_timeout: int,
        handshake: int,
        clock: Clock,
        ticks: Ticks,
        emit: Emit,
    ) -> None:
        self.stack, self.segments, self.last_size = stack, segments, last_size
        self.clock, self.ticks, self.emit = clock, ticks, emit
        self.law = law_of(stack.law)
        if isinstance(self.law, CubicLaw):
            self.law.slow_start = slow_start_of(stack)
        self.rtt = RoundTrip(stack.min_rto, stack.rto_floor == "variance", first_timeout)
        self.una = self.nxt = self.top = 0
        self.end: int | None = None
        self.mode = Mode.OPEN
        self.recover = -1
        self.dupacks = 0
        self.sent_at: dict[int, int] = {}
        self.resent: dict[int, int] = {}  # segment to time of its retransmission, oldest first
        self.sacked: set[int] = set()
        self.buffer = WriteBuffer.of(stack)
        self.lost: set[int] = set()  # presumed lost, also once they are resent
        self.rto_at: int | None = None
        self.paces = False  # whether the next segment waits for pace_at
        self.pace_at = 0
        self.reducing = False  # whether the cut for a mark is under way
        self.repair_now = False  # the first retransmission of an episode does not ask the window
        self.at_host = 0  # its packets that wait in the host's own queue
        self._held_back = False  # by too many of them
        self._burst = 0  # segments left of the burst that pacing has let go
        self._granted = 0  # segments left of the burst of new data that has begun
        self.pushes = False  # whether what is sent is the last of one of several segments
        self._timed_out = 0  # una when the timer last expired
        self._last_sent = 0
        self.handshake = handshake
        self.first_window = stack.initial_window
        self.tail = Tail(stack, handshake, ticks) if stack.tail_loss_probe else None
        self.allotted: Window | None = None  # where the receiver sets windows for all connections of its host
        self.timeouts = self.retransmissions = 0  # since the window opened
        # The law, where it uses delivery rates, and the count of deliveries.
        self.sampled: SampledLaw | None = self.law if isinstance(self.law, SampledLaw) else None
        self.delivery = Delivery()
        self.new_losses = 0  # segments that the acknowledgement at hand shows to be lost
        self._burst_at = -1
        # Where a probe brings telemetry back: what sends one, and when the one under way was sent.
        self.ask: Callable[[int], None] | None = None
        self._asked: int | None = None
        self.window_full = False  # when something was last sent, or in the window before
        self._window_end = self._most_out = 0
        if self.sampled is not None:
            self._gap = 0 if stack.spacing == 0 else stack.spacing // (1 if stack.autosize else stack.burst)

    # What a style of recovery decides.

    one_cut_per_episode = False  # a timeout within a recovery does not lower ssthresh once more

    def restarts_timer(self, seq: int) -> bool:
        """Whether sending ``seq`` again restarts the retransmission timer."""
        return False

    def in_flight(self) -> int:
        """Segments believed to be in the network."""
        raise NotImplementedError

    def window(self) -> float:
        """Most segments that may be in flight."""
        raise NotImplementedError

    def next_repair(self) -> int | None:
        """The segment to send again next, if any."""
        raise NotImplementedError

    def last_resort(self) -> int | None:
        """A suspect segment to send again, where the window allows one more and there is nothing else to send."""
        return None

    def react(self, packet: Packet, acked: int, fresh: int, flight: int) -> None:
        """React to an acknowledgement. acked: segments it newly covers; fresh: those of them not reported before;
        flight: segments outstanding before it.
        """
        raise NotImplementedError

    def forget(self) -> None:
        """The timer expired: decide what is to be sent again."""
        raise NotImplementedError

    def spares(self, seq: int) -> bool:
        """Whether ``seq`` still counts as in the network when the timer expires now."""
        return False

    def on_send(self) -> None:
        """A segment is about to leave."""

    def keeps_timer(self) -> bool:
        """Whether an acknowledgement of new data leaves the retransmission timer alone."""
        return False

    def on_silence(self, tail: Tail) -> None:
        """The timer of ``tail`` expired."""

    def watch_tail(self, tail: Tail, acked: int, new: bool) -> None:
        """All that may be sent has been. acked: segments just acknowledged; new: new data has left."""

    def tell_lost(self, segments: Iterable[int], before: int = 0, delivered: int = 0) -> int:
        """Report segments found lost to a law that uses delivery rates. Returns how many were reported.

        before: how many of those that are not counted yet.  delivered: arrivals not counted yet.
        """
        for seq in segments if self.sampled is not None else ():
            before += 1
            assert self.sampled is not None
            self.sampled.on_lost(self.delivery.loss_of(seq, before, delivered, self.clock.time))
        return before

    # What has been acknowledged, and what may follow.

    def _advance(self, packet: Packet) -> tuple[int, int]:
        """Move ``una`` on; the segments newly covered, and those of them not selectively acknowledged."""
        ack = packet.seq
        if ack <= self.una:
            return 0, 0
        covered = range(self.una, ack)
        # Karn: when a segment was sent tells nothing about the round trip if that was twice (RFC 6298 §3), nor if it
        # was reported earlier. A lost one may have been sent twice even when it is not resent: its retransmission may
        # have been given up. The time stamp that comes back is that of the sending which arrived (RFC 7323).
        timed = next((s for s in covered if not self._ambiguous(s)), None)
        if not self.selective and any(s in self.resent for s in covered):
            timed = None  # what lay above the hole came before the repair, and nobody knows when
        self.rtt.sample(self.clock.time - (packet.stamp if timed is None else self.sent_at[timed]))
        if self.tail is not None:
            self.tail.timed = True
        fresh = sum(s not in self.sacked for s in covered)
        for seq in covered:
            self.drop(seq)
        self.una = ack
        self.nxt = max(self.nxt, ack)
        return len(covered), fresh

    def _ambiguous(self, seq: int) -> bool:
        """Whether it is unknown which copy of ``seq`` led to its acknowledgement, or when."""
        probed = self.tail is not None and seq in self.tail.copies
        return probed or seq in self.resent or seq in self.sacked or seq in self.lost

    def drop(self, seq: int) -> None:
        """Forget an acknowledged segment."""
        if self.tail is not None:
            self.tail.copies.discard(seq)
        del self.sent_at[seq]
        self.resent.pop(seq, None)
        self.sacked.discard(seq)
        self.lost.discard(seq)

    def _written(self) -> int:
        """Segments that the application has written: all, or those of the queries it keeps under way."""
        if self.buffer is not None:
            return min(self.segments, self.buffer.written)
        if self.stack.query == 0:
            return self.segments
        return self.stack.query * (self.una // self.stack.query + self.stack.outstanding)

    def _fresh(self) -> int:
        """Segments of new data that the flow and the receiver's window allow."""
        if self.allotted is not None:
            return min(self._written(), self.allotted.edge, self.una + self.stack.receive_window) - self.nxt
        return min(self._written() - self.nxt, self.stack.receive_window - (self.nxt - self.una))

    def _room(self) -> int:
        """Segments of new data that window, receiver and flow let out now."""
        return min(int(self.window() - self.in_flight()), self._fresh())
