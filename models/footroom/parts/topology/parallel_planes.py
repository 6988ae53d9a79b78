"""Several bottlenecks side by side, flows hashed over them: the planes of a backbone."""

from __future__ import annotations

import string
from collections import Counter
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Rate, Time, quantity
from footroom.parts.topology.network import Cable, Network, Path, Shape, Topology
from footroom.parts.topology.pairs import Pairs, number_of_pairs

#: Memory of the edge switches [B]: the most a switch may have, so that nothing is lost there.
_ENDLESS = 1e12


class ParallelPlanes(Topology):
    """Sender i reaches receiver i by way of one plane, drawn per flow: west, ‹plane›-west, ‹plane›-east, east.

    Planes are called a, b, c, …; both routers of a plane have its letter as their role, so that
    ``switches: {"b": {"buffer": "2000 packets"}}`` is plane B. West joins every plane by ``feeds`` links, over which
    the plane's flows are hashed as well; they are the ingress ports of the plane's router, and the line cards in front
    of its bottleneck where it has virtual output queues. As in the dumbbell, a quarter of the shortest RTT lies on the
    bottlenecks and the rest on the hosts' links; links between edge and planes have no length.
    """

    about: ClassVar[About] = About(
        title="Parallel planes",
        summary="Pairs of hosts joined by several bottlenecks, each flow hashed onto one of them.",
        sources=("Beheshti, Lapukhov, Ganjali, Workshop on Buffer Sizing 2019, §2.1: planes of a backbone",),
        holds="planes that differ in their routers only, and hashing by flow",
        departures="the switches west and east have unlimited memory, share it completely and mark nothing, unless "
        "overridden by the role edge: what flows hashed onto one feed send beyond its rate waits there and is not "
        "lost. Each direction of a flow is hashed by itself",
    )
    kind: Literal["parallel_planes"] = "parallel_planes"
    planes: int = quantity(3, "1", "Number of parallel planes.", ge=1, le=26)
    bottleneck: Rate = quantity(4e9, "bit/s", "Rate of every plane's bottleneck.", gt=0, le=1e14, symbol="C")
    access: Rate = quantity(4e8, "bit/s", "Rate of every host's link.", gt=0, le=1e14)
    rtt: Time = quantity(0.03, "s", "Round-trip propagation time.", gt=0, le=60, symbol="RTT")
    rtt_spread: float = quantity(0.0, "1", "Each pair's RTT is drawn from rtt·(1 ± spread).", ge=0, lt=1)
    feeds: int = quantity(4, "1", "Links from the edge into each plane.", ge=1, le=64)
    feed: Rate | None = quantity(
        None,
        "bit/s",
        "Rate of each of these links; none means the rate of the bottleneck.",
        gt=0,
        le=1e14,
        advanced=True,
    )
    pairs: int | None = number_of_pairs()

    @model_validator(mode="after")
    def _reachable(self) -> ParallelPlanes:
        if self.pairs is not None and self.pairs * self.access < self.bottleneck:
            raise PydanticCustomError(
                "at:pairs", "pairs times access must reach a bottleneck's rate, or that is not a bottleneck"
            )
        if self.feeds * self._feed <= self.bottleneck:
            raise PydanticCustomError(
                "at:feeds",
                "feeds times the rate of each must exceed the bottleneck's, or the queue builds in front of them "
                "instead",
            )
        return self

    @property
    def _feed(self) -> float:
        return self.bottleneck if self.feed is None else self.feed

    def slowest_watched(self) -> float:
        return self.bottleneck

    def path(self) -> Path:
        return Path(self.access, self.rtt, self.planes)

    def switch_roles(self) -> dict[str, str]:
        letters = string.ascii_lowercase[: self.planes]
        routers = {f"{letter}-{side}": letter for letter in letters for side in ("west", "east")}
        return {"west": "edge", "east": "edge", **routers}

    def standing(self) -> dict[str, dict[str, Any]]:
        return {
            "edge": {
                "buffer": _ENDLESS,
                "reserved": 0.0,
                "sharing": {"kind": "complete"},
                "marking": {"kind": "none"},
                "architecture": {"kind": "shared_memory"},
            }
        }

    def shape(self, flows: int, open_loop: bool) -> Shape:
        pairs = Pairs.of(self, flows, open_loop).count
        roles = dict(Counter(self.switch_roles().values()))
        cables = self.planes * (self.feeds + 2) + 2 * pairs
        capacity = self.planes * self.bottleneck
        return Shape(2 * pairs, roles, 2 * cables, self.planes, capacity, capacity, 5.0, self.rtt, self.access)

    def build(self, flows: int, open_loop: bool, rng: np.random.Generator) -> Network:
        pairs = Pairs.of(self, flows, open_loop)
        roles = self.switch_roles()
        names = [*pairs.names, *roles]
        west, east = 2 * pairs.count, 2 * pairs.count + 1
        cables, watched = [], []
        for plane in range(self.planes):
            near = east + 1 + 2 * plane
            far = near + 1
            watched.append((near, far))
            cables += [Cable(west, near, self._feed, 0.0) for _ in range(self.feeds)]
            cables += [Cable(near, far, self.bottleneck, pairs.middle), Cable(far, east, self.feeds * self._feed, 0.0)]
        cables += pairs.cables(west, east, rng)
        return Network(
            names,
            list(range(west, len(names))),
            cables,
            watched,
            self.planes * self.bottleneck,
            pairs.place,
            roles=list(roles.values()),
            sides=pairs.sides,
            sink=pairs.count,
        )
