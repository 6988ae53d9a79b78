"""The sending side of a flow: what it does when it starts, gets an acknowledgement, times out, and sends."""

from __future__ import annotations

from footroom.engines.reference.connection import Mode
from footroom.engines.reference.delivery import Sample
from footroom.engines.reference.hpcc import HpccOverTcp
from footroom.engines.reference.laws import CubicLaw
from footroom.engines.reference.pacing import PacedConnection
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.tail import Tail


class Sender(PacedConnection):
    """Handles the events of a flow. Subclasses add the styles of loss recovery."""

    def start(self, window: float = 0.0) -> None:
        """The flow begins: in slow start, or in congestion avoidance with ``window`` segments."""
        if self.sampled is None:
            self.law.on_start(self.first_window)
        else:
            self.sampled.begin(
                self.delivery,
                self.first_window,
                self.handshake,
                0 if self.stack.autosize else self.stack.burst,
                self.stack.payload,
                self.clock.time,
            )
        if window > 0.0:
            self.law.cwnd = self.law.ssthresh = window
        if self.buffer is not None:
            self.buffer.begin(self.segments)
        self.send()

    def shake_hands(self, wait: int) -> None:
        """Setting up the connection measures the path's round trip and what packets wait on it now [ps]."""
        if self.handshake == 0 or wait == 0:
            return
        self.handshake += wait
        self.rtt.shake_hands(self.handshake)
        if self.tail is not None:
            self.tail.handshake = self.handshake

    def stand(self, trip: int, tries: int) -> None:
        """Packets have set up the connection in ``trip`` [ps]; the last of ``tries`` was the one answered, or later."""
        if self.handshake != 0:
            self.shake_hands(trip - self.handshake)
        if tries > 2:  # Linux tcp_init_transfer: total_retrans > 1
            self.first_window = 1

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
        if self.buffer is not None and before.buffer is not None:
            self.buffer.size = before.buffer.size
            self.buffer.begin(self.segments)
        silent = self.clock.time - before._last_sent
        if silent > self.rtt.timeout and self.sampled is None:
            self._restart(silent)
        self.send()

    def _restart(self, silent: int) -> None:
        """The connection was idle for longer than a timeout: the old window is no longer valid."""
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
        oldest = self.una
        newest = self._newest_trip(packet)
        acked, fresh = self._advance(packet)
        self._tell_slow_start(newest)
        if packet.seq >= oldest:
            if self._asked is not None and packet.stamp > self._asked:
                self._asked = None  # something that left after the probe has overtaken it: it is lost
            if packet.telemetry is not None:
                self._read(packet)
        if acked > 0 and self.stack.ecn and self.sampled is None:
            self.heed_marks(packet, acked)
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
            self.rto_at = self.ticks.rings(self.clock.time, self.rtt.timeout)
        self.react(packet, acked, fresh, flight)
        self._tell(sample, len(news))
        if acked > 0 and self.nxt == self.una:
            self.rto_at = None
        self.send(acked)

    def heed_marks(self, packet: Packet, acked: int) -> None:
        """The law hears of ``acked`` segments, marked or not."""
        self.law.on_marks(acked if packet.echo else 0, acked, self.una, self.nxt, self.mode is Mode.OPEN)

    def on_reply(self, packet: Packet) -> None:
        """The reply to a probe for telemetry arrived."""
        if self.end is not None:
            return
        if self._asked == packet.stamp:
            self._asked = None
            self._read(packet)
        self.send()

    def _read(self, packet: Packet) -> None:
        """Hand telemetry to the law."""
        assert isinstance(self.law, HpccOverTcp)
        self.law.on_telemetry(packet, self.una, self.nxt, self.mode is Mode.RECOVERY)

    def _news(self, packet: Packet) -> list[int]:
        """Segments that an acknowledgement newly reports, for a law that uses delivery rates."""
        if self.sampled is None:
            return []
        reported = [*range(self.una, packet.seq), *range(max(packet.left, packet.seq, self.una), packet.right)]
        return [seq for seq in reported if seq not in self.sacked]

    def _newest_trip(self, packet: Packet) -> int:
        """Round trip of the newest segment acknowledged, by its time stamp where it may have been sent twice [ps]."""
        newest = packet.seq - 1
        sent_once = newest >= self.una and not self._ambiguous(newest)
        if not self.selective and self.mode is not Mode.OPEN:
            sent_once = False  # it may have waited above a hole
        return self.clock.time - (self.sent_at[newest] if sent_once else packet.stamp)

    def _tell_slow_start(self, newest: int) -> None:
        if isinstance(self.law, CubicLaw):
            self.law.now, self.law.newest_trip, self.law.nxt = self.clock.time, newest, self.nxt

    def _begin_sample(self, packet: Packet, news: list[int]) -> Sample | None:
        if self.sampled is None:
            return None
        clear = [seq for seq in news if not self._ambiguous(seq)]
        stamp = packet.stamp if packet.seq > self.una else None
        sample = self.delivery.begin(news, clear, stamp, self.clock.time, self.in_flight())
        sample.echo, sample.window_full = packet.echo, self.window_full
        return sample

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
        sample.una, sample.nxt = self.una, self.nxt
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

    def _time_out(self) -> None:
        # A repeated timeout of the same segment says nothing new about congestion (RFC 5681 §3.1).
        repeated = self.mode is Mode.LOSS and self.una <= self._timed_out
        if self.sampled is not None:
            waiting = len(self.lost) - len(self.resent)
            self.tell_lost(
                [
                    seq
                    for seq in range(self.una, self.nxt)
                    if seq not in self.sacked and (seq not in self.lost or seq in self.resent) and not self.spares(seq)
                ]
            )
            self.forget()
            self.delivery.losses += len(self.lost) - len(self.resent) - waiting
            self.sampled.on_expiry(not repeated and self.mode is not Mode.RECOVERY)
        elif not repeated and not (self.mode is Mode.RECOVERY and self.one_cut_per_episode):
            self._tell_slow_start(0)
            if not self.selective and self.mode is Mode.RECOVERY:
                # The window has grown by a segment for every one that left the network; those are not in flight.
                self.law.cwnd = min(self.law.cwnd, self.law.ssthresh)
            self.law.on_timeout(self.nxt - self.una, self.una)
        self._timed_out = self.una
        self.reducing = False
        self.mode = Mode.LOSS
        self.dupacks = 0
        self.repair_now = False
        self._granted = 0
        self._asked = None
        self.forget()
        self.law.cwnd = 1.0 + self.in_flight()
        if self.tail is not None:
            self.tail.cancel()
        self.timeouts += self.clock.measuring
        self.rtt.back_off()
        self.rto_at = self.ticks.rings(self.clock.time, self.rtt.timeout)
        self.send()

    # Sending.

    def send(self, acked: int = 0) -> None:
        """Send whatever may be sent now: repairs first, lowest segment first, then new data, then a probe that is due.

        acked: segments that have just been acknowledged.
        """
        self._send_data(acked)
        if self.ask is not None and self._asked is None and self.nxt > self.una:
            self._asked = self.clock.time
            self.ask(self.top)

    def _send_data(self, acked: int) -> None:
        before = self.nxt
        self._send_ready()
        while self._write() and not self.paces and not self._held_back:
            self._send_ready()
        self._watch_window(before)
        if self.buffer is None and self.sampled is not None and self._written() <= self.nxt < self.segments:
            self._ran_dry()
        if self.tail is None:
            return
        if self.tail.due and not self.paces and not self._held_back:
            self._probe(self.tail)
        else:
            self.watch_tail(self.tail, acked, self.nxt > before)

    def _ran_dry(self) -> None:
        """Nothing is left to send: mark samples of what is under way, unless window or repairs hold more back."""
        flight = self.in_flight()
        if flight < self.law.cwnd and len(self.lost) <= len(self.resent):
            self.delivery.limited_until = max(self.delivery.arrived + flight, 1)

    def _write(self) -> bool:
        """Whether the application has put more into the write buffer."""
        if self.buffer is None:
            return False
        dry = self.nxt >= self.buffer.written
        if not self.buffer.write(self.segments, self.una, self.in_flight(), self.law.cwnd):
            return False
        if dry and self.sampled is not None:
            self._ran_dry()
        return True

    def _watch_window(self, before: int) -> None:
        """Note whether the window is full, for as long as what is outstanding now lasts (Linux tcp_cwnd_validate)."""
        full, out = self.in_flight() + 1 > self.window(), self.nxt - self.una
        if full or (
            self.nxt > before and (self.una >= self._window_end or (not self.window_full and out > self._most_out))
        ):
            self.window_full, self._most_out, self._window_end = full, out, self.nxt

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
            self.pushes = within_burst and self._granted == 1
            if repair is None:
                self._granted = (self._granted or min(self.burst_size(), self._room())) - 1
            self._transmit(self.nxt if repair is None else repair)
            self.pushes = False

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
            self.delivery.on_sent(seq, self.nxt == self.una, self.in_flight() + 1, now)
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
            self.rto_at = self.ticks.rings(now, self.rtt.timeout)
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
