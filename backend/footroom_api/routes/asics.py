"""The switch chips that questions can start from."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from pydantic import BaseModel, Field

from footroom.base.errors import InvalidInput
from footroom.parts.asics import ASICS, asic_named
from footroom_api.conditional import conditional
from footroom_api.problems import ProblemError
from footroom_api.routes.common import problems
from footroom_api.routes.common import router as new_router

router = new_router("asics")
_UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "Unchanged"}}


class AsicDocument(BaseModel):
    """A switch chip as far as public sources know it; null: no source gives it."""

    id: str
    vendor: str
    name: str
    part: str = Field(description="The vendor's part number.")
    capacity: float | None = Field(description="Forwarding capacity [bit/s].")
    ports: str = Field(description="Port layouts as the source writes them.")
    port_count: int | None = Field(description="Ports of the layout with the fastest ones, where it is beyond doubt.")
    port_rate: float | None = Field(description="Rate of each of them [bit/s].")
    buffer_nominal: int | None = Field(description="Packet memory as published [B].")
    buffer_usable: int | None = Field(description="Packet memory that switch software can use [B].")
    cell: int | None = Field(description="Unit in which memory is given out [B].")
    external_memory: str = Field(description="Packet memory outside the chip, in words.")
    confidence: str = Field(description="sourced, partly sourced, secondary, observed or unsure.")
    unsure: list[str] = Field(description="Fields that are inferred or without a source.")
    source: str
    note: str
    buffer_time: float | None = Field(description="Time to send a full memory at full capacity [s].")


class AsicsDocument(BaseModel):
    """All chips, by vendor and age."""

    asics: list[AsicDocument]


@router.get("/asics", response_model=AsicsDocument, operation_id="listAsics", responses=_UNCHANGED)
def list_asics(request: Request) -> Any:
    """All switch chips with their memory, cell and ports, and how sure each of these is."""
    return conditional(request, {"asics": [asic.to_dict() for asic in ASICS]})


@router.get("/asics/{asic}", response_model=AsicDocument, operation_id="getAsic", responses=_UNCHANGED | problems(404))
def get_asic(asic: str, request: Request) -> Any:
    """One chip, by its id, name or part number."""
    try:
        return conditional(request, asic_named(asic[:80]).to_dict())
    except InvalidInput as error:
        raise ProblemError(404, "not-found", error.problems[0].message, error.problems) from None
