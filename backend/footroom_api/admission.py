"""Which studies this server starts: well-formed ones within its limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from footroom import studies
from footroom.errors import Problem
from footroom_api.problems import ProblemError
from footroom_api.schemas import StudyRequest
from footroom_api.services import Services
from footroom_api.settings import Limits


@dataclass(frozen=True)
class Admitted:
    """A study that may run. request: canonical and in SI base units; cost: what it is expected to take."""

    id: str
    name: str
    request: dict[str, Any]
    cost: dict[str, Any]


def _check(cost: dict[str, Any], limits: Limits) -> None:
    """Raise ProblemError (422) naming every limit the study exceeds, what it needs and what would help."""
    rows = (
        ("runs", limits.runs, "runs (points × engines × replicas)", "fewer points, engines or replicas"),
        ("packet_hops", limits.packet_hops, "packet-hops", "a shorter run.duration, fewer points or a slower link"),
        ("seconds", limits.seconds, "seconds of computing", "a shorter run.duration, fewer points or replicas"),
        ("memory", limits.memory, "bytes of memory", "fewer flows or a smaller buffer"),
    )
    beyond = [
        Problem(
            f"limits.{name}",
            cost[name],
            f"this study needs about {cost[name]:.3g} {unit}, this server allows {limit:.3g}: ask for {remedy}",
        )
        for name, limit, unit, remedy in rows
        if cost[name] > limit
    ]
    if beyond:
        raise ProblemError(422, "beyond-limits", "; ".join(problem.message for problem in beyond), beyond)


def admit(body: StudyRequest, shared: Services) -> Admitted:
    """The canonical study behind ``body``. Raises InvalidInput, Unsupported, ProblemError (422, 503)."""
    given = {name: value for name, value in body.model_dump().items() if value is not None}
    study = studies.Study.from_request(given)
    cost = studies.cost_of(study, shared.settings.workers).to_dict()
    _check(cost, shared.settings.limits)
    if shared.studies.get(study.id) is None and len(shared.studies.unfinished()) >= shared.settings.limits.waiting:
        raise ProblemError(503, "busy", f"{shared.settings.limits.waiting} studies are waiting; try again later",
                           headers={"Retry-After": "60"})
    request = study.request
    return Admitted(study.id, str(request["scenario"].get("name", "")), request, cost)
