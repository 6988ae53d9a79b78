"""What a run recorded: windows, timelines, flows and memories."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.class_key import OfClass


class SeriesPort(TypedDict):
    """One watched port, one value per window."""

    utilisation: list[float]
    offered: Annotated[list[int], Field(description="Packets offered.")]
    dropped: Annotated[list[int], Field(description="Packets dropped.")]
    marked: Annotated[list[int], Field(description="Packets marked.")]
    queue: Annotated[list[int], Field(description="Waiting bytes at the window's end [B].")]
    queue_max: Annotated[list[int], Field(description="Most waiting bytes within the window [B].")]
    delay: Annotated[list[float], Field(description="Wait of a packet that arrives at the window's end [s].")]


class PathEstimates(TypedDict):
    """What a flow's congestion control takes its path for at the end of each window, and the path as it is."""

    bandwidth: Annotated[
        list[float | None],
        Field(description="Largest delivery rate in its filter, as payload [bit/s]; null before the first sample."),
    ]
    min_rtt: Annotated[
        list[float | None], Field(description="Its shortest round trip [s]; null before it has measured one.")
    ]
    rtt: Annotated[
        float, Field(description="Round trip of its path with empty queues, without transmission times [s].")
    ]


class SeriesFlow(TypedDict):
    """One long-lived flow."""

    entry: Annotated[int, Field(description="Its entry of the traffic.")]
    goodput: Annotated[list[float], Field(description="Payload put in order, per window [bit/s].")]
    path: NotRequired[Annotated[PathEstimates, Field(description="Where its congestion control estimates it: BBR.")]]


class SeriesDocument(TypedDict):
    """Watched ports window by window."""

    window: Annotated[float, Field(description="Length of a window [s].")]
    time: Annotated[list[float], Field(description="Ends of the windows [s].")]
    ports: dict[str, SeriesPort]
    flows: Annotated[list[SeriesFlow], Field(description="Long-lived flows, where there are at most 64.")]


class TimelineQueue(OfClass):
    """One queue, one value per step."""

    port: str
    card: Annotated[int, Field(description="Ingress line card.")]
    queue: Annotated[list[int], Field(description="Waiting bytes at the step's end [B].")]
    queue_max: Annotated[list[int], Field(description="Most waiting bytes within the step [B].")]
    threshold: Annotated[
        list[int],
        Field(
            description="Most it might hold at the step's end [B]: by the sharing policy; all memory where its class "
            "is lossless, which has no limit at egress."
        ),
    ]
    free: Annotated[list[int], Field(description="Free shared memory at the step's end [B].")]
    free_min: Annotated[list[int], Field(description="Least free shared memory within the step [B].")]
    marked: Annotated[list[int], Field(description="Packets marked.")]
    dropped: Annotated[list[int], Field(description="Packets dropped.")]


class TimelineGroup(OfClass):
    """One priority group of a lossless class, one value per step."""

    port: Annotated[str, Field(description="Port that its packets come in by.")]
    shared: Annotated[list[int], Field(description="Reserved and shared bytes it holds at the step's end [B].")]
    shared_max: Annotated[list[int], Field(description="Most of them at the ends of the steps joined [B].")]
    headroom: Annotated[list[int], Field(description="Bytes in headroom at the step's end [B].")]
    headroom_max: Annotated[list[int], Field(description="Most of them at the ends of the steps joined [B].")]
    threshold: Annotated[list[int], Field(description="Shared bytes at which it pauses, at the step's end [B].")]
    paused: Annotated[list[float], Field(description="Part of the step for which its neighbour was held back.")]
    dropped: Annotated[list[int], Field(description="Packets dropped.")]


class TimelineDocument(TypedDict):
    """The longest queues step by step, and the priority groups that paused longest."""

    step: Annotated[float, Field(description="Length of a step [s].")]
    time: Annotated[list[float], Field(description="Ends of the steps [s].")]
    queues: list[TimelineQueue]
    groups: Annotated[list[TimelineGroup], Field(description="Empty where no class is lossless.")]


class FlowsDocument(TypedDict):
    """Every flow that completed in the measured window."""

    entry: Annotated[list[int], Field(description="Entry of the traffic it belongs to.")]
    size: Annotated[list[int], Field(description="Data it carried [B].")]
    start: Annotated[list[float], Field(description="When it started [s].")]
    fct: Annotated[list[float], Field(description="Its completion time [s].")]
    source: Annotated[list[str], Field(description="Host that sent it.")]
    slowdown: NotRequired[
        Annotated[
            list[float], Field(description="Its completion time over that alone, where run.slowdown asks for it.")
        ]
    ]


class MemoryRecord(TypedDict):
    """One memory of a switch over the measured time."""

    switch: str
    card: Annotated[int, Field(description="Ingress line card, 0 where there is one memory.")]
    policy: Annotated[str, Field(description="Kind of its sharing policy.")]
    buffer: Annotated[int, Field(description="Its size [B].")]
    most: Annotated[int, Field(description="Most bytes in use at any time [B].")]
    held: Annotated[
        list[float],
        Field(
            description="Waiting bytes of each entry of the traffic, mean over the looks of run.memories [B]; empty "
            "without it."
        ),
    ]
    headroom_maxima: Annotated[
        list[int],
        Field(
            description="Local maxima of the bytes in all of its headroom, at the looks of run.memories [B], "
            "ascending; evenly chosen by rank where there are many."
        ),
    ]
    observed: Annotated[dict[str, float], Field(description="What its policy counted, by name.")]
