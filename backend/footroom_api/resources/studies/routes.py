"""Studies: asked for, listed, looked at and cancelled."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response

from footroom.studies.document import Cost
from footroom_api.admission import admit
from footroom_api.clients import client_of
from footroom_api.conditional import conditional
from footroom_api.persistence import FINAL, KEEP, StoredStudy
from footroom_api.problems import ProblemError
from footroom_api.resources.common import BODY, problems
from footroom_api.resources.common import router as new_router
from footroom_api.resources.studies.schemas import StudyDocument, StudyLabels, StudyPage, StudyRequest
from footroom_api.services import Shared
from footroom_api.study_file import check_name, check_tags

router = new_router("studies")
Status = Literal["queued", "running", "done", "cancelled", "failed"]


def find_study(study: str, shared: Shared) -> StoredStudy:
    """The study of a path. Raises ProblemError (404)."""
    found = shared.study(study)
    if found is None:
        raise ProblemError(404, "not-found", f"there is no study {study[:80]!r}")
    return found


Found = Annotated[StoredStudy, Depends(find_study)]


def _written(moment: datetime | None) -> str | None:
    """In UTC, as the list of studies has it."""
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def describe(study: StoredStudy, keep_days: int | None = None) -> dict[str, Any]:
    """A study as clients see it. keep_days: after how many days it expires, none for never."""
    expires = None
    if keep_days is not None and study.finished is not None and study.final and KEEP not in study.tags:
        expires = _written(study.finished + timedelta(days=keep_days))
    return {
        "id": study.id,
        "name": study.name,
        "status": study.status,
        "progress": study.progress,
        "seconds_left": study.seconds_left,
        "points": study.points,
        "cost": study.cost,
        "request": study.request,
        "error": study.error,
        "tags": list(study.tags),
        "expires": expires,
        "created": _written(study.created),
        "started": _written(study.started),
        "finished": _written(study.finished),
    }


def _cursor(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        number = int(base64.urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4)))
    except (ValueError, binascii.Error):
        number = -1
    if not 0 < number < 2**31:
        raise ProblemError(422, "invalid-input", "cursor: this is not a cursor of an earlier page")
    return number


@router.post(
    "/studies",
    response_model=StudyDocument,
    status_code=202,
    operation_id="createStudy",
    responses={
        200: {"model": StudyDocument, "description": "The same study was asked for before"},
        **BODY,
        **problems(429, 503),
    },
)
def create_study(body: StudyRequest, request: Request, shared: Shared) -> Any:
    """Ask for a study. Its id is the hash of the canonical request, so asking again answers the same study.

    202 when it was queued (also again, after it was cancelled or failed), 200 when it exists already.
    """
    client = client_of(request)
    admitted = admit(body, shared, client)
    while True:
        queued = shared.studies.add(admitted.id, admitted.request, admitted.cost, admitted.name, client)
        if queued:
            shared.scheduler.submit(admitted.id)
        study = shared.study(admitted.id)
        if study is not None:  # otherwise it has been removed since
            break
    location = f"{request.url.path}/{study.id}"
    document = describe(study, shared.settings.keep_days)
    return conditional(request, document, {"Location": location}, 202 if queued else 200)


@router.post("/studies/cost", response_model=Cost, operation_id="costStudy", responses={**BODY, **problems(503)})
def cost_study(body: StudyRequest, shared: Shared) -> Any:
    """What a study would cost, an upper bound, without asking for it. What is too large for the server is refused."""
    return admit(body, shared, None).cost


@router.get("/studies", response_model=StudyPage, operation_id="listStudies", responses=problems(422))
def list_studies(
    shared: Shared,
    cursor: Annotated[str | None, Query(max_length=40)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    search: Annotated[str, Query(max_length=200, description="Part of a name, or the first characters of an id.")] = "",
    status: Status | None = None,
    tag: Annotated[str | None, Query(max_length=40, description="Only studies with this tag.")] = None,
) -> Any:
    """Studies, newest first. ``next`` of one page is the ``cursor`` of the following, all else unchanged."""
    for name, text in (("search", search), ("tag", tag or "")):
        if "\0" in text:
            raise ProblemError(422, "invalid-input", f"{name}: no study has a NUL character in it")
    page = shared.page(_cursor(cursor), limit, search, status, tag)
    following = None
    if page.following is not None:
        following = base64.urlsafe_b64encode(str(page.following).encode()).decode().rstrip("=")
    return {"studies": [describe(study, shared.settings.keep_days) for study in page.studies], "next": following}


@router.get(
    "/studies/{study}",
    response_model=StudyDocument,
    operation_id="getStudy",
    responses={304: {"description": "Unchanged"}, **problems(404)},
)
def get_study(study: Found, request: Request, shared: Shared) -> Response:
    """One study: status, progress and expected cost."""
    return conditional(request, describe(study, shared.settings.keep_days))


@router.patch(
    "/studies/{study}", response_model=StudyDocument, operation_id="labelStudy", responses={**problems(404), **BODY}
)
def label_study(study: Found, body: StudyLabels, request: Request, shared: Shared) -> Response:
    """Give a study another name or other tags."""
    name = None if body.name is None else check_name(body.name)
    tags = None if body.tags is None else check_tags(body.tags)
    shared.studies.label(study.id, name, tags)
    return conditional(request, describe(find_study(study.id, shared), shared.settings.keep_days))


@router.post(
    "/studies/{study}/run",
    response_model=StudyDocument,
    status_code=202,
    operation_id="rerunStudy",
    responses=problems(404, 409, 422, 429, 503),
)
def rerun_study(study: Found, request: Request, shared: Shared) -> Response:
    """Remove the points of a study that has ended and run it again with the installed code.

    Runs that were made by the same code come from the store. One that is queued or running is refused.
    """
    client = client_of(request)
    admitted = admit(StudyRequest.model_validate(study.request), shared, client, FINAL)
    if not shared.studies.again(study.id, admitted.cost, client):
        raise ProblemError(409, "conflict", "the study is queued or running already")
    shared.scheduler.submit(study.id)
    return conditional(request, describe(find_study(study.id, shared), shared.settings.keep_days), status=202)


@router.delete(
    "/studies/{study}",
    status_code=204,
    operation_id="deleteStudy",
    response_class=Response,
    responses=problems(404, 409),
)
def delete_study(study: Found, shared: Shared) -> Response:
    """Remove a study that has ended, with its points. One that is queued or running is refused: cancel it first.

    Runs that were computed stay in the store, so the same study asked for again is answered at once.
    """
    if not shared.studies.delete(study.id):
        raise ProblemError(409, "conflict", "the study is queued or running; cancel it first")
    shared.feed.wake(study.id)
    return Response(status_code=204)


@router.delete(
    "/studies/{study}/run",
    response_model=StudyDocument,
    status_code=202,
    operation_id="cancelStudy",
    responses={200: {"model": StudyDocument, "description": "It had ended before"}, **problems(404)},
)
def cancel_study(study: Found, request: Request, shared: Shared) -> Response:
    """Stop a study and keep its finished points. 202 when it was queued or running, 200 when it had ended before."""
    stopped = shared.scheduler.cancel(study.id)
    return conditional(
        request, describe(find_study(study.id, shared), shared.settings.keep_days), status=202 if stopped else 200
    )
