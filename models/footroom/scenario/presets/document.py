"""Presets in JSON."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict


class PresetSummary(TypedDict):
    """A study ready to run."""

    id: str
    title: str
    question: Annotated[str, Field(description="What it answers.")]
    about: Annotated[str, Field(description="What is in it and why.")]
    source: Annotated[str, Field(description="Where the numbers come from.")]
    engines: list[str]
    notes: Annotated[list[str], Field(description="What the reader must know.")]
    heavy: Annotated[bool, Field(description="Takes minutes rather than seconds.")]


class PresetDocument(PresetSummary):
    """A study ready to run, with its scenario and axes."""

    scenario: dict[str, Any]
    over: Annotated[dict[str, list[Any] | str], Field(description="Path to values, or to a range written as text.")]
