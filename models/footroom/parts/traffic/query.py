"""Queries: a total divided among workers, partition and aggregate."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.errors import InvalidInput
from footroom.base.quantity import Size, Time, quantity
from footroom.parts.congestion import RDMA
from footroom.parts.traffic.common import PACKETS, Traffic
from footroom.parts.traffic.ground import Drawn, Ground, Pairs
from footroom.parts.traffic.placing import names_or


class Query(Traffic):
    """An aggregator asks ``workers`` at once for ``total`` bytes, an equal part from each, and waits for all of them.

    The next query begins ``pause`` after the last acknowledgement of the last answer (a closed loop), or with
    ``period`` at fixed times, whatever has become of the one before. A query begins when the requests are sent: each
    takes ``handshake`` round trips of propagation until its worker sends data. The aggregator is the host that a
    topology's flows converge on (h0 of a star, r0 of a dumbbell), or the one named in ``destinations``; where there is
    no such host it is drawn at random, once. Workers are the other senders in order, or drawn once on a fabric.

    Where ``total`` is no multiple of ``workers``, the first workers send one byte more. A persistent connection keeps
    its window, threshold, round trip and timeout from one query to the next, as with incast.
    """

    about: ClassVar[About] = About(
        title="Query (partition and aggregate)",
        summary="An aggregator asks many workers for an equal part each and waits for all of them, again and again.",
        sources=(
            "Alizadeh et al., SIGCOMM 2010, §2.2 and §4.2.1: 1 MB divided among n workers",
            "Wu et al., CoNEXT 2010, §6.2: a fixed total volume",
        ),
        holds="answers that are ready when the request arrives",
        departures="requests and the set-up of connections take time, but are not sent as packets",
    )
    engines: ClassVar[tuple[str, ...]] = PACKETS
    example: ClassVar[dict[str, Any]] = {"workers": 20, "total": "1 MiB"}
    kind: Literal["query"] = "query"
    workers: int = quantity(
        ...,
        "1",
        "Workers that answer each query; where there are fewer hosts, some answer several times.",
        ge=1,
        le=100_000,
        symbol="n",
    )
    total: Size = quantity(
        ..., "B", "Payload of all answers of one query; each worker sends an equal part.", ge=1, le=1e12
    )
    pause: Time = quantity(
        0.0, "s", "Time from the end of a query to the start of the next. Not with a period.", ge=0, le=86400
    )
    period: Time | None = quantity(
        None,
        "s",
        "Time from the start of a query to the start of the next, finished or not; none means that the next query "
        "waits for the one before.",
        gt=0,
        advanced=True,
    )
    repeat: int | None = quantity(
        None, "1", "Maximum number of queries; none means until the run ends.", ge=1, le=1_000_000, advanced=True
    )
    connections: Literal["new", "persistent"] = quantity(
        "new",
        "1",
        "new: each answer over a new connection, which begins in slow start. persistent: a worker keeps "
        "its connection, with window, threshold, round trip and timeout, from query to query (host.idle_restart "
        "says what an idle one keeps).",
        source="Phanishayee et al., FAST 2008",
    )
    handshake: float | None = quantity(
        None,
        "1",
        "Round trips from the start of a query until a worker sends data. Automatic: 1.5 for new connections "
        "(set-up and the request), 0.5 for persistent ones (the request).",
        ge=0,
        le=100,
        source="RFC 9293 §3.5: three-way handshake; request with the third",
        advanced=True,
    )
    start: Time = quantity(0.0, "s", "Time of the first query.", ge=0, advanced=True)
    jitter: Time = quantity(
        0.0,
        "s",
        "Each request is sent after a random delay of at most this, uniformly distributed.",
        ge=0,
        le=60,
        advanced=True,
    )

    @model_validator(mode="after")
    def _one_clock(self) -> Query:
        if self.period is not None and self.pause > 0.0:
            raise PydanticCustomError("at:pause", "give pause or period, not both")
        if self.total < self.workers:
            raise PydanticCustomError("at:total", "must be at least one byte for each worker")
        return self

    def lasting(self) -> int:
        return self.workers

    def converges(self) -> bool:
        return True

    def keeps_connections(self) -> bool:
        return self.connections == "persistent"

    def latest_start(self) -> float:
        return self.start

    def _lead(self) -> float:
        """Round trips from a request to its first data."""
        if self.handshake is not None:
            return self.handshake
        return 0.5 if self.keeps_connections() else 1.5

    def _queries(self, duration: float, least: float) -> float:
        """Queries that may begin in ``duration`` [s]. least: time from one to the next [s]."""
        span = max(0.0, duration - self.start)
        each = least if self.period is None else self.period
        count = np.inf if each <= 0.0 else np.ceil(span / each) if self.period else span // each + 1.0
        return float(min(count, self.repeat or np.inf))

    def work(self, capacity: float, rtt: float, duration: float) -> tuple[float, float]:
        least = self.pause + (self._lead() + 1.0) * rtt + 8.0 * self.total / capacity
        queries = self._queries(duration, least)
        return self.workers * queries, queries * self.total

    def draw(self, ground: Ground) -> Drawn:
        pairs, notes = self._places(ground)
        hosts = {source for source, _ in pairs}
        rate = min(ground.rate[pairs[0][1]], sum(ground.rate[host] for host in hosts))
        # No query is complete before its last worker's data, at the rate of the links, is acknowledged.
        least = self.pause + max((self._lead() + 1.0) * ground.quickest(*pair) for pair in pairs)
        queries = self._queries(ground.duration, least + 8.0 * self.total / rate)
        ground.check_count(
            self.workers * queries,
            "pause" if self.period is None else "period",
            self.pause if self.period is None else self.period,
        )
        count = int(queries)
        event = np.repeat(np.arange(count), self.workers)
        late = self.jitter * ground.random("traffic").random(len(event))
        begin = self.start + np.arange(float(count)) * (self.period or 0.0)
        if self.period is None:
            begin[1:] = np.inf
        whole, rest = divmod(round(self.total), self.workers)
        size = np.tile(whole + (np.arange(self.workers) < rest), count)
        before = np.arange(len(event)) - self.workers
        return Drawn(
            begin[event] + late,
            size,
            pairs * count,
            gap=self.pause,
            delay=late,
            handshake=self._lead(),
            continues=np.maximum(before, -1) if self.keeps_connections() else None,
            event=event,
            events=begin,
            after=np.arange(-1, count - 1) if self.period is None else None,
            notes=notes,
        )

    def _places(self, ground: Ground) -> tuple[Pairs, tuple[str, ...]]:
        """Worker and aggregator of every answer of a query, and what to say about them."""
        rng = ground.random("places")
        receivers = names_or(ground, self.destinations, "destinations", ground.receivers)
        if self.destinations is None and ground.sink is not None:
            receivers = [ground.sink]
        aggregator = receivers[0] if len(receivers) == 1 else receivers[int(rng.integers(len(receivers)))]
        senders = [node for node in names_or(ground, self.sources, "sources", ground.senders) if node != aggregator]
        if not senders:
            raise InvalidInput.at(
                f"{ground.path}.sources",
                list(self.sources or ()),
                f"leaves nobody to answer {ground.names[aggregator]}",
            )
        if len(receivers) > 1 and self.sources is None:
            senders = [senders[k] for k in rng.permutation(len(senders))]
        chosen = [senders[k % len(senders)] for k in range(self.workers)]
        return [(worker, aggregator) for worker in chosen], (self._told(ground, len(senders)),)

    def _told(self, ground: Ground, hosts: int) -> str:
        """Which workers and connections were simulated, for the reader."""
        least, most = self.workers // hosts, -(-self.workers // hosts)
        told = f"{ground.path}: the {self.workers} answers of a query come from {min(hosts, self.workers)} hosts"
        if most > 1:
            told += f", {least} to {most} from each" if least < most else f", {most} from each"
            told += "; workers of one host share its link"
        told += ". "
        if self.recovery_of() in RDMA:
            return told + "Every answer starts at the rate of its host's link."
        if self.keeps_connections():
            return told + (
                "Connections are persistent and keep their windows between queries. slowdown compares with "
                "a new connection and may be below 1."
            )
        return told + f"Every answer opens a connection and begins slow start with {self.host.initial_window} segments."
