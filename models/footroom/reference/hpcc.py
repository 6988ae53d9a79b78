"""HPCC in plain Python, as section 3.3 of Li et al., SIGCOMM 2019 writes it; for its parameters see its component."""

from __future__ import annotations

from footroom.congestion import Hpcc
from footroom.reference.packet import Hop, Packet
from footroom.reference.rate_law import Line, RateLaw


class HpccWindow(RateLaw):
    """A window W [B] and the rate W/T; the reference window is that of a round trip ago."""

    def __init__(self, law: Hpcc, line: Line) -> None:
        super().__init__(line)
        self.law = law
        self.base_rtt = float(line.base_rtt) if law.base_rtt is None else law.base_rtt * 1e12
        self.most = line.rate * self.base_rtt * 1e-12 / 8.0
        self.reference = self.most
        self.utilisation = 1.0
        self.stage = 0
        self._last_update = 0
        self._links: tuple[Hop, ...] = ()
        self._set(self.most)

    def _set(self, window: float) -> None:
        self.rate = self.line.rate * (window / self.most)
        self.window = window / self.line.packet

    def on_resume(self) -> None:
        self._last_update = 0

    def on_ack(self, packet: Packet, acked: int, una: int, nxt: int, now: int) -> None:
        links = packet.telemetry
        assert links is not None
        if not self._links:
            self._links, self._last_update = links, max(self._last_update, nxt)
            return
        update = una > self._last_update
        if not update and not self.law.fast_reaction:
            return
        if self._measure_inflight(links):
            self._compute_wind(update)
        if update:
            self._last_update = max(self._last_update, nxt)

    def _measure_inflight(self, links: tuple[Hop, ...]) -> bool:
        """Average in the load of the busiest link; False where no time has passed on any."""
        loads = []
        for new, old in zip(links, self._links, strict=True):
            elapsed = float(new.time - old.time)
            if elapsed > 0.0:
                rate = float(new.sent - old.sent) * new.byte_time / elapsed
                loads.append((rate + min(new.waiting, old.waiting) * new.byte_time / self.base_rtt, elapsed))
        self._links = links
        if not loads:
            return False
        highest, elapsed = max(loads, key=lambda load: load[0])
        weight = min(elapsed, self.base_rtt) / self.base_rtt
        self.utilisation = (1.0 - weight) * self.utilisation + weight * highest
        return True

    def _compute_wind(self, update: bool) -> None:
        multiplies = self.utilisation >= self.law.target_utilisation or self.stage >= self.law.max_stage
        if multiplies:
            window = self.reference / (self.utilisation / self.law.target_utilisation) + self.law.additive_increase
        else:
            window = self.reference + self.law.additive_increase
        least = self.most * min(1.0, self.law.minimum_rate / self.line.rate)
        window = min(self.most, max(window, least))
        self._set(window)
        if update:
            self.stage = 0 if multiplies else self.stage + 1
        if update or not self.law.reference_window:
            self.reference = window
