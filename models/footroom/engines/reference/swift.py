"""Swift in plain Python: algorithm 1 of Kumar et al., SIGCOMM 2020, without the window of the receiving host."""

from __future__ import annotations

import math

from footroom.engines.reference.packet import Packet
from footroom.engines.reference.rate_law import Line, RateLaw
from footroom.parts.congestion import Swift


class SwiftWindow(RateLaw):
    """A window in packets, and pacing where it is below one."""

    def __init__(self, law: Swift, line: Line) -> None:
        super().__init__(line)
        self.law = law
        base = float(line.base_rtt) if law.base_target is None else law.base_target * 1e12
        self.target = base + line.switches * (law.hop_target * 1e12)
        self.cwnd = min(law.initial_window, law.maximum_window)
        self.window = math.floor(max(1.0, self.cwnd))
        self._last_decrease = 0
        self._delay = float(line.base_rtt)  # the last round trip
        self._expiries = 0  # of the timer since the last acknowledgement

    def _target_delay(self) -> float:
        alpha, beta = (part * 1e12 for part in self.law.scaling())
        return self.target + min(max(alpha / math.sqrt(self.cwnd) + beta, 0.0), self.law.scaling_range * 1e12)

    def on_ack(self, packet: Packet, acked: int, una: int, nxt: int, now: int) -> None:
        delay = self._delay = float(now - packet.stamp)
        self._expiries = 0
        target = self._target_delay()
        if delay < target:
            self.cwnd += self.law.additive_increase * acked / (max(self.cwnd, 1.0))
        else:
            beyond = (delay - target) / delay
            self._decrease(max(1.0 - self.law.multiplicative_decrease * beyond, 1.0 - self.law.largest_cut), now)
        self._apply()

    def on_gap(self, packet: Packet, now: int) -> None:
        self._delay = float(now - packet.stamp)
        self._expiries = 0
        self._decrease(1.0 - self.law.largest_cut, now)
        self._apply()

    def on_expiry(self, now: int) -> None:
        self._expiries += 1
        if self._expiries >= self.law.timeouts_to_minimum:
            self.cwnd = self.law.minimum_window
            self._last_decrease = now
        else:
            self._decrease(1.0 - self.law.largest_cut, now)
        self._apply()

    def _decrease(self, factor: float, now: int) -> None:
        """Cut the window, at most once in a round trip."""
        if now - self._last_decrease >= self._delay:
            self.cwnd *= factor
            self._last_decrease = now

    def _apply(self) -> None:
        self.cwnd = min(max(self.cwnd, self.law.minimum_window), self.law.maximum_window)
        self.window = math.floor(max(1.0, self.cwnd))
        self.rate = self.line.rate
        if self.cwnd < 1.0:
            self.rate = min(self.rate, 8.0 * self.line.packet * self.cwnd / (self._delay * 1e-12))
