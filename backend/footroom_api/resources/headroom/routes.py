"""Memory for packets that arrive after a pause, by several schemes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import Request

from footroom.calculators.headroom.compute import answer
from footroom.calculators.headroom.document import HeadroomDocument
from footroom.formulas.headroom.schemes import SCHEMES, Scheme
from footroom.formulas.headroom.shipped import tables
from footroom.studies.catalogue import kind_of, schema_of
from footroom_api.answers import follows_from_request
from footroom_api.conditional import conditional
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.headroom.schemas import SchemesDocument

if TYPE_CHECKING:
    from footroom.calculators.headroom.question import Question as HeadroomQuestion
else:
    from footroom.calculators.headroom.question import HeadroomQuestion

router = new_router("headroom")
tables()  # read when the server starts, not when the first question comes


@router.post(
    "/headroom",
    response_model=HeadroomDocument,
    response_model_exclude_unset=True,
    operation_id="computeHeadroom",
    responses=BODY,
)
@follows_from_request
def compute_headroom(body: HeadroomQuestion) -> Any:
    """Headroom of one link by each scheme, line by line, beside shipped tables and, where given, a measurement."""
    return answer(body).to_dict()


@router.get(
    "/headroom",
    response_model=SchemesDocument,
    operation_id="describeHeadroom",
    responses={304: {"description": "Unchanged"}},
)
def describe_headroom(request: Request) -> Any:
    """The schemes: what each rests on, where it holds, and its parameters; and the schema of the whole question."""
    kinds = [kind for kind in SCHEMES if issubclass(kind, Scheme)]
    return conditional(
        request,
        {
            "schemes": [{**kind_of(kind), "formula": kind.formula} for kind in kinds],
            "question": schema_of(HeadroomQuestion),
        },
    )
