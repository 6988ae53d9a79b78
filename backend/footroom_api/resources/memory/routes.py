"""How the switches of a scenario divide their memory."""

from __future__ import annotations

from typing import Any

from footroom.engines.plan.memory import memory
from footroom_api.answers import follows_from_request
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.memory.schemas import DividedMemory, MemoryRequest

router = new_router("memory")


@router.post("/memory", response_model=DividedMemory, operation_id="divideMemory", responses=BODY)
@follows_from_request
def divide_memory(body: MemoryRequest) -> Any:
    """Reserved, shared and headroom bytes of every switch, and where lossless classes pause; nothing is run."""
    return {"memories": [one.to_dict() for one in memory(body.scenario)]}
