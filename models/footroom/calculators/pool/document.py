"""The answer to a pool question in JSON; bare numbers in SI base units, cells null where the chip's is not known."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.explanation import Explanation


class Amount(TypedDict):
    """Part of the memory."""

    bytes: float
    cells: int | None
    share: Annotated[float, Field(description="Of the memory.")]


class PoolLine(TypedDict):
    """One guarantee, the footroom, or what is less than a cell; together they are the memory."""

    name: str
    title: str
    count: Annotated[int, Field(description="Places it is given to.")]
    each: Annotated[float, Field(description="Bytes of each as asked for; cells round it up.")]
    bytes: float
    cells: int | None
    share: float
    source: str


class MemoryDocument(TypedDict):
    """The chip's memory."""

    buffer: float
    cell_size: float | None
    cells: int | None
    source: str


class WayOut(TypedDict):
    """What would fit if this field alone changed."""

    path: str
    given: NotRequired[Any]
    value: Annotated[
        float | None, Field(description="Null when changing it alone is not enough, or where the text says it.")
    ]
    text: str


class PoolsCheck(TypedDict):
    """Pools given as sizes against the chip."""

    bytes: float
    cells: int | None
    free_bytes: Annotated[float, Field(description="Below 0 when too much is asked.")]
    free_cells: int | None
    largest: Annotated[str, Field(description="The ingress pool that decides.")]
    lines: list[PoolLine]
    feasible: bool
    warnings: list[str]
    includes_xoff: Annotated[
        list[str], Field(description="Pools whose size counts their headroom, as given or as it fits.")
    ]


class PortCheck(TypedDict):
    """What one port is given, against its limit."""

    ports: str
    bytes: float
    limit: float
    feasible: bool


class SchemeShare(TypedDict):
    """Headroom by one scheme, as it says it, before cells round it up."""

    each: Annotated[list[float], Field(description="Of each priority group or port, one number per kind of port.")]
    per: str
    bytes: float
    share: float
    left: Annotated[float, Field(description="What would be left to share; below 0 when it does not fit.")]
    outside: Annotated[str, Field(description="Why the scheme does not hold for these ports; empty where it does.")]


class BurstDocument(TypedDict):
    """What an empty queue (or all priority groups that the burst comes in by) absorbs."""

    rate: float
    ports: int
    bytes: Annotated[float, Field(description="That have arrived when the first packet is dropped or paused.")]
    queue: Annotated[float, Field(description="What each queue holds then.")]
    time: float


class ThresholdDocument(TypedDict):
    """What one queue of a kind may hold when so many are at their threshold."""

    queue: str
    alpha: float
    congested: int
    pool: float
    free: float
    bytes: float
    cells: int | None
    share: Annotated[float, Field(description="Of the footroom.")]
    time: Annotated[float, Field(description="To send it at the port's speed.")]
    burst: Annotated[BurstDocument | None, Field(description="Null when the burst is no faster than the port.")]


class FixedShare(TypedDict):
    """The memory divided evenly among queues."""

    among: Annotated[int, Field(description="Queues that it is divided among.")]
    bytes: Annotated[float, Field(description="Of each.")]
    burst: Annotated[float | None, Field(description="Bytes that arrive until it is full; null when it never fills.")]


class DynamicShare(TypedDict):
    """What a dynamic threshold leaves with so many queues at theirs."""

    congested: Annotated[int, Field(description="Queues of the kind at their threshold, each with as much.")]
    bytes: float
    burst: Annotated[
        float | None, Field(description="What an empty queue absorbs beside the others; null when it never fills.")
    ]


class SharesDocument(TypedDict):
    """A fixed share beside dynamic thresholds, for one kind of queue."""

    queue: str
    queues: Annotated[int, Field(description="Of the kind.")]
    fixed: FixedShare
    dynamic: list[DynamicShare]
    even_at: Annotated[
        int, Field(description="Most queues at their threshold with which each still holds its fixed share.")
    ]


class OtherQueues(TypedDict):
    """What congested queues are left with at the smallest alpha."""

    queue: str
    congested: int
    before: float
    left: float


class IncastDocument(TypedDict):
    """Whether an incast is absorbed, and by which alpha it would be."""

    queue: str
    bytes: float
    rate: float
    ports: int
    stored: Annotated[float, Field(description="Bytes that must be held at once.")]
    alpha: float
    absorbed: bool
    burst: Annotated[float | None, Field(description="Bytes absorbed at that alpha; null when the queue never grows.")]
    smallest_alpha: Annotated[float | None, Field(description="Null when no alpha absorbs it.")]
    dynamic_th: Annotated[
        int | None, Field(description="Smallest exponent of two that a switch takes and that is enough.")
    ]
    largest: Annotated[float | None, Field(description="Bytes that the best alpha absorbs.")]
    best_alpha: float
    others: list[OtherQueues]


class SmallestPool(TypedDict):
    """The smallest shared headroom pool for the target."""

    bytes: float
    cells: int | None
    ratio: Annotated[
        float | None, Field(description=("Sum of all headroom divided by it; null when no pool at all is needed."))
    ]


class PauseCase(TypedDict):
    """Pauses with one correlation."""

    correlation: float
    exceeded: Annotated[float, Field(description="Chance that the pool is too small.")]
    mean: Annotated[float, Field(description="Headroom in use on average.")]
    smallest: SmallestPool


class PausesDocument(TypedDict):
    """How likely the shared headroom pool is exceeded."""

    probability: float
    target: float
    pool: float
    pool_cells: int | None
    ratio: float | None
    priority_groups: int
    at_once: Annotated[int, Field(description="Priority groups that can all use their headroom at once.")]
    cases: list[PauseCase]


class MarginDocument(TypedDict):
    """How far a priority group is from its pause when queues reach a marking threshold."""

    case: Annotated[str, Field(description="asked, or worst: every queue of every port is filled from one port.")]
    mark: float
    held: float
    threshold: float
    margin: Annotated[float, Field(description="Above 0 marking is first.")]
    time: Annotated[float, Field(description="The margin at the port's speed.")]
    first: str
    largest: Annotated[float, Field(description="Marking threshold at which both come together.")]


class MarkingDocument(TypedDict):
    """Marking against the pause."""

    rate: float
    queues: int
    worst_queues: int
    worst_feeds: int
    cases: list[MarginDocument]
    scenario: Annotated[dict[str, Any], Field(description="A packet scenario in which the same can be watched.")]
    differs: Annotated[list[str], Field(description="What differs between that scenario and what was asked.")]


class SplitDocument(TypedDict):
    """Whole percent that add up to 100, of the memory that is not reserved."""

    lossless: int
    lossy: int
    headroom: int
    of: float
    lossless_share: float


class PoolDocument(TypedDict):
    """A configuration that fits, what is left, and who shares it."""

    feasible: bool
    reason: str
    outside: Annotated[str, Field(description="Why the headroom is outside what its scheme holds for; else empty.")]
    memory: MemoryDocument
    lines: list[PoolLine]
    committed: Amount
    headroom: Amount
    footroom: Amount
    would_fit: list[WayOut]
    pools: PoolsCheck | None
    port_check: list[PortCheck] | None
    schemes: dict[str, SchemeShare] | None
    thresholds: list[ThresholdDocument] | None
    shares: list[SharesDocument] | None
    incast: IncastDocument | None
    pauses: PausesDocument | None
    marking: MarkingDocument | None
    split: SplitDocument | None
    notes: list[str]
    explanations: list[Explanation]
    question: Annotated[dict[str, Any], Field(description="As it was understood; what was left out is not repeated.")]
    provenance: dict[str, Any]
