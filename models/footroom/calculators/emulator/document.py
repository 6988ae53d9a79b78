"""The answer of an emulation in JSON; bare numbers in SI base units."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.explanation import Explanation


class EmulateArrivals(TypedDict):
    """What every policy was shown."""

    source: Annotated[str, Field(description="incast or trace.")]
    packets: int
    bytes: int
    flows: int
    bursts: int
    last: Annotated[float, Field(description="Last arrival [s].")]
    burst_bytes: Annotated[float | None, Field(description="Of one incast; null with a trace.")]
    rate: Annotated[float | None, Field(description="At which an incast arrives [bit/s]; null with a trace.")]
    drain: Annotated[float, Field(description="Rate of each output port [bit/s].")]


class PacketsAndBytes(TypedDict):
    """How much."""

    packets: int
    bytes: int


class BurstOutcome(TypedDict):
    """One burst."""

    start: float
    packets: int
    bytes: int
    dropped_packets: int
    dropped_bytes: int
    first_drop: Annotated[float | None, Field(description="When [s]; null when nothing was lost.")]


class PortOutcome(TypedDict):
    """One output port."""

    port: int
    offered_bytes: int
    dropped_bytes: int
    peak: Annotated[int, Field(description="Longest queue [B].")]


class ClosedForm(TypedDict):
    """The same by formula."""

    bytes: float
    queue: Annotated[float, Field(description="When the first packet is dropped [B].")]
    formula: str


class RepeatedBurst(TypedDict):
    """Size of each of the bursts so that the last one loses nothing."""

    bytes: int


class AbsorbedBurst(TypedDict):
    """Bytes of one burst that arrive before the first is dropped."""

    unbounded: Annotated[bool, Field(description="True when the burst arrives no faster than it leaves.")]
    bytes: int | None
    queue: Annotated[int | None, Field(description="Longest queue until then [B].")]
    time: Annotated[float | None, Field(description="From the burst's beginning [s].")]
    closed_form: Annotated[ClosedForm | None, Field(description="Null where there is none.")]
    repeated: Annotated[RepeatedBurst | None, Field(description="Null with a single burst.")]


class QueueSeries(TypedDict):
    """One queue over time; minima and maxima are those of the whole step."""

    port: int
    queue: Annotated[list[int], Field(description="At the end of each step [B].")]
    queue_min: list[int]
    queue_max: list[int]
    threshold_min: Annotated[list[int | None], Field(description="Limits that packets met; null where none asked.")]
    threshold_max: list[int | None]
    dropped: Annotated[list[int], Field(description="Bytes in each step.")]


class MemorySeries(TypedDict):
    """Free shared memory over time [B]."""

    free: list[int]
    free_min: list[int]
    free_max: list[int]


class CountedDocument(TypedDict):
    """What a number that a policy counted is."""

    unit: Annotated[str, Field(description="SI base unit; 1 for none.")]
    title: str


class PolicyOutcome(TypedDict):
    """What one policy did."""

    kind: str
    label: Annotated[str, Field(description="Kind and the parameters that are not the defaults.")]
    policy: Annotated[dict[str, Any], Field(description="With all its parameters.")]
    lossless: Annotated[bool, Field(description="No packet of a burst was lost; with a trace, no packet at all.")]
    offered: PacketsAndBytes
    admitted: PacketsAndBytes
    dropped: PacketsAndBytes
    drop_rate: Annotated[float, Field(description="Of bytes.")]
    bursts: list[BurstOutcome]
    peak_queue: int
    peak_port: int
    peak_memory: int
    ports: list[PortOutcome]
    observed: Annotated[dict[str, float], Field(description="What the policy counted itself.")]
    counts: Annotated[dict[str, CountedDocument], Field(description="What the numbers in observed are.")]
    absorbs: AbsorbedBurst | None
    series: list[QueueSeries]
    memory: MemorySeries


class SmallestAlpha(TypedDict):
    """The smallest alpha of dynamic threshold, the same for all queues, that loses nothing."""

    emulated: Annotated[float | None, Field(description="Null when none does.")]
    closed_form: float | None
    dynamic_th: Annotated[int | None, Field(description="Exponent of the next power of two that a switch takes.")]
    best_alpha: Annotated[float, Field(description="The one that loses least.")]
    best_dropped: Annotated[int, Field(description="Bytes it loses.")]
    queue: Annotated[float | None, Field(description="Longest queue when nothing is dropped, in closed form [B].")]


class EmulateDocument(TypedDict):
    """Policies side by side on the same packets."""

    arrivals: EmulateArrivals
    policies: list[PolicyOutcome]
    time: Annotated[list[float], Field(description="When each step of every series begins [s].")]
    smallest_alpha: SmallestAlpha | None
    notes: list[str]
    explanations: list[Explanation]
    question: dict[str, Any]
    provenance: dict[str, Any]
