"""A comparison of congestion controls in JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

#: What a control runs on; mixed for one of each.
Hosts = Literal["tcp", "rdma", "mixed"]


class ControlDocument(TypedDict):
    """One congestion control, or a mixture of two."""

    control: str
    title: str
    mixture: bool
    hosts: Annotated[Hosts, Field(description="What it runs on; mixed for one of each.")]
    engines: Annotated[list[str], Field(description="Engines that model it.")]


class ControlsRow(TypedDict):
    """The smallest buffer under one control, for one number of flows, by one engine."""

    control: str
    title: str
    flows: Annotated[int | None, Field(description="Long-lived flows; none where the scenario has none.")]
    engine: str
    status: Annotated[
        Literal["found", "missed", "unanswered"],
        Field(description="missed: no buffer meets the requirements; unanswered: the engine has no answer."),
    ]
    value: Annotated[float | None, Field(description="Smallest buffer [B].")]
    interval: Annotated[
        tuple[float, float] | None,
        Field(description="Bracket: missed at its low end, met at its high end; of a simulation the 95 % interval."),
    ]
    binding: Annotated[str | None, Field(description="The requirement that decides.")]
    reason: Annotated[str, Field(description="Why there is no value.")]
    outside: Annotated[str, Field(description="Why the value is outside the model's validity; empty where it is not.")]
    notes: list[str]
    changes: Annotated[list[str], Field(description="What else differs from the scenario asked about.")]
    settings: Annotated[dict[str, Any], Field(description="All that differs: dotted path to value.")]
    command: Annotated[str, Field(description="Gives the same figure alone.")]


class ControlsRule(TypedDict):
    """A rule of thumb at one number of flows."""

    flows: int | None
    name: str
    title: str
    value: Annotated[float, Field(description="Buffer [B].")]
    formula: str
    holds: Annotated[str, Field(description="Where it holds, and why not here.")]
    valid: bool
    source: str


class ControlsDocument(TypedDict):
    """The smallest buffer under every control."""

    require: list[str]
    flows: Annotated[int | None, Field(description="Long-lived flows of the scenario itself.")]
    headline: Annotated[str, Field(description="The answer in words, for these flows.")]
    rows: list[ControlsRow]
    rules: list[ControlsRule]
    notes: list[str]
    spent_s: float
