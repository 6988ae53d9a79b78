"""BBR version 3 in plain Python, after google/bbr, branch v3; ``parts.congestion.bbr`` describes its parameters."""

from __future__ import annotations

import math

from footroom.engines.plan import SECOND
from footroom.engines.reference.bbr3_path import ENDLESS, HIGH, Path
from footroom.engines.reference.delivery import Delivery, Loss, Sample

#: What losses leave of a bound; the part lost that is too much; the weight of marks: in 256ths.
KEPT, TOLERATED, MARKED = 180 / 256, 5 / 256, 85 / 256


class Bbr3Law(Path):
    """One flow: what its sender calls, and the phases that it goes through."""

    # What the sender calls.

    def begin(self, delivery: Delivery, window: int, handshake: int, burst: int, payload: int, now: int) -> None:
        """A connection is set up. handshake: its round trip, 0 for unknown; burst: segments of one."""
        self._delivery, self._burst, self._payload, self._initial = delivery, burst, payload, float(window)
        self.cwnd, self.ssthresh = float(window), 1e18
        self._timed = handshake > 0
        if self._timed:
            self._trip = self._probe_trip = handshake
        self._trip_at = self._probe_trip_at = now
        trip = max(float(handshake), 1e6) if self._timed else 1e9
        self.pace_rate = self._pace(self.cwnd / trip * 1e12, HIGH)
        self._lumps.restart(now)

    def go_on(self, now: int) -> None:
        """The connection carries another flow."""
        self._resting, self._cut_until = True, None
        self._lumps.restart(now)
        if self.mode == "probe_bw":
            self.pace_rate = self._pace(self._rate(), 1.0)
        elif self.mode == "probe_rtt":
            self._end_probe_rtt(now)

    def on_loss(self, flight: int, una: int) -> None:
        """Recovery begins."""
        self._keep_window()

    def on_expiry(self, fresh: bool) -> None:
        """The retransmission timer expired; ``fresh``: for the first time since something was acknowledged."""
        if fresh:
            self._keep_window()
        self._state = 2
        self._detector.restart(0.0)
        if not self._probes() and self.lower == ENDLESS:
            self.lower = max(self._prior, 1.0)

    def on_lost(self, loss: Loss) -> None:
        """A segment is found lost."""
        if not self._lost_in_round:
            self._loss_round_ends = loss.arrived
        self._lost_in_round = self._lost_in_cycle = True
        if not self._judging:
            return
        if loss.lost == 0:  # only a probe of a lost tail shows it
            flight = self._latest_volume + 1.0
            if self._too_many(1, flight):
                self._retreat(flight, False, loss.now)
        elif self._too_many(loss.lost, loss.flight):
            flight, lost = loss.flight - 1, loss.lost - 1
            tolerated = math.ceil(flight * TOLERATED)
            if lost < tolerated:
                flight += math.floor((tolerated - lost) * 256 / 251)
            self._retreat(float(flight), loss.limited, loss.now)

    def on_sample(self, sample: Sample) -> None:
        """An acknowledgement."""
        if self._state == 2 and sample.state != 2:
            self.cwnd = max(self.cwnd, self._prior)
        self._watch_marks(sample)
        valid = sample.arrivals is not None and sample.interval is not None and sample.interval > 0
        self._new_round = valid and sample.prior >= self._next_round
        if self._new_round:
            self._next_round = self._delivery.arrived
            self._rounds_waited = min(self._rounds_waited + 1, 255)
            self._count_marks()
        self._marked_in_round |= self._hears_marks and sample.echo
        rate = 0.0
        if valid:
            assert sample.arrivals is not None
            assert sample.interval is not None
            rate = sample.arrivals / (sample.interval * 1e-12)
        self._loss_round = False
        if valid and sample.delivered > 0:
            self._note_round(sample, rate)
        self._weigh_startup(sample)
        if not sample.limited:
            self._detector.add(rate, self._new_round)
            self._full = self._full or self._detector.full
        self._drain(sample)
        if self._full and not self._adapt_upper(sample) and self.mode == "probe_bw":
            self._turn(sample, rate)
        self._watch_round_trip(sample)
        self._choose_gains()
        self._choose_rate(sample)
        self._choose_window(sample)
        if self._loss_round:
            self._latest_rate, self._latest_volume = rate, float(sample.arrivals or 0)
        self._state = sample.state
        if sample.arrivals is not None:
            self._lost_in_cycle |= sample.since_losses > 0
            self._marked_in_cycle |= sample.since_marked > 0

    def _watch_marks(self, sample: Sample) -> None:
        """A mark begins a state that lasts until what was sent by then, and more, is acknowledged (tcp_enter_cwr)."""
        if sample.state != 0 or (self._cut_until is not None and sample.una > self._cut_until):
            self._cut_until = None
        if sample.echo and sample.state == 0 and self._cut_until is None:
            self._cut_until = sample.nxt
            self._keep_window()

    # Bandwidth and bounds.

    def _probes(self) -> bool:
        return self.mode == "startup" or (self.mode == "probe_bw" and self.phase in ("refill", "up"))

    def _count_marks(self) -> None:
        near = self._trip is not None and self._trip <= SECOND // 200
        self._hears_marks = self._hears_marks or (self.law.ecn_low and near)
        arrived, marked = self._delivery.arrived - self._counted[0], self._delivery.marked - self._counted[1]
        if not self._hears_marks or not arrived:
            return
        share = marked / arrived
        self._share = min((15.0 * self._share + share) / 16.0, 1.0)
        self._counted = (self._delivery.arrived, self._delivery.marked)
        if not self._full:
            self._marked_rounds = self._marked_rounds + 1 if share >= 0.5 else 0
            if self._marked_rounds >= 2:
                self._stop_startup()

    def _note_round(self, sample: Sample, rate: float) -> None:
        assert sample.arrivals is not None
        self._latest_rate = max(self._latest_rate, rate)
        self._latest_volume = max(self._latest_volume, float(sample.arrivals))
        if sample.prior >= self._loss_round_ends:
            self._loss_round, self._loss_round_ends = True, self._delivery.arrived
        if not sample.limited or rate >= max(self._rates):
            self._rates[1] = max(self._rates[1], rate)
        self._lost_in_round |= sample.lost > 0
        if self._loss_round:
            if not self._probes():
                self._adapt_lower()
            self._lost_in_round = self._marked_in_round = False
        if self.law.aggregation:
            self._lumps.add(
                sample.delivered,
                self._new_round,
                self._rate(),
                self._delivery.arrived_at,
                self.cwnd,
                5 if self._full else 1,
            )

    def _adapt_lower(self) -> None:
        if not (self._lost_in_round or self._marked_in_round):
            return
        before = self.cwnd if self.lower == ENDLESS else self.lower
        bounds = [before]
        if self._marked_in_round:
            bounds.append(float(math.floor(before * (1.0 - self._share * MARKED))))
        if self._lost_in_round:
            known = max(self._rates) if self.lower_rate == ENDLESS else self.lower_rate
            self.lower_rate = max(self._latest_rate, known * KEPT)
            bounds[0] = max(self._latest_volume, float(math.floor(before * KEPT)))
        self.lower = min(bounds)

    def _too_many(self, lost: float, flight: float) -> bool:
        return lost > 0 and flight > 0 and lost > math.floor(flight * TOLERATED)

    def _shows_excess(self, sample: Sample) -> bool:
        if sample.arrivals is None:
            return False
        if self._too_many(sample.since_losses, sample.sent_flight):
            return True
        return self._hears_marks and sample.arrivals > 0 and sample.since_marked > sample.arrivals // 2

    def _retreat(self, flight: float, limited: bool, now: int) -> None:
        """A probe went too far."""
        self._went_too_far, self._judging = True, False
        if not limited:
            aim = min(self._aim(self._rate()), self.cwnd)
            self.upper = max(flight, float(math.floor(aim * KEPT)))
        if self.mode == "probe_bw" and self.phase == "up":
            self._go_down(now)

    def _stop_startup(self) -> None:
        self._full = True
        self.upper = max(self._aim(max(self._rates)), self._latest_volume)

    def _weigh_startup(self, sample: Sample) -> None:
        """Six losses in a round of recovery, and more than 2 %, end Startup."""
        if self._full:
            return
        self._losses_of_round = min(self._losses_of_round + (sample.lost > 0), 15)
        if not self._loss_round:
            return
        if sample.state == 1 and self._losses_of_round >= 6 and self._shows_excess(sample):
            self._stop_startup()
        else:
            self._losses_of_round = 0

    def _adapt_upper(self, sample: Sample) -> bool:
        """Follow a probe through its acknowledgements; True where the next phase is decided."""
        if self._new_round and self.feedback == "starting":
            self.feedback = "coming"
        elif self._new_round and self.feedback == "stopping":
            self._judging, self.feedback = False, "none"
            if self.mode == "probe_bw":
                if not sample.limited and self._rates[1] > 0.0:
                    self._rates = [self._rates[1], 0.0]
                if self._stopped_early and not self._went_too_far:
                    self._refill(0)
                    return True
        if self._shows_excess(sample):
            if self._judging:
                self._retreat(float(sample.sent_flight), sample.limited, sample.now)
        elif self.upper != ENDLESS:
            if sample.arrivals is not None:
                self.upper = max(self.upper, float(sample.sent_flight))
            if self.mode == "probe_bw" and self.phase == "up" and self._held_by_upper(sample):
                self._toward_step += sample.delivered
                steps = self._toward_step // self._per_step
                self._toward_step -= steps * self._per_step
                self.upper += steps
                if self._new_round:
                    self._steepen()
        return False

    def _held_by_upper(self, sample: Sample) -> bool:
        return sample.window_full and self.cwnd >= self.upper

    def _steepen(self) -> None:
        self._per_step = max(float(math.floor(self.cwnd / 2.0**self._steps)), 1.0)
        self._steps = min(self._steps + 1, 30)

    # Phases.

    def _turn(self, sample: Sample, rate: float) -> None:
        """End a phase of ProbeBW when its time is over or its target is reached."""
        flight = self._when_leaving(sample, sample.before)
        if self.phase == "refill":
            if self._new_round:
                self._judging, self.feedback = True, "starting"
                self._next_round, self._phase_at = self._delivery.arrived, sample.now
                self._detector.restart(rate)
                self.phase = "up"
                self._steepen()
        elif self.phase == "up":
            if self._went_too_far and flight >= self.upper:
                self._stopped_early, over = True, True
            elif self._held_by_upper(sample):
                self._detector.restart(rate)
                over = False
            else:
                over = self._detector.full
            if over:
                self._went_too_far = False
                self._go_down(sample.now)
        elif not self._begins_to_probe(sample):
            drained = flight <= min(self._with_room(), self._aim(max(self._rates)))
            if self.phase == "down" and drained:
                self._cruise()

    def _begins_to_probe(self, sample: Sample) -> bool:
        calm = sample.state == 0 and self._cut_until is None
        if self._hears_marks and self._marked_in_cycle and not self._lost_in_cycle and calm:
            self._refill(math.floor(math.log2(max(min(self.upper, 2.0**32) / 2.0, 1.0))))
            return True
        patience = min(63.0, self._aim(self._rate()), self.cwnd)
        if sample.now - self._phase_at > self._wait or self._rounds_waited >= patience:
            self._refill(0)
            return True
        return False

    def _refill(self, steps: int) -> None:
        self.lower = self.lower_rate = ENDLESS
        self._steps, self._toward_step, self._stopped_early = steps, 0.0, False
        self.feedback, self.phase, self._next_round = "refilling", "refill", self._delivery.arrived

    def _go_down(self, now: int) -> None:
        self._forget_signals()
        self._per_step = ENDLESS
        self._rounds_waited = math.floor(next(self.draws) * 2.0)
        self._wait = (2.0 + next(self.draws)) * 1e12
        self._phase_at, self._next_round = now, self._delivery.arrived
        self.feedback, self.phase = "stopping", "down"

    def _cruise(self) -> None:
        if self.lower != ENDLESS:
            self.lower = min(self.lower, self.upper)
        self.phase = "cruise"

    def _forget_signals(self) -> None:
        self._lost_in_round = self._marked_in_round = self._lost_in_cycle = self._marked_in_cycle = False
        self._latest_rate = self._latest_volume = 0.0

    def _drain(self, sample: Sample) -> None:
        if self.mode == "startup" and self._full:
            self.mode = "drain"
            self.ssthresh = self._aim(max(self._rates))
            self._forget_signals()
        if self.mode == "drain" and self._when_leaving(sample, sample.flight) <= self._aim(max(self._rates)):
            self.mode = "probe_bw"
            self._go_down(sample.now)

    def _watch_round_trip(self, sample: Sample) -> None:
        interval = round(self.law.interval * SECOND)
        stale = interval > 0 and sample.now > self._probe_trip_at + interval
        if sample.rtt is not None and (self._probe_trip is None or sample.rtt < self._probe_trip or stale):
            self._probe_trip, self._probe_trip_at = sample.rtt, sample.now
        old = sample.now > self._trip_at + 10 * SECOND
        if self._probe_trip is not None and (self._trip is None or self._probe_trip <= self._trip or old):
            self._trip, self._trip_at = self._probe_trip, self._probe_trip_at
        if stale and not self._resting and self.mode != "probe_rtt":
            self.mode, self.feedback = "probe_rtt", "stopping"
            self._keep_window(in_probe_rtt=True)
            self._probe_end, self._next_round = None, self._delivery.arrived
        if self.mode == "probe_rtt":
            self._probe_rtt(sample)
        if sample.arrivals:
            self._resting = False

    def _probe_rtt(self, sample: Sample) -> None:
        self._delivery.limited_until = max(self._delivery.arrived + sample.flight, 1)
        if self._probe_end is not None:
            self._probed_round = self._probed_round or self._new_round
            if self._probed_round:
                self._end_probe_rtt(sample.now)
        elif sample.flight <= self._least():
            self._probe_end = sample.now + round(self.law.probe_rtt_time * SECOND)
            self._probed_round, self._next_round = False, self._delivery.arrived

    def _end_probe_rtt(self, now: int) -> None:
        if self._probe_end is None or now <= self._probe_end:
            return
        self._probe_trip_at = now
        self.cwnd = max(self.cwnd, self._prior)
        self.lower = self.lower_rate = ENDLESS
        self.mode = "probe_bw" if self._full else "startup"
        if self._full:
            self._go_down(now)
            self._cruise()
