"""Pairs of hosts on two switches joined by one bottleneck link."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Rate, Time, quantity
from footroom.parts.topology.network import Cable, Network, Path, Shape, SingleBottleneck, Topology
from footroom.parts.topology.pairs import Pairs, number_of_pairs


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
    pairs: int | None = number_of_pairs()

    @model_validator(mode="after")
    def _reachable(self) -> Dumbbell:
        if self.pairs is not None and self.pairs * self.access < self.bottleneck:
            raise PydanticCustomError(
                "at:pairs", "pairs times access must reach the bottleneck's rate, or it is not the bottleneck"
            )
        return self

    def slowest_watched(self) -> float:
        return self.bottleneck

    def single_bottleneck(self, flows: int, open_loop: bool) -> SingleBottleneck | None:
        pairs = Pairs.of(self, flows, open_loop).count
        if pairs * self.access <= self.bottleneck:
            return None
        return SingleBottleneck(self.bottleneck, self.access, self.rtt, self.rtt_spread, pairs + 1, "left")

    def path(self) -> Path:
        return Path(self.access, self.rtt)

    def switch_roles(self) -> dict[str, str]:
        return {"left": "", "right": ""}

    def shape(self, flows: int, open_loop: bool) -> Shape:
        pairs = Pairs.of(self, flows, open_loop).count
        return Shape(
            2 * pairs, {"": 2}, 2 * (1 + 2 * pairs), 1, self.bottleneck, self.bottleneck, 3.0, self.rtt, self.access
        )

    def build(self, flows: int, open_loop: bool, rng: np.random.Generator) -> Network:
        pairs = Pairs.of(self, flows, open_loop)
        left, right = 2 * pairs.count, 2 * pairs.count + 1
        cables = [Cable(left, right, self.bottleneck, pairs.middle), *pairs.cables(left, right, rng)]
        return Network(
            [*pairs.names, "left", "right"],
            [left, right],
            cables,
            [(left, right)],
            self.bottleneck,
            pairs.place,
            sides=pairs.sides,
            sink=pairs.count,
        )
