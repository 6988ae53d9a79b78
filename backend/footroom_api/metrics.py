"""The server's metrics in the text format of Prometheus (version 0.0.4), and a log of its requests."""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from footroom.base.version import VERSION
from footroom_api.services import Services, services_of

#: One line of JSON per request; silent unless configured.
ACCESS = logging.getLogger("footroom_api.access")
ACCESS.setLevel(logging.WARNING)
#: Upper ends of the histogram of answer times [s].
_ENDS = (0.005, 0.025, 0.1, 0.5, 2.5, 10.0)
#: Methods that have series of their own; a client can make up any number of others.
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_STATUSES = ("queued", "running", "done", "cancelled", "failed")


class Requests:
    """Counts requests by method, route and status; lives in one event loop."""

    def __init__(self) -> None:
        self.answered: Counter[tuple[str, str, str]] = Counter()
        self.within: Counter[float] = Counter()
        self.seconds = 0.0
        self.under_way = 0

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answer."""
        self.answered[method if method in _METHODS else "other", route, str(status)] += 1
        self.seconds += seconds
        for end in _ENDS:
            self.within[end] += seconds <= end


class Observed:
    """Counts and logs the requests of ``app``."""

    def __init__(self, app: ASGIApp, requests: Requests) -> None:
        self._app, self._requests = app, requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, sent = time.monotonic(), 500, 0

        async def noted(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body":
                sent += len(message.get("body", b""))
            await send(message)

        self._requests.under_way += 1
        try:
            await self._app(scope, receive, noted)
        finally:
            self._requests.under_way -= 1
            seconds = time.monotonic() - began
            self._requests.note(scope["method"], _route(scope), status, seconds)
            if ACCESS.isEnabledFor(logging.INFO):
                ACCESS.info(
                    "%s",
                    json.dumps(
                        {
                            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
                            "client": (scope["client"] or ("",))[0],
                            "method": scope["method"],
                            "path": scope["path"],
                            "status": status,
                            "bytes": sent,
                            "seconds": round(seconds, 4),
                        }
                    ),
                )


def _route(scope: Scope) -> str:
    """The pattern of the address, such as ``/api/v1/studies/{study}``: ids would make a series each."""
    path = getattr(scope.get("route"), "path", None)
    if not scope["path"].startswith("/api"):
        return "/metrics" if scope["path"] == "/metrics" else "page"
    return f"/api/v1{path.removeprefix('/api/v1')}" if isinstance(path, str) else "none"


def answer(request: Request) -> Response:
    """``GET /metrics``."""
    requests: Requests = request.app.state.requests
    text = "".join(_lines(requests, services_of(request.app)))
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _lines(requests: Requests, shared: Services) -> Iterable[str]:
    yield from _metric("footroom_info", "gauge", "Version of the server.", [({"version": VERSION}, 1)])
    yield from _metric(
        "footroom_requests_total",
        "counter",
        "Requests that were answered.",
        [
            ({"method": method, "route": route, "status": status}, count)
            for (method, route, status), count in sorted(requests.answered.items())
        ],
    )
    name = "footroom_request_seconds"
    total = sum(requests.answered.values())
    yield f"# HELP {name} Time until the last byte of an answer.\n# TYPE {name} histogram\n"
    for end in _ENDS:
        yield f'{name}_bucket{{le="{end}"}} {requests.within[end]}\n'
    yield f'{name}_bucket{{le="+Inf"}} {total}\n{name}_sum {requests.seconds:.6f}\n{name}_count {total}\n'
    yield from _metric(
        "footroom_requests_under_way", "gauge", "Requests, streams of events included.", [({}, requests.under_way)]
    )
    usable = shared.pulse.trouble() is None
    yield from _metric(
        "footroom_database_up", "gauge", "Whether the database can be written and read.", [({}, int(usable))]
    )
    if usable:
        counts = shared.studies.count_by_status()
        yield from _metric(
            "footroom_studies",
            "gauge",
            "Studies in the database.",
            [({"status": status}, counts.get(status, 0)) for status in _STATUSES],
        )
    yield from _metric(
        "footroom_study_progress",
        "gauge",
        "Fraction done of the study that runs here.",
        [({"study": study}, progress.fraction) for study, progress in shared.scheduler.progress().items()],
    )


def _metric(name: str, kind: str, meaning: str, values: Iterable[tuple[Mapping[str, str], Any]]) -> Iterable[str]:
    yield f"# HELP {name} {meaning}\n# TYPE {name} {kind}\n"
    for labels, value in values:
        written = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        yield f"{name}{{{written}}} {value}\n" if written else f"{name} {value}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
