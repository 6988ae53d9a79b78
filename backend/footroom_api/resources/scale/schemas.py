"""What the resource ``scale`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom_api.schemas import Strict


class ScaleRequest(Strict):
    """A scenario and by what it is made smaller."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    scale: float = Field(ge=1, le=1e6, strict=True, description="S: factor by which rates and flows are divided.")


class ScaledField(BaseModel):
    """A field of the document that was divided."""

    path: str
    before: float
    after: float
    divisor: float
    rule: str


class ScaledQuantity(BaseModel):
    """A number that decides what happens, at both sizes."""

    name: str
    unit: str
    before: float
    after: float
    meaning: str = Field(description="What depends on it.")
    path: str = Field(description="The field it belongs to where there are several like it.")


class ScalingReport(BaseModel):
    """What scaling did: fields divided, quantities kept and not kept, notes that go with every result."""

    factor: float
    changes: list[ScaledField]
    kept: list[ScaledQuantity]
    changed: list[ScaledQuantity]
    notes: list[str]


class ScaleDocument(BaseModel):
    """A scenario made smaller, and what that kept."""

    scenario: dict[str, Any]
    scaling: ScalingReport
