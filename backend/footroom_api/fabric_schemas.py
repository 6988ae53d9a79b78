"""The fabric over time, how pauses spread in it, and headroom used, as documents."""

from __future__ import annotations

from pydantic import BaseModel, Field


class HeadroomUsed(BaseModel):
    """Headroom of one priority group, or of one port where its classes share it."""

    port: str = Field(description="Port that its packets come in by.")
    class_: int | None = Field(alias="class", description="Class of traffic; null for all classes of the port (DSH).")
    reserved: int = Field(description="Set aside for it [B]; out of the pool where there is one.")
    most: int = Field(description="Most that it held at any time [B].")


class SwitchHeadroom(BaseModel):
    """One switch with lossless classes: what headroom is set aside, and the most that was used."""

    switch: str
    reserved: int = Field(description="All headroom that is set aside [B].")
    most: int = Field(description="Most that all groups held at one time [B].")
    pooled: bool = Field(description="Whether the groups share a pool.")
    groups: int = Field(description="Groups, or ports, that headroom is set aside for.")
    never_used: int = Field(description="How many of them never held any.")
    used: list[HeadroomUsed] = Field(description="The others, those that held most first.")


class FabricNode(BaseModel):
    """A host or a switch."""

    name: str
    kind: str = Field(description="host or switch.")


class FabricPort(BaseModel):
    """One direction of a link."""

    port: str
    from_: str = Field(alias="from")
    to: str
    rate: float = Field(description="[bit/s].")
    delay: float = Field(description="Propagation [s].")


class FabricQueue(BaseModel):
    """One class of one port, a value for each frame."""

    port: str
    class_: int = Field(alias="class")
    queue_max: list[int] = Field(description="Most bytes that waited at the switch [B]; 0 at hosts.")
    paused: list[float] = Field(description="Part of the frame for which the class was held back.")


class FlowRate(BaseModel):
    """Goodput of one flow, a value for each frame."""

    flow: int
    entry: int = Field(description="Entry of the traffic it belongs to.")
    source: str
    destination: str
    rate: list[float] = Field(description="Payload received in order [bit/s].")


class FlowRates(BaseModel):
    """Goodput of flows over time."""

    lasting: bool = Field(description="Whether they are flows without an end; else the largest ones.")
    of: int = Field(description="How many such flows there are; at most 64 are reported.")
    fairness: list[float | None] = Field(
        description="Jain's index of the reported flows that were under way for the whole frame; null for fewer than "
        "two."
    )
    rates: list[FlowRate]


class PauseSum(BaseModel):
    """Several pauses together."""

    pauses: int = Field(description="How often a switch asked for one.")
    time: float = Field(description="Time for which they held ports back, added up [s].")
    longest: float = Field(description="The longest of them [s].")
    first: float | None = Field(description="When the first was asked for [s].")


class PauseRoot(PauseSum):
    """A congested port and all pauses that come from it."""

    port: str
    ports: int = Field(description="Classes of ports that were paused.")
    depth: int = Field(description="Longest chain of pauses that led to one another.")
    flows: int = Field(description="Flows of which packets waited behind them.")
    stalled: float = Field(description="Time for which they did, added up over flows [s].")
    victims: int = Field(description="Those of them that do not cross the port.")
    lost: float = Field(description="The time of these [s].")


class PausedPort(PauseSum):
    """All pauses of one class of one port."""

    port: str
    class_: int | None = Field(alias="class", description="null where the whole port is paused.")
    roots: list[str] = Field(description="Congested ports that they come from.")


class PauseNode(PauseSum):
    """Pauses of one class of one port that came the same way from the same root."""

    id: int
    parent: int | None = Field(description="The pauses that led to these; null where the root itself did.")
    root: str
    port: str
    class_: int | None = Field(alias="class")


class PauseVictim(BaseModel):
    """A flow that waited behind pauses though it does not cross the port they come from."""

    flow: int
    entry: int
    source: str
    destination: str
    size: int | None = Field(description="[B]; null for a flow without an end.")
    root: str
    port: str = Field(description="Where it waited longest.")
    lost: float = Field(description="Time for which a packet of it waited behind a pause [s].")


class PauseRow(BaseModel):
    """One pause."""

    port: str
    class_: int | None = Field(alias="class")
    asked: float = Field(description="Xoff [s].")
    ended: float | None = Field(description="Xon [s]; null where the run ended before.")
    held: list[tuple[float, float]] = Field(description="When it held the port back [s].")
    outlet: str = Field(description="Port by which most of the bytes that waited were to leave.")
    waiting: int = Field(description="All bytes that waited there in that class [B].")
    cause: int | None = Field(
        description="The row of the pause that led to it; null where none did, or where that one is not listed."
    )
    root: str


class Propagation(BaseModel):
    """How pauses spread."""

    until: float = Field(description="Up to when they were recorded [s].")
    count: int = Field(description="Pauses in the measured time.")
    roots: list[PauseRoot]
    tree: list[PauseNode] = Field(description="Parents before children; at most 300.")
    by_port: list[PausedPort]
    victims: list[PauseVictim] = Field(description="Those that lost most; at most 200.")
    pauses: list[PauseRow] = Field(description="In the order of time; the longest where there are more than 2000.")


class FabricDocument(BaseModel):
    """Every port of the fabric over time, from the end of the warm-up."""

    step: float = Field(description="Length of a frame [s]; the last may be shorter.")
    start: float = Field(description="When the first begins [s].")
    time: list[float] = Field(description="When each ends [s].")
    nodes: list[FabricNode]
    ports: list[FabricPort]
    queues: list[FabricQueue] = Field(description="Classes of ports that ever held a byte or were held back.")
    queues_left_out: int = Field(description="More of these that are not listed.")
    flows: FlowRates
    pauses: Propagation | None = Field(description="null where no class is lossless.")
