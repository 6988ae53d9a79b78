"""Hosts in pairs, senders on one side and receivers on the other: what dumbbell and parallel planes have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from footroom.base.quantity import quantity
from footroom.parts.topology.network import Cable, Pairing


def number_of_pairs() -> Any:
    """The declaration of ``pairs``."""
    return quantity(
        None,
        "1",
        "Number of host pairs; none means one per long-lived flow, plus 64 when there are "
        "short flows, which are placed on all pairs at random.",
        ge=1,
        le=100_000,
        advanced=True,
    )


@dataclass(frozen=True)
class Pairs:
    """Sender i is node i, its receiver node count + i.

    count: of pairs.  access: rate of every host's link [bit/s].  rtt: propagation [s], of each pair within
    rtt·(1 ± spread); a quarter of the shortest lies on what joins the two sides, the rest on the hosts' links.
    """

    count: int
    access: float
    rtt: float
    spread: float
    open_loop: bool

    @classmethod
    def of(cls, topology: Any, flows: int, open_loop: bool) -> Pairs:
        """Those of a topology with the fields pairs, access, rtt and rtt_spread."""
        count = topology.pairs if topology.pairs is not None else flows + (64 if open_loop else 0)
        return cls(count, topology.access, topology.rtt, topology.rtt_spread, open_loop)

    @property
    def names(self) -> list[str]:
        """Senders s0, s1, …, then receivers r0, r1, …."""
        return [f"{side}{i}" for side in "sr" for i in range(self.count)]

    @property
    def sides(self) -> tuple[list[int], list[int]]:
        """Senders and receivers."""
        return list(range(self.count)), list(range(self.count, 2 * self.count))

    @property
    def middle(self) -> float:
        """Delay [s] of what joins the two sides, one way."""
        return self.rtt * (1.0 - self.spread) / 8.0

    def cables(self, near: int, far: int, rng: np.random.Generator) -> list[Cable]:
        """Links of the senders to node ``near`` and of the receivers to ``far``, pair by pair."""
        rtts = self.rtt * (1.0 + self.spread * rng.uniform(-1.0, 1.0, self.count))
        cables = []
        for i, rtt in enumerate(rtts):
            side = (rtt / 2.0 - self.middle) / 2.0
            cables += [Cable(i, near, self.access, side), Cable(far, self.count + i, self.access, side)]
        return cables

    @property
    def place(self) -> Pairing:
        """Pairs for so many flows: one each, if there are enough and no short flows; else at random."""

        def place(count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
            each = count <= self.count and not self.open_loop
            chosen = np.arange(count) if each else rng.integers(0, self.count, count)
            return list(zip(chosen.tolist(), (chosen + self.count).tolist(), strict=True))

        return place
