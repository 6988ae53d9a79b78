"""Theory and fluid, answered at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from footroom import studies
from footroom.base.errors import InvalidInput, NotConverged
from footroom.studies.derived import derive
from footroom_api.admission import check_memories
from footroom_api.answers import follows_from_request
from footroom_api.problems import ProblemError
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.estimates.schemas import EstimateRequest, Estimates
from footroom_api.services import Shared

router = new_router("estimates")

#: Engines without random numbers: they take a whole sweep at once and need no job.
AT_ONCE = tuple(engine.name for engine in studies.ENGINES if not engine.random)


def _ask(study: studies.Study, engine: str) -> dict[str, Any]:
    """The answer of one engine, or its refusal: the other engines still answer."""
    try:
        return studies.run(replace(study, engines=(engine,)), workers=1).to_dict()
    except (InvalidInput, NotConverged) as error:
        path = error.problems[0].path if isinstance(error, InvalidInput) else ""
        others = [other.name for other in studies.ENGINES if other.random]
        return {
            "points": [],
            "unsupported": [{"engine": engine, "message": str(error), "path": path, "engines": others, "at": {}}],
        }


@router.post("/estimates", response_model=Estimates, operation_id="estimate", responses=BODY)
@follows_from_request
def estimate(body: EstimateRequest, shared: Shared) -> Any:
    """Answers of theory and fluid for a scenario or a sweep of it.

    What an engine cannot answer is listed with the reason; the others answer.
    """
    engines = list(AT_ONCE) if body.engines is None else body.engines
    for i, engine in enumerate(engines):
        if engine not in AT_ONCE:
            raise InvalidInput.at(
                f"engines.{i}",
                engine,
                f"answered at once by: {', '.join(AT_ONCE)}; ask for a study to run any other engine",
            )
    study = studies.Study.of(body.scenario, body.over, engines, 1, body.scale)
    limit = shared.settings.limits.estimates
    if len(study.points) > limit:
        raise ProblemError(
            422,
            "beyond-limits",
            f"{len(study.points)} points are more than the {limit} that are answered at once; ask for a study",
        )
    check_memories(study)
    answers = [_ask(study, engine) for engine in study.engines]
    points = [point for answer in answers for point in answer["points"]]
    refusals = [refusal for answer in answers for refusal in answer["unsupported"]]
    return {"points": points, "unsupported": refusals, "derived": derive(study.base)}
