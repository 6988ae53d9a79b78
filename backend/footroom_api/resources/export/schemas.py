"""Shapes of what configuration is asked for, made and read."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from footroom.calculators.export.options import ExportOptions, ImportOptions


class ExportRequest(ExportOptions):
    """A scenario, options, or both; options win."""

    scenario: dict[str, Any] | None = Field(
        default=None, description="The scenario document; its JSON schema is in the catalogue."
    )


class ExportDocument(BaseModel):
    """The files for one target, and what they rest on."""

    target: str
    files: dict[str, Any] = Field(description="By name; an object for JSON, else text; always assumptions.json.")
    warnings: list[str] = Field(description="What could not be expressed, was rounded, or must be known.")
    validation: dict[str, Any] = Field(description="What the files were held against.")


class TargetDocument(BaseModel):
    """Whose words a configuration can be put in, or read from."""

    name: str
    title: str


class TargetsDocument(BaseModel):
    """Targets, sources, and the schema of the options."""

    targets: list[TargetDocument]
    sources: list[TargetDocument]
    schemes: list[str] = Field(description="Ways to compute headroom.")
    export_options: dict[str, Any] = Field(description="JSON schema; each field has unit and bounds.")
    import_options: dict[str, Any] = Field(description="JSON schema; each field has unit and bounds.")


class ImportRequest(ImportOptions):
    """A configuration, and the chip to hold it against."""

    config_db: dict[str, Any] = Field(description="The content of config_db.json; other tables are kept and named.")
    pg_profile_lookup: str | None = Field(
        default=None, max_length=1_000_000, description="The text of pg_profile_lookup.ini."
    )


class FindingDocument(BaseModel):
    """One thing to know about a configuration."""

    severity: Literal["error", "warning", "note"]
    code: str = Field(description="Stable name of the kind of finding.")
    path: str = Field(description="As the configuration writes it: BUFFER_PG|Ethernet0|3-4.profile.")
    message: str


class ImportedPool(BaseModel):
    """A pool."""

    side: str
    mode: str
    size: int | None = Field(description="As configured [B]; null where the switch calculates it.")
    xoff: int = Field(description="Headroom that its priority groups share [B].")
    includes_xoff: bool = Field(description="Whether the size counts the headroom.")


class ImportedProfile(BaseModel):
    """What a priority group or queue may take."""

    pool: str
    size: int = Field(description="Kept for one alone [B].")
    headroom: int = Field(description="xoff [B].")
    xon: int
    xon_offset: int
    dynamic_th: int | None
    alpha: float | None = Field(description="2 to the power of dynamic_th.")
    static_th: int | None
    priority_groups: int = Field(description="How many priority groups have it.")
    from_lookup: bool = Field(description="Made of the lookup file, not in the configuration.")


class ImportedPort(BaseModel):
    """A port."""

    name: str
    speed: int = Field(description="bit/s.")
    cable: int | None = Field(description="Length of its cable [m].")
    lossless: list[int] = Field(description="Priorities on which it pauses.")


class ImportedTotals(BaseModel):
    """Sums over all ports [B]."""

    footroom: int | None = Field(description="Memory that lossless priority groups share; null where calculated.")
    headroom: int = Field(description="Kept for after a pause.")
    headroom_own: int = Field(description="Each priority group's headroom added up.")
    shared_headroom_pool: int
    reserved: int = Field(description="Kept for priority groups alone.")
    groups: int = Field(description="Priority groups with headroom.")
    over_subscribe_ratio: float | None


class ImportedMarking(BaseModel):
    """Whether marking comes before a pause, for lossless queues that are alike."""

    queues: list[str]
    wred: str
    profile: str = Field(description="Of the priority groups that feed them, the one that pauses first.")
    kmin: int
    kmax: int
    pmax: float
    margins: list[dict[str, Any]] = Field(description="By case and threshold: mark, threshold, margin [B], time [s].")


class ImportDocument(BaseModel):
    """What a configuration amounts to."""

    target: str
    model: str
    tables: dict[str, int] = Field(description="Rows of each table that was read.")
    unknown_tables: list[str] = Field(description="Tables that are not looked at.")
    pools: dict[str, ImportedPool]
    profiles: dict[str, ImportedProfile]
    ports: list[ImportedPort]
    lookup: list[dict[str, Any]]
    totals: ImportedTotals
    memory: dict[str, Any] | None = Field(description="The sum against the chip; null when none was named.")
    feasible: bool | None = Field(description="Whether it fits; null when no chip was named.")
    marking: list[ImportedMarking]
    findings: list[FindingDocument]
    scenario: dict[str, Any] | None = Field(
        description="The switch as configured with a host on each port, for the packet engines; null where there is "
        "nothing to simulate."
    )
    scenario_notes: list[str] = Field(
        description="What of the configuration the scenario leaves out or assumes, or why there is none."
    )
