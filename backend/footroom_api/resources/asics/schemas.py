"""What the resource ``asics`` takes and answers."""

from __future__ import annotations

from pydantic import BaseModel, Field


class AsicDocument(BaseModel):
    """A switch chip as far as public sources know it; null: no source gives it."""

    id: str
    vendor: str
    name: str
    part: str = Field(description="The vendor's part number.")
    capacity: float | None = Field(description="Forwarding capacity [bit/s].")
    ports: str = Field(description="Port layouts as the source writes them.")
    port_count: int | None = Field(description="Ports of the layout with the fastest ones, where it is beyond doubt.")
    port_rate: float | None = Field(description="Rate of each of them [bit/s].")
    buffer_nominal: int | None = Field(description="Packet memory as published [B].")
    buffer_usable: int | None = Field(description="Packet memory that switch software can use [B].")
    cell: int | None = Field(description="Unit in which memory is given out [B].")
    external_memory: str = Field(description="Packet memory outside the chip, in words.")
    confidence: str = Field(description="sourced, partly sourced, secondary, observed or unsure.")
    unsure: list[str] = Field(description="Fields that are inferred or without a source.")
    source: str
    note: str
    buffer_time: float | None = Field(description="Time to send a full memory at full capacity [s].")


class AsicsDocument(BaseModel):
    """All chips, by vendor and age."""

    asics: list[AsicDocument]
