"""Theory and fluid, answered at once."""

from __future__ import annotations

from typing import Any

from footroom import studies
from footroom.errors import InvalidInput
from footroom_api.derived import derive
from footroom_api.problems import ProblemError
from footroom_api.routes.common import BODY
from footroom_api.routes.common import router as new_router
from footroom_api.schemas import EstimateRequest, Estimates
from footroom_api.services import Shared

router = new_router("estimates")

#: Engines without random numbers: they take a whole sweep at once and need no job.
AT_ONCE = tuple(engine.name for engine in studies.ENGINES if not engine.random)


@router.post("/estimates", response_model=Estimates, operation_id="estimate", responses=BODY)
def estimate(body: EstimateRequest, shared: Shared) -> Any:
    """What theory and fluid say of a scenario or a sweep of it. What an engine cannot answer is listed with the reason."""
    engines = list(AT_ONCE) if body.engines is None else body.engines
    for i, engine in enumerate(engines):
        if engine not in AT_ONCE:
            raise InvalidInput.at(f"engines.{i}", engine, f"answered at once by: {', '.join(AT_ONCE)}; ask for a study "
                                  "to run any other engine")
    study = studies.Study.of(body.scenario, body.over, engines, 1)
    limit = shared.settings.limits.estimates
    if len(study.points) > limit:
        raise ProblemError(422, "beyond-limits", f"{len(study.points)} points are more than the {limit} that are answered "
                           "at once; ask for a study")
    sweep = studies.run(study, workers=1).to_dict()
    return {"points": sweep["points"], "unsupported": sweep["unsupported"], "derived": derive(study.base)}
