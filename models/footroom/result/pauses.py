"""How pauses spread in a fabric."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.class_key import OfClassOrPort


class PauseSum(TypedDict):
    """Several pauses together."""

    pauses: Annotated[int, Field(description="How often a switch asked for one.")]
    time: Annotated[float, Field(description="Time for which they held ports back, added up [s].")]
    longest: Annotated[float, Field(description="The longest of them [s].")]
    first: Annotated[float | None, Field(description="When the first was asked for [s].")]


class PauseRoot(PauseSum):
    """A congested port and all pauses that come from it."""

    port: str
    ports: Annotated[int, Field(description="Classes of ports that were paused.")]
    depth: Annotated[int, Field(description="Longest chain of pauses that led to one another.")]
    flows: Annotated[int, Field(description="Flows of which packets waited behind them.")]
    stalled: Annotated[float, Field(description="Time for which they did, added up over flows [s].")]
    victims: Annotated[int, Field(description="Those of them that do not cross the port.")]
    lost: Annotated[float, Field(description="The time of these [s].")]


class PausedPort(OfClassOrPort, PauseSum):
    """All pauses of one class of one port."""

    port: str
    roots: Annotated[list[str], Field(description="Congested ports that they come from.")]


class PauseNode(OfClassOrPort, PauseSum):
    """Pauses of one class of one port that came the same way from the same root."""

    id: int
    parent: Annotated[int | None, Field(description="The pauses that led to these; null where the root itself did.")]
    root: str
    port: str


class PauseVictim(TypedDict):
    """A flow that waited behind pauses though it does not cross the port they come from."""

    flow: int
    entry: int
    source: str
    destination: str
    size: Annotated[int | None, Field(description="[B]; null for a flow without an end.")]
    root: str
    port: Annotated[str, Field(description="Where it waited longest.")]
    lost: Annotated[float, Field(description="Time for which a packet of it waited behind a pause [s].")]


class PauseRow(OfClassOrPort):
    """One pause."""

    port: str
    asked: Annotated[float, Field(description="Xoff [s].")]
    ended: Annotated[float | None, Field(description="Xon [s]; null where the run ended before.")]
    held: Annotated[list[tuple[float, float]], Field(description="When it held the port back [s].")]
    outlet: Annotated[str, Field(description="Port by which most of the bytes that waited were to leave.")]
    waiting: Annotated[int, Field(description="All bytes that waited there in that class [B].")]
    cause: Annotated[
        int | None,
        Field(description="The row of the pause that led to it; null where none did, or where that one is not listed."),
    ]
    root: str


class Propagation(TypedDict):
    """How pauses spread."""

    until: Annotated[float, Field(description="Up to when they were recorded [s].")]
    count: Annotated[int, Field(description="Pauses in the measured time.")]
    roots: list[PauseRoot]
    tree: Annotated[list[PauseNode], Field(description="Parents before children; at most 300.")]
    by_port: list[PausedPort]
    victims: Annotated[list[PauseVictim], Field(description="Those that lost most; at most 200.")]
    pauses: Annotated[
        list[PauseRow], Field(description="In the order of time; the longest where there are more than 2000.")
    ]
