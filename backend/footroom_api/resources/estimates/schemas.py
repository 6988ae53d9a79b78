"""What the resource ``estimates`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.studies.document import Derived, PointDocument, UnsupportedDocument
from footroom_api.schemas import Over, Scale, Strict


class EstimateRequest(Strict):
    """A scenario, or a sweep of it, for the engines that answer at once."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    over: Over = None
    engines: list[str] | None = Field(default=None, description="theory, fluid; none means both.", max_length=8)
    scale: Scale = None


class Estimates(BaseModel):
    """What theory and fluid say, at once."""

    points: list[PointDocument]
    unsupported: list[UnsupportedDocument]
    derived: Derived
