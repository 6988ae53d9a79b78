"""What a traffic kind sees of a network, and what it draws on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from footroom.base.errors import InvalidInput

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Pairs = list[tuple[int, int]]

#: Size of a flow with unlimited data.
ENDLESS = -1

#: More flows than this in one run are refused: a bound on memory, not on physics.
MOST_FLOWS = 2_000_000


@dataclass(frozen=True)
class Ground:
    """The network and the run as one traffic entry sees them.

    entry: its number in the scenario.  duration: of the run [s].  names: of all nodes.  hosts: the nodes that are
    hosts.  senders, receivers: those that send and receive where data runs one way only, else all hosts.  sink: the
    host that flows converge on, where the topology has one.  rack: the switch each host hangs on, by node.  rate: of
    the links of each host [bit/s], by node.  capacity: what a load refers to [bit/s].  place, place_lasting: (source,
    destination) for a number of short flows, and for those that last.  lasting: lasting flows of the
    entries before this one.  quickest: least round trip [s] between two hosts, as long as nothing waits.
    random: a generator of this entry's own, by name.
    """

    entry: int
    duration: float
    names: list[str]
    hosts: list[int]
    senders: list[int]
    receivers: list[int]
    sink: int | None
    rack: dict[int, int]
    rate: dict[int, float]
    capacity: float
    place: Callable[[int, np.random.Generator], Pairs]
    place_lasting: Callable[[int, np.random.Generator], Pairs]
    lasting: int
    quickest: Callable[[int, int], float]
    random: Callable[[str], np.random.Generator]

    def nodes(self, names: tuple[str, ...], field: str) -> list[int]:
        """The hosts called ``names``, as given in ``field``. Raises InvalidInput."""
        known = {self.names[node]: node for node in self.hosts}
        for name in names:
            if name not in known:
                shown = ", ".join(list(known)[:6]) + (", …" if len(known) > 6 else "")
                raise InvalidInput.at(f"{self.path}.{field}", name, f"no such host; hosts are {shown}")
        return [known[name] for name in names]

    @property
    def path(self) -> str:
        """The entry's path in the scenario."""
        return f"traffic.{self.entry}"

    def load_capacity(self, destinations: tuple[str, ...] | None) -> float:
        """Capacity [bit/s] that a load refers to: of the links of ``destinations``, where these are named."""
        if destinations is None:
            return self.capacity
        return sum(self.rate[node] for node in dict.fromkeys(self.nodes(destinations, "destinations")))

    def check_count(self, expected: float, field: str, given: float | None) -> None:
        """Refuse more flows than can be held, naming ``field``."""
        if expected > MOST_FLOWS:
            raise InvalidInput.at(
                f"{self.path}.{field}",
                given,
                f"would start about {expected:.3g} flows; at most {MOST_FLOWS} "
                "are run: shorten run.duration or use larger flows",
            )


@dataclass(frozen=True)
class QueryStream:
    """Queries of one size that follow each other over one connection. size: B.  outstanding: under way at a time."""

    size: int
    outstanding: int


@dataclass(frozen=True)
class Drawn:
    """The flows of one traffic entry: parallel arrays.

    start [s]: infinite for a flow that follows another.  size [B] or ENDLESS.  pairs: source and destination.
    following: the flow of this entry that starts when this one ends, -1 for none.  gap [s]: from that end to its
    start, or from the end of a query to the begin of the next.  delay [s]: from the begin of a query to a flow's start.
     handshake: connection set-up between start and first data, in round trips.  window: segments it starts
    with, 0 for slow start.  continues: the earlier flow of this entry over whose connection it runs, -1 for a new one;
    it begins when that one has ended, at ``start`` at the earliest.  event: the query a flow belongs to,
    -1 for none.  events [s]: when each query begins, infinite for one that follows another.  after: the query after
    whose end each query begins, -1 for none; its flows start ``gap`` and their own ``delay`` after that.
    stop [s]: from when on a flow gets no more data, infinite for never.
    notes: what the reader must know.
    """

    start: Floats
    size: Ints
    pairs: Pairs
    following: Ints | None = None
    gap: float = 0.0
    delay: Floats | None = None
    handshake: float = 0.0
    window: Floats | None = None
    continues: Ints | None = None
    event: Ints | None = None
    events: Floats = field(default_factory=lambda: np.zeros(0))
    after: Ints | None = None
    stop: Floats | None = None
    notes: tuple[str, ...] = ()
