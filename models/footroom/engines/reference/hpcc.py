"""HPCC in plain Python, as section 3.3 of Li et al., SIGCOMM 2019 writes it; for its parameters see its component.

Over TCP it sets a window alone, from telemetry that probes or acknowledgements bring (Miao et al. 2019, section 2.1).
"""

from __future__ import annotations

from footroom.engines.reference.packet import Hop, Packet
from footroom.engines.reference.rate_law import Line, RateLaw
from footroom.parts.congestion import Hpcc


class HpccWindow(RateLaw):
    """A window W [B] and the rate W/T; the reference window is that of a round trip ago."""

    def __init__(self, law: Hpcc, line: Line) -> None:
        super().__init__(line)
        self.law = law
        self.base_rtt = float(line.base_rtt) if law.base_rtt is None else law.base_rtt * 1e12
        self.most = line.rate * self.base_rtt * 1e-12 / 8.0
        self.least = self.most * min(1.0, law.minimum_rate / line.rate)
        self.reference = self.most
        self.utilisation = 1.0
        self.stage = 0
        self._last_update = 0
        self._links: tuple[Hop, ...] = ()
        self._set(self.most)

    def _set(self, window: float) -> None:
        self.rate = self.line.rate * (window / self.most)
        self.window = window / self.line.packet

    def _within(self, window: float) -> float:
        return min(self.most, max(window, self.least))

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
        window = self._within(window)
        self._set(window)
        if update:
            self.stage = 0 if multiplies else self.stage + 1
        if update or not self.law.reference_window:
            self.reference = window


class _TcpWindow(HpccWindow):
    """The same with a smallest window [B], whatever the line."""

    def __init__(self, law: Hpcc, line: Line) -> None:
        super().__init__(law, line)
        self.smallest = law.minimum_window * line.packet

    def _within(self, window: float) -> float:
        return max(super()._within(window), self.smallest)

    def start(self, segments: int) -> None:
        """The reference window of a flow that may start with so many segments."""
        first = self.most if self.law.line_start else float(segments * self.line.packet)
        self.reference = max(first, self.smallest)
        self._set(self.reference)

    def read(self, links: tuple[Hop, ...], una: int, nxt: int, probe: bool, repairs: bool) -> bool:
        """Take in telemetry. Returns whether the window has changed."""
        if not self._links:
            self._links, self._last_update = links, max(self._last_update, nxt)
            return False
        update = probe or una > self._last_update
        if not update and not self.law.fast_reaction:
            return False
        changes = self._measure_inflight(links) and not repairs
        if changes:
            self._compute_wind(update)
        if update:
            self._last_update = max(self._last_update, nxt)
        return changes

    def lose(self, segments: float) -> None:
        """Set the window to so many segments after losses."""
        self.stage = 0
        self.reference = max(min(self.reference, segments * self.line.packet), self.smallest)


class HpccOverTcp:
    """HPCC as a ``WindowLaw``. ``attach`` comes before anything else; ``on_telemetry`` sets the window."""

    burst = 1

    def __init__(self, law: Hpcc) -> None:
        self.law = law
        self.cwnd = self.ssthresh = 0.0
        self.cut_end = 0
        self.to_answer = False
        self._window: _TcpWindow | None = None

    def attach(self, line: Line) -> None:
        """The flow sends over ``line``."""
        self._window = _TcpWindow(self.law, line)

    @property
    def window(self) -> _TcpWindow:
        """What telemetry acts on."""
        assert self._window is not None
        return self._window

    def on_start(self, window: int) -> None:
        self.window.start(window)
        self.cwnd = self.window.window

    def renumber(self) -> None:
        self.window.on_resume()
        self.cut_end = 0

    def on_telemetry(self, packet: Packet, una: int, nxt: int, repairs: bool) -> None:
        """Telemetry has come back, by a probe or an acknowledgement; ``repairs``: fast recovery is under way."""
        assert packet.telemetry is not None
        if self.window.read(packet.telemetry, una, nxt, packet.probe, repairs):
            self.cwnd = self.window.window

    def on_ack(self, acked: int, flight: int, una: int, undisturbed: bool, now: int, smoothed: int) -> None:
        """Only telemetry widens the window, except after a timeout."""
        if not undisturbed and self.cwnd < self.ssthresh:
            self.cwnd = min(self.cwnd + acked, self.ssthresh)

    def on_marks(self, marked: int, acked: int, una: int, nxt: int, undisturbed: bool) -> None:
        """Nothing: marks are not asked for."""

    def on_loss(self, flight: int, una: int) -> None:
        if self.law.loss_response == "halve":
            self.ssthresh = max(min(float(flight), self.cwnd) / 2.0, 2.0)
            self.window.lose(self.ssthresh)
        else:
            self.ssthresh = max(self.window.reference / self.window.line.packet, 2.0)
            self.window.stage = 0

    def on_timeout(self, flight: int, una: int) -> None:
        self.on_loss(flight, una)
