"""How far each engine is from packets."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from footroom.base.errors import InvalidInput
from footroom.result import METRICS
from footroom.scenario import Scenario
from footroom.studies.accuracy.document import EngineErrors
from footroom.studies.accuracy.release import released, summary
from footroom.studies.choice import BUDGET, checked_budget, choose
from footroom.studies.cost import cell_seconds
from footroom_api.conditional import conditional
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.engines.schemas import ChoiceDocument, ChoiceRequest

router = new_router("engines")


@router.get(
    "/engines/errors",
    response_model=EngineErrors,
    operation_id="getEngineErrors",
    responses={304: {"description": "Unchanged"}},
)
def get_engine_errors(request: Request) -> Any:
    """Errors of theory, fluid and hybrid against packets over a grid of scenarios, by control and quantity."""
    found = released()
    response: Response = conditional(
        request,
        {
            "date": found.date,
            "version": found.version,
            "command": found.command,
            "cases": len(found.cases),
            "errors": summary(found.cases),
        },
    )
    return response


@router.post("/engines/choice", response_model=ChoiceDocument, operation_id="chooseEngine", responses=BODY)
def choose_engine(body: ChoiceRequest) -> Any:
    """The engine that `auto` picks: the quickest whose model holds, within the budget, with the reason."""
    unknown = [name for name in body.metrics if name not in METRICS]
    if unknown:
        raise InvalidInput.at("metrics", unknown[0], f"no metric of that name; known are {', '.join(METRICS)}")
    scenario = Scenario.parse(body.scenario)
    budget = BUDGET if body.budget is None else checked_budget(body.budget)
    found = choose(scenario, body.metrics, budget)
    return {
        "engine": found.engine,
        "reason": found.reason,
        "seconds": cell_seconds(found.engine, scenario),
        "budget": budget,
    }
