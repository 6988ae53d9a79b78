"""TIMELY in plain Python: algorithm 1 of Mittal et al., SIGCOMM 2015, and of Zhu et al., CoNEXT 2016 (patched)."""

from __future__ import annotations

from footroom.engines.reference.packet import Packet
from footroom.engines.reference.rate_law import Line, RateLaw
from footroom.parts.congestion import Timely


class TimelyRate(RateLaw):
    """A rate that follows round trips, taken once per segment."""

    def __init__(self, law: Timely, line: Line) -> None:
        super().__init__(line)
        self.law = law
        if law.start_rate is not None:
            self.rate = min(self.rate, law.start_rate)
        patched = law.variant == "patched"
        self.beta = law.multiplicative_decrease or (0.008 if patched else 0.8)
        self.segment = law.segment or (16e3 if patched else 64e3)
        self._decide = self._patched if patched else self._original
        self._acked_bytes = 0
        self._taken_at = 0
        self._previous: float | None = None
        self._smoothed = 0.0
        self._in_a_row = 0

    def on_ack(self, packet: Packet, acked: int, una: int, nxt: int, now: int) -> None:
        self._acked_bytes += acked * self.line.packet
        if self._acked_bytes < self.segment or now - self._taken_at < self.law.min_rtt * 1e12:
            return
        self._acked_bytes, self._taken_at = 0, now
        rtt = float(now - packet.stamp)
        if not self.law.round_trip:
            rtt = max(0.0, rtt - self.line.base_rtt)
        previous, self._previous = self._previous, rtt
        if previous is not None:
            alpha = self.law.weight
            self._smoothed = (1.0 - alpha) * self._smoothed + alpha * (rtt - previous)
            least = min(self.law.min_rate, self.line.rate)
            self.rate = min(self.line.rate, max(least, self._next_rate(rtt)))

    def _next_rate(self, rtt: float) -> float:
        low, high = self.law.t_low * 1e12, self.law.t_high * 1e12
        if low <= rtt <= high:
            return self._decide(rtt, self._smoothed / (self.law.min_rtt * 1e12), low)
        self._in_a_row = 0
        if rtt < low:
            return self.rate + self.law.additive_increase
        return self.rate * (1.0 - self.beta * (1.0 - high / rtt))

    def _original(self, rtt: float, gradient: float, low: float) -> float:
        if gradient > 0.0:
            self._in_a_row = 0
            return self.rate * max(0.0, 1.0 - self.beta * gradient)
        self._in_a_row += 1
        hasty = 0 < self.law.hyperactive_after <= self._in_a_row
        return self.rate + (5.0 if hasty else 1.0) * self.law.additive_increase

    def _patched(self, rtt: float, gradient: float, low: float) -> float:
        weight = min(1.0, max(0.0, self.law.slope * gradient + 0.5))
        error = (rtt - low) / low
        return self.law.additive_increase * (1.0 - weight) + self.rate * (1.0 - self.beta * weight * error)
