"""Pairs of hosts on two switches joined by one bottleneck link."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.component import About
from footroom.quantity import Rate, Time, quantity
from footroom.topology.network import Cable, Network, SingleBottleneck, Topology


class Dumbbell(Topology):
    """Sender i reaches receiver i over its access link, the bottleneck and the receiver's access link.

    ``rtt`` is propagation only: transmission and queueing come on top. A quarter of the shortest RTT lies on the
    bottleneck link (each way an eighth), the rest on the access links.
    """

    about: ClassVar[About] = About(
        title="Dumbbell",
        summary="Pairs of hosts on two switches joined by one bottleneck.",
        holds="a path with a single congested link",
    )
    kind: Literal["dumbbell"] = "dumbbell"
    bottleneck: Rate = quantity(1e9, "bit/s", "Rate of the bottleneck link.", gt=0, le=1e14, symbol="C")
    access: Rate = quantity(1e10, "bit/s", "Rate of every host's link.", gt=0, le=1e14)
    rtt: Time = quantity(0.02, "s", "Round-trip propagation time.", gt=0, le=60, symbol="RTT")
    rtt_spread: float = quantity(0.0, "1", "Each pair's RTT is drawn from rtt·(1 ± spread).", ge=0, lt=1)
    pairs: int | None = quantity(
        None,
        "1",
        "Number of host pairs; none means one per long-lived flow, plus 64 when flows come "
        "and go, which are placed on all pairs at random.",
        ge=1,
        le=100_000,
        advanced=True,
    )

    @model_validator(mode="after")
    def _reachable(self) -> Dumbbell:
        if self.pairs is not None and self.pairs * self.access < self.bottleneck:
            raise PydanticCustomError("at:pairs", "pairs times access must reach the bottleneck's rate, or it is none")
        return self

    def slowest_watched(self) -> float:
        return self.bottleneck

    def _pairs(self, flows: int, open_loop: bool) -> int:
        return self.pairs if self.pairs is not None else flows + (64 if open_loop else 0)

    def single_bottleneck(self, flows: int, open_loop: bool) -> SingleBottleneck | None:
        pairs = self._pairs(flows, open_loop)
        if pairs * self.access <= self.bottleneck:
            return None
        return SingleBottleneck(self.bottleneck, self.access, self.rtt, self.rtt_spread, pairs + 1, "left")

    def switch_roles(self) -> dict[str, str]:
        return {"left": "", "right": ""}

    def build(self, flows: int, open_loop: bool, rng: np.random.Generator) -> Network:
        pairs = self._pairs(flows, open_loop)
        left, right = 2 * pairs, 2 * pairs + 1
        rtts = self.rtt * (1.0 + self.rtt_spread * rng.uniform(-1.0, 1.0, pairs))
        middle = self.rtt * (1.0 - self.rtt_spread) / 8.0
        cables = [Cable(left, right, self.bottleneck, middle)]
        for i in range(pairs):
            side = (rtts[i] / 2.0 - middle) / 2.0
            cables += [Cable(i, left, self.access, side), Cable(right, pairs + i, self.access, side)]

        def place(count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
            chosen = np.arange(count) if count <= pairs and not open_loop else rng.integers(0, pairs, count)
            return [(int(i), pairs + int(i)) for i in chosen]

        names = [f"s{i}" for i in range(pairs)] + [f"r{i}" for i in range(pairs)] + ["left", "right"]
        return Network(names, [left, right], cables, [(left, right)], self.bottleneck, place,
                       sides=(list(range(pairs)), list(range(pairs, 2 * pairs))), sink=pairs)
