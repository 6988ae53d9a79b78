"""Many hosts that answer one at the same time."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.errors import InvalidInput
from footroom.base.quantity import Time, quantity
from footroom.parts.congestion import RDMA
from footroom.parts.sizes import Sizes
from footroom.parts.traffic.common import PACKETS, Traffic
from footroom.parts.traffic.ground import Drawn, Floats, Ground, Ints, Pairs
from footroom.parts.traffic.placing import names_or
from footroom.parts.traffic.process import arrivals


class Incast(Traffic):
    """``degree`` workers send one answer each to the same receiver at the same time: a query.

    Without ``load`` there is one query at ``start``, or one every ``period``, always of the same hosts: the receiver
    is the host that a topology's flows converge on (h0 of a star, r0 of a dumbbell) and the workers are the others in
    order; where there is no such host, all are drawn at random. With ``load`` queries are a Poisson process, each with
    a receiver and distinct workers drawn at random; ``load`` counts the payload of all answers over the capacity that
    poisson's load refers to as well. The request itself is not sent: all answers begin when the query does.

    ``workers_per_host`` puts that many workers on each of fewer hosts; they share its link. A persistent connection
    carries the answers of one worker to one receiver, query after query, and keeps its window, threshold, round trip
    and timeout between them; an answer whose worker has not finished the one before begins right after it.
    """

    about: ClassVar[About] = About(
        title="Incast",
        summary="Many workers answer one host at the same time, once or as a Poisson process.",
        sources=(
            "Alizadeh et al., SIGCOMM 2010, §2.2: partition and aggregate",
            "Vasudevan et al., SIGCOMM 2009: incast collapse",
        ),
        holds="answers that are ready at once, over new connections, which begin in slow start, or persistent ones",
        departures="an answer over a persistent connection begins when the one before is acknowledged, not when it has "
        "been sent; the set-up of connections is not sent",
    )
    engines: ClassVar[tuple[str, ...]] = PACKETS
    example: ClassVar[dict[str, Any]] = {"degree": 8, "size": {"kind": "fixed", "size": "100 kB"}, "period": "10 ms"}
    kind: Literal["incast"] = "incast"
    degree: int = quantity(
        ...,
        "1",
        "Workers that answer one query; where there are fewer hosts, some answer several times.",
        ge=1,
        le=100_000,
        symbol="n",
    )
    workers_per_host: int = quantity(
        1,
        "1",
        "Workers that share a host and its link, so that their first windows arrive one after another; degree "
        "divided by this is the number of hosts.",
        ge=1,
        le=100_000,
    )
    connections: Literal["new", "persistent"] = quantity(
        "new",
        "1",
        "new: each answer over a new connection, which begins in slow start. persistent: a worker "
        "keeps its connection, with window, threshold, round trip and timeout, from query to query "
        "(host.idle_restart says what an idle one keeps); needs a period or a load.",
        source="Phanishayee et al., FAST 2008",
    )
    size: Sizes = Field(
        description="What each worker answers: a fixed size, the name of a measured distribution, or an analytic one.",
        json_schema_extra={"axis": "sizes"},
    )
    load: float | None = quantity(
        None,
        "1",
        "Offered payload of all answers over capacity, as a Poisson process of queries; none means the queries that "
        "start and period set.",
        gt=0,
        lt=1,
        symbol="ρ",
    )
    start: Time = quantity(0.0, "s", "Time of the first query, or, with a load, the earliest time of one.", ge=0)
    stop: Time | None = quantity(
        None,
        "s",
        "Time after which no query starts, so that all may end before the run does; none means until the run ends. "
        "Only with a load.",
        gt=0,
        advanced=True,
    )
    period: Time | None = quantity(
        None, "s", "Time from one query to the next; none means a single query. Not with a load.", gt=0, advanced=True
    )
    repeat: int | None = quantity(
        None,
        "1",
        "Maximum number of queries, where there is a period; none means until the run ends.",
        ge=1,
        le=1_000_000,
        advanced=True,
    )
    jitter: Time = quantity(
        0.0,
        "s",
        "Each answer begins after a random delay of at most this, uniformly distributed.",
        ge=0,
        le=60,
        advanced=True,
    )
    other_racks: bool = quantity(
        False,
        "1",
        "Workers are on other switches than the receiver; otherwise they are any other hosts.",
        advanced=True,
    )

    @model_validator(mode="after")
    def _one_way(self) -> Incast:
        if self.load is not None and self.period is not None:
            raise PydanticCustomError("at:period", "queries arrive with a load or with a period, not both")
        if self.stop is not None and self.load is None:
            raise PydanticCustomError("at:stop", "needs a load; with a period, repeat says how many queries there are")
        if self.stop is not None and self.stop <= self.start:
            raise PydanticCustomError("at:stop", "must be later than start, or no query would be sent")
        if self.repeat is not None and self.period is None:
            raise PydanticCustomError("at:repeat", "needs a period; with a load, run.duration ends the queries")
        if self.connections == "persistent" and self.load is None and self.period is None:
            raise PydanticCustomError(
                "at:connections", "persistent connections need a period or a load: a single query finds none open"
            )
        return self

    def lasting(self) -> int:
        return 0 if self.load is not None else self.degree

    def open_loop(self) -> bool:
        return self.load is not None

    def offered_load(self) -> float:
        return self.load or 0.0

    def keeps_connections(self) -> bool:
        return self.connections == "persistent"

    def latest_start(self) -> float:
        return self.start

    def work(self, capacity: float, rtt: float, duration: float) -> tuple[float, float]:
        if self.load is None:
            flows = float(self.degree * self._regular(duration))
        else:
            lasting = duration if self.stop is None else min(duration, self.stop)
            flows = self.load * capacity / 8.0 / self.size.mean() * lasting
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
            begin = begin if self.stop is None else begin[begin < self.stop]
        count = self.degree * len(begin)
        event = np.repeat(np.arange(len(begin)), self.degree)
        start = begin[event] + self.jitter * rng.random(count)
        pairs, hosts = self._places(ground, len(begin))
        continues = self._connections(pairs, start, event) if self.keeps_connections() else None
        return Drawn(
            start,
            self.size.draw(count, rng),
            pairs,
            continues=continues,
            event=event,
            events=begin,
            notes=(*notes, self._told(ground, hosts)),
        )

    def _connections(self, pairs: Pairs, start: Floats, event: Ints) -> Ints:
        """The flow before each on its connection, -1 for the first; the k-th answers between two hosts share one."""
        order = np.argsort(start, kind="stable")
        position: dict[tuple[int, int, int], int] = {}
        latest: dict[tuple[int, int, int], int] = {}
        key = np.zeros(len(pairs), np.int64)
        for flow, (pair, query) in enumerate(zip(pairs, event.tolist(), strict=True)):
            place = (*pair, query)
            key[flow] = position.get(place, 0)
            position[place] = int(key[flow]) + 1
        continues = np.full(len(pairs), -1, np.int64)
        for flow in order.tolist():
            connection = (*pairs[flow], int(key[flow]))
            continues[flow] = latest.get(connection, -1)
            latest[connection] = flow
        return continues

    def _told(self, ground: Ground, hosts: int) -> str:
        """Which workers and connections were simulated, for the reader."""
        least, most = self.degree // hosts, -(-self.degree // hosts)
        told = f"{ground.path}: the {self.degree} answers of a query come from {hosts} host{'s' if hosts > 1 else ''}"
        if most > 1:
            told += f", {least} to {most} from each" if least < most else f", {most} from each"
            told += (
                "; workers of one host share its link, so that high degrees depend on the access rate: their "
                "first windows arrive one after another"
            )
        if self.recovery_of() in RDMA:
            return f"{told}. Every answer starts at the rate of its host's link."
        if self.keeps_connections():
            return (
                f"{told}. Connections are persistent: windows and thresholds of one query meet the buffer in the "
                "next. slowdown compares with a new connection and may be below 1."
            )
        return (
            f"{told}. Every answer opens a connection and begins slow start with {self.host.initial_window} "
            'segments; with connections "persistent" long answers time out at up to three times as many workers.'
        )

    def _regular(self, duration: float) -> int:
        """Queries that begin in ``duration`` [s] by the clock."""
        if self.period is None:
            return 1
        count = int(np.ceil((duration - self.start) / self.period))
        return min(count, self.repeat or count)

    def _places(self, ground: Ground, queries: int) -> tuple[Pairs, int]:
        """Worker and receiver of every answer, query by query, and the number of hosts that answer a query."""
        rng = ground.random("places")
        receivers = names_or(ground, self.destinations, "destinations", ground.receivers)
        if self.destinations is None and ground.sink is not None and self.load is None:
            receivers = [ground.sink]
        # Who is known beforehand answers in order; random choices are left to fabrics and to random queries.
        in_order = self.load is None and (len(receivers) == 1 or self.sources is not None)
        pairs: Pairs = []
        wanted = -(-self.degree // self.workers_per_host)
        fewest = wanted
        for _ in range(queries if self.load is not None else 1):
            receiver = receivers[int(rng.integers(len(receivers)))]
            others = self._others(ground, receiver)
            if wanted < len(others) and self.workers_per_host > 1:
                chosen = range(wanted) if in_order else rng.choice(len(others), wanted, replace=False)
                others = [others[k] for k in chosen]
            fewest = min(fewest, len(others))
            whole, rest = divmod(self.degree, len(others))
            last = others[:rest] if in_order else [others[k] for k in rng.choice(len(others), rest, replace=False)]
            pairs += [(worker, receiver) for worker in [*others * whole, *last]]
        return pairs if self.load is not None else pairs * queries, fewest

    def _others(self, ground: Ground, receiver: int) -> list[int]:
        """The hosts that may answer ``receiver``."""
        senders = names_or(ground, self.sources, "sources", ground.senders)
        others = [node for node in senders if node != receiver]
        if not others:
            raise InvalidInput.at(
                f"{ground.path}.sources", list(self.sources or ()), f"leaves nobody to answer {ground.names[receiver]}"
            )
        if self.other_racks:
            others = [node for node in others if ground.rack[node] != ground.rack[receiver]]
            if not others:
                raise InvalidInput.at(
                    f"{ground.path}.other_racks",
                    True,
                    f"no sender is connected to another switch than {ground.names[receiver]}",
                )
        return others
