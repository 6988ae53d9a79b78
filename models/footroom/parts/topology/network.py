"""A network: hosts and switches joined by links, and who sends to whom by default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footroom.base.component import Component

Pairing = Callable[[int, np.random.Generator], list[tuple[int, int]]]


@dataclass(frozen=True)
class Cable:
    """A link between nodes a and b. rate: bit/s each way; delay: one-way propagation [s]."""

    a: int
    b: int
    rate: float
    delay: float


@dataclass
class Network:
    """What a topology builds.

    names: of the nodes; switches: indices of those that switch, all others are hosts.  watched: directed links
    (from, to) whose queue and utilisation the metrics describe.  place: draws (source, destination) for a number of
    flows.  load_capacity: capacity [bit/s] that the load of open-loop traffic refers to.  roles: of the switches, ""
    for none.  place_lasting: as ``place``, for flows that last the whole run, where these are placed otherwise.
    sides: (senders, receivers), where data runs from the one to the other only.  sink: the host that flows converge on.
    """

    names: list[str]
    switches: list[int]
    cables: list[Cable]
    watched: list[tuple[int, int]]
    load_capacity: float
    place: Pairing
    notes: list[str] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    place_lasting: Pairing | None = None
    sides: tuple[list[int], list[int]] | None = None
    sink: int | None = None

    def __post_init__(self) -> None:
        self.roles = self.roles or [""] * len(self.switches)

    def index(self, name: str) -> int:
        """Node index of a host's name. Raises KeyError."""
        return {n: i for i, n in enumerate(self.names)}[name]


@dataclass(frozen=True)
class SingleBottleneck:
    """A network seen as one congested queue.

    capacity: bit/s.  access: rate of a sender [bit/s].  rtt: propagation [s].  spread: flows' RTTs lie in
    rtt·(1 ± spread).  queues: ports that share the switch's memory.  switch: its name.
    """

    capacity: float
    access: float
    rtt: float
    spread: float
    queues: int
    switch: str


@dataclass(frozen=True)
class Path:
    """What every flow's way has in common. access: rate of a host's link [bit/s].  rtt: propagation both ways [s].

    bottlenecks: side by side, each flow crosses one of them.
    """

    access: float
    rtt: float
    bottlenecks: int = 1


@dataclass(frozen=True)
class Shape:
    """How large a network is, by arithmetic: no network is built.

    hosts: number of them.  switches: number of switches by role, "" for none.  ports: directed links.  watched: those
    that the metrics describe; watched_capacity: their rates added up [bit/s].  load_capacity: what open-loop load
    refers to [bit/s].  links: on a typical path, one way.  rtt: propagation of such a path both ways [s].  access: rate
    of a host's link, the fastest where they differ [bit/s].
    """

    hosts: int
    switches: dict[str, int]
    ports: int
    watched: int
    watched_capacity: float
    load_capacity: float
    links: float
    rtt: float
    access: float


class Topology(Component):
    """Base of the topologies."""

    def shape(self, flows: int, open_loop: bool) -> Shape:
        """How large ``build`` would make the network for the same flows."""
        raise NotImplementedError

    def build(self, flows: int, open_loop: bool, rng: np.random.Generator) -> Network:
        """The network for ``flows`` long-lived flows and, if ``open_loop``, short flows."""
        raise NotImplementedError

    def single_bottleneck(self, flows: int, open_loop: bool) -> SingleBottleneck | None:
        """The one congested queue that the engines for a single bottleneck can model, or None."""
        return None

    def path(self) -> Path | None:
        """The path of all flows where each bottleneck is one queue and flows are alike, else None."""
        return None

    def slowest_watched(self) -> float:
        """Rate [bit/s] of the slowest link the metrics describe."""
        raise NotImplementedError

    def switch_roles(self) -> dict[str, str]:
        """Role of every switch by its name, "" for none, in the order of ``Network.switches``; builds no network."""
        raise NotImplementedError

    def standing(self) -> dict[str, dict[str, Any]]:
        """What the topology itself sets for switches of a role, as parts of a switch; the scenario may set it anew."""
        return {}

    def most_load(self) -> float:
        """Open-loop load at which the first link is full on average; at most 1, where the load's own links are full."""
        return 1.0
