"""Whole studies as files, to be kept, sent to somebody or moved to another server."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, BinaryIO

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from footroom_api.conditional import conditional
from footroom_api.problems import ProblemError
from footroom_api.resources.common import BODY, problems
from footroom_api.resources.common import router as new_router
from footroom_api.resources.studies.routes import Found, describe, find_study
from footroom_api.resources.studies.schemas import StudyDocument
from footroom_api.services import Services, Shared
from footroom_api.study_file import MEDIA_TYPE, StudyFile, write

router = new_router("studies")
#: Bytes of a file that are kept in memory.
_IN_MEMORY = 10_000_000
_FILE = {"schema": {"type": "string", "format": "binary"}}


@router.get(
    "/studies/{study}/file",
    operation_id="exportStudy",
    response_class=StreamingResponse,
    responses={200: {"content": {MEDIA_TYPE: _FILE}, "description": "The file"}, **problems(404, 409)},
)
def export_study(study: Found, shared: Shared) -> Any:
    """A study that has ended as one file: question, name, tags, points. Another server takes it by ``importStudy``."""
    if not study.final:
        raise ProblemError(409, "conflict", "the study is queued or running; its file is available once it has ended")
    headers = {"Content-Disposition": f'attachment; filename="{study.id}.footroom-study"', "Cache-Control": "no-cache"}
    return StreamingResponse(write(study, shared.studies.in_order(study.id)), headers=headers, media_type=MEDIA_TYPE)


@asynccontextmanager
async def _received(request: Request, most: int) -> AsyncIterator[BinaryIO]:
    """The body in a file. Raises ProblemError (413)."""
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
        total = 0
        async for chunk in request.stream():
            total += len(chunk)
            if total > most:
                raise ProblemError(413, "too-large", f"a file may have at most {most} bytes")
            await run_in_threadpool(file.write, chunk)
        yield file  # type: ignore[misc]  # a binary file in all but its declared base


def _keep(file: BinaryIO, shared: Services) -> tuple[str, bool]:
    """Read a study and keep it: its id, and whether it was not here before. Raises InvalidInput."""
    found = StudyFile(file)
    return found.study.id, shared.studies.put(found.study, found.points())


@router.post(
    "/studies/file",
    response_model=StudyDocument,
    status_code=201,
    operation_id="importStudy",
    responses={200: {"model": StudyDocument, "description": "The study already exists and is not changed"}, **BODY},
    openapi_extra={"requestBody": {"required": True, "content": {MEDIA_TYPE: _FILE}}},
)
async def import_study(request: Request, shared: Shared) -> Response:
    """Keep a study that another server or the command line exported. Its points are what the file says they are.

    A file with some of the points only becomes a cancelled study; asked for again, it goes on.
    """
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != MEDIA_TYPE:
        raise ProblemError(415, "unsupported-media-type", f"the body must be {MEDIA_TYPE}, not {kind[:80] or 'none'}")
    async with _received(request, shared.settings.limits.file) as file, request.app.state.turns.take(request):
        study, new = await run_in_threadpool(_keep, file, shared)
    stored = await run_in_threadpool(find_study, study, shared)
    headers = {"Location": f"/api/v1/studies/{study}"}
    return conditional(request, describe(stored, shared.settings.keep_days), headers, 201 if new else 200)
