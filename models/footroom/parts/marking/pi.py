"""PI: adjust the marking probability until the queue settles at a target."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import QueueSize, quantity
from footroom.parts.marking.marker import Marker


class Pi(Marker):
    """A proportional-integral controller of the marking probability: dp/dt = K (dq/dt / z + q - target)."""

    about: ClassVar[About] = About(
        title="PI",
        summary="Adjusts the marking probability until the queue settles at a target.",
        sources=("Hollot, Misra, Towsley, Gong, INFOCOM 2001 (On designing improved controllers for AQM routers)",),
        departures="continuous form; in the fluid engine only",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid",)
    example: ClassVar[dict[str, Any]] = {"target": "30 kB"}
    kind: Literal["pi"] = "pi"
    target: QueueSize = quantity(..., "B", "Target queue.", gt=0, symbol="q_ref")
    gain: float = quantity(
        9.64e-6,
        "1",
        "Integral gain, per packet of queue and second.",
        ge=1e-15,
        le=1e6,
        symbol="K",
        source="Hollot et al. 2001, the example of 60 flows at 3750 packets/s",
    )
    zero: float = quantity(
        0.53,
        "1",
        "Zero of the controller, rad/s.",
        gt=0,
        le=1e12,
        symbol="z",
        source="Hollot et al. 2001, the same example",
    )
