"""Any hosts, switches and links."""

from __future__ import annotations

import math
from collections import deque
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About, Document
from footroom.base.quantity import Rate, Time, quantity
from footroom.parts.topology.network import Cable, Network, Shape, Topology

#: Most hosts from which paths are searched to find the length of a typical one.
_SAMPLED = 4


class Link(Document):
    """A cable between two named nodes, both ways alike."""

    ends: tuple[str, str] = Field(description="Names of the two nodes.")
    rate: Rate = quantity(..., "bit/s", "Rate each way.", gt=0, le=1e14)
    delay: Time = quantity(1e-6, "s", "One-way propagation time.", ge=0, le=60)


class Graph(Topology):
    """Hosts and switches by name, joined by links; traffic takes shortest paths, spread over equal ones per flow.

    ``bottlenecks`` names the directed links (from, to) that the metrics describe; none means every link from a switch
    to a host that receives.
    """

    about: ClassVar[About] = About(
        title="Graph",
        summary="Any hosts, switches and links; several hops, equal paths shared per flow.",
    )
    example: ClassVar[dict[str, Any]] = {
        "hosts": ["h0", "h1", "h2", "h3"],
        "switches": ["s0"],
        "links": [{"ends": [f"h{i}", "s0"], "rate": "10 Gb/s", "delay": "1 us"} for i in range(4)],
    }
    kind: Literal["graph"] = "graph"
    hosts: tuple[str, ...] = Field(min_length=2, max_length=20_000, description="Names of the hosts.")
    switches: tuple[str, ...] = Field(min_length=1, max_length=20_000, description="Names of the switches.")
    links: tuple[Link, ...] = Field(min_length=1, max_length=200_000, description="Cables.")
    bottlenecks: tuple[tuple[str, str], ...] = Field(default=(), description="Directed links the metrics describe.")

    @model_validator(mode="after")
    def _consistent(self) -> Graph:
        names = [*self.hosts, *self.switches]
        known, hosts, switches = set(names), set(self.hosts), set(self.switches)
        if len(known) < len(names):
            raise PydanticCustomError("at:hosts", "every host and switch needs a unique name")
        joined: set[str] = set()
        cables = {frozenset(link.ends) for link in self.links}
        for link in self.links:
            a, b = link.ends
            if a not in known or b not in known or a == b:
                raise PydanticCustomError("at:links", f"a link joins two different known nodes, not {a} and {b}")
            if (a in hosts and a in joined) or (b in hosts and b in joined):
                raise PydanticCustomError(
                    "at:links", f"host {a if a in hosts else b} has more than one link; a host has one"
                )
            joined |= {a, b}
        if len(cables) < len(self.links):
            raise PydanticCustomError("at:links", "two nodes are joined by one link; add rates for parallel cables")
        if known - joined:
            raise PydanticCustomError("at:links", f"not joined by any link: {', '.join(sorted(known - joined)[:5])}")
        for pair in self.bottlenecks:
            if frozenset(pair) not in cables:
                raise PydanticCustomError("at:bottlenecks", f"no link from {pair[0]} to {pair[1]}")
            if pair[0] not in switches:
                raise PydanticCustomError("at:bottlenecks", f"{pair[0]} is not a switch; a bottleneck leaves a switch")
        return self

    def _watched(self) -> list[tuple[str, str, float]]:
        rates = {frozenset(link.ends): link.rate for link in self.links}
        if self.bottlenecks:
            return [(a, b, rates[frozenset((a, b))]) for a, b in self.bottlenecks]
        switches = set(self.switches)
        found = []
        for link in self.links:
            for a, b in (link.ends, link.ends[::-1]):
                if a in switches and b not in switches:
                    found.append((a, b, link.rate))
        return found

    def slowest_watched(self) -> float:
        return min((rate for _, _, rate in self._watched()), default=min(link.rate for link in self.links))

    def switch_roles(self) -> dict[str, str]:
        return dict.fromkeys(self.switches, "")

    def shape(self, flows: int, open_loop: bool) -> Shape:
        watched = self._watched()
        capacity = sum(rate for _, _, rate in watched)
        links, delay = self._typical_path()
        return Shape(
            len(self.hosts),
            {"": len(self.switches)},
            2 * len(self.links),
            len(watched),
            capacity,
            capacity,
            links,
            2.0 * delay,
            max(link.rate for link in self.links),
        )

    def _typical_path(self) -> tuple[float, float]:
        """Mean number of links and mean delay [s], one way, from some hosts to all others that they reach."""
        joined: dict[str, list[tuple[str, float]]] = {name: [] for name in (*self.hosts, *self.switches)}
        for link in self.links:
            for a, b in (link.ends, link.ends[::-1]):
                joined[a].append((b, link.delay))
        found = []
        for source in self.hosts[:: -(-len(self.hosts) // _SAMPLED)]:
            reached = {source: (0, 0.0)}
            waiting = deque([source])
            while waiting:
                node = waiting.popleft()
                hops, delay = reached[node]
                for other, length in joined[node]:
                    if other not in reached:
                        reached[other] = hops + 1, delay + length
                        waiting.append(other)
            found += [reached[host] for host in self.hosts if host in reached and host != source]
        if not found:
            return 0.0, 0.0
        return sum(hops for hops, _ in found) / len(found), math.fsum(delay for _, delay in found) / len(found)

    def build(self, flows: int, open_loop: bool, rng: np.random.Generator) -> Network:
        names = [*self.hosts, *self.switches]
        index = {name: i for i, name in enumerate(names)}
        cables = [Cable(index[link.ends[0]], index[link.ends[1]], link.rate, link.delay) for link in self.links]
        count = len(self.hosts)

        def scatter(number: int, rng: np.random.Generator) -> list[tuple[int, int]]:
            source, other = rng.integers(0, count, number), rng.integers(1, count, number)
            return [(int(s), int((s + o) % count)) for s, o in zip(source, other, strict=True)]

        watched = [(index[a], index[b]) for a, b, _ in self._watched()]
        capacity = sum(rate for _, _, rate in self._watched())
        return Network(names, [index[s] for s in self.switches], cables, watched, capacity, scatter)
