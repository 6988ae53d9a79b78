"""Flows that arrive at random and leave when their data is delivered."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from footroom.component import About
from footroom.quantity import Time, quantity
from footroom.sizes import Sizes
from footroom.traffic.common import Traffic


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
