"""What the resource ``memory`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.result.memory import SwitchMemory
from footroom_api.schemas import Strict


class MemoryRequest(Strict):
    """A scenario whose switches' memory is looked at."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")


class DividedMemory(BaseModel):
    """How the switches of a scenario divide their memory, and at what levels lossless classes pause."""

    memories: list[SwitchMemory]
