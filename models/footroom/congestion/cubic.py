"""CUBIC: a window that climbs a cubic of the time since the last loss (RFC 9438)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component
from footroom.quantity import quantity


class Cubic(Component):
    """Falls to ``beta`` on loss, then climbs W(t) = C (t - K)^3 + W_max back to where the loss was and beyond.

    K = cbrt((1 - beta) W_max / C) does not depend on the round trip. Where that is slower than Reno, as on short paths,
    the window follows a straight line that is as fair as Reno's.
    """

    about: ClassVar[About] = About(
        title="CUBIC", summary="The window climbs a cubic of the time since the last loss, and falls to 0.7 of it.",
        sources=("RFC 9438", "Vardoyan, Hollot, Towsley, INFOCOM 2018 (arXiv 1801.02741)"),
        holds="windows of about 4 packets or more; the mean of flows that are not in step",
        departures="closed forms and fluid only; neither fast convergence nor HyStart; the Reno-friendly line keeps "
                   "its slope above W_max",
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid")
    kind: Literal["cubic"] = "cubic"
    growth: float = quantity(0.4, "1", "How steep the cubic is, in packets per cubed second.", gt=0, le=100, symbol="C",
                             source="RFC 9438 §5", advanced=True)
    beta: float = quantity(0.7, "1", "Factor on the window at a loss; Linux has 717/1024.", gt=0, lt=1, symbol="β",
                           source="RFC 9438 §4.6")
    reno_friendly: bool = quantity(True, "1", "Never grow more slowly than a flow that is as fair as Reno.",
                                   source="RFC 9438 §4.3; Linux tcp_friendliness", advanced=True)
