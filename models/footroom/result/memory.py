"""How switches divide their memory, in JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict


class MemoryLine(TypedDict):
    """A part of a switch's memory."""

    name: str
    title: str
    count: Annotated[int, Field(description="How many pieces.")]
    least: Annotated[int, Field(description="Smallest piece [B].")]
    most: Annotated[int, Field(description="Largest piece [B].")]
    bytes: Annotated[int, Field(description="All of them [B].")]
    share: Annotated[float, Field(description="Of the switch's memory.")]


class MemoryLevel(TypedDict):
    """A level of memory at which a class pauses or resumes, or packets are marked."""

    name: str
    title: str
    bytes: int
    of: Annotated[
        Literal["group", "port", "queue"],
        Field(description="Whose bytes: a priority group's, reserved bytes left out, a port's, or an egress queue's."),
    ]
    formula: str


class MemoryRace(TypedDict):
    """What comes first while some ports fill one egress queue evenly and nothing else waits."""

    sources: int
    queue: Annotated[int, Field(description="Length of the queue when the ports are paused [B].")]
    first: Annotated[Literal["marking", "pause", ""], Field(description="Empty where nothing is marked.")]


class SwitchMemory(TypedDict):
    """How a switch, or several that do alike, divides its memory."""

    switches: list[str]
    buffer: Annotated[int, Field(description="Memory of each [B].")]
    ports: int
    lossless: Annotated[list[int], Field(description="Classes that pause instead of dropping.")]
    lines: Annotated[list[MemoryLine], Field(description="Parts; together the memory.")]
    levels: list[MemoryLevel]
    races: list[MemoryRace]
