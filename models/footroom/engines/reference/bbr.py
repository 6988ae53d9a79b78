"""BBR version 1 in plain Python, after Linux tcp_bbr.c; ``parts.congestion.bbr`` says what its parameters mean."""

from __future__ import annotations

import math

from footroom.engines.plan import SECOND
from footroom.engines.reference.delivery import Delivery, Sample, SampledLaw
from footroom.engines.reference.running_max import RunningMax
from footroom.parts.congestion import Bbr

#: Gains of Startup and Drain, in the 256ths that Linux counts them in.
HIGH, LOW = 739 / 256, 88 / 256
#: Pacing gains of ProbeBW's phases.
CYCLE = (1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
#: Least window, and that of a path whose round trip is not known.
FEWEST, UNKNOWN = 4, 10
#: Rounds that the bandwidth filter spans; that the aggregation filter's halves span.
FILTER, LUMPS = 10, 5
MILLISECOND = SECOND // 1000


class Policer:
    """Bandwidth of a suspected policer: two intervals of similar rate in which a fifth was lost."""

    def __init__(self, delivery: Delivery, payload: int, now: int) -> None:
        self._delivery, self._payload = delivery, payload
        self.bandwidth = 0.0
        self.in_force = False
        self._sampling = False
        self.restart()
        self._since = now // MILLISECOND

    def restart(self) -> None:
        """A new interval."""
        self._since = self._delivery.arrived_at // MILLISECOND
        self._arrived, self._losses = self._delivery.arrived, self._delivery.losses
        self.rounds = 0

    def reset(self) -> None:
        """Forget everything."""
        self.bandwidth, self.in_force, self._sampling = 0.0, False, False
        self.restart()

    def sample(self, lost: int, limited: bool, new_round: bool, cruising: bool) -> str:
        """One acknowledgement. Returns "found", "over" or ""; cruising: in ProbeBW."""
        if self.in_force:
            self.rounds += cruising and new_round
            if cruising and new_round and self.rounds >= 48:
                self.reset()
                return "over"
            return ""
        if not self._sampling:
            if not lost:
                return ""
            self.restart()
            self._sampling = True
        if limited:
            self.reset()
            return ""
        self.rounds += new_round
        if self.rounds > 16:
            self.reset()
            return ""
        return self._judge() if self.rounds >= 4 and lost else ""

    def _judge(self) -> str:
        lost, arrived = self._delivery.losses - self._losses, self._delivery.arrived - self._arrived
        span = self._delivery.arrived_at // MILLISECOND - self._since
        if not arrived or 256 * lost < 50 * arrived or span < 1:
            return ""
        bandwidth = arrived / (span * 1e-3)
        if self.bandwidth:
            apart = abs(bandwidth - self.bandwidth)
            if 8.0 * apart <= self.bandwidth or apart * self._payload * 0.99 <= 500.0:
                self.bandwidth = (bandwidth + self.bandwidth) / 2.0
                self.in_force, self.rounds = True, 0
                return "found"
        self.bandwidth = bandwidth
        self.restart()
        return ""


class Lumps:
    """Most segments that recent acknowledgements reported beyond what the bandwidth explains."""

    def __init__(self) -> None:
        self._since, self._acked = 0, 0
        self._most, self._rounds, self._turn = [0.0, 0.0], 0, 0

    @property
    def most(self) -> float:
        """Segments, over the last five to ten rounds."""
        return max(self._most)

    def restart(self, now: int) -> None:
        """After a pause."""
        self._since, self._acked = now, 0

    def add(
        self, delivered: int, new_round: bool, bandwidth: float, now: int, window: float, spans: int = LUMPS
    ) -> None:
        """An acknowledgement of so many segments. spans: rounds that each half of the filter spans."""
        if new_round:
            self._rounds += 1
            if self._rounds >= spans:
                self._rounds, self._turn = 0, 1 - self._turn
                self._most[self._turn] = 0.0
        expected = math.floor(bandwidth * (now - self._since) * 1e-12)
        if self._acked <= expected or self._acked + delivered >= 2**20:
            self._acked, self._since, expected = 0, now, 0
        self._acked += delivered
        self._most[self._turn] = max(self._most[self._turn], min(self._acked - expected, window))


class BbrLaw(SampledLaw):
    """One flow's model of its path, and the pacing rate [segments/s] and window [segments] that follow from it."""

    def __init__(self, law: Bbr) -> None:
        super().__init__()
        self.law = law
        self.mode = "startup"
        self.gain, self._window_gain = HIGH, HIGH
        self._bandwidth = RunningMax(FILTER)
        self._shortest: int | None = None
        self._shortest_at = 0
        self._probe_end: int | None = None
        self._probed_round = False
        self._rounds = self._next_round = 0
        self._new_round = False
        self._phase, self._phase_at = 0, 0
        self._state = 0
        self._conserving = False
        self._resting = True  # since a pause nothing has arrived
        self._full, self._stale_rounds, self._full_bandwidth = False, 0, 0.0
        self._prior = 0.0
        self._lumps = Lumps()

    # What the sender calls.

    def begin(self, delivery: Delivery, window: int, handshake: int, burst: int, payload: int, now: int) -> None:
        """A connection is set up. handshake: its round trip, 0 for unknown; burst: segments of one."""
        self._delivery, self._burst, self._payload = delivery, burst, payload
        self._policer = Policer(delivery, payload, now)
        self.cwnd, self.ssthresh = float(window), 1e18
        self._timed = handshake > 0
        if self._timed:
            self._shortest = handshake
        self._shortest_at = now
        trip = max(float(handshake), 1e6) if self._timed else 1e9
        self.pace_rate = self._pace(self.cwnd / trip * 1e12, HIGH)
        self._lumps.restart(now)

    def go_on(self, now: int) -> None:
        """The connection carries another flow."""
        self._resting = True
        self._lumps.restart(now)
        if self.mode == "probe_bw":
            self.pace_rate = self._pace(self._estimate(), 1.0)
        elif self.mode == "probe_rtt":
            self._end_probe_rtt(now)

    def on_loss(self, flight: int, una: int) -> None:
        """Recovery begins."""
        self._keep_window()

    def on_expiry(self, fresh: bool) -> None:
        """The retransmission timer expired; ``fresh``: for the first time since something was acknowledged."""
        if fresh:
            self._keep_window()
        self._state, self._full_bandwidth, self._new_round = 2, 0.0, True
        self._police(1, False)

    def on_sample(self, sample: Sample) -> None:
        """An acknowledgement."""
        self._measure(sample)
        if self.mode == "probe_bw" and self._phase_over(sample):
            self._phase = (self._phase + 1) % 8
            self._phase_at = self._delivery.arrived_at
        self._look_whether_full(sample)
        self._watch_round_trip(sample)
        self._choose_gains()
        rate = self._pace(self._estimate(), self.gain)
        if not self._timed and sample.smoothed > 0:
            self._timed = True
            self.pace_rate = self._pace(self.cwnd / float(sample.smoothed) * 1e12, HIGH)
        if self._full or rate > self.pace_rate:
            self.pace_rate = rate
        self._choose_window(sample)

    @property
    def path(self) -> tuple[float, int | None]:
        """Largest delivery rate in the filter [segments/s], and the shortest round trip [ps] once one is known."""
        return self._bandwidth.value, self._shortest

    # Bandwidth.

    def _estimate(self) -> float:
        return self._policer.bandwidth if self._policer.in_force else self._bandwidth.value

    def _pace(self, bandwidth: float, gain: float) -> float:
        return gain * bandwidth * (1.0 - self.law.pacing_margin)

    def _measure(self, sample: Sample) -> None:
        self._new_round = False
        if sample.arrivals is None or sample.interval is None or sample.interval <= 0:
            return
        if sample.prior >= self._next_round:
            self._start_round()
            self._rounds += 1
            self._new_round = True
            self._conserving = False
        self._police(sample.lost, sample.limited)
        bandwidth = sample.arrivals / (sample.interval * 1e-12)
        if not sample.limited or bandwidth >= self._bandwidth.value:
            self._bandwidth.add(self._rounds, bandwidth)
        if self.law.aggregation and sample.delivered > 0:
            self._lumps.add(sample.delivered, self._new_round, self._estimate(), self._delivery.arrived_at, self.cwnd)

    def _start_round(self) -> None:
        self._next_round = self._delivery.arrived

    def _police(self, lost: int, limited: bool) -> None:
        if not self.law.policer:
            return
        verdict = self._policer.sample(lost, limited, self._new_round, self.mode == "probe_bw")
        if verdict == "found":
            self.gain = 1.0
        elif verdict == "over":
            self._enter_probe_bw()

    # Modes.

    def _enter_probe_bw(self) -> None:
        self.mode = "probe_bw"
        self._phase = (8 - math.floor(next(self.draws) * 7.0)) % 8
        self._phase_at = self._delivery.arrived_at

    def _phase_over(self, sample: Sample) -> bool:
        spent = self._delivery.arrived_at - self._phase_at
        long_enough = spent > (self._shortest or 0)
        if self.gain == 1.0:
            return long_enough
        flight = self._when_leaving(sample, sample.before)
        if self.gain > 1.0:
            return long_enough and (sample.lost > 0 or flight >= self._aim(self.gain))
        return long_enough or flight <= self._aim(1.0)

    def _look_whether_full(self, sample: Sample) -> None:
        if not self._full and self._new_round and not sample.limited:
            if self._bandwidth.value >= self._full_bandwidth * 1.25:
                self._full_bandwidth, self._stale_rounds = self._bandwidth.value, 0
            else:
                self._stale_rounds += 1
                self._full = self._stale_rounds >= 3
        if self._full and self.mode == "startup":
            self.mode = "drain"
            self.ssthresh = float(self._aim(1.0))
        if self.mode == "drain" and self._when_leaving(sample, sample.flight) <= self._aim(1.0):
            self._enter_probe_bw()

    def _watch_round_trip(self, sample: Sample) -> None:
        interval = round(self.law.interval * SECOND)
        stale = interval > 0 and sample.now > self._shortest_at + interval
        if sample.rtt is not None and (self._shortest is None or sample.rtt <= self._shortest or stale):
            self._shortest, self._shortest_at = sample.rtt, sample.now
        if stale and not self._resting and self.mode != "probe_rtt":
            self.mode = "probe_rtt"
            self._keep_window()
            self._probe_end = None
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
        elif sample.flight <= FEWEST:
            self._probe_end = sample.now + round(self.law.probe_rtt_time * SECOND)
            self._probed_round = False
            self._start_round()

    def _end_probe_rtt(self, now: int) -> None:
        if self._probe_end is None or now <= self._probe_end:
            return
        self._shortest_at = now
        self.cwnd = max(self.cwnd, self._prior)
        if self._full:
            self._enter_probe_bw()
        else:
            self.mode = "startup"

    def _choose_gains(self) -> None:
        if self.mode == "startup":
            self.gain, self._window_gain = HIGH, HIGH
        elif self.mode == "drain":
            self.gain, self._window_gain = LOW, HIGH
        elif self.mode == "probe_bw":
            self.gain, self._window_gain = 1.0 if self._policer.in_force else CYCLE[self._phase], 2.0
        else:
            self.gain = self._window_gain = 1.0

    # Window.

    def _segments_of_burst(self) -> float:
        if self._burst:
            return float(self._burst)
        rate = self.pace_rate * self._payload
        fits = min(math.floor(self.pace_rate / 1024.0), 65215 // self._payload)
        return float(max(fits, 1 if rate < 150_000.0 else 2))

    def _product(self, bandwidth: float, gain: float) -> float:
        """Segments in flight that ``gain`` times ``bandwidth`` needs."""
        if self._shortest is None:
            return float(UNKNOWN)
        return float(math.ceil(bandwidth * float(self._shortest) * 1e-12 * gain))

    def _with_bursts(self, window: float) -> float:
        even = 2.0 * math.ceil((window + 3.0 * self._segments_of_burst()) / 2.0)
        return even + self.law.probe_extra if self.mode == "probe_bw" and self._phase == 0 else even

    def _aim(self, gain: float) -> float:
        return self._with_bursts(self._product(self._bandwidth.value, gain))

    def _when_leaving(self, sample: Sample, flight: int) -> float:
        """Of ``flight`` segments, how many are in the network when the next burst leaves, that burst included."""
        if not self.law.departure_time:
            return float(flight)
        total = float(flight) + (self._segments_of_burst() if self.gain > 1.0 else 0.0)
        wait = max(sample.leaves - sample.now, 0)
        return max(total - math.floor(self._estimate() * float(wait) * 1e-12), 0.0)

    def _keep_window(self) -> None:
        whole = self._state == 0 and self.mode != "probe_rtt"
        self._prior = self.cwnd if whole else max(self._prior, self.cwnd)

    def _choose_window(self, sample: Sample) -> None:
        if sample.delivered > 0:
            self.cwnd = self._next_window(sample)
        if self.mode == "probe_rtt":
            self.cwnd = min(self.cwnd, float(FEWEST))

    def _next_window(self, sample: Sample) -> float:
        window = max(self.cwnd - sample.lost, 1.0) if sample.lost else self.cwnd
        conserved = float(sample.flight + sample.delivered)
        before, self._state = self._state, sample.state
        if sample.state == 1 and before != 1:
            self._conserving = True
            self._start_round()
            window = conserved
        elif before != 0 and sample.state == 0:
            self._conserving = False
            window = max(window, self._prior)
        if self._conserving:
            return max(window, conserved)
        target = self._product(self._estimate(), self._window_gain)
        if self._full and self.law.aggregation:
            target += min(self._lumps.most, math.floor(self._estimate() * 0.1))
        target = self._with_bursts(target)
        if self._full:
            window = min(window + sample.delivered, target)
        elif window < target or self._delivery.arrived < UNKNOWN:
            window += sample.delivered
        return max(window, float(FEWEST))
