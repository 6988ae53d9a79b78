"""Studies and what is made of them in JSON: points, costs, sizes, what-if comparisons, ready studies; SI base units."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.document import ResultDocument

#: Values of an axis, or a range written as text.
AxisValues = list[Any] | str


class PointDocument(TypedDict):
    """One point of a sweep: where it lies and what an engine answered there."""

    at: dict[str, Any]
    result: ResultDocument


class UnsupportedDocument(TypedDict):
    """An engine that cannot answer, and which can."""

    engine: str
    message: str
    path: str
    engines: list[str]
    at: dict[str, Any]


class Cost(TypedDict):
    """What a study is expected to cost before it starts."""

    points: Annotated[int, Field(description="Points times engines.")]
    runs: Annotated[int, Field(description="Runs of an engine, replicas included.")]
    packet_hops: Annotated[
        float, Field(description="Packets times links they cross, in the engines that simulate them.")
    ]
    parts: NotRequired[
        Annotated[
            float | None,
            Field(
                description="Hosts, switches, ports, queues and flows that the runs of simulators set up; absent in "
                "studies that an earlier version estimated."
            ),
        ]
    ]
    cpu_seconds: Annotated[float, Field(description="Computing time of one core.")]
    seconds: Annotated[float, Field(description="Computing time on ``workers`` cores.")]
    memory: Annotated[float, Field(description="Bytes at any time.")]
    workers: Annotated[int, Field(description="Cores it was computed for.")]


class Tried(TypedDict):
    """A value that was tried."""

    at: dict[str, float]
    metrics: dict[str, float]


class SizeDocument(TypedDict):
    """The smallest value that meets every requirement."""

    feasible: bool
    path: str
    value: Annotated[float | None, Field(description="None when infeasible.")]
    interval: Annotated[
        tuple[float, float] | None,
        Field(description="Bracket: missed at its low end, met at its high end; of a simulation the 95 % interval."),
    ]
    binding: Annotated[str | None, Field(description="The requirement that decides.")]
    spent_s: Annotated[float, Field(description="Time the search took [s].")]
    engine: str
    reason: Annotated[str, Field(description="Why it is infeasible.")]
    notes: list[str]
    tried: list[Tried]


class Derived(TypedDict):
    """What follows from a scenario by arithmetic, for read-outs. bytes, packets, seconds, bit/s."""

    buffer: Annotated[float, Field(description="Packet memory [B].")]
    buffer_packets: Annotated[float, Field(description="Packet memory in full packets.")]
    queue_buffer: Annotated[
        float | None,
        Field(description="Most that the one congested queue may hold of it [B]; null where there is none."),
    ]
    capacity: Annotated[float, Field(description="Rate of the slowest link the metrics describe [bit/s].")]
    packet_time: Annotated[float, Field(description="Time a full packet takes on that link [s].")]
    drain_time: Annotated[float, Field(description="Time that link takes to send a full buffer [s].")]
    rtt: Annotated[float | None, Field(description="Base round-trip time [s]; null where the topology has none.")]
    bdp: Annotated[float | None, Field(description="Capacity times base round-trip time [B].")]
    bdp_packets: Annotated[float | None, Field(description="The same in full packets.")]
    buffer_over_bdp: Annotated[float | None, Field(description="Packet memory over bandwidth-delay product.")]
    flows: Annotated[int, Field(description="Long-lived flows, all entries of the traffic together.")]
    bdp_over_root_flows: Annotated[float | None, Field(description="BDP/√n for n long-lived flows [B].")]
    load: Annotated[float, Field(description="Offered load of the open-loop traffic, all entries together.")]


class SeededStudy(TypedDict):
    """What to post to /studies: one run for each seed."""

    scenario: dict[str, Any]
    over: dict[str, list[int]]
    engines: list[str]
    replicas: int


class ChangeDocument(TypedDict):
    """A ready change of a scenario."""

    id: str
    title: str
    about: str
    changes: Annotated[dict[str, Any], Field(description="Dotted paths to values; null takes a field out.")]


class AlternativeDocument(ChangeDocument):
    """A ready change, and the study that runs it."""

    study: Annotated[SeededStudy, Field(description="The changed scenario over the same seeds.")]


class AlternativesDocument(TypedDict):
    """The scenario over its seeds, and the ready changes that apply to it."""

    study: SeededStudy
    alternatives: list[AlternativeDocument]


Group = Literal["run", "traffic", "size", "memory"]
Verdict = Literal["same", "unclear", "higher", "lower"]


class DifferenceDocument(TypedDict):
    """One quantity in both, over the pairs in which both have it."""

    group: Group
    name: str
    unit: str
    pairs: int
    a: Annotated[float, Field(description="Mean without the change.")]
    b: Annotated[float, Field(description="Mean with it.")]
    difference: Annotated[float, Field(description="Mean of b - a.")]
    interval: Annotated[
        tuple[float, float] | None,
        Field(description="Its 95 % interval by Student's t over pairs; null for a single pair."),
    ]
    relative: Annotated[float | None, Field(description="The difference over a; null where a is 0.")]
    verdict: Annotated[
        Verdict,
        Field(description="same where no pair differs; higher or lower where the interval leaves 0 out; else unclear."),
    ]


class WhatIfDocument(TypedDict):
    """What the change does."""

    seeds: list[int]
    same_arrivals: Annotated[bool, Field(description="Whether all flows start alike in both, in the first pair.")]
    changes: Annotated[dict[str, Any] | None, Field(description="Not known where two studies are compared.")]
    differences: list[DifferenceDocument]
    notes: list[str]
