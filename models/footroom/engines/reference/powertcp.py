"""PowerTCP and theta-PowerTCP in plain Python: algorithms 1 and 2 of Addanki, Michel, Schmid, NSDI 2022."""

from __future__ import annotations

from footroom.engines.reference.packet import Hop, Packet
from footroom.engines.reference.rate_law import Line, RateLaw
from footroom.parts.congestion import PowerTcp


class _PowerWindow(RateLaw):
    """What both have in common: smoothed power, the window and the one of a round trip ago [B]."""

    def __init__(self, law: PowerTcp, line: Line) -> None:
        super().__init__(line)
        self.law = law
        self.tau = law.base_rtt * 1e12 if law.base_rtt is not None else float(line.base_rtt)
        self.most = line.rate * self.tau * 1e-12 / 8.0
        self.beta = self.most / law.expected_flows if law.additive_increase is None else law.additive_increase
        self.cwnd = self.old = self.most
        self.smooth = 1.0
        self.window = self.cwnd / line.packet
        self._last_updated = 0

    def on_resume(self) -> None:
        self._last_updated = 0

    def power(self, packet: Packet, now: int) -> tuple[float, float] | None:
        """Normalised power, and the time it spans [ps]; None where nothing can be said yet."""
        raise NotImplementedError

    def updates(self, round_over: bool, now: int) -> bool:
        """Whether this acknowledgement moves the window."""
        raise NotImplementedError

    def on_ack(self, packet: Packet, acked: int, una: int, nxt: int, now: int) -> None:
        first = self.unseen()
        round_over = una > self._last_updated
        found = self.power(packet, now)
        if found is not None:
            norm, elapsed = found
            weight = min(elapsed, self.tau) / self.tau
            self.smooth = (1.0 - weight) * self.smooth + weight * norm
            if self.updates(round_over, now):
                self._update(now)
        if first or round_over:
            self.old = self.cwnd
            self._last_updated = max(self._last_updated, nxt)

    def unseen(self) -> bool:
        """Whether this is the first acknowledgement."""
        raise NotImplementedError

    def _update(self, now: int) -> None:
        gamma = self.law.weight
        aim = self.old / (max(self.smooth, 1e-6) / self.law.target_utilisation) + self.beta
        wanted = gamma * aim + (1.0 - gamma) * self.cwnd
        least = self.most * min(1.0, self.law.minimum_rate / self.line.rate)
        self.cwnd = min(self.most, max(wanted, least))
        self.rate = self.line.rate * (self.cwnd / self.most)
        self.window = self.cwnd / self.line.packet


class _Telemetric(_PowerWindow):
    """Algorithm 1: current and voltage of the link that has the most of both."""

    _links: tuple[Hop, ...] = ()
    _updated_at = 0

    def unseen(self) -> bool:
        return not self._links

    def updates(self, round_over: bool, now: int) -> bool:
        if self.law.update_interval is not None and now - self._updated_at < self.law.update_interval * 1e12:
            return False
        self._updated_at = now
        return True

    def power(self, packet: Packet, now: int) -> tuple[float, float] | None:
        assert packet.telemetry is not None
        found = []
        for new, old in zip(packet.telemetry, self._links, strict=bool(self._links)):
            elapsed = float(new.time - old.time)
            if elapsed > 0.0:
                arrived = new.waiting - old.waiting + new.sent - old.sent
                current = max(float(arrived) * new.byte_time / elapsed, self.law.least_current())
                found.append((current * (new.waiting * new.byte_time / self.tau + 1.0), elapsed))
        self._links = packet.telemetry
        return max(found, key=lambda each: each[0], default=None)


class _Theta(_PowerWindow):
    """Algorithm 2: the same from round trips alone, once per round trip."""

    _before: tuple[int, int] | None = None  # the last round trip, and when it was taken

    def unseen(self) -> bool:
        return self._before is None

    def updates(self, round_over: bool, now: int) -> bool:
        return round_over

    def power(self, packet: Packet, now: int) -> tuple[float, float] | None:
        trip, before = now - packet.stamp, self._before
        self._before = trip, now
        if before is None or now == before[1]:
            return None
        elapsed = float(now - before[1])
        current = max(float(trip - before[0]) / elapsed + 1.0, self.law.least_current())
        return current * trip / self.tau, elapsed


def power_tcp(law: PowerTcp, line: Line) -> RateLaw:
    """The variant that ``law`` asks for."""
    return (_Theta if law.variant == "theta" else _Telemetric)(law, line)
