"""Errors of the engines against packets, in JSON."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict


class EngineError(TypedDict):
    """Error of one engine in one quantity under one control, over the cases that the engine holds valid."""

    control: str
    engine: str
    quantity: Annotated[str, Field(description="Metric.")]
    unit: Annotated[str, Field(description='"points", "of the buffer", or "times" for a ratio to packets.')]
    median: Annotated[float | None, Field(description="Null where the engine claims validity for no case.")]
    worst: float | None
    valid: Annotated[int, Field(description="Cases for which it claims validity …")]
    of: Annotated[int, Field(description="… of so many in which both have the quantity.")]


class EngineErrors(TypedDict):
    """How far each engine is from packets, as measured before the release."""

    date: Annotated[str, Field(description="Day of the measurement, ISO 8601.")]
    version: str
    command: Annotated[str, Field(description="How to measure it again.")]
    cases: Annotated[int, Field(description="Scenarios of the grid.")]
    errors: list[EngineError]
