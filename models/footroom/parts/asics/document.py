"""A switch chip in JSON."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict


class AsicDocument(TypedDict):
    """A switch chip as far as public sources know it; null: no source gives it."""

    id: str
    vendor: str
    name: str
    part: Annotated[str, Field(description="The vendor's part number.")]
    capacity: Annotated[float | None, Field(description="Forwarding capacity [bit/s].")]
    ports: Annotated[str, Field(description="Port layouts as the source writes them.")]
    port_count: Annotated[
        int | None, Field(description="Ports in the layout with the fastest ports, where the source is clear.")
    ]
    port_rate: Annotated[float | None, Field(description="Rate of each of them [bit/s].")]
    buffer_nominal: Annotated[int | None, Field(description="Packet memory as published [B].")]
    buffer_usable: Annotated[int | None, Field(description="Packet memory that switch software can use [B].")]
    cell: Annotated[int | None, Field(description="Memory allocation unit (cell) [B].")]
    external_memory: Annotated[str, Field(description="Packet memory outside the chip, in words.")]
    confidence: Annotated[str, Field(description="sourced, partly sourced, secondary, observed or unsure.")]
    unsure: Annotated[list[str], Field(description="Fields that are inferred or without a source.")]
    source: str
    note: str
    buffer_time: Annotated[float | None, Field(description="Time to send a full memory at full capacity [s].")]
