"""What the errors of the engines are answered as."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom_api.schemas import Strict


class EngineError(BaseModel):
    """Error of one engine in one quantity under one control, over the cases that the engine holds valid."""

    control: str
    engine: str
    quantity: str = Field(description="Metric.")
    unit: str = Field(description='"points", "of the buffer", or "times" for a ratio to packets.')
    median: float | None = Field(description="Null where the engine holds no case valid.")
    worst: float | None
    valid: int = Field(description="Cases that it holds valid …")
    of: int = Field(description="… of so many in which both have the quantity.")


class EngineErrors(BaseModel):
    """How far each engine is from packets, as measured before the release."""

    date: str = Field(description="Day of the measurement, ISO 8601.")
    version: str
    command: str = Field(description="How to measure it again.")
    cases: int = Field(description="Scenarios of the grid.")
    errors: list[EngineError]


class ChoiceRequest(Strict):
    """A scenario for which an engine is to be picked."""

    scenario: dict[str, Any] = Field(description="The scenario document.")
    budget: float | None = Field(
        default=None, gt=0, le=2.6e6, description="Seconds of one core that a run of packets may take; none means 60."
    )
    metrics: list[str] = Field(default=[], max_length=20, description="Metrics that the answer must have.")


class ChoiceDocument(BaseModel):
    """The engine to ask, and why."""

    engine: str
    reason: str
    seconds: float = Field(description="What one run of it is expected to take on one core at most [s].")
    budget: float = Field(description="Seconds of one core that a run of packets may take.")
