"""What the resource ``catalog`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class ProfileDocument(BaseModel):
    """Parameters of a component as somebody ships or published them."""

    id: str
    title: str
    values: dict[str, bool | float | str | None] = Field(
        description="In SI base units; those left out keep their defaults."
    )
    source: str
    notes: str


class Kind(BaseModel):
    """One component: what it is, where it comes from and its parameters."""

    kind: str
    title: str
    summary: str
    sources: list[str]
    holds: str
    departures: str
    profiles: list[ProfileDocument] = Field(description="Known sets of parameters, to start from.")
    example: dict[str, Any] = Field(description="A whole component to start from: all that have no default are set.")
    schema_: dict[str, Any] = Field(alias="schema", description="JSON schema; each parameter has unit, symbol, source.")


class Axis(BaseModel):
    """One axis of the scenario and the components it offers."""

    axis: str
    title: str
    kinds: list[Kind]
    planned: list[str]


class EngineDocument(BaseModel):
    """One engine."""

    engine: str
    title: str
    answers: str = Field(description="How fast, in words.")
    random: bool = Field(description="Whether runs with different seeds differ; replicas make sense then.")


class Metric(BaseModel):
    """One metric of a result."""

    unit: str
    meaning: str


class Catalog(BaseModel):
    """Everything a client needs to offer, validate and label a scenario."""

    version: str
    axes: list[Axis]
    engines: list[EngineDocument]
    metrics: dict[str, Metric]
    scenario: dict[str, Any] = Field(description="JSON schema of the whole document.")
    host: dict[str, Any] = Field(description="JSON schema of the host stack.")
    run: dict[str, Any] = Field(description="JSON schema of run.")
    switch: dict[str, Any] = Field(description="JSON schema of switch.")
