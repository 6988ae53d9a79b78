"""The smallest buffer under every congestion control."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from footroom import studies
from footroom.studies.controls.document import ControlsDocument
from footroom.studies.document import Cost
from footroom_api.answers import follows_from_request
from footroom_api.resources.common import BODY, problems
from footroom_api.resources.common import router as new_router
from footroom_api.resources.controls.schemas import ControlList, ControlsJobDocument, ControlsRequest
from footroom_api.resources.estimates.routes import AT_ONCE
from footroom_api.resources.searches import Searches
from footroom_api.services import Shared

router = new_router("controls")
_MISSING = problems(404)
_SEARCHES = Searches("comparison of controls", "comparisons", ControlsJobDocument)


def _asked(body: ControlsRequest) -> studies.Comparison:
    return studies.Comparison(
        body.scenario,
        body.require,
        engines=body.engines,
        controls=body.controls,
        mixtures=body.mixtures,
        flows=body.flows,
    )


@router.get("/controls", response_model=ControlList, operation_id="listControls")
def list_controls() -> Any:
    """The congestion controls that can be compared, and mixtures of two of them."""
    controls = studies.available()
    return {
        "controls": [one.to_dict() for one in controls],
        "mixtures": [one.to_dict() for one in studies.pairs(controls)],
    }


@router.post(
    "/controls",
    response_model=ControlsDocument,
    operation_id="compareControls",
    responses={
        202: {"model": ControlsJobDocument, "description": "They are simulated in the background"},
        **BODY,
        **problems(429),
    },
)
@follows_from_request
def compare_controls(body: ControlsRequest, request: Request, shared: Shared) -> Any:
    """The smallest buffer that meets every requirement, per congestion control and number of flows.

    Each figure is that of ``/size`` for the scenario with that control. Engines that answer at once do so with 200;
    simulations take minutes: 202, with the id to ask for. The same question has the same id, and its answer is kept.
    """
    asked = _asked(body)
    if all(engine in AT_ONCE for engine in asked.engines):
        return asked.answer().to_dict()
    return _SEARCHES.start(asked, asked.answer, shared.controls, shared, request)


@router.post("/controls/cost", response_model=Cost, operation_id="costControls", responses=BODY)
def cost_controls(body: ControlsRequest, shared: Shared) -> Any:
    """What the searches by simulations are expected to take, without starting them. Too large ones are refused."""
    return _SEARCHES.cost(_asked(body), shared)


@router.get(
    "/controls/{comparison}",
    response_model=ControlsJobDocument,
    operation_id="getControls",
    responses={304: {"description": "Unchanged"}, **_MISSING},
)
def get_controls(comparison: str, request: Request, shared: Shared) -> Response:
    """How far a comparison by simulations is; its answer once it is done."""
    return _SEARCHES.look(comparison, shared.controls, request)


@router.delete(
    "/controls/{comparison}/run",
    response_model=ControlsJobDocument,
    status_code=202,
    operation_id="cancelControls",
    responses={200: {"model": ControlsJobDocument, "description": "It was not running"}, **_MISSING},
)
def cancel_controls(comparison: str, request: Request, shared: Shared) -> Response:
    """Stop a comparison. 202 when it was queued or running, 200 when not. Single runs that were finished are kept."""
    return _SEARCHES.cancel(comparison, shared.controls, request)
