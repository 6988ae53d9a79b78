"""One switch chip."""

from __future__ import annotations

from dataclasses import dataclass

from footroom.parts.asics.document import AsicDocument


@dataclass(frozen=True)
class Asic:
    """A switch chip as far as public sources describe it; None where no source gives a value.

    id: lower case with dashes.  part: the vendor's part number.  capacity: forwarding capacity [bit/s].
    ports: port layouts as the source writes them.  port_count, port_rate [bit/s]: the layout with the fastest ports,
    where the text leaves no doubt.  buffer_nominal: packet memory as published, rounded by the vendor [B].
    buffer_usable: memory that switch software can use, the cells of the chip or the pool of a shipped switch [B].
    cell: unit in which memory is given out [B].  external_memory: packet memory outside the chip, in words.
    confidence: ``sourced`` (vendor or paper), ``partly sourced``, ``secondary`` (lists by third parties), ``observed``
    (read out of shipped configurations), ``unsure``.  unsure: names of fields that are inferred or without a source.
    source: where the figures come from.  note: what a reader must know.
    """

    id: str
    vendor: str
    name: str
    part: str
    capacity: float | None
    ports: str
    port_count: int | None
    port_rate: float | None
    buffer_nominal: int | None
    buffer_usable: int | None
    cell: int | None
    external_memory: str
    confidence: str
    unsure: tuple[str, ...]
    source: str
    note: str

    @property
    def buffer(self) -> int | None:
        """What can be divided among ports: the usable memory, else the nominal one [B]."""
        return self.buffer_nominal if self.buffer_usable is None else self.buffer_usable

    @property
    def buffer_time(self) -> float | None:
        """Time to send a full memory at full capacity [s], None where either is unknown."""
        if self.buffer is None or self.capacity is None:
            return None
        return self.buffer * 8.0 / self.capacity

    def to_dict(self) -> AsicDocument:
        """Plain data, bare numbers in SI base units; what is unknown is null."""
        return {
            "id": self.id,
            "vendor": self.vendor,
            "name": self.name,
            "part": self.part,
            "capacity": self.capacity,
            "ports": self.ports,
            "port_count": self.port_count,
            "port_rate": self.port_rate,
            "buffer_nominal": self.buffer_nominal,
            "buffer_usable": self.buffer_usable,
            "cell": self.cell,
            "external_memory": self.external_memory,
            "confidence": self.confidence,
            "unsure": list(self.unsure),
            "source": self.source,
            "note": self.note,
            "buffer_time": self.buffer_time,
        }
