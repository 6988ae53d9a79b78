"""The catalogue in JSON: what a scenario can be made of, with engines and metrics."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict


class ProfileDocument(TypedDict):
    """Parameters of a component as somebody ships or published them."""

    id: str
    title: str
    values: Annotated[
        dict[str, bool | float | str | None],
        Field(description="In SI base units; those left out keep their defaults."),
    ]
    source: str
    notes: str


class Kind(TypedDict):
    """One component: what it is, where it comes from and its parameters."""

    kind: str
    title: str
    summary: str
    sources: list[str]
    holds: str
    departures: str
    profiles: Annotated[list[ProfileDocument], Field(description="Known sets of parameters, to start from.")]
    example: Annotated[
        dict[str, Any], Field(description="A whole component to start from: every field without a default is set.")
    ]
    schema: Annotated[dict[str, Any], Field(description="JSON schema; each parameter has unit, symbol, source.")]


class Axis(TypedDict):
    """One axis of the scenario and the components it offers."""

    axis: str
    title: str
    kinds: list[Kind]
    planned: list[str]


class EngineDocument(TypedDict):
    """One engine."""

    engine: str
    title: str
    answers: Annotated[str, Field(description="How fast, in words.")]
    random: Annotated[bool, Field(description="Whether runs with different seeds differ; replicas make sense then.")]


class Metric(TypedDict):
    """One metric of a result."""

    unit: str
    meaning: str


class Catalog(TypedDict):
    """Everything a client needs to offer, validate and label a scenario."""

    version: str
    axes: list[Axis]
    engines: list[EngineDocument]
    metrics: dict[str, Metric]
    scenario: Annotated[dict[str, Any], Field(description="JSON schema of the whole document.")]
    host: Annotated[dict[str, Any], Field(description="JSON schema of the host stack.")]
    run: Annotated[dict[str, Any], Field(description="JSON schema of run.")]
    switch: Annotated[dict[str, Any], Field(description="JSON schema of switch.")]
