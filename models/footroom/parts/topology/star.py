"""Hosts around one switch."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from footroom.base.component import About
from footroom.base.quantity import Rate, Time, quantity
from footroom.parts.topology.network import Cable, Network, Shape, SingleBottleneck, Topology


class Star(Topology):
    """All hosts connect to one switch; long-lived flows converge on host h0, open-loop flows join random pairs.

    ``rtt`` is the propagation between two hosts and back; every cable has a quarter of it.
    """

    about: ClassVar[About] = About(
        title="Star",
        summary="Hosts around one switch, such as a rack.",
        holds="a single switch; the watched ports are all of the switch's",
    )
    example: ClassVar[dict[str, Any]] = {"hosts": 8}
    kind: Literal["star"] = "star"
    hosts: int = quantity(..., "1", "Number of hosts.", ge=2, le=10_000)
    rate: Rate = quantity(1e10, "bit/s", "Rate of every host's link.", gt=0, le=1e14, symbol="C")
    rtt: Time = quantity(80e-6, "s", "Round-trip propagation time between two hosts.", gt=0, le=60, symbol="RTT")
    rtt_spread: float = quantity(0.0, "1", "Each host's share of the RTT is drawn from ±spread.", ge=0, lt=1)

    def slowest_watched(self) -> float:
        return self.rate

    def single_bottleneck(self, flows: int, open_loop: bool) -> SingleBottleneck | None:
        if flows and (open_loop or self.hosts < 3):
            return None
        return SingleBottleneck(self.rate, self.rate, self.rtt, self.rtt_spread, self.hosts, "switch")

    def switch_roles(self) -> dict[str, str]:
        return {"switch": ""}

    def shape(self, flows: int, open_loop: bool) -> Shape:
        watched = self.hosts if open_loop else 1
        return Shape(
            self.hosts,
            {"": 1},
            2 * self.hosts,
            watched,
            watched * self.rate,
            self.hosts * self.rate,
            2.0,
            self.rtt,
            self.rate,
        )

    def build(self, flows: int, open_loop: bool, rng: np.random.Generator) -> Network:
        switch = self.hosts
        delays = self.rtt / 4.0 * (1.0 + self.rtt_spread * rng.uniform(-1.0, 1.0, self.hosts))
        cables = [Cable(i, switch, self.rate, float(delays[i])) for i in range(self.hosts)]

        def converge(count: int, _: np.random.Generator) -> list[tuple[int, int]]:
            return [(1 + i % (self.hosts - 1), 0) for i in range(count)]

        def scatter(count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
            source = rng.integers(0, self.hosts, count)
            other = rng.integers(1, self.hosts, count)
            return [(int(s), int((s + o) % self.hosts)) for s, o in zip(source, other, strict=True)]

        names = [f"h{i}" for i in range(self.hosts)] + ["switch"]
        watched = [(switch, i) for i in range(self.hosts)] if open_loop else [(switch, 0)]
        capacity = self.rate * self.hosts
        return Network(names, [switch], cables, watched, capacity, scatter if open_loop else converge, sink=0)
