"""Which studies this server starts: well-formed ones within its limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from footroom import studies
from footroom.base.errors import InvalidInput, Problem
from footroom.engines.plan.memory import check_memory
from footroom.scenario import Scenario
from footroom.studies.document import Cost
from footroom_api.persistence import UNANSWERED
from footroom_api.problems import ProblemError
from footroom_api.resources.studies.schemas import StudyRequest
from footroom_api.services import Services
from footroom_api.settings import Limits

#: Limits: name in a cost and in the limits, what it counts, and what would help.
_ROWS = (
    ("runs", "runs (points × engines × replicas)", "fewer points, engines or replicas"),
    ("packet_hops", "packet-hops", "a shorter run.duration, fewer points or a slower link"),
    (
        "parts",
        "hosts, switches, ports, queues and flows to set up",
        "a smaller network, fewer flows, points or replicas",
    ),
    ("seconds", "seconds of computing", "a shorter run.duration, a smaller network, fewer points or replicas"),
    ("memory", "bytes of memory", "fewer hosts or flows, a smaller buffer or round trip"),
)

#: Points of a study whose memory is checked before it is started.
_LOOKED_AT = 100


@dataclass(frozen=True)
class Admitted:
    """A study that may run. request: canonical and in SI base units; cost: what it is expected to take."""

    id: str
    name: str
    request: dict[str, Any]
    cost: Cost


class Guard:
    """Adds up what a study will cost while it is read, and refuses it as soon as it is beyond a limit."""

    def __init__(self, limits: Limits, workers: int | None) -> None:
        self._limits, self._workers = limits, workers
        self.points = 0
        self.tally = studies.Tally((), 1)

    def begin(self, points: int, engines: tuple[str, ...], replicas: int) -> None:
        """Refuse more runs than are allowed before any point is read."""
        self.points = points
        self.tally = studies.Tally(engines, replicas, self._workers)
        if (runs := self.tally.cost(points).runs) > self._limits.runs:
            raise _refusal({"runs": runs}, self._limits)

    def add(self, scenario: Scenario) -> None:
        """Refuse the study once the points read so far are beyond a limit."""
        self.tally.add(scenario)
        cost = self.tally.cost()
        if any(getattr(cost, name) > getattr(self._limits, name) for name, _, _ in _ROWS):
            # The other points are assumed to be like those before: to read them all may take long.
            raise _refusal(self.tally.cost(self.points).to_dict(), self._limits)


def refuse_beyond(cost: studies.Cost, limits: Limits) -> None:
    """Raises ProblemError (422) where ``cost`` is beyond a limit."""
    if any(getattr(cost, name) > getattr(limits, name) for name, _, _ in _ROWS):
        raise _refusal(cost.to_dict(), limits)


def _refusal(cost: Mapping[str, Any], limits: Limits) -> ProblemError:
    """Every limit the study exceeds, what it needs and what would help."""
    problems = [
        Problem(
            f"limits.{name}",
            cost[name],
            f"this study needs about {_large(cost[name])} {unit}, this server allows "
            f"{_large(getattr(limits, name))}: ask for {remedy}",
        )
        for name, unit, remedy in _ROWS
        if name in cost and cost[name] > getattr(limits, name)
    ]
    return ProblemError(422, "beyond-limits", "; ".join(problem.message for problem in problems), problems)


def _large(value: float) -> str:
    """Three digits, and from a million on in words: "168 billion"."""
    for factor, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if value >= factor:
            return f"{value / factor:.0f} {word}" if value >= 1000 * factor else f"{value / factor:.3g} {word}"
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def check_memories(study: studies.Study) -> None:
    """Raises InvalidInput where the headroom of every checked point does not fit its switches."""
    first: InvalidInput | None = None
    for point in study.points[:_LOOKED_AT]:
        try:
            check_memory(point.scenario)
            return
        except InvalidInput as error:
            first = first or error
    if first is not None:
        raise first


def _check_room(study: str, client: str, shared: Services, again: Collection[str]) -> None:
    """Raises ProblemError where too many studies wait: in all (503), or of one client while others may come (429).

    again: statuses from which a study is queued once more; in any other it needs no place.
    """
    stored = shared.studies.get(study)
    if stored is not None and stored.status not in again:
        return
    waiting, most = shared.studies.unfinished(), shared.settings.limits.waiting
    if len(waiting) >= most:
        raise ProblemError(503, "busy", f"{most} studies are waiting; try again later", headers={"Retry-After": "60"})
    own = sum(one.client == client for one in waiting)
    if own >= max(1, most // 2):
        raise ProblemError(
            429,
            "too-many",
            f"{own} studies of yours are waiting, half of what the server takes from everybody; try again later",
            headers={"Retry-After": "60"},
        )


def admit(body: StudyRequest, shared: Services, client: str | None, again: Collection[str] = UNANSWERED) -> Admitted:
    """The canonical study behind ``body``. client: who queues it; none to learn its cost, which needs no place.
    again: statuses from which it is queued once more.

    Raises InvalidInput, Unsupported, ProblemError (422, 429, 503).
    """
    given = {name: value for name, value in body.model_dump().items() if value is not None}
    guard = Guard(shared.settings.limits, shared.settings.workers)
    study = studies.Study.from_request(given, guard)
    if any(studies.engine_named(name).random for name in study.engines):
        check_memories(study)
    # Values that are written twice are counted twice while the study is read.
    once = len(study.points) == guard.points
    cost = guard.tally.cost() if once else studies.cost_of(study, shared.settings.workers)
    if client is not None:
        _check_room(study.id, client, shared, again)
    request = study.request
    return Admitted(study.id, str(request["scenario"].get("name", "")), request, cost.to_dict())
