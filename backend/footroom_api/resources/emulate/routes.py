"""Sharing policies on a trace of arrivals or an incast, without a network."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from footroom.calculators.emulator import Question, emulate
from footroom.calculators.emulator.document import EmulateDocument
from footroom.studies.catalogue import schema_of
from footroom_api.answers import follows_from_request
from footroom_api.conditional import conditional
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.emulate.schemas import EmulateRequest

router = new_router("emulate")


@router.post("/emulate", response_model=EmulateDocument, operation_id="emulate", responses=BODY)
@follows_from_request
def compute_emulation(body: EmulateRequest) -> Any:
    """What each policy admits and drops, the burst it absorbs, and the smallest alpha that loses nothing.

    A trace may be as large as a request may be; longer ones are for the command line.
    """
    return emulate(body.root).to_dict()


@router.get(
    "/emulate",
    response_model=dict[str, Any],
    operation_id="describeEmulate",
    responses={304: {"description": "Unchanged"}},
)
def describe_emulation(request: Request) -> Any:
    """JSON schema of the question; each field has its unit, symbol, source and bounds."""
    return conditional(request, schema_of(Question))
