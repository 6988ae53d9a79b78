"""Flows that have data to send for the whole run."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About
from footroom.quantity import Time, quantity
from footroom.traffic.common import Traffic


class LongLived(Traffic):
    """A fixed number of flows with unlimited data, started at random within ``start_jitter``."""

    about: ClassVar[About] = About(
        title="Long-lived flows",
        summary="A fixed number of flows with unlimited data.",
        holds="bulk transfers much longer than the run",
    )
    kind: Literal["long_lived"] = "long_lived"
    flows: int = quantity(..., "1", "Number of flows.", ge=1, le=100_000, symbol="n")
    rtt: Time | None = quantity(
        None, "s", "Round-trip propagation of these flows, where it is not the topology's; in the fluid engine only.",
        gt=0, le=60, symbol="RTT", advanced=True)
    start: Time = quantity(0.0, "s", "Earliest start.", ge=0, advanced=True)
    start_jitter: Time = quantity(1.0, "s", "Each flow starts uniformly within this time after the start.", ge=0)
    window: float | None = quantity(
        None, "packet", "Warm start: each flow begins in congestion avoidance with a window drawn uniformly between half "
        "of this and this; none begins in slow start. In the packet engines only.",
        ge=1, le=1e6, symbol="W", advanced=True)
