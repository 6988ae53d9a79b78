"""Parameters that several schemes share, declared once."""

from __future__ import annotations

from footroom.base.component import Document
from footroom.base.quantity import Size, Time, quantity
from footroom.formulas.headroom.link import QUANTUM


class PeerResponse(Document):
    """How long the peer takes to stop."""

    response_quanta: float | None = quantity(
        None,
        "1",
        "Pause quanta, 512 bit times each, that the peer takes to stop; where not given the scheme's own.",
        ge=0,
        le=1e6,
        source="IEEE 802.3 31B.3.7",
    )

    def response_bytes(self, own: float) -> float:
        """The response in bytes of the line: as given, else ``own`` quanta."""
        return (own if self.response_quanta is None else self.response_quanta) * QUANTUM


class GearboxDelay(Document):
    """Chips between the switch and its port."""

    gearbox_delay: Time = quantity(
        0.0,
        "s",
        "Delay of gearbox or retimer in one direction; counted both ways.",
        ge=0,
        le=1e-3,
        source="SONiC PERIPHERAL_TABLE; 400 ns on the SN3800",
    )


class PortMemory(Document):
    """Lossless ports and queues that need headroom, and the memory it is taken from."""

    ports: int | None = quantity(
        None,
        "1",
        "Lossless ports of the switch, for totals; where a chip is named, its capacity divided by the speed.",
        ge=1,
        le=4096,
    )
    queues: int = quantity(
        7,
        "1",
        "Lossless queues per port, for totals.",
        ge=1,
        le=64,
        symbol="Nq",
        source="Shan et al., ICDCS 2023: eight queues, one of them for control",
    )
    buffer: Size | None = quantity(
        None,
        "B",
        "Packet memory of the switch, for totals; the chip's when a chip is named.",
        gt=0,
        le=1e12,
        symbol="B",
    )
