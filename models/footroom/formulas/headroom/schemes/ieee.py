"""IEEE: the budget line by line, each line the limit that a standard sets."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.formulas.headroom.budget import Budget, Ledger
from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes.scheme import Scheme
from footroom.formulas.headroom.schemes.wire import BUDGET, WireBudget


class Ieee(WireBudget, Scheme):
    """Own frame, PFC frame, cable twice, interface, the peer's response, the peer's frame.

    Holds for bytes on the line: memory given out in cells needs more (see vendor). Peers may answer faster than their
    limit; none may answer slower.
    """

    about: ClassVar[About] = About(
        title="IEEE line by line",
        summary="Sums the worst case of each step between asking for a pause and the last byte to arrive.",
        sources=(BUDGET, "IEEE 802.3 31B.3.7 for responses", "IEEE 802.1Q, PFC annex, for the form"),
        holds="memory counted in bytes; response limits from 1 to 800 Gb/s as implementations carry them",
        departures="the annexes were not at hand; interface delays at 1, 50 and from 200 Gb/s, and the response at "
        "1.6 Tb/s, are assumed as each line says",
    )
    formula: ClassVar[str] = "(F_max + 20) + 84 + (L_MTU + 20) + 2·C·D/8 + C·t_interface/8 + 64·quanta"
    kind: Literal["ieee"] = "ieee"

    def budget(self, link: Link, reaction: float | None = None) -> Budget:
        ledger = Ledger()
        taken = self.add_wire_lines(ledger, link, reaction)
        unrounded = ledger.exact
        headroom = ledger.close(1, "Rounding", BUDGET)
        outside = self.wire_outside(link, reaction)
        return Budget(
            headroom, tuple(ledger.lines), unrounded, taken, 1.0, notes=self.wire_notes(link), outside=outside
        )
