"""What the resource ``estimates`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.studies.document import AxisValues, Derived, PointDocument, UnsupportedDocument
from footroom_api.schemas import Strict


class EstimateRequest(Strict):
    """A scenario, or a sweep of it, for the engines that answer at once."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    over: dict[str, AxisValues] | None = Field(
        default=None, description='Path to values or to a range such as "25kB:2.5MB:log9".', max_length=8
    )
    engines: list[str] | None = Field(default=None, description="theory, fluid; none means both.", max_length=8)
    scale: float | None = Field(
        default=None,
        ge=1,
        le=1e6,
        strict=True,
        description="By what every point is made smaller first: rates "
        "and flows, with buffers to match; each result then tells what that kept. None means as it is.",
    )


class Estimates(BaseModel):
    """What theory and fluid say, at once."""

    points: list[PointDocument]
    unsupported: list[UnsupportedDocument]
    derived: Derived
