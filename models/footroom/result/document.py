"""The shape of a result in JSON: what ``Result.to_dict`` gives, the command line prints and the API serves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.alarm import WatchdogAlarm
from footroom.result.completions import EntryCompletions, SizeCompletions
from footroom.result.deadlock import Deadlock
from footroom.result.expected_error import ExpectedError
from footroom.result.explanation import Explanation
from footroom.result.fabric import FabricDocument
from footroom.result.headroom_use import SwitchHeadroom
from footroom.result.priority_group import PriorityGroup
from footroom.result.queues import QueueDistribution
from footroom.result.recorded import FlowsDocument, MemoryRecord, SeriesDocument, TimelineDocument
from footroom.result.share import Share
from footroom.result.steps import StepDocument
from footroom.scenario.scaling.report import ScalingReport


class Provenance(TypedDict):
    """What produced a result."""

    version: str
    schema: int
    replicas: int


@dataclass(frozen=True, kw_only=True)
class ResultDocument:
    """One engine's answer to one scenario; bare numbers in SI base units. A metric that does not apply is absent.

    What was recorded over time and row by row is that of the first replica.
    """

    engine: str
    scenario: Annotated[dict[str, Any], Field(description="The canonical document.")]
    seed: Annotated[int, Field(description="Of the first run.")]
    wall_s: Annotated[float, Field(description="Computing time [s].")]
    metrics: Annotated[dict[str, float], Field(description="Unit and meaning of each are in the catalogue.")]
    intervals: Annotated[dict[str, tuple[float, float]], Field(description="95 % over replicas, where there are any.")]
    outside_validity: Annotated[
        dict[str, str],
        Field(description="Metric to reason: numbers outside the range in which the model was found to hold."),
    ]
    notes: Annotated[list[str], Field(description="What the reader must know.")]
    explanations: list[Explanation]
    groups: Annotated[
        list[Share], Field(description="What each entry of the traffic got, where the engine distinguishes them.")
    ]
    scaling: Annotated[
        ScalingReport | None, Field(description=("What scaling kept and what it changed, where asked for."))
    ] = None
    steps: Annotated[
        list[StepDocument] | None,
        Field(description="Where flows join and leave one after the other (traffic kind staircase)."),
    ] = None
    series: Annotated[SeriesDocument | None, Field(description="Where run.series asks for it.")] = None
    timeline: Annotated[TimelineDocument | None, Field(description="Where run.timeline asks for it.")] = None
    flows: Annotated[FlowsDocument | None, Field(description="Where run.keep_flows asks for it.")] = None
    memories: Annotated[
        list[MemoryRecord] | None, Field(description="Where run.memories asks for it, or a sharing policy counts.")
    ] = None
    priority_groups: Annotated[
        list[PriorityGroup] | None,
        Field(description="Where a class is lossless: groups that held a packet or paused, worst first."),
    ] = None
    completions: Annotated[
        list[EntryCompletions] | None,
        Field(description="Where transfers completed: their times by entry of the traffic."),
    ] = None
    completions_by_size: Annotated[list[SizeCompletions] | None, Field(description="The same by size.")] = None
    queue_distribution: Annotated[QueueDistribution | None, Field(description="Of the packet engines.")] = None
    watchdog: Annotated[
        list[WatchdogAlarm] | None,
        Field(description="Where switch.watchdog is set: its alarms in the order in which they were raised."),
    ] = None
    deadlock: Annotated[
        Deadlock | None,
        Field(description="Where pauses of lossless classes have deadlocked, in the first such run."),
    ] = None
    headroom: Annotated[
        list[SwitchHeadroom] | None,
        Field(description="Where a class is lossless: headroom set aside at every switch, and the most used."),
    ] = None
    fabric: Annotated[FabricDocument | None, Field(description="Where run.fabric asks for it.")] = None
    expected_error: Annotated[
        ExpectedError | None,
        Field(description=("Of theory, fluid and hybrid: how far such an answer is from the packet simulation.")),
    ] = None
    provenance: Provenance
