"""DSH: one insurance headroom per port, everything else shared (dynamic and shared)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import Size, quantity
from footroom.formulas.headroom.budget import Budget
from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes.parameters import PeerResponse, PortMemory
from footroom.formulas.headroom.schemes.scheme import Scheme
from footroom.formulas.headroom.schemes.sih import PAPER_QUANTA, eta, eta_outside

if TYPE_CHECKING:
    from footroom.formulas.headroom.document import SharedMemory

_SOURCE = "Shan et al., DSH, ICDCS 2023, §IV"


class Dsh(PortMemory, PeerResponse, Scheme):
    """η per port as insurance; the rest of the memory is shared by packets before and after a pause.

    A queue pauses at T − η, a port at Nq·T, with T = α·(shared − in use). The insurance is filled only after the whole
    port was paused, and one line cannot bring more than η after that.
    """

    about: ClassVar[About] = About(
        title="Dynamic shared headroom",
        summary="Each port keeps η as insurance; queues share the rest and pause η below their threshold.",
        sources=(_SOURCE,),
        holds="as η does (see sih), on chips that can pause a whole port as well as a class; none known ships",
        departures=(
            "both resume offsets 0, as in the paper's evaluation; the pause threshold is at least 0, also where T < η"
        ),
    )
    formula: ClassVar[str] = (
        "per port η = 2·(C·D/8 + L_MTU) + 3840 B; T = α·(B − private − Np·η − in use); Xqoff = T − η; Xpoff = Nq·T"
    )
    kind: Literal["dsh"] = "dsh"
    alpha: float = quantity(
        1 / 16,
        "1",
        "Limit of one queue, as a multiple of the free shared memory.",
        gt=0,
        le=1024,
        symbol="α",
        source=_SOURCE,
    )
    private: Size = quantity(
        3072.0, "B", "Memory reserved for each queue of each port.", ge=0, le=1e9, symbol="φ", source=_SOURCE
    )

    def budget(self, link: Link, reaction: float | None = None) -> Budget:
        ledger, taken = eta(link, self.response_bytes(PAPER_QUANTA), reaction)
        unrounded = ledger.exact
        headroom = ledger.close(1, "Rounding", _SOURCE)
        notes = ["the headroom is per port here, not per priority group"]
        sharing = self._sharing(headroom, notes)
        return Budget(
            headroom,
            tuple(ledger.lines),
            unrounded,
            taken,
            1.0,
            notes=tuple(notes),
            extra={"per": "port", "sharing": sharing},
            outside="" if reaction is not None else eta_outside(link, self.response_quanta),
        )

    def _sharing(self, headroom: int, notes: list[str]) -> SharedMemory:
        relations: SharedMemory = {
            "queue_pauses": f"in shared memory above Xqoff = T − {headroom} B",
            "port_pauses": f"all queues together above Xpoff = {self.queues}·T",
        }
        if self.ports is None or self.buffer is None:
            return relations
        private = self.private * self.ports * self.queues
        insurance = headroom * self.ports
        shared = self.buffer - private - insurance
        if shared <= 0:
            notes.append(
                f"{self.ports} ports need {insurance} B of insurance and {private:.0f} B of private memory, "
                f"more than the {self.buffer:.0f} B there are"
            )
            return relations
        threshold = self.alpha * shared
        if threshold < headroom:
            notes.append(f"T is {threshold:.0f} B even in an empty switch, below η: every queue is paused at once")
        return {
            **relations,
            "insurance": insurance,
            "private": private,
            "shared": shared,
            "formula": f"{self.buffer:.0f} − {private:.0f} − {self.ports} × {headroom} = {shared:.0f} B",
            "threshold": threshold,
            "queue_pause": max(0.0, threshold - headroom),
            "port_pause": self.queues * threshold,
        }
