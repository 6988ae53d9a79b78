"""What the resource ``presets`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom_api.schemas import AxisValues


class PresetSummary(BaseModel):
    """A study ready to run."""

    id: str
    title: str
    question: str = Field(description="What it answers.")
    about: str = Field(description="What is in it and why.")
    source: str = Field(description="Where the numbers come from.")
    engines: list[str]
    notes: list[str] = Field(description="What the reader must know.")
    heavy: bool = Field(description="Takes minutes rather than seconds.")


class Presets(BaseModel):
    """All studies ready to run."""

    presets: list[PresetSummary]


class PresetDocument(PresetSummary):
    """A study ready to run, with its scenario and axes."""

    scenario: dict[str, Any]
    over: dict[str, AxisValues]
