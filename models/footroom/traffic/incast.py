"""Many hosts that answer one at the same time."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.component import About
from footroom.errors import InvalidInput
from footroom.quantity import Time, quantity
from footroom.sizes import Sizes
from footroom.traffic.arrivals import arrivals
from footroom.traffic.common import PACKETS, Traffic
from footroom.traffic.ground import Drawn, Ground, Pairs
from footroom.traffic.placing import names_or


class Incast(Traffic):
    """``degree`` workers send one answer each to the same receiver at the same time: a query.

    Without ``load`` there is one query at ``start``, or one every ``period``, always of the same hosts: the receiver
    is the host that a topology's flows converge on (h0 of a star, r0 of a dumbbell) and the workers are the others in
    order; where there is no such host, all are drawn at random. With ``load`` queries are a Poisson process, each with
    a receiver and distinct workers drawn at random; ``load`` counts the payload of all answers over the capacity that
    poisson's load refers to as well. The request itself is not sent: all answers begin when the query does.
    """

    about: ClassVar[About] = About(
        title="Incast",
        summary="Many workers answer one host at the same time, once or as a Poisson process.",
        sources=("Alizadeh et al., SIGCOMM 2010, §2.2: partition and aggregate",
                 "Vasudevan et al., SIGCOMM 2009: incast collapse"),
        holds="answers that are ready at once; a new connection for each, which begins in slow start",
    )
    engines: ClassVar[tuple[str, ...]] = PACKETS
    kind: Literal["incast"] = "incast"
    degree: int = quantity(..., "1", "Workers that answer one query; where there are fewer hosts, some answer several "
                           "times.", ge=1, le=100_000, symbol="n")
    size: Sizes = Field(description="What each worker answers: a fixed size, the name of a measured distribution, or "
                        "an analytic one.")
    load: float | None = quantity(
        None, "1", "Offered payload of all answers over capacity, as a Poisson process of queries; none means the "
        "queries that start and period say.", gt=0, lt=1, symbol="ρ")
    start: Time = quantity(0.0, "s", "Time of the first query, or from which on they arrive.", ge=0)
    period: Time | None = quantity(
        None, "s", "From one query to the next; none means a single one. Not with a load.", gt=0, advanced=True)
    repeat: int | None = quantity(
        None, "1", "Queries at most, where there is a period; none means until the run ends.", ge=1, le=1_000_000,
        advanced=True)
    jitter: Time = quantity(
        0.0, "s", "Each answer begins uniformly within this time after the query.", ge=0, le=60, advanced=True)
    other_racks: bool = quantity(
        False, "1", "Workers hang on other switches than the receiver; else they are any other hosts.", advanced=True)

    @model_validator(mode="after")
    def _one_way(self) -> Incast:
        if self.load is not None and self.period is not None:
            raise PydanticCustomError("at:period", "queries arrive with a load or with a period, not both")
        if self.repeat is not None and self.period is None:
            raise PydanticCustomError("at:repeat", "needs a period; with a load, run.duration ends the queries")
        return self

    def lasting(self) -> int:
        return 0 if self.load is not None else self.degree

    def open_loop(self) -> bool:
        return self.load is not None

    def offered_load(self) -> float:
        return self.load or 0.0

    def latest_start(self) -> float:
        return self.start

    def work(self, capacity: float, rtt: float, duration: float) -> tuple[float, float]:
        if self.load is None:
            flows = float(self.degree * self._regular(duration))
        else:
            flows = self.load * capacity / 8.0 / self.size.mean() * duration
        return flows, flows * self.size.mean()

    def draw(self, ground: Ground) -> Drawn:
        rng = ground.random("traffic")
        notes: tuple[str, ...] = ()
        if self.load is None:
            queries = self._regular(ground.duration)
            ground.check_count(self.degree * queries, "period", self.period)
            begin = self.start + (self.period or 0.0) * np.arange(float(queries))
        else:
            capacity = ground.load_capacity(self.destinations)
            per_second = self.load * capacity / 8.0 / (self.degree * self.size.mean())
            begin, notes = arrivals(ground, rng, per_second, self.start, load=self.load, flows=self.degree)
        count = self.degree * len(begin)
        event = np.repeat(np.arange(len(begin)), self.degree)
        start = begin[event] + self.jitter * rng.random(count)
        pairs, more = self._places(ground, len(begin))
        return Drawn(start, self.size.draw(count, rng), pairs, event=event, events=begin, notes=(*notes, *more))

    def _regular(self, duration: float) -> int:
        """Queries that begin in ``duration`` [s] by the clock."""
        if self.period is None:
            return 1
        count = int(np.ceil((duration - self.start) / self.period))
        return min(count, self.repeat or count)

    def _places(self, ground: Ground, queries: int) -> tuple[Pairs, tuple[str, ...]]:
        """Worker and receiver of every answer, query by query, and a note where there are too few workers."""
        rng = ground.random("places")
        receivers = names_or(ground, self.destinations, "destinations", ground.receivers)
        if self.destinations is None and ground.sink is not None and self.load is None:
            receivers = [ground.sink]
        # Who is known beforehand answers in order; random choices are left to fabrics and to random queries.
        in_order = self.load is None and (len(receivers) == 1 or self.sources is not None)
        pairs: Pairs = []
        fewest = self.degree
        for _ in range(queries if self.load is not None else 1):
            receiver = receivers[int(rng.integers(len(receivers)))]
            others = self._others(ground, receiver)
            fewest = min(fewest, len(others))
            whole, rest = divmod(self.degree, len(others))
            last = others[:rest] if in_order else [others[k] for k in rng.choice(len(others), rest, replace=False)]
            pairs += [(worker, receiver) for worker in [*others * whole, *last]]
        notes: tuple[str, ...] = ()
        if fewest < self.degree:
            each = f"{self.degree // fewest} to {-(-self.degree // fewest)} from each"
            notes = (f"{ground.path}: the {self.degree} answers of a query come from {fewest} hosts, {each}.",)
        return pairs if self.load is not None else pairs * queries, notes

    def _others(self, ground: Ground, receiver: int) -> list[int]:
        """The hosts that may answer ``receiver``."""
        senders = names_or(ground, self.sources, "sources", ground.senders)
        others = [node for node in senders if node != receiver]
        if not others:
            raise InvalidInput.at(f"{ground.path}.sources", list(self.sources or ()),
                                  f"leaves nobody to answer {ground.names[receiver]}")
        if self.other_racks:
            others = [node for node in others if ground.rack[node] != ground.rack[receiver]]
            if not others:
                raise InvalidInput.at(f"{ground.path}.other_racks", True, "no sender hangs on another switch than "
                                      f"{ground.names[receiver]}")
        return others
