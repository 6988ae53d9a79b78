"""Flows that arrive at random and leave when their data is delivered."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Time, quantity
from footroom.parts.sizes import Sizes
from footroom.parts.traffic.common import PACKETS, Traffic
from footroom.parts.traffic.episodes import Episodes
from footroom.parts.traffic.ground import Drawn, Ground, Ints, Pairs
from footroom.parts.traffic.modulation import Modulation
from footroom.parts.traffic.placing import spread
from footroom.parts.traffic.process import arrivals


class Poisson(Traffic):
    """Poisson arrivals of flows with sizes drawn from a distribution, open loop.

    ``load`` counts payload bytes over the capacity of the links the load refers to: the bottleneck of a dumbbell,
    the receivers' links elsewhere. Headers come on top: at 1448 of 1500 bytes the link is 3.6 % busier than ``load``.
    """

    about: ClassVar[About] = About(
        title="Poisson arrivals",
        summary="Flows arrive as a Poisson process with sizes from a measured or analytic distribution.",
        holds="many independent users; real arrivals are burstier on the scale of seconds",
    )
    only: ClassVar[dict[str, tuple[tuple[str, ...], str]]] = {
        "modulation": (PACKETS, "flows arrive at a constant rate here"),
        "episodes": (PACKETS, "flows arrive at a constant rate here"),
        "stop": (PACKETS, "flows arrive until the run ends here"),
        "connections": (PACKETS, "every flow has its own connection here"),
    }
    thinned: ClassVar[tuple[str, ...] | None] = ()
    example: ClassVar[dict[str, Any]] = {"load": 0.3, "sizes": {"kind": "empirical", "name": "websearch_dctcp"}}
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["poisson"] = "poisson"
    load: float = quantity(
        ...,
        "1",
        "Offered payload over capacity; an open loop has no steady state at 1 or above.",
        gt=0,
        lt=1,
        symbol="ρ",
    )
    sizes: Sizes = Field(
        description="Flow sizes: the name of a measured distribution, a fixed size, or an analytic one."
    )
    start: Time = quantity(0.0, "s", "Earliest arrival.", ge=0, advanced=True)
    stop: Time | None = quantity(
        None,
        "s",
        "Time after which no flow arrives, so that all may end before the run does; none means until the run ends.",
        gt=0,
        advanced=True,
    )
    modulation: Modulation | None = Field(
        default=None,
        description="A random factor of mean 1 on the arrival rate, which may lift the load above 1 for "
        "a while; none keeps the rate constant.",
    )
    episodes: Episodes | None = Field(
        default=None,
        description="Episodes of another load, which may be 1 or above as long as the mean is below 1; none "
        "keeps the load constant.",
    )

    connections: int | None = quantity(
        None,
        "1",
        "Connections that stay open from each host to each other host and carry its flows in turn. A flow waits "
        "until the one before on its connection has ended; the wait counts as completion time. Automatic: a new "
        "connection for every flow.",
        ge=1,
        le=1000,
        advanced=True,
    )

    @model_validator(mode="after")
    def _stops(self) -> Self:
        if self.stop is not None and self.stop <= self.start:
            raise PydanticCustomError("at:stop", "must be later than start, or nothing would arrive")
        return self

    def keeps_connections(self) -> bool:
        return self.connections is not None

    def open_loop(self) -> bool:
        return True

    def offered_load(self) -> float:
        return self.load if self.episodes is None else self.episodes.mean(self.load)

    def latest_start(self) -> float:
        return self.start

    def work(self, capacity: float, rtt: float, duration: float) -> tuple[float, float]:
        duration = duration if self.stop is None else min(duration, self.stop)
        offered = self.load * duration
        if self.episodes is not None:
            offered += (self.episodes.load - self.load) * self.episodes.lasting(duration)
        payload = offered * capacity / 8.0
        return payload / self.sizes.mean(), payload

    def draw(self, ground: Ground) -> Drawn:
        per_second = self.load * ground.load_capacity(self.destinations) / 8.0 / self.sizes.mean()
        rng = ground.random("traffic")
        start, notes = arrivals(
            ground, rng, per_second, self.start, load=self.load, modulation=self.modulation, episodes=self.episodes
        )
        start = start if self.stop is None else start[start < self.stop]
        size, pairs = self.sizes.draw(len(start), rng), spread(self, ground, len(start))
        return Drawn(
            start, size, pairs, continues=None if self.connections is None else self._continues(pairs), notes=notes
        )

    def _continues(self, pairs: Pairs) -> Ints:
        """The flow before each on its connection, -1 for the first: connections of two hosts take turns."""
        seen: dict[tuple[int, int], list[int]] = {}
        continues = np.full(len(pairs), -1, np.int64)
        for flow, pair in enumerate(pairs):
            earlier = seen.setdefault(pair, [])
            if len(earlier) >= (self.connections or 1):
                continues[flow] = earlier[-(self.connections or 1)]
            earlier.append(flow)
        return continues
