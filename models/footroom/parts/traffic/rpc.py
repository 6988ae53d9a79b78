"""Clients that ask, wait for the answer, pause and ask again."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Time, quantity
from footroom.parts.sizes import Fixed, Sizes
from footroom.parts.traffic.common import PACKETS, Traffic
from footroom.parts.traffic.ground import ENDLESS, Drawn, Floats, Ground, Ints, QueryStream
from footroom.parts.traffic.placing import settle


class Rpc(Traffic):
    """Clients that wait for answers: a closed loop. ``outstanding`` says over which connections.

    Without it, each of ``pairs`` clients has one request under way at a time, over a new connection.

    A request opens the connection, which takes ``handshake`` round trips of propagation until the first data leaves the
    server, and ends with the acknowledgement of the last byte; the next follows ``pause`` later. Completion times count
    from the request. First requests are spread uniformly over a pause and a round trip. Only the response travels as
    packets. Pairs of hosts are those of long-lived flows, after the pairs of entries before this one: the sender is the
    server. A connection is hashed anew over equal paths.

    With ``outstanding``, each of ``pairs`` clients keeps one connection for the whole run and that many queries under
    way over it: ``size`` bytes travel from the client, which is the sender, to the server, and the answer is small.
    It is the acknowledgement of the query's last byte, which leaves at once, whatever ack_every says; the next query
    begins when it arrives. Query completion times count from a query's begin, so that they include what it waits for
    those before it. Queries do not share packets. First queries are spread uniformly over a round trip.
    """

    about: ClassVar[About] = About(
        title="Request and response",
        summary="Clients ask a server for data, wait for it, pause and ask again, over a new connection each time.",
        holds="clients that wait for their answer, so that a slow network is asked less",
        departures="segments of the connection's set-up and the request are not sent: they take time, and neither "
        "queue nor are lost; with outstanding the answer is an acknowledgement and no transfer of its own",
    )
    engines: ClassVar[tuple[str, ...]] = PACKETS
    thinned: ClassVar[tuple[str, ...] | None] = ("pairs",)
    example: ClassVar[dict[str, Any]] = {"pairs": 8, "size": {"kind": "fixed", "size": "100 kB"}}
    kind: Literal["rpc"] = "rpc"
    pairs: int = quantity(..., "1", "Clients, each with a server.", ge=1, le=100_000)
    size: Sizes = Field(
        description="What a response carries: a fixed size, the name of a measured distribution, or an analytic one.",
        json_schema_extra={"axis": "sizes"},
    )
    pause: Time = quantity(
        0.0, "s", "Time from the last acknowledgement of a response to the next request.", ge=0, le=86400
    )
    handshake: float = quantity(
        1.5,
        "1",
        "Round trips from a request until the server sends data: by default one to set up the connection and half "
        "of one for the request.",
        ge=0,
        le=100,
        source="RFC 9293 §3.5: three-way handshake; request with the third",
    )
    outstanding: int | None = quantity(
        None,
        "1",
        "Queries that each client keeps outstanding over one connection that stays open; none means one "
        "request at a time, each over a new connection. Needs a fixed size and no pause; handshake does not count.",
        ge=1,
        le=10_000,
        source="Miao et al., Buffer sizing with HPCC, BS'19, section 2.2: 64 and 2 queries at a time",
    )
    start: Time = quantity(0.0, "s", "Time of the earliest request.", ge=0, advanced=True)

    @model_validator(mode="after")
    def _streams(self) -> Rpc:
        if self.outstanding is not None and not isinstance(self.size, Fixed):
            raise PydanticCustomError("at:size", "queries over a connection that stays open have one fixed size")
        if self.outstanding is not None and self.pause > 0.0:
            raise PydanticCustomError("at:pause", "with outstanding the next query begins at once: leave pause out")
        return self

    def query_stream(self) -> QueryStream | None:
        if self.outstanding is None:
            return None
        return QueryStream(max(1, round(self.size.mean())), self.outstanding)

    def lasting(self) -> int:
        return self.pairs

    def latest_start(self) -> float:
        return self.start

    def work(self, capacity: float, rtt: float, duration: float) -> tuple[float, float]:
        if self.outstanding is not None:
            most = capacity / 8.0 * duration
            if rtt > 0.0:
                most = min(most, self.pairs * self.outstanding * self.size.mean() * duration / rtt)
            return float(self.pairs), most
        cycle = self.pause + (self.handshake + 1.0) * rtt
        flows = self.pairs * (duration / cycle + 1.0) if cycle > 0.0 else np.inf
        most = capacity / 8.0 * duration / self.size.mean()
        flows = min(flows, most + self.pairs)
        return flows, flows * self.size.mean()

    def draw(self, ground: Ground) -> Drawn:
        rng = ground.random("traffic")
        pairs = settle(self, ground, self.pairs, before=ground.lasting)
        quickest = np.array([ground.quickest(*pair) for pair in pairs])
        rate = np.array([min(ground.rate[a], ground.rate[b]) for a, b in pairs])
        if self.outstanding is not None:
            begin = self.start + quickest * rng.random(self.pairs)
            return Drawn(begin, np.full(self.pairs, ENDLESS, np.int64), pairs)
        first = self.start + (self.pause + quickest) * rng.random(self.pairs)
        # No response is complete sooner than a round trip after its first data, nor than its link can carry it.
        least = self.pause + (self.handshake + 1.0) * quickest
        span = np.maximum(0.0, ground.duration - first)
        expected = span / (least + 8.0 * self.size.mean() / rate)
        ground.check_count(float(expected.sum()), "pause", self.pause)
        chains = [self._chain(span[k], least[k], rate[k], int(1.1 * expected[k]) + 8, rng) for k in range(self.pairs)]
        counts = [len(chain) for chain in chains]
        ends = np.cumsum(counts)
        ground.check_count(float(ends[-1]), "pause", self.pause)
        start = np.full(int(ends[-1]), np.inf)
        start[ends - counts] = first
        following = np.arange(1, int(ends[-1]) + 1)
        following[ends - 1] = -1
        ends_of = [pair for pair, count in zip(pairs, counts, strict=True) for _ in range(count)]
        return Drawn(
            start, np.concatenate(chains), ends_of, following=following, gap=self.pause, handshake=self.handshake
        )

    def _chain(self, span: float, least: float, rate: float, block: int, rng: np.random.Generator) -> Ints:
        """Sizes of as many responses as could begin in ``span`` [s] were the network idle, and one more."""
        sizes = np.zeros(0, np.int64)
        while True:
            sizes = np.concatenate([sizes, self.size.draw(block, rng)])
            begun: Floats = np.cumsum(least + 8.0 * sizes / rate)
            if begun[-1] > span:
                return sizes[: int(np.searchsorted(begun, span, side="right")) + 1]
