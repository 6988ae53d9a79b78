"""The smallest value of one field that meets requirements."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from footroom import studies
from footroom.studies.document import Cost, SizeDocument
from footroom_api.answers import follows_from_request
from footroom_api.resources.common import BODY, problems
from footroom_api.resources.common import router as new_router
from footroom_api.resources.estimates.routes import AT_ONCE
from footroom_api.resources.searches import Searches
from footroom_api.resources.size.schemas import SizeJobDocument, SizeRequest
from footroom_api.services import Shared

router = new_router("size")
_MISSING = problems(404)
_SEARCHES = Searches("size search", "size searches", SizeJobDocument)


def _question(body: SizeRequest) -> studies.SizeQuestion:
    return studies.SizeQuestion.of(
        body.scenario, body.require, body.path, body.engine, body.between, body.tolerance, body.replicas
    )


@router.post(
    "/size",
    response_model=SizeDocument,
    operation_id="findSize",
    responses={
        202: {"model": SizeJobDocument, "description": "It is simulated in the background"},
        **BODY,
        **problems(429),
    },
)
@follows_from_request
def find_size(body: SizeRequest, request: Request, shared: Shared) -> Any:
    """The smallest buffer (or other field) that meets every requirement.

    An engine that answers at once does so with 200. Simulations take seconds to minutes: 202, with the id to ask for.
    The same question has the same id, and its answer is kept. ``feasible`` is false, with the reason, when no value
    does.
    """
    if body.engine in AT_ONCE:
        return studies.search(
            body.scenario,
            body.require,
            path=body.path,
            engine=body.engine,
            between=body.between,
            tolerance=body.tolerance,
            replicas=1,
            workers=1,
        ).to_dict()
    question = _question(body)
    if question.engine in AT_ONCE:
        return question.search(workers=1).to_dict()
    return _SEARCHES.start(question, question.search, shared.sizes, shared, request)


@router.post("/size/cost", response_model=Cost, operation_id="costSize", responses=BODY)
def cost_size(body: SizeRequest, shared: Shared) -> Any:
    """What a search by simulations is expected to take, without starting it. What would be refused is refused here."""
    return _SEARCHES.cost(_question(body), shared)


@router.get(
    "/size/{search}",
    response_model=SizeJobDocument,
    operation_id="getSize",
    responses={304: {"description": "Unchanged"}, **_MISSING},
)
def get_size(search: str, request: Request, shared: Shared) -> Response:
    """How far a search by simulations is; its answer once it is done."""
    return _SEARCHES.look(search, shared.sizes, request)


@router.delete(
    "/size/{search}/run",
    response_model=SizeJobDocument,
    status_code=202,
    operation_id="cancelSize",
    responses={200: {"model": SizeJobDocument, "description": "It was not running"}, **_MISSING},
)
def cancel_size(search: str, request: Request, shared: Shared) -> Response:
    """Stop a search. 202 when it was queued or running, 200 when not. Single runs that were finished are kept."""
    return _SEARCHES.cancel(search, shared.sizes, request)
