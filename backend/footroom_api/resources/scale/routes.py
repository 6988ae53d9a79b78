"""A fast scenario made small enough for a laptop, and what that keeps."""

from __future__ import annotations

from typing import Any

from footroom.scenario.scaling import scale
from footroom_api.answers import follows_from_request
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.scale.schemas import ScaleDocument, ScaleRequest

router = new_router("scale")


@router.post("/scale", response_model=ScaleDocument, operation_id="scaleScenario", responses=BODY)
@follows_from_request
def scale_scenario(body: ScaleRequest) -> Any:
    """The scenario with links ``scale`` times slower, and what that keeps and changes; nothing is run."""
    document, report = scale(body.scenario, body.scale)
    return {"scenario": document, "scaling": report.to_dict()}
