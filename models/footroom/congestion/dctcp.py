"""DCTCP: cut in proportion to the share of marked packets (RFC 8257)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component
from footroom.quantity import quantity


class Dctcp(Component):
    """Grows as Reno and, once per marked window, cuts by half the running share of marked packets."""

    about: ClassVar[About] = About(
        title="DCTCP", summary="One segment more per round trip; marks cut by half their running share.",
        sources=("Alizadeh et al., SIGCOMM 2010, §3.1 and §3.3",
                 "Alizadeh, Javanmard, Prabhakar, SIGMETRICS 2011", "RFC 8257"),
        holds="step marking and windows above two packets; flows in step with one another",
        departures="in the fluid engine only: the window is cut bit by bit as marks arrive, lost packets halve it "
                   "as in Reno, and hosts without ECN behave as Reno's",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid",)
    kind: Literal["dctcp"] = "dctcp"
    g: float = quantity(1.0 / 16.0, "1", "Weight of the newest window in the running share of marked packets.", gt=0,
                        le=1, symbol="g", source="RFC 8257 §3.3, Linux")
    minimum_window: float = quantity(2.0, "packet", "Window that marks never cut below.", ge=1, le=1000,
                                     symbol="W_min", source="Linux tcp_dctcp", advanced=True)
