"""Common parts of resources whose answers are simulated in the background and kept by a hash of the question."""

from __future__ import annotations

from typing import Any, Protocol

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from footroom.studies.cost import Cost
from footroom_api.admission import Guard, refuse_beyond
from footroom_api.clients import client_of
from footroom_api.conditional import conditional
from footroom_api.jobs.searches import SearchJobs
from footroom_api.problems import ProblemError
from footroom_api.services import Services


class Asked(Protocol):
    """A question that simulations answer."""

    @property
    def id(self) -> str: ...

    def cost(self, workers: int | None) -> Cost: ...


class Searches:
    """The searches of one resource. name, plural: of one and of several, in words.  document: a search as it stands."""

    def __init__(self, name: str, plural: str, document: type[BaseModel]) -> None:
        self._name, self._plural, self._document = name, plural, document

    def start(self, asked: Asked, search: Any, jobs: SearchJobs, shared: Services, request: Request) -> Response:
        """202 with the search, which is queued unless it is done or under way. search: see ``SearchJobs.start``.

        Raises ProblemError: 422, 429 and 503 for what is beyond limits.
        """
        limits, workers = shared.settings.limits, shared.settings.workers
        refuse_beyond(asked.cost(workers), limits)
        client = client_of(request)
        if jobs.describe(asked.id)["status"] not in ("queued", "running", "done"):
            self._check_room(jobs, client, limits.waiting)
        jobs.start(asked.id, search, Guard(limits, workers), client)
        document = self._document.model_validate(jobs.describe(asked.id)).model_dump(mode="json")
        return JSONResponse(document, 202, {"Location": f"{request.url.path}/{asked.id}"})

    def _check_room(self, jobs: SearchJobs, client: str, most: int) -> None:
        """Raises ProblemError where too many wait: in all (503), or of one client while others may come (429)."""
        later = {"Retry-After": "60"}
        if jobs.active() >= most:
            raise ProblemError(503, "busy", f"{most} {self._plural} are waiting; try again later", headers=later)
        if (own := jobs.active(client)) >= max(1, most // 2):
            why = f"{own} {self._plural} of yours are waiting, half of what the server takes from everybody"
            raise ProblemError(429, "too-many", f"{why}; try again later", headers=later)

    def cost(self, asked: Asked, shared: Services) -> Any:
        """What it is expected to take. Raises ProblemError for what would be refused."""
        cost = asked.cost(shared.settings.workers)
        refuse_beyond(cost, shared.settings.limits)
        return cost.to_dict()

    def look(self, id_: str, jobs: SearchJobs, request: Request) -> Response:
        """The progress of a search. Raises ProblemError (404)."""
        return conditional(request, self._known(id_, jobs))

    def cancel(self, id_: str, jobs: SearchJobs, request: Request) -> Response:
        """Stop it: 202 when it was queued or running, 200 when not. Raises ProblemError (404)."""
        self._known(id_, jobs)
        stopped = jobs.cancel(id_)
        return conditional(request, self._known(id_, jobs), status=202 if stopped else 200)

    def _known(self, id_: str, jobs: SearchJobs) -> dict[str, Any]:
        found = jobs.describe(id_[:64])
        if found["status"] == "none":
            raise ProblemError(404, "not-found", f"there is no {self._name} {id_[:80]!r}; ask for it with POST")
        return found
