"""BBR version 3's model of its path, in plain Python, and the rate and the window that follow from it."""

from __future__ import annotations

import math

from footroom.engines.reference.bbr import Lumps
from footroom.engines.reference.delivery import Delivery, Sample, SampledLaw
from footroom.parts.congestion import Bbr

#: In the 256ths that Linux counts in: gains of Startup and Drain, and of ProbeBW's phases that do not cruise.
HIGH, LOW, RISE, FALL = 710 / 256, 88 / 256, 320 / 256, 232 / 256
#: The room left for others.
ROOM = 38 / 256
FEWEST = 4.0
ENDLESS = 1e18


class Detector:
    """Whether the delivery rate has stopped growing: three rounds with less than a quarter more."""

    def __init__(self) -> None:
        self.restart(0.0)

    def restart(self, rate: float) -> None:
        """Begin anew from ``rate``."""
        self.rate, self.stale, self.full = rate, 0, False

    def add(self, rate: float, new_round: bool) -> None:
        """The rate that an acknowledgement shows."""
        if self.full:
            return
        if rate >= 1.25 * self.rate:
            self.restart(rate)
        elif new_round:
            self.stale += 1
            self.full = self.stale >= 3


class Path(SampledLaw):
    """One flow's model of its path, and the pacing rate [segments/s] and window [segments] that follow from it.

    phase: within ProbeBW "down", "cruise", "refill" or "up".  upper: most in flight that seemed safe when last probed.
    lower, lower_rate: bounds since the last losses or marks.
    """

    def __init__(self, law: Bbr) -> None:
        super().__init__()
        self._delivery: Delivery
        self._burst = self._payload = 0
        self._initial, self._timed = 0.0, False
        self.law = law
        self.mode, self.phase, self.feedback = "startup", "up", "none"
        self._gain, self._window_gain = HIGH, 2.0
        self._trip: int | None = None
        self._probe_trip: int | None = None
        self._trip_at = self._probe_trip_at = self._phase_at = 0
        self._probe_end: int | None = None
        self._probed_round = self._new_round = False
        self._next_round = 0
        self._state, self._prior, self._resting = 0, 0.0, True
        self._full, self._detector, self._lumps = False, Detector(), Lumps()
        self._rates = [0.0, 0.0]  # largest of the cycle before and of this one
        self.upper, self.lower, self.lower_rate = ENDLESS, ENDLESS, ENDLESS
        self._latest_rate = self._latest_volume = 0.0
        self._loss_round, self._loss_round_ends, self._losses_of_round = False, 1, 0
        self._lost_in_round = self._marked_in_round = self._lost_in_cycle = self._marked_in_cycle = False
        self._judging = self._went_too_far = self._stopped_early = False
        self._steps, self._per_step, self._toward_step = 0, ENDLESS, 0.0
        self._rounds_waited, self._wait = 0, 0.0
        self._hears_marks, self._share, self._marked_rounds = False, 1.0, 0
        self._counted = (0, 0)
        self._cut_until: int | None = None  # marked until this segment is acknowledged

    @property
    def path(self) -> tuple[float, int | None]:
        """Largest delivery rate of the last two cycles [segments/s], and the shortest round trip [ps] once known."""
        return max(self._rates), self._trip

    def _rate(self) -> float:
        return min(max(self._rates), self.lower_rate)

    def _pace(self, rate: float, gain: float) -> float:
        return gain * rate * (1.0 - self.law.pacing_margin)

    def _choose_gains(self) -> None:
        self._gain, self._window_gain = 1.0, 2.0
        if self.mode == "startup":
            self._gain = HIGH
        elif self.mode == "drain":
            self._gain = LOW
        elif self.mode == "probe_rtt":
            self._window_gain = 1.0
        elif self.phase == "up":
            self._gain, self._window_gain = RISE, 2.25
        elif self.phase == "down":
            self._gain = FALL

    def _choose_rate(self, sample: Sample) -> None:
        rate = self._pace(self._rate(), self._gain)
        if not self._timed and sample.smoothed > 0:
            self._timed = True
            self.pace_rate = self._pace(self.cwnd / float(sample.smoothed) * 1e12, HIGH)
        if self._full or rate > self.pace_rate:
            self.pace_rate = rate

    def _segments_of_burst(self) -> float:
        if self._burst:
            return float(self._burst)
        rate = self.pace_rate * self._payload
        fits = min(math.floor(self.pace_rate / 1024.0), 65215 // self._payload)
        return float(max(fits, 1 if rate < 150_000.0 else 2))

    def _product(self, rate: float, gain: float) -> float:
        return self._initial if self._trip is None else float(math.ceil(rate * float(self._trip) * 1e-12 * gain))

    def _with_bursts(self, window: float) -> float:
        window = max(window, 3.0 * self._segments_of_burst(), FEWEST)
        return window + self.law.probe_extra if self.mode == "probe_bw" and self.phase == "up" else window

    def _aim(self, rate: float) -> float:
        return self._with_bursts(self._product(rate, 1.0))

    def _least(self) -> float:
        return max(self._product(self._rate(), 0.5), FEWEST)

    def _with_room(self) -> float:
        if self.upper == ENDLESS:
            return ENDLESS
        return max(self.upper - max(math.floor(self.upper * ROOM), 1), FEWEST)

    def _when_leaving(self, sample: Sample, flight: int) -> float:
        """Of ``flight`` segments, how many are in the network when the next burst leaves, that burst included."""
        if not self.law.departure_time:
            return float(flight)
        total = float(flight) + (self._segments_of_burst() if self._gain > 1.0 else 0.0)
        return max(total - math.floor(self._rate() * float(max(sample.leaves - sample.now, 0)) * 1e-12), 0.0)

    def _keep_window(self, in_probe_rtt: bool = False) -> None:
        whole = self._state == 0 and self.mode != "probe_rtt" and not in_probe_rtt
        self._prior = self.cwnd if whole else max(self._prior, self.cwnd)

    def _choose_window(self, sample: Sample) -> None:
        if sample.delivered > 0:
            aim = self._product(self._rate(), self._window_gain)
            if self.law.aggregation:
                aim += min(self._lumps.most, math.floor(self._rate() * 0.1))
            aim = self._with_bursts(aim)
            if self._full:
                self.cwnd = min(self.cwnd + sample.delivered, aim)
            elif self.cwnd < max(aim, 2.0 * self._initial):
                self.cwnd += sample.delivered
            self.cwnd = max(self.cwnd, FEWEST)
        if self.mode == "probe_rtt":
            self.cwnd = min(self.cwnd, self._least())
        cap = ENDLESS
        if self.mode == "probe_bw" and self.phase != "cruise":
            cap = self.upper
        elif self.mode in ("probe_bw", "probe_rtt"):
            cap = self._with_room()
        self.cwnd = min(self.cwnd, max(min(cap, self.lower), FEWEST))
