"""Flows that have data to send for the whole run."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Time, quantity
from footroom.parts.traffic.common import PACKETS, Traffic
from footroom.parts.traffic.ground import ENDLESS, Drawn, Ground
from footroom.parts.traffic.placing import settle


class LongLived(Traffic):
    """A fixed number of flows with unlimited data, started at random within ``start_jitter``."""

    about: ClassVar[About] = About(
        title="Long-lived flows",
        summary="A fixed number of flows with unlimited data.",
        holds="bulk transfers much longer than the run",
    )
    endless: ClassVar[bool] = True
    thinned: ClassVar[tuple[str, ...] | None] = ("flows",)
    only: ClassVar[dict[str, tuple[tuple[str, ...], str]]] = {
        "rtt": (("fluid",), "all flows have the round trip of the topology here (rtt_spread draws them apart)"),
        "stop": (PACKETS, "flows are there for the whole run here"),
    }
    example: ClassVar[dict[str, Any]] = {"flows": 10}
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["long_lived"] = "long_lived"
    flows: int = quantity(..., "1", "Number of flows.", ge=1, le=100_000, symbol="n")
    rtt: Time | None = quantity(
        None,
        "s",
        "Round-trip propagation of these flows, where it is not the topology's; in the fluid engine only.",
        gt=0,
        le=60,
        symbol="RTT",
        advanced=True,
    )
    start: Time = quantity(0.0, "s", "Start time of the first flow.", ge=0, advanced=True)
    start_jitter: Time = quantity(
        1.0, "s", "Each flow starts after a random delay of at most this, uniformly distributed.", ge=0
    )
    stop: Time | None = quantity(
        None,
        "s",
        "Time after which the flows get no more data; they end when what they sent is acknowledged. None means the "
        "end of the run.",
        gt=0,
        advanced=True,
    )
    window: float | None = quantity(
        None,
        "packet",
        "Warm start: each flow begins in congestion avoidance with a window drawn uniformly between "
        "half of this and this; none begins in slow start. It changes how a packet engine reaches its steady state; "
        "theory and fluid describe that state and do not need it.",
        ge=1,
        le=1e6,
        symbol="W",
        advanced=True,
    )

    @model_validator(mode="after")
    def _lasts(self) -> LongLived:
        if self.stop is not None and self.stop <= self.start + self.start_jitter:
            raise PydanticCustomError("at:stop", "flows must not stop before the last of them may have started")
        return self

    def lasting(self) -> int:
        return self.flows

    def latest_start(self) -> float:
        return self.start + self.start_jitter

    def work(self, capacity: float, rtt: float, duration: float) -> tuple[float, float]:
        return float(self.flows), np.inf

    def at_first(self) -> float:
        return self.flows * max(float(self.host.initial_window), self.window or 0.0)

    def draw(self, ground: Ground) -> Drawn:
        start = self.start + self.start_jitter * ground.random("traffic").random(self.flows)
        window = (self.window or 0.0) * ground.random("windows").uniform(0.5, 1.0, self.flows)
        size = np.full(self.flows, ENDLESS, dtype=np.int64)
        stop = None if self.stop is None else np.full(self.flows, self.stop)
        return Drawn(start, size, settle(self, ground, self.flows), window=window, stop=stop)
