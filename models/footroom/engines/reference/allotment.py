"""Receive windows that a host sets for all its connections together: ICTCP in plain Python."""

from __future__ import annotations

from footroom.engines.plan import Plan
from footroom.parts.congestion import Ictcp


class Interface:
    """The receiving side of a host. rate: of its link [bit/ps].

    Slots have two halves of ``half`` [ps]; ``ends``: when the present one does, ``second``: which it is.  spare: rate
    that the first half left, and ``left``: what has not been given away of it [bit/ps].  members: connections counted.
    """

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.slot = self.half = self.ends = 0
        self.second = False
        self.spare = self.left = 0.0
        self.members: list[Window] = []
        self._bytes = 0
        self._trips = self._weight = 0.0

    def tell_time(self, law: Ictcp, now: int) -> None:
        """Go on to the half that ``now`` lies in."""
        if now < self.ends:
            return
        if not self.second and self.half > 0 and now < self.ends + self.half:
            self.spare = self.left = max(0.0, law.alpha * self.rate - 8.0 * self._bytes / self.half)
            self.second = True
            self.ends += self.half
            return
        shortest = law.slot * 1e12
        self.half = int(max(shortest, self._trips / self._weight)) if self._weight else int(shortest)
        self._trips = self._weight = 0.0
        self._bytes = 0
        self.second = False
        self.slot += 1
        self.ends = now + self.half

    def count(self, size: int) -> None:
        """``size`` bytes have arrived, of any connection."""
        if not self.second:
            self._bytes += size

    def weigh(self, size: int, trip: float) -> None:
        """Weigh the round trip ``trip`` [ps] of the connection by these ``size`` bytes."""
        self._trips += size * trip
        self._weight += size

    def crowded(self, law: Ictcp, window: float) -> bool:
        """Whether little rate is spare and ``window`` is above the mean."""
        together = sum(member.segments for member in self.members)
        return self.spare < law.spare * self.rate and window * len(self.members) > together


class Window:
    """The window of one receiver. segments: its size.  full: bytes of a full packet.  trip: round trip [ps]."""

    def __init__(self, law: Ictcp, host: Interface, full: int, handshake: int) -> None:
        self.law, self.host, self.full = law, host, float(full)
        self.segments = float(max(law.first_window, law.minimum_window))
        self.trip = max(law.slot * 1e12, float(handshake))
        self.offered = int(self.segments)
        self.heard = 0  # by the sender: when the newest acknowledgement was sent
        self.edge = self.offered  # known to the sender
        self._doubles = True
        self._since = 0.0
        self._bytes = self._short = 0
        self._rate = self._grew = 0.0
        self._cut = -1

    def resume(self, before: Window) -> None:
        """Go on as the flow before on the same connection, whose segments counted from 0 as well."""
        for name in ("segments", "trip", "_doubles", "_rate", "_short", "_grew", "_cut"):
            setattr(self, name, getattr(before, name))
        self.offered = self.edge = int(self.segments)

    def arrive(self, size: int, echoed: int, now: int) -> None:
        """A data packet of ``size`` bytes came; its sender had heard the acknowledgement sent at ``echoed``."""
        if self not in self.host.members:
            self.host.members.append(self)
            self._since, self._bytes = float(now), 0
        if echoed > 0:
            self.trip += (float(now - echoed) - self.trip) / 8.0
        self.host.tell_time(self.law, now)
        self.host.count(size)
        self.host.weigh(size, self.trip)
        self._bytes += size
        if now - self._since >= self.trip:
            self._compare(now)

    def _compare(self, now: int) -> None:
        law, window = self.law, self.segments
        sample = 8.0 * self._bytes / (now - self._since)
        self._since, self._bytes = float(now), 0
        self._rate = max(sample, law.beta * self._rate + (1.0 - law.beta) * sample)
        expected = max(self._rate, 8.0 * window * self.full / self.trip)
        short = (expected - self._rate) / expected
        crowded = self.host.crowded(law, window)
        if short <= law.gamma1 or short <= 1.0 / window:
            self._short = 0
            self._grow(now)
        elif short > law.gamma2:
            self._short += 1
            if self._short >= law.patience:
                self._shrink(max(float(law.minimum_window), window - 1.0))
        else:
            self._short = 0
        if crowded and self.host.slot > self._cut and self.segments == window > law.minimum_window:
            self._shrink(window - 1.0)
            self._cut = self.host.slot

    def _shrink(self, window: float) -> None:
        self.segments, self._doubles = window, False

    def _grow(self, now: int) -> None:
        if not self.host.second or now - self._grew <= 2.0 * self.trip:
            return
        each = 8.0 * self.full / self.trip
        if self._doubles and self.host.left < self.segments * each:
            self._doubles = False
        more = self.segments if self._doubles else 1.0
        if self.host.left >= more * each:
            self.host.left -= more * each
            self.segments += more
            self._grew = float(now)

    def leave(self) -> None:
        """All data is there."""
        if self in self.host.members:
            self.host.members.remove(self)

    def offer(self, expected: int) -> int:
        """The segment after those that an acknowledgement of ``expected`` offers to take."""
        self.offered = max(self.offered, expected + int(self.segments))
        return self.offered


def interfaces(plan: Plan) -> dict[int, Interface]:
    """The receiving side of every node, by its number."""
    found: dict[int, Interface] = {}
    for port in range(plan.ports):
        if plan.port_switch[port] >= 0:
            node = found.setdefault(int(plan.port_to[port]), Interface(0.0))
            node.rate += float(plan.port_rate[port]) / 1e12
    return found
