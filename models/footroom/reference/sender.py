"""The sending side of a flow: window, timer and pacing. What a style of loss recovery adds is in its subclasses."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from footroom.plan import Stack
from footroom.reference.clock import Clock
from footroom.reference.delivery import Delivery, Sample, SampledLaw
from footroom.reference.laws import law_of
from footroom.reference.packet import Packet
from footroom.reference.rtt import RoundTrip
from footroom.reference.tail import Tail

#: Pacing rate over cwnd/SRTT: below half of ssthresh, and from there on (Linux: tcp_update_pacing_rate).
FAST, STEADY = 2.0, 1.2

#: Fewest bursts of a flow in its host's queue that keep it from sending (Linux: tcp_small_queue_check).
FEWEST_AT_HOST = 2

#: The part of the window that a burst never waits to exceed is one in so many (Linux: tcp_tso_win_divisor).
WINDOW_PARTS = 3

#: Bursts that size themselves: most bytes, fewest segments, and how many of them a second holds.
LONGEST_BURST, SHORTEST_BURST, BURSTS_PER_SECOND = 65215, 2, 1024

#: Puts a segment on the wire: (segment, bytes, whether it says that a mark has been answered).
Emit = Callable[[int, int, bool], None]


class Mode(Enum):
    """open: nothing is amiss. recovery: losses are repaired by fast retransmission. loss: the timer expired."""

    OPEN = 0
    RECOVERY = 1
    LOSS = 2


class Sender:
    """State common to all styles of recovery; windows in segments, times in ps.

    una: oldest segment not acknowledged.  nxt: next one to send.  top: highest ever sent, plus one.  recover: where an
    episode of repair ends.  end: when the last segment was acknowledged, None until then.
    """

    def __init__(self, stack: Stack, segments: int, last_size: int, first_timeout: int, handshake: int, clock: Clock,
                 emit: Emit) -> None:
        self.stack, self.segments, self.last_size = stack, segments, last_size
        self.clock, self.emit = clock, emit
        self.law = law_of(stack.law)
        self.rtt = RoundTrip(stack.min_rto, stack.rto_floor == "variance", first_timeout)
        self.una = self.nxt = self.top = 0
        self.end: int | None = None
        self.mode = Mode.OPEN
        self.recover = -1
        self.dupacks = 0
        self.sent_at: dict[int, int] = {}
        self.resent: dict[int, int] = {}  # segment to time of its retransmission, oldest first
        self.sacked: set[int] = set()
        self.lost: set[int] = set()  # presumed lost, also once they are resent
        self.rto_at: int | None = None
        self.paces = False  # whether the next segment waits for pace_at
        self.pace_at = 0
        self.repair_now = False  # the first retransmission of an episode does not ask the window
        self.at_host = 0  # its packets that wait in the host's own queue
        self._held_back = False  # by too many of them
        self._burst = 0  # segments left of the burst that pacing has let go
        self._granted = 0  # segments left of the burst of new data that has begun
        self._timed_out = 0  # una when the timer last expired
        self._last_sent = 0
        self.handshake = handshake
        self.tail = Tail(stack, handshake) if stack.tail_loss_probe else None
        self.timeouts = self.retransmissions = 0  # since the window opened
        # The law, where it goes by delivery rates, and what it goes by.
        self.sampled: SampledLaw | None = self.law if isinstance(self.law, SampledLaw) else None
        self.delivery = Delivery()
        self.new_losses = 0  # segments that the acknowledgement at hand shows to be lost
        self._burst_at = -1
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
        """A segment to send again on suspicion, where the window allows one more and there is nothing else to send."""
        return None

    def react(self, packet: Packet, acked: int, fresh: int, flight: int) -> None:
        """Answer an acknowledgement. acked: segments it newly covers; fresh: those of them not reported before;
        flight: segments outstanding before it.
        """
        raise NotImplementedError

    def forget(self) -> None:
        """The timer expired: decide what is to be sent again."""
        raise NotImplementedError

    def on_send(self) -> None:
        """A segment is about to leave."""

    def keeps_timer(self) -> bool:
        """Whether an acknowledgement of new data leaves the retransmission timer alone."""
        return False

    # Events.

    def start(self, window: float = 0.0) -> None:
        """The flow begins: in slow start, or in congestion avoidance with ``window`` segments."""
        if self.sampled is None:
            self.law.on_start(self.stack.initial_window)
        else:
            self.sampled.begin(self.delivery, self.stack.initial_window, self.handshake,
                               0 if self.stack.autosize else self.stack.burst, self.stack.payload, self.clock.time)
        if window > 0.0:
            self.law.cwnd = self.law.ssthresh = window
        self.send()

    def shake_hands(self, wait: int) -> None:
        """Setting up the connection measures the path's round trip and what packets wait on it now [ps]."""
        if self.handshake == 0 or wait == 0:
            return
        self.handshake += wait
        self.rtt.shake_hands(self.handshake)
        if self.tail is not None:
            self.tail.handshake = self.handshake

    def resume(self, before: Sender) -> None:
        """The flow begins on the connection of one that has ended."""
        self.law, self.rtt = before.law, before.rtt
        if self.sampled is None:
            self.law.renumber()
        else:
            self.sampled, self.delivery = before.sampled, before.delivery
            self.delivery.renumber()
            assert self.sampled is not None
            self.sampled.go_on(self.clock.time)
        self.pace_at, self._burst = before.pace_at, before._burst
        silent = self.clock.time - before._last_sent
        if silent > self.rtt.timeout and self.sampled is None:
            self._restart(silent)
        self.send()

    def _restart(self, silent: int) -> None:
        """The connection was idle for longer than a timeout: a window of old is no longer to be trusted."""
        law, initial = self.law, float(self.stack.initial_window)
        if self.stack.idle_restart == "none":
            return
        lowest = min(initial, law.cwnd)
        if self.stack.idle_restart == "rfc5681":
            law.cwnd = lowest
            return
        law.ssthresh = max(law.ssthresh, 3.0 * law.cwnd / 4.0)
        for _ in range((silent - 1) // self.rtt.timeout):  # timeouts that silence exceeded
            if law.cwnd <= lowest:
                break
            law.cwnd /= 2.0
        law.cwnd = max(law.cwnd, lowest)

    def on_ack(self, packet: Packet) -> None:
        """An acknowledgement arrived."""
        if self.end is not None:
            return
        flight = self.nxt - self.una
        news = self._news(packet)
        sample = self._begin_sample(packet, news)
        acked, fresh = self._advance(packet)
        if acked > 0 and self.stack.ecn and self.sampled is None:
            self.law.on_marks(acked if packet.echo else 0, acked, self.una, self.nxt, self.mode is Mode.OPEN)
        if self.una == self.segments:
            if self.stack.persistent:
                self.react(packet, acked, fresh, flight)
                self._tell(sample, len(news))
            self.end = self.clock.time
            self.rto_at, self.paces = None, False
            if self.tail is not None:
                self.tail.cancel()
            return
        if acked > 0 and not self.keeps_timer():
            self.rto_at = self.clock.time + self.rtt.timeout
        self.react(packet, acked, fresh, flight)
        self._tell(sample, len(news))
        if acked > 0 and self.nxt == self.una:
            self.rto_at = None
        self.send(acked)

    def _news(self, packet: Packet) -> list[int]:
        """Segments that an acknowledgement newly reports, for a law that goes by delivery rates."""
        if self.sampled is None:
            return []
        reported = [*range(self.una, packet.seq), *range(max(packet.left, packet.seq, self.una), packet.right)]
        return [seq for seq in reported if seq not in self.sacked]

    def _begin_sample(self, packet: Packet, news: list[int]) -> Sample | None:
        if self.sampled is None:
            return None
        clear = [seq for seq in news if not self._ambiguous(seq)]
        stamp = packet.stamp if packet.seq > self.una else None
        return self.delivery.begin(news, clear, stamp, self.clock.time, self.in_flight())

    def _tell(self, sample: Sample | None, delivered: int) -> None:
        """The scoreboard is up to date: tell the law what it shows."""
        if self.sampled is None or sample is None:
            return
        self.delivery.complete(sample, delivered, self.new_losses)
        if sample.rtt is not None:
            self.rtt.note_shortest(sample.rtt)
        if sample.interval is not None and sample.interval < (self.rtt.shortest or 0):
            sample.interval = None
        sample.flight, sample.state = self.in_flight(), self.mode.value
        sample.leaves, sample.smoothed = self.pace_at, self.rtt.smoothed or 0
        self.sampled.on_sample(sample)

    def on_host_queue(self, change: int) -> None:
        """One packet more or less of this flow waits in its host's queue."""
        self.at_host += change
        if change < 0 and self._held_back and self.end is None:
            self.send()

    def on_timer(self) -> None:
        """Some deadline may have passed."""
        if self.tail is not None and self.tail.at is not None and self.tail.at <= self.clock.time:
            self.on_silence(self.tail)
        if self.rto_at is not None and self.rto_at <= self.clock.time:
            self._time_out()
        if self.paces and self.pace_at <= self.clock.time:
            self.send()

    def deadline(self) -> int | None:
        """When ``on_timer`` is next to be called."""
        probe_at = None if self.tail is None else self.tail.at
        times = [t for t in (self.rto_at, probe_at, self.pace_at if self.paces else None) if t is not None]
        return min(times, default=None)

    def on_silence(self, tail: Tail) -> None:
        """The timer of ``tail`` expired."""

    def watch_tail(self, tail: Tail, acked: int, new: bool) -> None:
        """All that may be sent has been. acked: segments just acknowledged; new: new data has left."""

    def _time_out(self) -> None:
        # A repeated timeout of the same segment says nothing new about congestion (RFC 5681 §3.1).
        repeated = self.mode is Mode.LOSS and self.una <= self._timed_out
        if self.sampled is not None:
            waiting = len(self.lost) - len(self.resent)
            self.forget()
            self.delivery.losses += len(self.lost) - waiting
            self.sampled.on_expiry(not repeated and self.mode is not Mode.RECOVERY)
        elif not repeated and not (self.mode is Mode.RECOVERY and self.one_cut_per_episode):
            self.law.on_timeout(self.nxt - self.una, self.una)
        self._timed_out = self.una
        self.law.cwnd = 1.0
        self.mode = Mode.LOSS
        self.dupacks = 0
        self.repair_now = False
        self._granted = 0
        self.forget()
        if self.tail is not None:
            self.tail.cancel()
        self.timeouts += self.clock.measuring
        self.rtt.back_off()
        self.rto_at = self.clock.time + self.rtt.timeout
        self.send()

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

    # Sending.

    def send(self, acked: int = 0) -> None:
        """Send whatever may be sent now: repairs first, lowest segment first, then new data, then a probe that is due.

        acked: segments that have just been acknowledged.
        """
        before = self.nxt
        self._send_ready()
        if self.sampled is not None and self._written() <= self.nxt < self.segments:
            flight = self.in_flight()
            if flight < self.law.cwnd and len(self.lost) <= len(self.resent):
                self.delivery.limited_until = max(self.delivery.arrived + flight, 1)
        if self.tail is None:
            return
        if self.tail.due and not self.paces and not self._held_back:
            self._probe(self.tail)
        else:
            self.watch_tail(self.tail, acked, self.nxt > before)

    def _send_ready(self) -> None:
        self.paces = self._held_back = False
        while True:
            repair = self.next_repair()
            forced = repair is not None and self.repair_now
            if not forced and self.in_flight() + 1 > self.window():
                break
            if repair is None and self._fresh() <= 0:
                repair = self.last_resort()
                if repair is None:
                    break
            within_burst = repair is None and self._granted > 0
            if repair is None and not within_burst and self._waits_for_burst():
                break
            if not within_burst and self._fills_host_queue():
                self._held_back = True
                break
            if self._waits_for_pace():
                self.paces = True
                break
            if repair is None:
                self._granted = (self._granted or min(self.burst_size(), self._room())) - 1
            self._transmit(self.nxt if repair is None else repair)

    def _probe(self, tail: Tail) -> None:
        """Send new data beyond the window, or else the highest segment once more (RFC 8985 §7.3)."""
        if self._waits_for_pace():
            self.paces = True
            return
        repeats = self._fresh() <= 0
        if repeats:
            tail.copies.add(self.nxt - 1)
        self._transmit(self.nxt - 1 if repeats else self.nxt, probe=True)
        tail.sent(self.nxt, repeats, self.clock.measuring)

    def _transmit(self, seq: int, probe: bool = False) -> None:
        now = self.clock.time
        self.repair_now = False
        self.on_send()
        if self.sampled is not None:
            self.delivery.on_sent(seq, self.nxt == self.una, now)
        again = seq < self.top
        if again:
            if not probe:  # whose first copy is not believed lost
                self.resent.pop(seq, None)
                self.resent[seq] = now
            self.retransmissions += self.clock.measuring
        self.sent_at[seq] = now
        self.top = max(self.top, seq + 1)
        if seq == self.nxt:
            self.nxt += 1
        if self.rto_at is None or (again and not probe and self.restarts_timer(seq)):
            self.rto_at = now + self.rtt.timeout
        self._burst -= 1
        if self.sampled is not None:
            self.pace_at += max(int(1e12 / self.sampled.pace_rate), self._gap)
        self._last_sent = now
        short = self.stack.is_short(seq, self.segments)
        self.emit(seq, self.last_size if short else self.stack.segment, self._answers_mark(seq))

    def _answers_mark(self, seq: int) -> bool:
        """Whether ``seq`` is the first new segment since the window was cut for a mark (CWR, RFC 3168 §6.1.2)."""
        if not self.law.to_answer or seq < self.law.cut_end:
            return False
        self.law.to_answer = False
        return True

    def _written(self) -> int:
        """Segments that the application has written: all, or those of the queries it keeps under way."""
        if self.stack.query == 0:
            return self.segments
        return self.stack.query * (self.una // self.stack.query + self.stack.outstanding)

    def _fresh(self) -> int:
        """Segments of new data that the flow and the receiver's window hold ready."""
        return min(self._written() - self.nxt, self.stack.receive_window - (self.nxt - self.una))

    def _room(self) -> int:
        """Segments of new data that window, receiver and flow let out now."""
        return min(int(self.window() - self.in_flight()), self._fresh())

    def _waits_for_burst(self) -> bool:
        """Whether new data waits until more of it may leave together (Linux: tcp_tso_should_defer).

        It does not where a third of the window has room, nor while losses are repaired, nor when no acknowledgement is
        to be expected soon: nothing is outstanding, or the oldest segment left less than half a round trip ago.
        """
        if self.stack.pacing or self.burst_size() == 1 or self.mode is not Mode.OPEN or self.nxt == self.una:
            return False
        part = int(min(self.law.cwnd, float(self.stack.receive_window)) / WINDOW_PARTS)
        if self._room() >= min(self.burst_size(), part, self._written() - self.nxt):
            return False
        smoothed = self.rtt.smoothed
        return smoothed is not None and 2 * (self.clock.time - self.sent_at[self.una]) >= smoothed

    def _per_round_trip(self) -> float:
        """Segments per round trip that the stack's own pacing lets out."""
        factor = FAST if self.law.cwnd < self.law.ssthresh / 2.0 else STEADY
        return factor * max(self.law.cwnd, float(self.nxt - self.una))

    def burst_size(self) -> int:
        """Segments that may leave back to back: given, or what the pacing rate puts into 1/1024 s."""
        stack = self.stack
        if not stack.autosize:
            return int(stack.burst)
        most = max(LONGEST_BURST // stack.payload, SHORTEST_BURST)
        if self.sampled is not None:
            rate = self.sampled.pace_rate * 1e-12
        elif self.rtt.smoothed:
            rate = self._per_round_trip() / float(self.rtt.smoothed)
        else:
            return most
        if stack.spacing:
            rate = min(rate, 1.0 / float(stack.spacing))
        return max(min(int(rate * (1e12 / BURSTS_PER_SECOND)), most), SHORTEST_BURST)

    def _waits_for_law(self) -> bool:
        """Whether the law's pacing rate keeps the next segment back: a burst leaves at once and is waited out."""
        now = self.clock.time
        if self._burst > 0 and self._burst_at == now:
            return False
        if now < self.pace_at:
            return True
        self._burst, self._burst_at, self.pace_at = self.burst_size(), now, now
        return False

    def _fills_host_queue(self) -> bool:
        """Whether as much of the flow waits in its host's queue as may: ``small_queue`` at the steady pacing rate."""
        if self.stack.small_queue == 0 or self.rtt.smoothed is None:
            return False
        if self.at_host < FEWEST_AT_HOST * self.burst_size():
            return False
        if self.sampled is not None:
            return bool(self.at_host >= self.sampled.pace_rate * self.stack.small_queue * 1e-12)
        return bool(self.at_host >= STEADY * self.law.cwnd * self.stack.small_queue / self.rtt.smoothed)

    def _waits_for_pace(self) -> bool:
        """Whether the next segment must wait; if not and it is the first of a burst, the next burst's time is set.

        The interval counts from the first segment of a burst, so that the rate is that of the window over the round
        trip however the burst is stretched by acknowledgements. It is never less than the stack's spacing.
        """
        if self.sampled is not None:
            return self._waits_for_law()
        smoothed = self.rtt.smoothed if self.stack.pacing else None
        if (smoothed is None and self.stack.spacing == 0) or self._burst > 0:
            return False
        now = self.clock.time
        if now < self.pace_at:
            return True
        size = self.burst_size()
        interval = self.stack.spacing * size if self.stack.autosize else self.stack.spacing
        if smoothed is not None:
            interval = max(interval, int(size * smoothed / self._per_round_trip()))
        self._burst = size
        self.pace_at = now + interval
        return False
