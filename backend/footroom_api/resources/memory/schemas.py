"""What the resource ``memory`` takes and answers."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from footroom_api.schemas import Strict


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
