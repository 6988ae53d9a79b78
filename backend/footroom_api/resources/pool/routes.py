"""Whether a buffer configuration fits its chip."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request

from footroom.calculators.pool import Question, assess
from footroom.calculators.pool.document import PoolDocument
from footroom.studies.catalogue import schema_of
from footroom_api.answers import follows_from_request
from footroom_api.conditional import conditional
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.pool.schemas import PoolRequest

router = new_router("pool")


@router.post("/pool", response_model=PoolDocument, operation_id="assessPool", responses=BODY)
@follows_from_request
def assess_pool(
    body: PoolRequest,
    refuse: Annotated[
        bool, Query(description="If false, what does not fit is answered like anything else, with feasible false.")
    ] = True,
) -> Any:
    """Every guarantee in bytes and cells, what is left to share, and who shares it.

    An overcommitted configuration is refused (422, ``infeasible``): ``errors`` has what would fit, field by field, and
    ``answer`` everything that is said of one that fits. With ``refuse=false`` that is the answer itself.
    """
    found = assess(body.root)
    return (found.require() if refuse else found).to_dict()


@router.get(
    "/pool", response_model=dict[str, Any], operation_id="describePool", responses={304: {"description": "Unchanged"}}
)
def describe_pool(request: Request) -> Any:
    """JSON schema of the question; each field has its unit, symbol, source and bounds."""
    return conditional(request, schema_of(Question))
