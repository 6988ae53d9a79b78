"""A study's progress as server-sent events."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Header
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent

from footroom_api.persistence import StoredPoint, StoredStudy
from footroom_api.routes.common import problems
from footroom_api.routes.common import router as new_router
from footroom_api.routes.studies import Found, describe
from footroom_api.services import Services, Shared

router = new_router("studies")

#: Points read from the store at a time, so that a large study never lies in memory as a whole.
_BATCH = 50
#: Seconds after which the store is looked at even if nobody woke us: another process may run the study.
_LOOK_EVERY = 2.0
#: What ``Last-Event-ID`` can be; anything else is none of ours, and the stream begins at its beginning.
_SEQUENCE = re.compile(r"[0-9]{1,9}")


def _look(shared: Services, study: str, after: int) -> tuple[StoredStudy | None, list[StoredPoint]]:
    # The status first: a study that is done by then has all its points in the second answer.
    found = shared.study(study)
    return found, shared.studies.arrived(study, after, _BATCH)


def _brief(document: dict[str, Any], *fields: str) -> dict[str, Any]:
    return {field: document[field] for field in fields}


async def stream(study: str, shared: Services, after: int) -> AsyncIterator[ServerSentEvent]:
    """The events of ``study``, points from sequence number ``after`` on; ends with the study or the server."""
    status: dict[str, Any] | None = None
    progress: dict[str, Any] | None = None
    with shared.feed.watch(study) as watcher:
        while not shared.feed.closed:
            found, points = await run_in_threadpool(_look, shared, study, after)
            if found is None:
                return
            document = describe(found)
            if status != (status := _brief(document, "id", "status", "error")):
                yield ServerSentEvent(event="status", data=status)
            for point in points:
                after = point.sequence
                event = "point" if "result" in point.body else "unsupported"
                yield ServerSentEvent(event=event, id=str(after), data=point.body)
            if progress != (progress := _brief(document, "progress", "seconds_left", "points")):
                yield ServerSentEvent(event="progress", data=progress)
            if len(points) == _BATCH:
                continue
            if found.final:
                yield ServerSentEvent(event="done", data=status)
                return
            await watcher.changed(_LOOK_EVERY)


@router.get("/studies/{study}/events", response_class=EventSourceResponse, operation_id="watchStudy",
            responses=problems(404))
async def watch_study(study: Found, shared: Shared,
                      last_event_id: Annotated[str | None, Header()] = None) -> AsyncIterator[ServerSentEvent]:
    """Server-sent events: ``status``, ``progress``, ``point`` and ``unsupported`` (as in a sweep), ``done`` at the end.

    Points that are finished already come first; ``Last-Event-ID`` continues where a connection broke off.
    """
    known = last_event_id is not None and _SEQUENCE.fullmatch(last_event_id) is not None
    async for event in stream(study.id, shared, int(last_event_id or 0) if known else 0):
        yield event
