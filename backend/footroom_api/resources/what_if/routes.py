"""A scenario against a change of it, over the same arrivals."""

from __future__ import annotations

from typing import Any

from footroom.base.errors import InvalidInput
from footroom.scenario import Scenario
from footroom.studies.alternatives import alternatives, apply
from footroom.studies.document import AlternativesDocument, WhatIfDocument
from footroom.studies.what_if import compare, request
from footroom_api.resources.common import BODY, problems
from footroom_api.resources.common import router as new_router
from footroom_api.resources.studies.routes import find_study
from footroom_api.resources.what_if.schemas import AlternativesRequest, WhatIfRequest
from footroom_api.services import Services, Shared

router = new_router("studies")

#: Points of a study that are compared at most.
_MOST = 100


@router.post(
    "/what-if/alternatives", response_model=AlternativesDocument, operation_id="listAlternatives", responses=BODY
)
def list_alternatives(body: AlternativesRequest) -> Any:
    """Ready changes of a scenario with lossless classes, each with the study that runs it. Nothing is run."""
    ready = alternatives(Scenario.parse(body.scenario))
    return {
        "study": request(body.scenario, body.replicas),
        "alternatives": [
            one.to_dict() | {"study": request(apply(body.scenario, one.changes), body.replicas)} for one in ready
        ],
    }


@router.post(
    "/what-if", response_model=WhatIfDocument, operation_id="compareStudies", responses={**BODY, **problems(404)}
)
def compare_studies(body: WhatIfRequest, shared: Shared) -> Any:
    """Differences between two finished studies, seed by seed, with paired intervals."""
    return compare(_points("a", body.a, shared), _points("b", body.b, shared)).to_dict()


def _points(field: str, study: str, shared: Services) -> list[dict[str, Any]]:
    """The points of a finished study. Raises InvalidInput, ProblemError (404)."""
    found = find_study(study, shared)
    if found.status != "done":
        raise InvalidInput.at(field, study, f"this study is {found.status}; only finished ones are compared")
    if found.points > _MOST:
        raise InvalidInput.at(field, study, f"this study has {found.points} points; at most {_MOST} are compared")
    return list(shared.studies.points(found.id))
