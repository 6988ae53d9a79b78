"""What a configuration is answered with in JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict


class ExportDocument(TypedDict):
    """The files for one target, and what they rest on."""

    target: str
    files: Annotated[
        dict[str, Any], Field(description="By name; an object for JSON, else text; always assumptions.json.")
    ]
    warnings: Annotated[list[str], Field(description="What could not be expressed, was rounded, or must be known.")]
    validation: Annotated[dict[str, Any], Field(description="What the files were checked against.")]


class FindingDocument(TypedDict):
    """One thing to know about a configuration."""

    severity: Literal["error", "warning", "note"]
    code: Annotated[str, Field(description="Stable name of the kind of finding.")]
    path: Annotated[str, Field(description="As the configuration writes it: BUFFER_PG|Ethernet0|3-4.profile.")]
    message: str


class ImportedPool(TypedDict):
    """A pool."""

    side: str
    mode: str
    size: Annotated[int | None, Field(description="As configured [B]; null where the switch calculates it.")]
    xoff: Annotated[int, Field(description="Headroom that its priority groups share [B].")]
    includes_xoff: Annotated[bool, Field(description="Whether the size counts the headroom.")]


class ImportedProfile(TypedDict):
    """What a priority group or queue may take."""

    pool: str
    size: Annotated[int, Field(description="Kept for one alone [B].")]
    headroom: Annotated[int, Field(description="xoff [B].")]
    xon: int
    xon_offset: int
    dynamic_th: int | None
    alpha: Annotated[float | None, Field(description="2 to the power of dynamic_th.")]
    static_th: int | None
    priority_groups: Annotated[int, Field(description="How many priority groups have it.")]
    from_lookup: Annotated[bool, Field(description="Made of the lookup file, not in the configuration.")]


class ImportedPort(TypedDict):
    """A port."""

    name: str
    speed: Annotated[int, Field(description="bit/s.")]
    cable: Annotated[int | None, Field(description="Length of its cable [m].")]
    lossless: Annotated[list[int], Field(description="Priorities on which it pauses.")]


class ImportedTotals(TypedDict):
    """Sums over all ports [B]."""

    footroom: Annotated[
        int | None, Field(description="Memory that lossless priority groups share; null where calculated.")
    ]
    headroom: Annotated[int, Field(description="Kept for after a pause.")]
    headroom_own: Annotated[int, Field(description="Each priority group's headroom added up.")]
    shared_headroom_pool: int
    reserved: Annotated[int, Field(description="Kept for priority groups alone.")]
    groups: Annotated[int, Field(description="Priority groups with headroom.")]
    over_subscribe_ratio: float | None


class ImportedMarking(TypedDict):
    """Whether marking comes before a pause, for lossless queues that are alike."""

    queues: list[str]
    wred: str
    profile: Annotated[str, Field(description="Of the priority groups that feed them, the one that pauses first.")]
    kmin: int
    kmax: int
    pmax: float
    margins: Annotated[
        list[dict[str, Any]], Field(description="By case and threshold: mark, threshold, margin [B], time [s].")
    ]


class ImportDocument(TypedDict):
    """What a configuration amounts to."""

    target: str
    model: str
    tables: Annotated[dict[str, int], Field(description="Rows of each table that was read.")]
    unknown_tables: Annotated[list[str], Field(description="Tables that are not read.")]
    pools: dict[str, ImportedPool]
    profiles: dict[str, ImportedProfile]
    ports: list[ImportedPort]
    lookup: list[dict[str, Any]]
    totals: ImportedTotals
    memory: Annotated[dict[str, Any] | None, Field(description="The sum against the chip; null when none was named.")]
    feasible: Annotated[bool | None, Field(description="Whether it fits; null when no chip was named.")]
    marking: list[ImportedMarking]
    findings: list[FindingDocument]
    scenario: Annotated[
        dict[str, Any] | None,
        Field(
            description="The switch as configured with a host on each port, for the packet engines; null where there "
            "is nothing to simulate."
        ),
    ]
    scenario_notes: Annotated[
        list[str],
        Field(description="What of the configuration the scenario leaves out or assumes, or why there is none."),
    ]
