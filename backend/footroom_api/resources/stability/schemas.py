"""Shapes of stability requests and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.calculators.stability.document import CurveDocument
from footroom.studies.document import AxisValues
from footroom_api.schemas import Strict

_SCENARIO = "The scenario document; its JSON schema is in the catalogue."


class StabilityRequest(Strict):
    """A scenario whose flows converge, or do not."""

    scenario: dict[str, Any] = Field(description=_SCENARIO)
    trajectory: bool = Field(default=False, strict=True, description="Also the queue over time.")
    nyquist: bool = Field(default=False, strict=True, description="Also the loop gain over frequency.")


class StabilityAxis(Strict):
    """A numeric field and its values."""

    path: str = Field(max_length=200)
    values: AxisValues = Field(description='Values, or a range such as "2:64:lin32".')


class MapRequest(Strict):
    """A scenario, and two of its fields to look across."""

    scenario: dict[str, Any] = Field(description=_SCENARIO)
    x: StabilityAxis
    y: StabilityAxis
    margins: bool = Field(default=False, strict=True, description="Also the phase margins.")
    rows: tuple[int, int] | None = Field(
        default=None,
        description="Only the rows (values of y) from the first index to before the second, so that a "
        "map can be drawn while the rest is computed.",
    )


class CriticalRequest(Strict):
    """A scenario, and the field whose critical value is wanted."""

    scenario: dict[str, Any] = Field(description=_SCENARIO)
    path: str = Field(max_length=200)
    between: tuple[float | str, float | str] | None = Field(
        default=None, description="Lowest and highest value to search; by default a tenth of and ten times the present"
    )


class CurvesDocument(BaseModel):
    """All published curves."""

    curves: list[CurveDocument]
