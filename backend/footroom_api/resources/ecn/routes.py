"""Marking thresholds for a port."""

from __future__ import annotations

from typing import Any

from footroom.calculators.ecn.document import EcnDocument
from footroom.calculators.ecn.question import EcnQuestion
from footroom_api.answers import follows_from_request
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.ecn.schemas import EcnControlsDocument

router = new_router("ecn")


@router.get("/ecn", response_model=EcnControlsDocument, operation_id="listEcnControls")
def list_ecn_controls() -> Any:
    """The congestion controls that thresholds can be advised for."""
    from footroom.calculators.ecn.controls import controls

    return {"congestion": list(controls())}


@router.post(
    "/ecn", response_model=EcnDocument, response_model_exclude_none=True, operation_id="computeEcn", responses=BODY
)
@follows_from_request
def compute_ecn(body: EcnQuestion) -> Any:
    """Marking thresholds that are stable and meet the limits of utilisation and queue.

    ``feasible`` is false, with the reason, when none do.
    """
    from footroom.calculators.ecn.advice import advise

    return advise(body).to_dict()
