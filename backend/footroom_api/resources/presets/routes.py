"""Ready-made studies."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from footroom.scenario import presets
from footroom.scenario.presets.document import PresetDocument
from footroom_api.conditional import conditional
from footroom_api.problems import ProblemError
from footroom_api.resources.common import problems
from footroom_api.resources.common import router as new_router
from footroom_api.resources.presets.schemas import Presets

router = new_router("presets")
_UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "Unchanged"}}


@router.get("/presets", response_model=Presets, operation_id="listPresets", responses=_UNCHANGED)
def list_presets(request: Request) -> Any:
    """All ready-made studies, without their scenarios."""
    return conditional(request, {"presets": presets.index()})


@router.get(
    "/presets/{preset}", response_model=PresetDocument, operation_id="getPreset", responses=_UNCHANGED | problems(404)
)
def get_preset(preset: str, request: Request) -> Any:
    """One ready-made study: its scenario, axes and engines."""
    for found in presets.PRESETS:
        if found.id == preset:
            return conditional(request, found.to_dict())
    raise ProblemError(404, "not-found", f'unknown preset "{preset[:80]}"')
