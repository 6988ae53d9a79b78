"""Causes of pauses, and whose packets they held up, recorded while the network runs.

Written from "How pauses spread" in docs/lossless.md. Every frame carries the pause it belongs to, so that a port that
stops knows which pause stopped it, and a cause is found at the moment in which a pause is asked for. The compiled
engine keeps a log instead, and looks for causes when the run is over (``footroom.engines.plan.propagation``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from footroom.engines.plan import Plan
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.switch import Output


@dataclass(eq=False)
class Hold:
    """One time in which a pause held its port back [ps]. end: None while it does.

    flows: since when a packet of each flow waited behind it.
    """

    pause: Pause
    begin: int
    end: int | None = None
    flows: dict[int, int] = field(default_factory=dict)

    def until(self, now: int) -> int:
        """Its end, or now where it goes on."""
        return now if self.end is None else self.end


@dataclass(eq=False)
class Pause:
    """A pause from the moment in which a switch asks for it to that in which it lets it end [ps].

    port: that is to stop.  klass: None for all classes of it.  outlet: the port where most bytes from there wait, at
    that moment.  waiting: bytes in that queue.  cause: the pause that holds them there; None where nothing does.
    """

    port: int
    klass: int | None
    asked: int
    outlet: int
    waiting: int
    cause: Pause | None
    ended: int | None = None
    holds: list[Hold] = field(default_factory=list)

    def chain(self) -> list[Pause]:
        """It and its causes, the first of them first."""
        return [*([] if self.cause is None else self.cause.chain()), self]

    @property
    def root(self) -> int:
        """The port whose own congestion it comes from."""
        return self.chain()[0].outlet


def total(spans: Iterable[tuple[int, int]]) -> int:
    """Time that at least one of ``spans`` covers."""
    edges = sorted(edge for begin, end in spans if end > begin for edge in ((begin, 1), (end, -1)))
    depth, since, found = 0, 0, 0
    for at, step in edges:
        found += (at - since) if depth > 0 else 0
        depth, since = depth + step, at
    return found


class PauseStory:
    """All pauses of a run, in the order in which they were asked for.

    outputs: of every port, None at hosts.  bound: port and class that the packet now offered to a switch is to leave
    by; the outlet of a pause for which nothing waits yet.
    """

    def __init__(self, plan: Plan, outputs: list[Output | None]) -> None:
        self._plan, self._outputs = plan, outputs
        self.pauses: list[Pause] = []
        self.bound = (0, 0)
        self._asked: dict[tuple[int, int | None], Pause] = {}
        self.holds: defaultdict[int, list[Hold]] = defaultdict(list)  # by port
        self._open: defaultdict[int, list[Hold]] = defaultdict(list)

    def current(self, port: int, klass: int | None) -> Pause | None:
        """The pause that was asked for last."""
        return self._asked.get((port, klass))

    def asked(self, port: int, klass: int | None, now: int) -> None:
        """A switch asks for a pause because of the packet that is on its way to ``bound``."""
        outlet, of_class, waiting, oldest = self._outlet(port, klass, now)
        pause = Pause(port, klass, now, outlet, waiting, self._cause(outlet, of_class, waiting, oldest, now))
        self.pauses.append(pause)
        self._asked[port, klass] = pause

    def ended(self, port: int, klass: int | None, now: int) -> None:
        """The switch lets it end."""
        self._asked[port, klass].ended = now

    def _outlet(self, port: int, klass: int | None, now: int) -> tuple[int, int, int, int]:
        """Where most bytes from ``port`` wait: port, class, all bytes there, and when the oldest packet there came."""
        table = self._plan.lossless
        assert table is not None
        switch = int(self._plan.port_switch[int(table.opposite[port])])
        found, most = (*self.bound, 0, now), 0
        for number, output in enumerate(self._outputs):
            if output is None or int(self._plan.port_switch[number]) != switch or output.groups is None:
                continue
            for of_class in output.groups.classes if klass is None else [klass]:
                waiting = output.queues[0][of_class].waiting
                mine = sum(packet.size for packet in waiting if packet.ingress == port)
                if mine > most:
                    most = mine
                    found = number, of_class, sum(packet.size for packet in waiting), waiting[0].came
        return found

    def _cause(self, outlet: int, klass: int, waiting: int, oldest: int, now: int) -> Pause | None:
        before = [
            hold
            for hold in self.holds[outlet]
            if hold.pause.klass in (klass, None) and hold.begin < now and hold.until(now) > oldest
        ]
        if not before or not waiting:
            return None
        needed = (waiting * int(self._plan.picoseconds_per_byte[outlet])) >> 16
        held = total((max(hold.begin, oldest), hold.until(now)) for hold in before)
        if 2 * held < needed and all(hold.until(now) < now for hold in before):
            return None
        return max(before, key=lambda hold: (hold.begin, hold.pause.klass is not None)).pause

    def began(self, port: int, pause: Pause, classes: tuple[int, ...], waiting: Iterator[Packet], now: int) -> None:
        """``pause`` holds ``port`` back from now on, where packets are ``waiting``."""
        hold = Hold(pause, now)
        pause.holds.append(hold)
        self.holds[port].append(hold)
        self._open[port].append(hold)
        for packet in waiting:
            if packet.klass in classes:
                self._stall(port, hold, packet, now)

    def over(self, port: int, pause: Pause, now: int) -> None:
        """It does no longer."""
        for hold in self._open[port]:
            if hold.pause is pause:
                hold.end = now
        self._open[port] = [hold for hold in self._open[port] if hold.end is None]

    def joined(self, port: int, packet: Packet, now: int) -> None:
        """``packet`` has come to wait at ``port``."""
        for hold in self._open[port]:
            if hold.pause.klass == packet.klass or (hold.pause.klass is None and packet.klass in self._classes(port)):
                self._stall(port, hold, packet, now)

    def _classes(self, port: int) -> list[int]:
        """Classes that the node at the other end of ``port`` may pause."""
        return lossless_beyond(self._plan, port)

    def _stall(self, port: int, hold: Hold, packet: Packet, now: int) -> None:
        if self._outputs[port] is not None or packet.sort == 0:  # at hosts only data counts
            hold.flows.setdefault(packet.flow, now)


def lossless_beyond(plan: Plan, port: int) -> list[int]:
    """Classes that are lossless at the switch that ``port`` sends to; none where that is a host."""
    table = plan.lossless
    switch = -1 if table is None else int(plan.port_switch[int(table.opposite[port])])
    return [] if table is None or switch < 0 else [k for k in range(plan.classes) if table.classes[switch, k]]
