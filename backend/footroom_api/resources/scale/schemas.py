"""What the resource ``scale`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.scenario.scaling import ScalingReport
from footroom_api.schemas import Strict


class ScaleRequest(Strict):
    """A scenario and by what it is made smaller."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    scale: float = Field(ge=1, le=1e6, strict=True, description="S: factor by which rates and flows are divided.")


class ScaleDocument(BaseModel):
    """A scenario made smaller, and what that kept."""

    scenario: dict[str, Any]
    scaling: ScalingReport
