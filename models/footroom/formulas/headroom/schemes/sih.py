"""SIH: every lossless queue keeps a headroom of its own (static and independent)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from footroom.base.component import About
from footroom.formulas.headroom import written
from footroom.formulas.headroom.budget import Budget, Ledger
from footroom.formulas.headroom.link import QUANTUM, Link
from footroom.formulas.headroom.schemes.parameters import PeerResponse, PortMemory
from footroom.formulas.headroom.schemes.scheme import Scheme

if TYPE_CHECKING:
    from footroom.formulas.headroom.document import SchemeExtras, SwitchTotal

SOURCE = "Shan et al., DSH, ICDCS 2023, §II-C"
#: Quanta of the constant of 3840 B.
PAPER_QUANTA = 60
#: Speed whose limit they are [bit/s].
PAPER_SPEED = 10e9


def eta(link: Link, response: float, reaction: float | None) -> tuple[Ledger, float]:
    """Lines of η = 2(C·D + L_MTU) + response, and the bytes taken for the reaction [B]."""
    ledger = Ledger()
    ledger.add("Packets under way at both ends", 2 * link.mtu, f"2 × {written.size(link.mtu)}", SOURCE, "frames")
    ledger.add(
        "Cable, there and back",
        2 * link.bytes_in(link.delay),
        f"2 × {written.rate(link.speed)} × {written.time(link.delay)} / 8",
        SOURCE,
        "cable",
    )
    if reaction is None:
        ledger.add(
            "Peer's response",
            response,
            f"{written.factor(response / QUANTUM)} quanta × {QUANTUM} B",
            SOURCE,
            "reaction",
        )
        reaction = response
    else:
        ledger.add(
            "Reaction, measured",
            reaction,
            f"{written.time(reaction * 8 / link.speed)} × {written.rate(link.speed)} / 8",
            "measured watermark",
            "reaction",
        )
    return ledger, reaction


def eta_outside(link: Link, quanta: float | None) -> str:
    """Why the constant of η is too little for peers at this speed; empty where it is not, or where others are given."""
    if quanta is not None or link.speed <= PAPER_SPEED * (1 + 1e-9):
        return ""
    return "3840 B are 60 quanta, the limit of 10 Gb/s; see ieee for the limit at this speed"


class Sih(PortMemory, PeerResponse, Scheme):
    """η = 2(C·D + L_MTU) + 3840 B for each lossless queue of each port.

    Holds for links of 10 Gb/s; above, peers are allowed longer than the 60 quanta behind 3840 B.
    """

    about: ClassVar[About] = About(
        title="Static independent headroom",
        summary="Each lossless queue of each port keeps room for a round trip, two packets and 3840 B.",
        sources=(SOURCE, "Guo et al., SIGCOMM 2016, on distance and MTU"),
        holds="10 Gb/s, where 60 quanta (3840 B) are the peer's limit; counts bytes, not cells",
        departures="none; 3840 B is kept at every speed as published, 6.6 times less than 802.3 allows at 100 Gb/s",
    )
    formula: ClassVar[str] = "η = 2·(C·D/8 + L_MTU) + 3840 B"
    kind: Literal["sih"] = "sih"

    def budget(self, link: Link, reaction: float | None = None) -> Budget:
        ledger, taken = eta(link, self.response_bytes(PAPER_QUANTA), reaction)
        unrounded = ledger.exact
        headroom = ledger.close(1, "Rounding", SOURCE)
        outside = "" if reaction is not None else eta_outside(link, self.response_quanta)
        return Budget(
            headroom, tuple(ledger.lines), unrounded, taken, 1.0, extra=self._total(headroom), outside=outside
        )

    def _total(self, headroom: int) -> SchemeExtras:
        """What the whole switch sets aside, where its ports are known."""
        if self.ports is None:
            return {}
        total = headroom * self.ports * self.queues
        found: SwitchTotal = {
            "formula": f"{headroom} B × {self.ports} ports × {self.queues} queues",
            "total": total,
        }
        if self.buffer is not None:
            found = {**found, "buffer": self.buffer, "share": total / self.buffer}
        return {"memory": found}
