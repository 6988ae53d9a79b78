"""A study's progress as server-sent events."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Header, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from footroom_api.channels import Channels
from footroom_api.jobs import Feed
from footroom_api.resources.common import problems
from footroom_api.resources.common import router as new_router
from footroom_api.resources.studies.routes import Found, describe
from footroom_api.services import Shared

router = new_router("studies")

#: Valid values of ``Last-Event-ID``; with any other the stream starts at the beginning.
_SEQUENCE = re.compile(r"[0-9]{1,9}")


def _brief(document: dict[str, Any], *fields: str) -> dict[str, Any]:
    return {field: document[field] for field in fields}


async def stream(study: str, channels: Channels, feed: Feed, after: int) -> AsyncIterator[ServerSentEvent]:
    """The events of ``study``, points from sequence number ``after`` on; ends with the study or the server."""
    status: dict[str, Any] | None = None
    progress: dict[str, Any] | None = None
    async with channels.join(study) as (channel, news):
        while True:
            news.clear()
            found = channel.study
            if found is not None:
                document = describe(found)
                if status != (status := _brief(document, "id", "status", "error")):
                    yield ServerSentEvent(event="status", data=status)
                points = channel.after(after)
                behind = points is None
                if points is None:
                    points = await channels.older(study, after)
                    behind = bool(points)
                for point in points:
                    after = point.sequence
                    yield ServerSentEvent(event=point.event, id=str(after), raw_data=point.text)
                if behind and not feed.closed:
                    continue
                if progress != (progress := _brief(document, "progress", "seconds_left", "points")):
                    yield ServerSentEvent(event="progress", data=progress)
                if found.final and channel.over and after >= channel.last:
                    yield ServerSentEvent(event="done", data=status)
                    return
            if feed.closed or (channel.over and channel.study is found):
                return
            if channel.study is not found:
                continue
            await news.wait()


@router.get(
    "/studies/{study}/events", response_class=EventSourceResponse, operation_id="watchStudy", responses=problems(404)
)
async def watch_study(
    study: Found, request: Request, shared: Shared, last_event_id: Annotated[str | None, Header()] = None
) -> AsyncIterator[ServerSentEvent]:
    """Server-sent events: ``status``, ``progress``, ``point`` and ``unsupported`` (as in a sweep), ``done`` at the end.

    Points that are finished already come first; ``Last-Event-ID`` continues where a connection broke off.
    """
    known = last_event_id is not None and _SEQUENCE.fullmatch(last_event_id) is not None
    after = int(last_event_id or 0) if known else 0
    async for event in stream(study.id, request.app.state.channels, shared.feed, after):
        yield event
