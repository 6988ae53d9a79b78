"""Shapes of requests and answers, for validation and for the types that clients generate."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from footroom_api.result_schemas import ResultDocument

Status = Literal["queued", "running", "done", "cancelled", "failed"]
#: Values of an axis, or a range written as text.
AxisValues = list[Any] | str


class Strict(BaseModel):
    """A request: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")


class EstimateRequest(Strict):
    """A scenario, or a sweep of it, for the engines that answer at once."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    over: dict[str, AxisValues] | None = Field(
        default=None, description='Path to values or to a range such as "25kB:2.5MB:log9".', max_length=8
    )
    engines: list[str] | None = Field(default=None, description="theory, fluid; none means both.", max_length=8)
    scale: float | None = Field(
        default=None,
        ge=1,
        le=1e6,
        strict=True,
        description="By what every point is made smaller first: rates "
        "and flows, with buffers to match; each result then tells what that kept. None means as it is.",
    )


class StudyRequest(Strict):
    """What to run: a scenario, the axes it is swept over, the engines and the number of replicas."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    over: dict[str, AxisValues] | None = Field(
        default=None, description='Path to values or to a range such as "25kB:2.5MB:log9".', max_length=8
    )
    engines: list[str] | None = Field(default=None, description="Names of engines; none means packet.", max_length=8)
    replicas: int | None = Field(
        default=None, ge=1, le=1000, strict=True, description="Runs per point; none means run.replicas."
    )
    scale: float | None = Field(
        default=None,
        ge=1,
        le=1e6,
        strict=True,
        description="By what every point is made smaller first: rates "
        "and flows, with buffers to match; each result then tells what that kept. None means as it is.",
    )


class ScaleRequest(Strict):
    """A scenario and by what it is made smaller."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    scale: float = Field(ge=1, le=1e6, strict=True, description="S: factor by which rates and flows are divided.")


class ScaledField(BaseModel):
    """A field of the document that was divided."""

    path: str
    before: float
    after: float
    divisor: float
    rule: str


class ScaledQuantity(BaseModel):
    """A number that decides what happens, at both sizes."""

    name: str
    unit: str
    before: float
    after: float
    meaning: str = Field(description="What depends on it.")
    path: str = Field(description="The field it belongs to where there are several like it.")


class ScalingReport(BaseModel):
    """What scaling did: fields divided, quantities kept and not kept, notes that go with every result."""

    factor: float
    changes: list[ScaledField]
    kept: list[ScaledQuantity]
    changed: list[ScaledQuantity]
    notes: list[str]


class ScaleDocument(BaseModel):
    """A scenario made smaller, and what that kept."""

    scenario: dict[str, Any]
    scaling: ScalingReport


class MemoryRequest(Strict):
    """A scenario whose switches' memory is looked at."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")


class MemoryLine(BaseModel):
    """A part of a switch's memory."""

    name: str
    title: str
    count: int = Field(description="How many pieces.")
    least: int = Field(description="Smallest piece [B].")
    most: int = Field(description="Largest piece [B].")
    bytes: int = Field(description="All of them [B].")
    share: float = Field(description="Of the switch's memory.")


class MemoryLevel(BaseModel):
    """A level of memory at which a class pauses or resumes, or packets are marked."""

    name: str
    title: str
    bytes: int
    of: Literal["group", "port", "queue"] = Field(
        description="Whose bytes: a priority group's, reserved bytes left out, a port's, or an egress queue's."
    )
    formula: str


class MemoryRace(BaseModel):
    """What comes first while some ports fill one egress queue evenly and nothing else waits."""

    sources: int
    queue: int = Field(description="Length of the queue when the ports are paused [B].")
    first: Literal["marking", "pause", ""] = Field(description="Empty where nothing is marked.")


class SwitchMemory(BaseModel):
    """How a switch, or several that do alike, divides its memory."""

    switches: list[str]
    buffer: int = Field(description="Memory of each [B].")
    ports: int
    lossless: list[int] = Field(description="Classes that pause instead of dropping.")
    lines: list[MemoryLine] = Field(description="Parts; together the memory.")
    levels: list[MemoryLevel]
    races: list[MemoryRace]


class DividedMemory(BaseModel):
    """How the switches of a scenario divide their memory, and at what levels lossless classes pause."""

    memories: list[SwitchMemory]


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


class Derived(BaseModel):
    """What follows from a scenario by arithmetic, for read-outs. bytes, packets, seconds, bit/s."""

    buffer: float = Field(description="Packet memory [B].")
    buffer_packets: float = Field(description="Packet memory in full packets.")
    capacity: float = Field(description="Rate of the slowest link the metrics describe [bit/s].")
    packet_time: float = Field(description="Time a full packet takes on that link [s].")
    drain_time: float = Field(description="Time that link takes to send a full buffer [s].")
    rtt: float | None = Field(default=None, description="Base round-trip time [s], where the topology has one.")
    bdp: float | None = Field(default=None, description="Capacity times base round-trip time [B].")
    bdp_packets: float | None = Field(default=None, description="The same in full packets.")
    buffer_over_bdp: float | None = Field(default=None, description="Packet memory over bandwidth-delay product.")
    flows: int = Field(description="Long-lived flows, all traffic classes together.")
    bdp_over_root_flows: float | None = Field(default=None, description="BDP/√n for n long-lived flows [B].")
    load: float = Field(description="Offered load of the open-loop traffic, all classes together.")


class Estimates(BaseModel):
    """What theory and fluid say, at once."""

    points: list[PointDocument]
    unsupported: list[UnsupportedDocument]
    derived: Derived


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


class StudyDocument(BaseModel):
    """A study as it stands."""

    id: str
    name: str
    status: Status
    progress: float = Field(description="0 to 1.", ge=0, le=1)
    seconds_left: float | None = Field(default=None, description="Estimate while it runs.")
    points: int = Field(description="Finished points.")
    cost: Cost
    request: dict[str, Any] = Field(
        description="The canonical request, SI base units; POST it again for the same study."
    )
    error: dict[str, Any] | None = Field(default=None, description="Problem document of a failed study.")
    created: datetime
    started: datetime | None = None
    finished: datetime | None = None


class StudyPage(BaseModel):
    """Studies, newest first."""

    studies: list[StudyDocument]
    next: str | None = Field(default=None, description="Cursor of the next page; none on the last.")


class Sweep(BaseModel):
    """Finished points in order of arrival; partial until the status is final."""

    id: str
    status: Status
    points: list[PointDocument]
    unsupported: list[UnsupportedDocument] = []


class SizeRequest(Strict):
    """What must be met, and which field may change."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    require: list[str] = Field(min_length=1, max_length=20, description='Such as "utilisation>=0.99", "fct_p99<=5ms".')
    path: str = Field(default="switch.buffer", max_length=200, description="The field whose smallest value is wanted.")
    engine: str = Field(
        default="fluid",
        description="theory or fluid, answered at once; packet or reference, "
        "simulated in the background; auto picks one.",
    )
    between: tuple[float | str, float | str] | None = Field(
        default=None, description="Lowest and highest value looked at; for a buffer found by itself."
    )
    tolerance: float = Field(
        default=0.02,
        gt=1e-6,
        lt=1,
        description="Relative width of the answer's bracket; of no "
        "meaning for simulations, which answer with a 95 % interval.",
    )
    replicas: int | None = Field(
        default=None, ge=1, le=100, description="Seeds of a simulation; by default as many as make the interval narrow."
    )


class Tried(BaseModel):
    """A value that was looked at."""

    at: dict[str, float]
    metrics: dict[str, float]


class SizeDocument(BaseModel):
    """The smallest value that meets every requirement."""

    feasible: bool
    path: str
    value: float | None = Field(description="None when infeasible.")
    interval: tuple[float, float] | None = Field(
        description="Bracket: missed at its low end, met at its high end; of a simulation the 95 % interval."
    )
    binding: str | None = Field(description="The requirement that decides.")
    spent_s: float
    engine: str
    reason: str = Field(description="Why it is infeasible.")
    notes: list[str]
    tried: list[Tried]


class SizeJobDocument(BaseModel):
    """A size search by simulations as it stands."""

    id: str = Field(description="Hash of the question: the same one has the same id.")
    status: Status
    progress: float = Field(ge=0, le=1)
    seconds_left: float | None = Field(description="Estimate while it runs.")
    error: dict[str, Any] | None = Field(description="Problem document of a failed search.")
    result: SizeDocument | None = Field(description="Once it is done.")


class PresetSummary(BaseModel):
    """A study ready to run."""

    id: str
    title: str
    question: str = Field(description="What it answers.")
    about: str = Field(description="What is in it and why.")
    source: str = Field(description="Where the numbers come from.")
    engines: list[str]
    notes: list[str] = Field(description="What the reader must know.")
    heavy: bool = Field(description="Takes minutes rather than seconds.")


class Presets(BaseModel):
    """All studies ready to run."""

    presets: list[PresetSummary]


class PresetDocument(PresetSummary):
    """A study ready to run, with its scenario and axes."""

    scenario: dict[str, Any]
    over: dict[str, AxisValues]


class ProfileDocument(BaseModel):
    """Parameters of a component as somebody ships or published them."""

    id: str
    title: str
    values: dict[str, bool | float | str | None] = Field(
        description="In SI base units; those left out keep their defaults."
    )
    source: str
    notes: str


class Kind(BaseModel):
    """One component: what it is, where it comes from and its parameters."""

    kind: str
    title: str
    summary: str
    sources: list[str]
    holds: str
    departures: str
    profiles: list[ProfileDocument] = Field(description="Known sets of parameters, to start from.")
    example: dict[str, Any] = Field(description="A whole component to start from: all that have no default are set.")
    schema_: dict[str, Any] = Field(alias="schema", description="JSON schema; each parameter has unit, symbol, source.")


class Axis(BaseModel):
    """One axis of the scenario and the components it offers."""

    axis: str
    title: str
    kinds: list[Kind]
    planned: list[str]


class EngineDocument(BaseModel):
    """One engine."""

    engine: str
    title: str
    answers: str = Field(description="How fast, in words.")
    random: bool = Field(description="Whether runs with different seeds differ; replicas make sense then.")


class Metric(BaseModel):
    """One metric of a result."""

    unit: str
    meaning: str


class Catalog(BaseModel):
    """Everything a client needs to offer, validate and label a scenario."""

    version: str
    axes: list[Axis]
    engines: list[EngineDocument]
    metrics: dict[str, Metric]
    scenario: dict[str, Any] = Field(description="JSON schema of the whole document.")
    host: dict[str, Any] = Field(description="JSON schema of the host stack.")
    run: dict[str, Any] = Field(description="JSON schema of run.")
    switch: dict[str, Any] = Field(description="JSON schema of switch.")


class Health(BaseModel):
    """Whether the server works."""

    status: Literal["ok", "degraded"]
    version: str
    database: Literal["ok", "unavailable"]
    engine: Literal["cold", "compiling", "warm"]
    reason: str | None = Field(default=None, description="Why the database cannot be used.")


class Alive(BaseModel):
    """That the process answers."""

    status: Literal["ok"]
    version: str
