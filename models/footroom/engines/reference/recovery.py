"""The three styles of loss recovery."""

from __future__ import annotations

import math

from footroom.engines.reference.connection import Mode
from footroom.engines.reference.delivery import Loss, SampledLaw
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.sender import Sender
from footroom.engines.reference.tail import Tail

#: Duplicate acknowledgements, or segments reported above a hole, that mean a loss.
DUPTHRESH = 3


class NewRenoSender(Sender):
    """RFC 6582 with limited transmit (RFC 3042): one hole per round trip, go-back-N after a timeout.

    Blocks of selective acknowledgements are ignored. The retransmission timer is restarted by the first partial
    acknowledgement only ("impatient"), unless the host's partial_timer says each ("slow but steady").
    """

    selective = False
    partials = 0
    largest = 0  # most segments outstanding as a recovery began

    def in_flight(self) -> int:
        return self.nxt - self.una

    def _fresh(self) -> int:
        ready = super()._fresh()
        if self.mode is not Mode.RECOVERY or self.stack.send_buffer == 0:
            return ready
        bound: int = self.una + self.stack.send_buffer * self.largest - self.nxt
        return min(ready, bound)

    def window(self) -> float:
        limited = self.dupacks if self.mode is Mode.OPEN and self.dupacks < DUPTHRESH else 0
        return self.law.cwnd + limited

    def next_repair(self) -> int | None:
        return self.una if self.repair_now else None

    def keeps_timer(self) -> bool:
        again = self.mode is Mode.RECOVERY and self.una <= self.recover and self.partials > 0
        return again and self.stack.partial_timer == "first"

    def forget(self) -> None:
        self.recover = self.top - 1
        self.nxt = self.una

    def react(self, packet: Packet, acked: int, fresh: int, flight: int) -> None:
        if acked > 0:
            self.dupacks = 0
            if self.mode is Mode.RECOVERY:
                self._progress(acked)
            else:
                # After a timeout most of what is acknowledged was there already: appropriate byte counting with L = 1.
                count = acked if self.mode is not Mode.LOSS else 1
                if self.una > self.recover:
                    if self.mode is Mode.LOSS:
                        self.recover = self.una  # RFC 6582 §3.2: the third duplicate must acknowledge more than this
                    self.mode = Mode.OPEN
                self.law.burst = self.burst_size()
                self.law.on_ack(
                    count, flight, self.una, self.mode is Mode.OPEN, self.clock.time, self.rtt.smoothed or 0
                )
        elif packet.seq == self.una and self.nxt > self.una:
            self._duplicate()

    def _progress(self, acked: int) -> None:
        """New data was acknowledged in recovery: all that was outstanding at its start, or up to the next hole."""
        if self.una > self.recover:
            outstanding = max(self.nxt - self.una, 1)
            all_at_once = self.stack.recovery_end == "ssthresh"
            self.law.cwnd = self.law.ssthresh if all_at_once else min(self.law.ssthresh, outstanding + 1.0)
            self.mode = Mode.OPEN
            self.repair_now = False
            return
        self.law.cwnd = max(self.law.cwnd - acked, 1.0) + 1.0
        self.partials += 1
        self.repair_now = True

    def _duplicate(self) -> None:
        self.dupacks += 1
        if self.mode is Mode.RECOVERY:
            self.law.cwnd += 1.0
        elif self.dupacks == DUPTHRESH and self.mode is Mode.OPEN and self.una > self.recover:
            self.largest = max(self.largest, self.nxt - self.una)
            self.law.on_loss(self.nxt - self.una, self.una)
            self.law.cwnd = self.law.ssthresh + DUPTHRESH
            self.recover = self.nxt - 1
            self.mode = Mode.RECOVERY
            self.partials = 0
            self.repair_now = True


class SackSender(Sender):
    """RFC 6675: a scoreboard tells what is missing, and repairs go out as the pipe drains.

    ``lost`` holds segments presumed lost, also once they are resent. A segment counts as lost when three above it
    have been reported. Departs from RFC 6675: an acknowledgement carries one block, not three, and the last segment is
    not sent again on suspicion where it was before.
    """

    grows_at_end = False  # whether the acknowledgement that ends a recovery opens the window as any other

    def __init__(self, *arguments: object, **more: object) -> None:
        super().__init__(*arguments, **more)  # type: ignore[arg-type]
        self._highest = [-1] * DUPTHRESH  # of the segments reported, ascending
        self._examined = 0  # below, every outstanding segment is reported or lost
        self._rescued = -1  # end of the recovery that last sent its final segment again on suspicion

    def in_flight(self) -> int:
        return self.nxt - self.una - len(self.sacked) - len(self.lost) + len(self.resent)

    def window(self) -> float:
        return self.law.cwnd

    def next_repair(self) -> int | None:
        return min((s for s in self.lost if s not in self.resent), default=None)

    def last_resort(self) -> int | None:
        """NextSeg's rules 3 and 4: a hole too young to be called lost, or, once, the last segment not reported."""
        if self.mode is not Mode.RECOVERY:
            return None
        unreported = [s for s in range(self.una, self.nxt) if s not in self.sacked]
        seq = next((s for s in unreported if s < self._highest[-1] and s not in self.lost), None)
        if seq is None and self.una > self._rescued and unreported[-1] not in self.lost:
            seq = unreported[-1]
            self._rescued = self.recover
        if seq is not None:
            self.lost.add(seq)
        return seq

    def restarts_timer(self, seq: int) -> bool:
        return seq == self.una

    def forget(self) -> None:
        self.recover = self.nxt
        missing = [s for s in range(self.una, self.nxt) if s not in self.sacked]
        self.lost.update(s for s in missing if not self.spares(s))
        self.resent = {s: at for s, at in self.resent.items() if self.spares(s)}
        self._examined = next((s for s in missing if s not in self.lost), self.nxt)

    def spares(self, seq: int) -> bool:
        if self.stack.timeout_losses == "all" or seq == self.una:
            return False
        return self.clock.time - self.sent_at[seq] < self.rtt.latest

    def react(self, packet: Packet, acked: int, fresh: int, flight: int) -> None:
        fresh += self._take_block(packet)
        if fresh > 0:
            self.rtt.latest = self.clock.time - packet.stamp
        to_repair, known = len(self.lost) - len(self.resent), set(self.lost)
        self._mark_losses()
        told = self.tell_lost(self.detect_lost_repairs(packet), 0, fresh)
        if self.tail is not None:
            self._consult(self.tail, packet, acked, fresh, flight)
        self.tell_lost(sorted(self.lost - known), told, fresh)
        self.new_losses = len(self.lost) - len(self.resent) - to_repair
        safe = acked > 0 and self.new_losses == 0
        self._respond(acked, fresh, flight, safe)

    def _respond(self, acked: int, fresh: int, flight: int, safe: bool) -> None:
        """Begin, pace or end the repair of what is believed lost; outside it the window grows."""
        if self.sampled is not None:
            self._follow_losses(self.sampled)
            return
        grow = acked > 0
        if self.mode is not Mode.OPEN and self.una >= self.recover:
            if self.mode is Mode.RECOVERY:
                self.law.cwnd = self.law.ssthresh
                self.repair_now = False
                grow = grow and self.grows_at_end
            self.mode = Mode.OPEN
        entering = self.mode is Mode.OPEN and bool(self.lost)
        if entering:
            self.law.on_loss(self.nxt - self.una, self.una)
            self.recover = self.nxt
            self.mode = Mode.RECOVERY
            self.repair_now = True
        if self.mode is Mode.RECOVERY or self.reducing:
            self.regulate(fresh, entering, safe)
        elif grow:
            self.law.burst = self.burst_size()
            self.law.on_ack(fresh, flight, self.una, self.mode is Mode.OPEN, self.clock.time, self.rtt.smoothed or 0)

    def _follow_losses(self, law: SampledLaw) -> None:
        """The same where the law sets the window."""
        if self.una >= self.recover:
            self.mode = Mode.OPEN
        if self.mode is Mode.OPEN and self.lost:
            law.on_loss(self.nxt - self.una, self.una)
            self.mode, self.recover = Mode.RECOVERY, self.nxt

    def regulate(self, delivered: int, entering: bool, safe: bool) -> None:
        """Set the window in recovery. delivered: segments this acknowledgement newly reports as received; safe: it
        covers new data and shows no new loss.
        """
        if entering:
            self.law.cwnd = self.law.ssthresh

    # With probes (RFC 8985; for the departures see ``footroom.engines.packet.probe``).

    def _consult(self, tail: Tail, packet: Packet, acked: int, fresh: int, flight: int) -> None:
        """Evaluate an acknowledgement for a probe, and for holes with fewer than three arrivals beyond them."""
        if fresh > 0 and acked == 0 and packet.stamp < self.sent_at[self.una]:
            # The oldest segment's repair is still under way.
            self.rto_at = self.ticks.rings(self.clock.time, self.rtt.timeout)
        if tail.made_good(packet.seq, acked, packet.right > packet.left):
            if self.sampled is not None:
                arrived = self.delivery.arrived + fresh
                self.sampled.on_lost(Loss(0, 0, False, arrived, self.clock.time))
            self.law.on_loss(flight, self.una)
            if self.sampled is None:
                self.law.cwnd = self.law.ssthresh
                self.reducing = False
        if acked > 0:
            tail.due = False
        if self.mode is Mode.OPEN and self.sacked:
            tail.due = False
            self._weigh_holes(tail, self.clock.time - packet.stamp, packet.stamp)

    def _weigh_holes(self, tail: Tail, trip: int, newest: int) -> None:
        """Holes sent a quarter of a round trip before the ``newest`` arrival are lost; the others get that long.

        trip: from that sending to now [ps] (RFC 8985 §6.2, step 5).
        """
        quarter = min(trip, trip if self.rtt.shortest is None else self.rtt.shortest) // 4
        doubtful = [
            seq
            for seq in range(max(self.una, self._examined), self._highest[-1])
            if seq not in self.sacked and self.sent_at[seq] + quarter > newest
        ]
        self._mark_losses_below(doubtful[0] if doubtful else self._highest[-1])
        tail.at = None
        if doubtful:  # those it waits for longest
            age = self.clock.time - self.sent_at[doubtful[-1]]
            tail.at = self.ticks.rings(self.clock.time, trip + quarter - age + self.stack.probe_margin)

    def on_silence(self, tail: Tail) -> None:
        tail.at = None
        now = self.clock.time
        if self.sacked:  # a hole has stood for too long
            waiting, known = len(self.lost), set(self.lost)
            self._mark_losses_below(self._highest[-1])
            self.tell_lost(sorted(self.lost - known))
            self.delivery.losses += len(self.lost) - waiting
            self._respond(0, 1, 0, safe=False)  # Linux counts the arrival beyond it as delivered
            self.rto_at = self.ticks.rings(now, self.rtt.timeout)
            self.send()
            return
        waits = self._fills_host_queue() if self._fresh() > 0 else self.at_host > 0
        if tail.end is None and tail.timed and not (self.paces or self._held_back or waits):
            tail.due = True
            self.rto_at = self.ticks.rings(now, self.rtt.timeout)
            self.send()

    def watch_tail(self, tail: Tail, acked: int, new: bool) -> None:
        if self.mode is not Mode.OPEN:
            tail.cancel()
        elif not self.sacked and (acked > 0 or new):
            if self.nxt == self.una:
                tail.at = None
            elif self.rto_at is not None:
                expiry = self.ticks.rings(self.sent_at[self.una], self.rtt.timeout)
                latest = min(self.rto_at, expiry) if new and expiry > self.clock.time else self.rto_at
                tail.wait(self.clock.time, self.rtt.smoothed, self.nxt - self.una, latest)

    # What is lost.

    def lost_below(self) -> int:
        """Every segment below this one that has not been reported is lost."""
        return self._highest[0]

    def detect_lost_repairs(self, packet: Packet) -> list[int]:
        """Find retransmissions that were lost in turn; RFC 6675 leaves that to the timer."""
        return []

    def _take_block(self, packet: Packet) -> int:
        new = [s for s in range(max(packet.left, self.una), packet.right) if s not in self.sacked]
        for seq in new:
            self.sacked.add(seq)
            self.lost.discard(seq)
            self.resent.pop(seq, None)
            self._highest = sorted([*self._highest, seq])[1:]
        return len(new)

    def _mark_losses(self) -> None:
        self._mark_losses_below(self.lost_below())

    def _mark_losses_below(self, below: int) -> None:
        self.lost.update(s for s in range(max(self.una, self._examined), below) if s not in self.sacked)
        self._examined = max(self._examined, below)


class PrrSender(SackSender):
    """SACK recovery, and cuts for marks, paced by proportional rate reduction (RFC 9937; Linux for marks).

    Once three segments beyond a hole are reported, everything sent before the newest arrival is lost, be that arrival a
    retransmission or not (the order of sending, as RFC 8985 uses it, exact here because no link reorders).
    """

    delivered = 0
    sent_out = 0
    flight_at_entry = 0
    newest = -1
    one_cut_per_episode = True
    grows_at_end = True  # Linux: tcp_fastretrans_alert ends the recovery before tcp_cong_control looks

    def react(self, packet: Packet, acked: int, fresh: int, flight: int) -> None:
        self.newest = max(self.newest, packet.stamp)
        super().react(packet, acked, fresh, flight)

    def last_resort(self) -> int | None:
        return None

    def lost_below(self) -> int:
        if self.mode is Mode.OPEN and len(self.sacked) < DUPTHRESH:
            return -1
        earlier = sum(self.sent_at[s] < self.newest for s in range(max(self.una, self._examined), self.nxt))
        return max(self._highest[-1], max(self.una, self._examined) + earlier)

    def on_send(self) -> None:
        if self.mode is Mode.RECOVERY or self.reducing:
            self.sent_out += 1

    def detect_lost_repairs(self, packet: Packet) -> list[int]:
        found: list[int] = []
        for seq, sent in list(self.resent.items()):
            if sent >= self.newest:
                break
            del self.resent[seq]
            found.append(seq)
        return found

    def heed_marks(self, packet: Packet, acked: int) -> None:
        law = self.law
        if self.reducing and self.una > law.cut_end:  # not before the news of the cut has reached the receiver
            self.reducing = False
            law.cwnd = law.ssthresh
        handled, full = law.cut_end, int(law.cwnd)
        super().heed_marks(packet, acked)
        if law.cut_end != handled and self.stack.mark_cut == "round_trip":
            self.reducing = True
            self._begin_episode(full)

    def _begin_episode(self, flight: int) -> None:
        self.delivered = self.sent_out = 0
        self.flight_at_entry = flight

    def regulate(self, delivered: int, entering: bool, safe: bool) -> None:
        if entering:
            if self.reducing and self.una < self.law.cut_end:
                self.recover = self.law.cut_end  # the cut for the mark is one for these losses too, and goes on
            else:
                # RecoverFS: all that has yet to arrive, this acknowledgement's share included (RFC 9937 §6.2).
                self._begin_episode(self.nxt - self.una - len(self.sacked) + delivered)
            self.reducing = False
        if self.reducing and self.una == self.segments:  # the last acknowledgement of a flow whose connection stays
            self.reducing = False
            self.law.cwnd = self.law.ssthresh
            return
        self.delivered += delivered
        pipe, ssthresh = self.in_flight(), self.law.ssthresh
        if pipe > ssthresh:
            target = int(ssthresh) if self.reducing else ssthresh  # for marks in whole segments
            share = math.ceil(self.delivered * target / self.flight_at_entry)
            more: float = share - self.sent_out
        else:
            more = min(ssthresh - pipe, max(self.delivered - self.sent_out, delivered) + safe)
        self.law.cwnd = pipe + max(more, 1.0 if entering else 0.0)


STYLES: dict[str, type[Sender]] = {"newreno": NewRenoSender, "sack": SackSender, "prr": PrrSender}
