"""What the errors of the engines are answered as."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom_api.schemas import Strict


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
    seconds: float = Field(description="Longest time that one run is expected to take on one core [s].")
    budget: float = Field(description="Seconds of one core that a run of packets may take.")
