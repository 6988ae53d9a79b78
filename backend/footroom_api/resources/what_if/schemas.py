"""A scenario and a change of it, as documents."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from footroom_api.schemas import Strict


class AlternativesRequest(Strict):
    """A scenario of which changes are looked for, and how many pairs of runs are wanted."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    replicas: int = Field(default=5, ge=1, le=100, strict=True, description="Pairs of runs with the same seed.")


class SeededStudy(BaseModel):
    """What to post to /studies: one run for each seed."""

    scenario: dict[str, Any]
    over: dict[str, list[int]]
    engines: list[str]
    replicas: int


class AlternativeDocument(BaseModel):
    """A ready change."""

    id: str
    title: str
    about: str
    changes: dict[str, Any] = Field(description="Dotted paths to values; null takes a field out.")
    study: SeededStudy = Field(description="The changed scenario over the same seeds.")


class AlternativesDocument(BaseModel):
    """The scenario over its seeds, and the ready changes that apply to it."""

    study: SeededStudy
    alternatives: list[AlternativeDocument]


class WhatIfRequest(Strict):
    """Two finished studies, each over run.seed alone."""

    a: str = Field(max_length=64, description="Id of the study without the change.")
    b: str = Field(max_length=64, description="Id of the study with it.")


class DifferenceDocument(BaseModel):
    """One quantity in both, over the pairs in which both have it."""

    group: Literal["run", "traffic", "size", "memory"]
    name: str
    unit: str
    pairs: int
    a: float = Field(description="Mean without the change.")
    b: float = Field(description="Mean with it.")
    difference: float = Field(description="Mean of b - a.")
    interval: tuple[float, float] | None = Field(
        description="Its 95 % interval by Student's t over pairs; null for a single pair."
    )
    relative: float | None = Field(description="The difference over a; null where a is 0.")
    verdict: Literal["same", "unclear", "higher", "lower"] = Field(
        description="same where no pair differs; higher or lower where the interval leaves 0 out; else unclear."
    )


class WhatIfDocument(BaseModel):
    """What the change does."""

    seeds: list[int]
    same_arrivals: bool = Field(description="Whether all flows start alike in both, in the first pair.")
    changes: dict[str, Any] | None = Field(description="Not known where two studies are compared.")
    differences: list[DifferenceDocument]
    notes: list[str]
