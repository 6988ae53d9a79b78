"""Shapes of requests and answers, for validation and for the types that clients generate."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from footroom.calculators.pool.document import PoolDocument
from footroom.studies.document import AxisValues

#: The axes of a sweep, and by what it is scaled down, as every request that sweeps takes them.
Over = Annotated[
    dict[str, AxisValues] | None,
    Field(description='Path to values or to a range such as "25kB:2.5MB:log9".', max_length=8),
]
Scale = Annotated[
    float | None,
    Field(
        ge=1,
        le=1e6,
        strict=True,
        description="Factor by which every point is scaled down first: rates and flows, with buffers to match; "
        "each result then lists what stays the same and what changes. None leaves the scenario as it "
        "is.",
    ),
]

Status = Literal["queued", "running", "done", "cancelled", "failed"]


class Strict(BaseModel):
    """A request: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")


class FieldProblem(BaseModel):
    """One thing wrong with one field."""

    path: str = Field(description="Dotted path of the field; empty for the document as a whole.")
    given: Any = Field(default=None, description="What was given, shortened when long.")
    message: str = Field(description="What is accepted instead.")


class ProblemDocument(BaseModel):
    """Why a request was refused, or why a job failed (RFC 9457)."""

    type: str = Field(description="Identifies the kind of problem: urn:footroom:problem:…")
    title: str = Field(description="The kind of problem in words.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What happened this time.")
    errors: list[FieldProblem] = Field(default=[], description="One entry per invalid field.")
    engines: list[str] | None = Field(default=None, description="Engines that can answer, when the one asked cannot.")
    answer: PoolDocument | None = Field(
        default=None, description="The whole answer of a pool that does not fit its chip."
    )
