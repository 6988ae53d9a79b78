"""Stability of the fluid models: at one scenario, over two fields, and where it ends."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from footroom.calculators.stability import published
from footroom.calculators.stability.analyse import analyse
from footroom.calculators.stability.critical import critical
from footroom.calculators.stability.document import CriticalDocument, MapDocument, StabilityDocument
from footroom.calculators.stability.fields import values_of
from footroom.calculators.stability.grid import stability_map
from footroom.scenario import Scenario
from footroom_api.answers import follows_from_request
from footroom_api.conditional import conditional
from footroom_api.problems import ProblemError
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.stability.schemas import CriticalRequest, CurvesDocument, MapRequest, StabilityRequest
from footroom_api.services import Shared

router = new_router("stability")


@router.post(
    "/stability",
    response_model=StabilityDocument,
    response_model_exclude_unset=True,
    operation_id="computeStability",
    responses=BODY,
)
@follows_from_request
def stability(body: StabilityRequest) -> Any:
    """Whether the flows at the bottleneck converge, by two methods, and with which margins.

    Where they do not, the oscillation of the queue is in ``cycle``.
    """
    return analyse(Scenario.parse(body.scenario), trajectory=body.trajectory, curve=body.nyquist).to_dict()


@router.post(
    "/stability/map",
    response_model=MapDocument,
    response_model_exclude_unset=True,
    operation_id="mapStability",
    responses=BODY,
)
@follows_from_request
def map_stability(body: MapRequest, shared: Shared) -> Any:
    """Rightmost root and queue in equilibrium over two numeric fields, all at once or in blocks of rows."""
    scenario = Scenario.parse(body.scenario)
    x, y = (body.x.path, body.x.values), (body.y.path, body.y.values)
    rows = len(values_of(scenario, *y, beside=x)) if body.rows is None else body.rows[1] - body.rows[0]
    cells, limit = rows * len(values_of(scenario, *x, beside=y)), shared.settings.limits.estimates
    if cells > limit:
        raise ProblemError(
            422,
            "beyond-limits",
            f"{cells} cells are more than the {limit} that are answered at once; ask for fewer rows at a time",
        )
    return stability_map(scenario, x, y, margins=body.margins, rows=body.rows).to_dict()


@router.post("/stability/critical", response_model=CriticalDocument, operation_id="findCriticalValue", responses=BODY)
@follows_from_request
def find_critical_value(body: CriticalRequest) -> Any:
    """The values of one numeric field at which the verdict changes."""
    return critical(Scenario.parse(body.scenario), body.path, body.between).to_dict()


@router.get(
    "/stability/published",
    response_model=CurvesDocument,
    operation_id="listPublishedMargins",
    responses={304: {"description": "Unchanged"}},
)
def list_published_margins(request: Request) -> Any:
    """Published curves of phase margins, with their conditions and why ours differ."""
    return conditional(request, {"curves": published.index()})
