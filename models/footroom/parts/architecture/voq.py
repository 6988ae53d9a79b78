"""Virtual output queues on ingress line cards."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import Size, quantity
from footroom.parts.architecture.layout import Layout


class Voq(Layout):
    """Packets wait on the line card they came in by, in a queue of their own for every output port and class.

    Within the class its scheduler picks, an output takes one packet from each card that has any in turn: with n such
    cards and packets of one size each drains at 1/n of its rate C, and the last of a full queue of L bytes waits
    n·L/C, less up to one round. ``switch.buffer`` is the memory of one card, shared by the queues of all that came in
    by it; the i-th port of a switch belongs to card i mod ``cards``. Reserved memory, sharing and marking go by single
    queues.
    """

    about: ClassVar[About] = About(
        title="Virtual output queues",
        summary="Packets wait on the ingress line card, in a queue for every output port and class.",
        sources=(
            "McKeown, IEEE/ACM ToN 7(2), 1999 (virtual output queueing)",
            "Beheshti, Lapukhov and Ganjali, Workshop on Buffer Sizing 2019, section 2.1: queue limits",
        ),
        holds="a fabric inside the router that is never the bottleneck",
        departures="credits take no time and are worth one packet, whatever its size; the crossbar has no speed limit",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    kind: Literal["voq"] = "voq"
    cards: int = quantity(4, "1", "Ingress line cards of every switch.", ge=1, le=64, symbol="n")
    limit_packets: int | None = quantity(None, "packet", "Limit of one queue, in packets.", ge=1, le=10**9, symbol="L")
    limit_bytes: Size | None = quantity(None, "B", "Limit of one queue, in bytes.", ge=64, le=1e12)

    def line_cards(self) -> int:
        return self.cards

    def queue_limits(self) -> tuple[int | None, int | None]:
        return self.limit_packets, None if self.limit_bytes is None else int(self.limit_bytes)
