"""Shapes of requests and answers, for validation and for the types that clients generate."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

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
        description="How many times smaller every point is made first: rates and flows, with buffers to match; each "
        "result then lists what stays the same and what changes. None leaves the scenario as it is.",
    ),
]

Status = Literal["queued", "running", "done", "cancelled", "failed"]


class Strict(BaseModel):
    """A request: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")
