"""Congestion controls that set a rate, in plain Python; their meaning is documented with ``parts.congestion``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from footroom.base.errors import Unsupported
from footroom.engines.plan import SECOND
from footroom.engines.reference.hpcc import HpccWindow
from footroom.engines.reference.powertcp import power_tcp
from footroom.engines.reference.rate_law import Line, RateLaw
from footroom.engines.reference.swift import SwiftWindow
from footroom.engines.reference.timely import TimelyRate
from footroom.parts.congestion import Dcqcn, Hpcc, Law, PowerTcp, Swift, Timely


class DcqcnRate(RateLaw):
    """Zhu et al., SIGCOMM 2015, §5: α follows how often notifications come, and each cuts the rate by α/2.

    Fast recovery is F increases towards the target rate; only the next one raises the target. Three stages go by how
    often timer and byte counter have expired since the cut.
    """

    def __init__(self, law: Dcqcn, line: Line) -> None:
        super().__init__(line)
        self.law = law
        self.target = line.rate
        self.alpha = 1.0
        self._alpha_at: int | None = None  # when alpha was last changed
        self._by_time = self._by_bytes = 0  # expiries since the cut
        self._bytes_left: float | None = None

    def on_notice(self, now: int) -> None:
        self._decay(now)
        if self.law.target_follows or self._by_time + self._by_bytes > 0:
            self.target = self.rate
        self.rate = max(self.rate * (1.0 - self.alpha / 2.0), min(self.law.minimum_rate, self.line.rate))
        self.alpha += self.law.g * (1.0 - self.alpha)
        self._alpha_at = now
        self._by_time = self._by_bytes = 0
        self.due = now + round(self.law.rate_timer * SECOND)
        self._bytes_left = self.law.byte_counter

    def _decay(self, now: int) -> None:
        """Let alpha fall once for every time in which no notification came."""
        if self._alpha_at is None:
            return
        period = round(self.law.alpha_timer * SECOND)
        while self._alpha_at + period < now:
            self.alpha *= 1.0 - self.law.g
            self._alpha_at += period

    def on_timer(self, now: int) -> None:
        while self.due is not None and self.due <= now:
            self.due += round(self.law.rate_timer * SECOND)
            self._by_time += 1
            self._increase()

    def on_sent(self, bytes_: int, now: int) -> None:
        if self._bytes_left is None or self.law.byte_counter is None:
            return
        self._bytes_left -= bytes_
        while self._bytes_left is not None:
            if self._bytes_left > 0.0:
                return
            self._bytes_left += self.law.byte_counter
            self._by_bytes += 1
            self._increase()

    def _increase(self) -> None:
        """Raise the target where recovery is over, then go half the way there."""
        first = self.law.fast_recovery
        both = min(self._by_time, self._by_bytes) if self.law.byte_counter else self._by_time - 1
        beyond = both - first
        if self.law.hyper_increase is not None and beyond > 0:
            self.target += self.law.hyper_increase * (beyond if self.law.hyper_grows else 1)
        elif max(self._by_time, self._by_bytes) > first:
            self.target += self.law.additive_increase
        self.target = min(self.target, self.line.rate)
        self.rate = (self.rate + self.target) / 2.0
        if self.line.rate - self.rate < 1.0:  # less than a bit per second is left to raise
            self.rate = self.line.rate
            self.due = self._bytes_left = None


_LAWS: dict[type[Law], Callable[[Any, Line], RateLaw]] = {
    Dcqcn: DcqcnRate,
    Hpcc: HpccWindow,
    PowerTcp: power_tcp,
    Swift: SwiftWindow,
    Timely: TimelyRate,
}


def rate_law_of(law: Law, line: Line) -> RateLaw:
    """A fresh state of ``law`` for a flow. Raises Unsupported for one this engine does not know."""
    if type(law) not in _LAWS:
        kind = law.model_dump()["kind"]
        raise Unsupported(
            f'the reference engine does not know the congestion control "{kind}"',
            path="traffic.congestion.kind",
            given=kind,
            engines=("packet",),
        )
    return _LAWS[type(law)](law, line)
