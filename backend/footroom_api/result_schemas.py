"""What a result looks like in an answer."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.scenario.scaling import ScalingReport
from footroom_api.fabric_schemas import FabricDocument, SwitchHeadroom


class TermDocument(BaseModel):
    """One symbol of a formula with the value put in."""

    symbol: str
    meaning: str
    value: float
    unit: str


class ExplanationDocument(BaseModel):
    """How a number came about."""

    name: str
    title: str
    formula: str
    value: float
    unit: str
    source: str
    holds: str
    valid: bool
    terms: list[TermDocument]


class ShareDocument(BaseModel):
    """What one entry of the traffic got: rate of one flow [bit/s], its share of what all long-lived flows send.

    even: the share that equal rates would give.
    """

    path: str
    name: str
    flows: int
    rate: float
    share: float
    even: float


class Provenance(BaseModel):
    """What produced a result."""

    version: str
    schema_: int = Field(alias="schema")
    replicas: int = 1


class SeriesPort(BaseModel):
    """One watched port, one value per window."""

    utilisation: list[float]
    offered: list[int] = Field(description="Packets offered.")
    dropped: list[int] = Field(description="Packets dropped.")
    marked: list[int] = Field(description="Packets marked.")
    queue: list[int] = Field(description="Waiting bytes at the window's end [B].")
    queue_max: list[int] = Field(description="Most waiting bytes within the window [B].")
    delay: list[float] = Field(description="Wait of a packet that arrives at the window's end [s].")


class SeriesFlow(BaseModel):
    """One long-lived flow."""

    entry: int = Field(description="Its entry of the traffic.")
    goodput: list[float] = Field(description="Payload put in order, per window [bit/s].")


class SeriesDocument(BaseModel):
    """Watched ports window by window."""

    window: float = Field(description="Length of a window [s].")
    time: list[float] = Field(description="Ends of the windows [s].")
    ports: dict[str, SeriesPort]
    flows: list[SeriesFlow] = Field(description="Long-lived flows, where there are at most 64.")


class TimelineQueue(BaseModel):
    """One queue, one value per step."""

    port: str
    class_: int = Field(alias="class", description="Class of traffic.")
    card: int = Field(description="Ingress line card.")
    queue: list[int] = Field(description="Waiting bytes at the step's end [B].")
    queue_max: list[int] = Field(description="Most waiting bytes within the step [B].")
    threshold: list[int] = Field(
        description="Most it might hold at the step's end [B]: by the sharing policy; all memory where its class is "
        "lossless, which has no limit at egress."
    )
    free: list[int] = Field(description="Free shared memory at the step's end [B].")
    free_min: list[int] = Field(description="Least free shared memory within the step [B].")
    marked: list[int] = Field(description="Packets marked.")
    dropped: list[int] = Field(description="Packets dropped.")


class TimelineGroup(BaseModel):
    """One priority group of a lossless class, one value per step."""

    port: str = Field(description="Port that its packets come in by.")
    class_: int = Field(alias="class", description="Class of traffic.")
    shared: list[int] = Field(description="Reserved and shared bytes it holds at the step's end [B].")
    shared_max: list[int] = Field(description="Most of them at the ends of the steps joined [B].")
    headroom: list[int] = Field(description="Bytes in headroom at the step's end [B].")
    headroom_max: list[int] = Field(description="Most of them at the ends of the steps joined [B].")
    threshold: list[int] = Field(description="Shared bytes at which it pauses, at the step's end [B].")
    paused: list[float] = Field(description="Part of the step for which its neighbour was held back.")
    dropped: list[int] = Field(description="Packets dropped.")


class TimelineDocument(BaseModel):
    """The longest queues step by step, and the priority groups that paused longest."""

    step: float = Field(description="Length of a step [s].")
    time: list[float] = Field(description="Ends of the steps [s].")
    queues: list[TimelineQueue]
    groups: list[TimelineGroup] = Field(default=[], description="Empty where no class is lossless.")


class StepFlow(BaseModel):
    """What one flow got in a step."""

    flow: int = Field(description="Its number among the long-lived flows, from 0, in the order of their starts.")
    entry: int = Field(description="Entry of the traffic it belongs to.")
    goodput: float = Field(description="Payload delivered in order [bit/s].")


class StepDocument(BaseModel):
    """From one time at which a flow of a staircase joins or leaves to the next."""

    start: float = Field(description="When it begins [s].")
    end: float = Field(description="When it ends [s].")
    flows: list[StepFlow] = Field(description="The long-lived flows that were there.")
    fairness: float | None = Field(description="Jain's index of their goodput; null with fewer than two of them.")


class FlowsDocument(BaseModel):
    """Every flow that completed in the measured window."""

    entry: list[int] = Field(description="Entry of the traffic it belongs to.")
    size: list[int] = Field(description="Data it carried [B].")
    start: list[float] = Field(description="When it started [s].")
    fct: list[float] = Field(description="Its completion time [s].")
    source: list[str] = Field(description="Host that sent it.")
    slowdown: list[float] | None = Field(
        default=None, description="Its completion time over that alone, where run.slowdown asks for it."
    )


class MemoryRecord(BaseModel):
    """One memory of a switch over the measured time."""

    switch: str
    card: int = Field(description="Ingress line card, 0 where there is one memory.")
    policy: str = Field(description="Kind of its sharing policy.")
    buffer: int = Field(description="Its size [B].")
    most: int = Field(description="Most bytes in use at any time [B].")
    held: list[float] = Field(
        description="Waiting bytes of each entry of the traffic, mean over the looks of "
        "run.memories [B]; empty without it."
    )
    headroom_maxima: list[int] = Field(
        default=[],
        description="Local maxima of the bytes in all of its headroom, at "
        "the looks of run.memories [B], ascending; evenly chosen by rank where there "
        "are many.",
    )
    observed: dict[str, float] = Field(description="What its policy counted, by name.")


class PriorityGroupRecord(BaseModel):
    """The packets of one lossless class that came in by one port, and the pauses this asked for."""

    switch: str = Field(description="Where they wait.")
    port: str = Field(description="Port that they come in by; a pause stops the node at its other end.")
    class_: int | None = Field(alias="class", description="Class of traffic; null for pauses of the whole port (DSH).")
    pause_frames: int = Field(description="Frames sent that stop the class, repetitions counted.")
    pause_time: float = Field(description="Time for which the neighbour held the class back [s].")
    xoff_time: float = Field(description="Time for which the switch asked for a pause, from Xoff to Xon [s].")
    drops: int = Field(description="Packets dropped.")
    shared_max: int = Field(description="Most reserved and shared bytes held [B].")
    headroom_max: int = Field(description="Most headroom used [B].")
    headroom: int = Field(description="Headroom set aside for it; with DSH for its port [B].")
    first_pause: float | None = Field(description="When it first asked for a pause [s].")


class CompletionRow(BaseModel):
    """Completion times of transfers: flows, and queries over connections that carry a stream of them."""

    count: int
    mean: float = Field(description="Mean completion time [s].")
    p50: float = Field(description="Median completion time [s].")
    p99: float = Field(description="99th percentile of completion time [s].")
    slowdown_p50: float | None = Field(description="Median of completion time over that of the same transfer alone.")
    slowdown_p99: float | None = Field(description="99th percentile of the same; null where run.slowdown is off.")


class EntryCompletions(CompletionRow):
    """Those of one entry of the traffic."""

    entry: int = Field(description="Number of the entry.")
    name: str
    rate: float = Field(description="Transfers completed per second [1/s].")


class SizeCompletions(CompletionRow):
    """Those of one class of sizes."""

    above: float = Field(description="Sizes above this [B].")
    upto: float = Field(description="Sizes up to this [B].")


class QueueRow(BaseModel):
    """One watched port, or all of them together."""

    port: str = Field(description="from>to, or all.")
    bytes: list[float] = Field(description="Bytes that waited at most for the share of time at the same place [B].")


class QueueDistribution(BaseModel):
    """How long queues were, as shares of time."""

    share: list[float] = Field(description="Shares of time, ascending to 1.")
    queues: list[QueueRow] = Field(description="All watched ports together, then the one with the longest mean queue.")


class WatchdogAlarm(BaseModel):
    """One alarm of a PFC watchdog that only watches: an egress queue that it would have begun to drop."""

    switch: str = Field(description="Switch whose queue it is.")
    port: str = Field(description="Port that the queue sends by, from>to.")
    class_: int = Field(alias="class", description="Class of traffic.")
    detected: float = Field(description="When it would have begun to drop [s].")
    restored: float | None = Field(description="When it would have ended [s]; null where it would not within the run.")
    waiting: int = Field(description="Packets that waited in the queue when it was detected.")
    waiting_bytes: int = Field(description="Their bytes [B].")
    arrived: int = Field(description="Packets that came to the queue from then on until it was restored.")
    false_alarm: bool | None = Field(
        description="True where the queue sent again by itself, false where it did not and the run has deadlocked; "
        "null where the run ends before that shows."
    )


class DeadlockStop(BaseModel):
    """One pause of a deadlock."""

    switch: str = Field(description="Switch that asks for it, where the packets wait.")
    port: str = Field(description="Port that they came in by; the node at its other end is stopped.")
    class_: int | None = Field(alias="class", description="Class of traffic; null where the whole port is paused.")
    since: float = Field(description="When it was asked for [s].")
    stuck: int = Field(description="Bytes of these packets that wait for ports which are stopped themselves [B].")


class DeadlockDocument(BaseModel):
    """A cycle of pauses of which none can end."""

    time: float = Field(description="When the last pause of the cycle was asked for [s].")
    found: float = Field(description="When the engine noticed; a run by packets ends there [s].")
    cycle: list[DeadlockStop] = Field(description="Each pause waits for the next, the last one for the first.")
    behind: int = Field(description="Pauses outside the cycle that wait for it.")


class ExpectedError(BaseModel):
    """Error of an engine against packets at the nearest case of a grid that was measured before."""

    case: str = Field(description="The nearest case; empty where the scenario is outside the grid.")
    reason: str = Field(description="Why it is outside; empty where it is not.")
    errors: dict[str, float] = Field(
        description="Metric to error: of utilisation in points, of queues as a share of the buffer, of drop rates and "
        "completion times as a ratio to packets. Empty outside the grid."
    )
    date: str = Field(description="Day on which the grid was measured, ISO 8601.")
    command: str = Field(description="How to measure it again.")


class ResultDocument(BaseModel):
    """One engine's answer to one scenario; bare numbers in SI base units. A metric that does not apply is absent."""

    engine: str
    scenario: dict[str, Any]
    seed: int
    wall_s: float
    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]] = {}
    outside_validity: dict[str, str] = Field(
        default={}, description="Metric to reason: numbers outside the range in which the model was found to hold."
    )
    notes: list[str] = []
    explanations: list[ExplanationDocument] = []
    groups: list[ShareDocument] = []
    scaling: ScalingReport | None = Field(default=None, description="What scaling kept and what not, where asked for.")
    steps: list[StepDocument] | None = Field(
        default=None, description="Where flows join and leave one after the other (traffic kind staircase)."
    )
    series: SeriesDocument | None = Field(default=None, description="Where run.series asks for it.")
    timeline: TimelineDocument | None = Field(default=None, description="Where run.timeline asks for it.")
    flows: FlowsDocument | None = Field(default=None, description="Where run.keep_flows asks for it.")
    memories: list[MemoryRecord] | None = Field(
        default=None, description="Where run.memories asks for it, or a sharing policy counts."
    )
    priority_groups: list[PriorityGroupRecord] | None = Field(
        default=None, description="Where a class is lossless: groups that held a packet or paused, worst first."
    )
    completions: list[EntryCompletions] | None = Field(
        default=None, description="Where transfers completed: their times by entry of the traffic."
    )
    completions_by_size: list[SizeCompletions] | None = Field(default=None, description="The same by size.")
    queue_distribution: QueueDistribution | None = Field(default=None, description="Of the packet engines.")
    watchdog: list[WatchdogAlarm] | None = Field(
        default=None, description="Where switch.watchdog is set: its alarms in the order in which they were raised."
    )
    deadlock: DeadlockDocument | None = Field(
        default=None, description="Where pauses of lossless classes have locked one another for ever."
    )
    headroom: list[SwitchHeadroom] | None = Field(
        default=None, description="Where a class is lossless: headroom set aside at every switch, and the most used."
    )
    fabric: FabricDocument | None = Field(default=None, description="Where run.fabric asks for it.")
    expected_error: ExpectedError | None = Field(
        default=None, description="Of theory, fluid and hybrid: how far such an answer is from packets."
    )
    provenance: Provenance
