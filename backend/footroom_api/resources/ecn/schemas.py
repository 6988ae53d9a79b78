"""What the resource ``ecn`` takes and answers."""

from __future__ import annotations

from pydantic import BaseModel, Field


class EcnControlsDocument(BaseModel):
    """What the advisor can answer."""

    congestion: list[str] = Field(description="Kinds of congestion control that react to marks.")
