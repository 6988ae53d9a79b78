"""Shapes of an emulation; bare numbers in SI base units."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field, GetJsonSchemaHandler, RootModel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from footroom.calculators.emulator import Question
from footroom.result import Explanation


class EmulateRequest(RootModel[dict[str, Any]]):
    """A memory, what arrives, and the policies to compare. Read by the question itself."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the question, under a name of its own: generators of clients name classes by it."""
        return handler(Question.__pydantic_core_schema__) | {"title": cls.__name__}


class EmulateArrivals(BaseModel):
    """What every policy was shown."""

    source: str = Field(description="incast or trace.")
    packets: int
    bytes: int
    flows: int
    bursts: int
    last: float = Field(description="Last arrival [s].")
    burst_bytes: float | None = Field(description="Of one incast; null with a trace.")
    rate: float | None = Field(description="At which an incast arrives [bit/s]; null with a trace.")
    drain: float = Field(description="Rate of each output port [bit/s].")


class PacketsAndBytes(BaseModel):
    """How much."""

    packets: int
    bytes: int


class BurstOutcome(BaseModel):
    """One burst."""

    start: float
    packets: int
    bytes: int
    dropped_packets: int
    dropped_bytes: int
    first_drop: float | None = Field(description="When [s]; null when nothing was lost.")


class PortOutcome(BaseModel):
    """One output port."""

    port: int
    offered_bytes: int
    dropped_bytes: int
    peak: int = Field(description="Longest queue [B].")


class ClosedForm(BaseModel):
    """The same by formula."""

    bytes: float
    queue: float = Field(description="When the first packet is dropped [B].")
    formula: str


class RepeatedBurst(BaseModel):
    """Size of each of the bursts so that the last one loses nothing."""

    bytes: int


class AbsorbedBurst(BaseModel):
    """Bytes of one burst that arrive before the first is dropped."""

    unbounded: bool = Field(description="True when the burst arrives no faster than it leaves.")
    bytes: int | None
    queue: int | None = Field(description="Longest queue until then [B].")
    time: float | None = Field(description="From the burst's beginning [s].")
    closed_form: ClosedForm | None = Field(description="Null where there is none.")
    repeated: RepeatedBurst | None = Field(description="Null with a single burst.")


class QueueSeries(BaseModel):
    """One queue over time; minima and maxima are those of the whole step."""

    port: int
    queue: list[int] = Field(description="At the end of each step [B].")
    queue_min: list[int]
    queue_max: list[int]
    threshold_min: list[int | None] = Field(description="Limits that packets met; null where none asked.")
    threshold_max: list[int | None]
    dropped: list[int] = Field(description="Bytes in each step.")


class MemorySeries(BaseModel):
    """Free shared memory over time [B]."""

    free: list[int]
    free_min: list[int]
    free_max: list[int]


class CountedDocument(BaseModel):
    """What a number that a policy counted is."""

    unit: str = Field(description="SI base unit; 1 for none.")
    title: str


class PolicyOutcome(BaseModel):
    """What one policy did."""

    kind: str
    label: str = Field(description="Kind and the parameters that are not the defaults.")
    policy: dict[str, Any] = Field(description="With all its parameters.")
    lossless: bool = Field(description="No packet of a burst was lost; with a trace, no packet at all.")
    offered: PacketsAndBytes
    admitted: PacketsAndBytes
    dropped: PacketsAndBytes
    drop_rate: float = Field(description="Of bytes.")
    bursts: list[BurstOutcome]
    peak_queue: int
    peak_port: int
    peak_memory: int
    ports: list[PortOutcome]
    observed: dict[str, float] = Field(description="What the policy counted itself.")
    counts: dict[str, CountedDocument] = Field(description="What the numbers in observed are.")
    absorbs: AbsorbedBurst | None
    series: list[QueueSeries]
    memory: MemorySeries


class SmallestAlpha(BaseModel):
    """The smallest alpha of dynamic threshold, the same for all queues, that loses nothing."""

    emulated: float | None = Field(description="Null when none does.")
    closed_form: float | None
    dynamic_th: int | None = Field(description="Exponent of the next power of two that a switch takes.")
    best_alpha: float = Field(description="The one that loses least.")
    best_dropped: int = Field(description="Bytes it loses.")
    queue: float | None = Field(description="Longest queue when nothing is dropped, in closed form [B].")


class EmulateDocument(BaseModel):
    """Policies side by side on the same packets."""

    arrivals: EmulateArrivals
    policies: list[PolicyOutcome]
    time: list[float] = Field(description="When each step of every series begins [s].")
    smallest_alpha: SmallestAlpha | None
    notes: list[str]
    explanations: list[Explanation]
    question: dict[str, Any]
    provenance: dict[str, Any]
