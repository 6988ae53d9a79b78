"""Finished points of a study, as JSON or CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from footroom import studies
from footroom_api.negotiation import preferred
from footroom_api.persistence import StoredStudy
from footroom_api.resources.common import problems
from footroom_api.resources.common import router as new_router
from footroom_api.resources.results.schemas import Sweep
from footroom_api.resources.studies.routes import Found
from footroom_api.services import Services, Shared

router = new_router("studies")
ARROW = "application/vnd.apache.arrow.stream"


def _json(study: StoredStudy, shared: Services) -> Iterator[str]:
    """The document piece by piece."""
    refused: list[dict[str, Any]] = []
    comma = ""
    yield f'{{"id":{json.dumps(study.id)},"status":{json.dumps(study.status)},"points":['
    for answer in shared.studies.points(study.id):
        if "result" not in answer:
            refused.append(answer)
            continue
        yield comma + json.dumps(answer, separators=(",", ":"), allow_nan=False)
        comma = ","
    yield f'],"unsupported":{json.dumps(refused, separators=(",", ":"))}}}'


@router.get(
    "/studies/{study}/results",
    response_model=Sweep,
    operation_id="getResults",
    responses={
        200: {
            "content": {
                "text/csv": {"schema": {"type": "string"}},
                ARROW: {"schema": {"type": "string", "format": "binary"}},
            }
        },
        **problems(404, 406),
    },
)
def get_results(study: Found, request: Request, shared: Shared) -> Any:
    """The points that are finished, also while the study runs: ``status`` says whether more will follow.

    ``Accept: text/csv`` gives a table with one row per point; ``application/vnd.apache.arrow.stream`` is Arrow,
    where the server has pyarrow.
    """
    offers = ("application/json", "text/csv", *([ARROW] if studies.has_arrow() else []))
    kind = preferred(request.headers.get("accept"), offers)
    headers = {"Vary": "Accept", "Cache-Control": "no-cache"}
    if kind == "text/csv":
        headers["Content-Disposition"] = f'attachment; filename="{study.id}.csv"'
        found = [answer for answer in shared.studies.points(study.id) if "result" in answer]
        return Response(studies.csv_of(found), headers=headers, media_type="text/csv")
    if kind == ARROW:
        headers["Content-Disposition"] = f'attachment; filename="{study.id}.arrows"'
        found = [answer for answer in shared.studies.points(study.id) if "result" in answer]
        return Response(studies.arrow_of(found), headers=headers, media_type=ARROW)
    return StreamingResponse(_json(study, shared), headers=headers, media_type="application/json")
