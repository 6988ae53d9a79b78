"""The switch chips that questions can start from."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from footroom.base.errors import InvalidInput
from footroom.parts.asics import ASICS, asic_named
from footroom.parts.asics.document import AsicDocument
from footroom_api.conditional import conditional
from footroom_api.problems import ProblemError
from footroom_api.resources.asics.schemas import AsicsDocument
from footroom_api.resources.common import problems
from footroom_api.resources.common import router as new_router

router = new_router("asics")
_UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "Unchanged"}}


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
