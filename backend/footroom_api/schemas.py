"""Shapes of requests and answers, for validation and for the types that clients generate."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from footroom.result.document import ResultDocument

Status = Literal["queued", "running", "done", "cancelled", "failed"]
#: Values of an axis, or a range written as text.
AxisValues = list[Any] | str


class Strict(BaseModel):
    """A request: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")


class PointDocument(BaseModel):
    """One point of a sweep: where it lies and what an engine answered there."""

    at: dict[str, Any]
    result: ResultDocument


class UnsupportedDocument(BaseModel):
    """An engine that cannot answer, and which can."""

    engine: str
    message: str
    path: str
    engines: list[str]
    at: dict[str, Any] = {}


class Cost(BaseModel):
    """What a study is expected to cost before it starts."""

    points: int = Field(description="Points times engines.")
    runs: int = Field(description="Runs of an engine, replicas included.")
    packet_hops: float = Field(description="Packets times links they cross, in the engines that simulate them.")
    parts: float | None = Field(
        default=None,
        description="Hosts, switches, ports, queues and flows that the runs of "
        "simulators set up; null in studies that an earlier version estimated.",
    )
    cpu_seconds: float = Field(description="Computing time of one core.")
    seconds: float = Field(description="Computing time on ``workers`` cores.")
    memory: float = Field(description="Bytes at any time.")
    workers: int = Field(description="Cores it was computed for.")
