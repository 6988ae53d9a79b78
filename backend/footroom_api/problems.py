"""Errors as RFC 9457 problem documents: one shape for everything that can go wrong."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from footroom.base.errors import (
    Cancelled,
    FootroomError,
    Infeasible,
    InvalidInput,
    NotConverged,
    Problem,
    TimeLimit,
    Unsupported,
    in_words,
)
from footroom.base.unknown_key import unknown_key
from footroom_api.persistence.faults import reason
from footroom_api.schemas import FieldProblem, ProblemDocument

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("footroom_api")
_LONGEST = 200
_MOST = 50
#: Status of a request whose client left before the body was complete; as in nginx.
CLIENT_GONE = 499

_TITLES = {
    "malformed-json": "The body is not valid JSON",
    "invalid-input": "A field is wrong",
    "unsupported": "This engine cannot answer this scenario",
    "infeasible": "No value meets the requirements",
    "not-converged": "A numerical method did not converge",
    "beyond-limits": "This exceeds the server's limits",
    "too-large": "The body is too large",
    "too-many": "Too many requests of one client are waiting",
    "busy": "The server is busy",
    "store-unavailable": "The database cannot be used",
    "not-yet-supported": "Not yet supported",
    "foreign-host": "The server is not known by this name",
    "foreign-origin": "The request comes from another site",
    "unsupported-media-type": "The body must be JSON",
    "unauthorized": "A token is needed",
    "conflict": "This cannot be done now",
    "not-found": "Not found",
    "internal": "Internal server error",
}


class ProblemError(HTTPException):
    """A refusal with its kind, a sentence and the fields at fault."""

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str,
        errors: Sequence[Problem] = (),
        engines: Sequence[str] | None = None,
        headers: dict[str, str] | None = None,
        answer: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(status, detail, headers)
        self.kind, self.errors, self.engines, self.answer = kind, tuple(errors), engines, answer

    def document(self) -> dict[str, Any]:
        """The problem as plain data; at most fifty fields are listed."""
        return ProblemDocument(
            type=f"urn:footroom:problem:{self.kind}",
            title=_TITLES.get(self.kind) or HTTPStatus(self.status_code).phrase,
            status=self.status_code,
            detail=self.detail[:4000],
            errors=[
                FieldProblem(path=e.path[:_LONGEST], given=_short(e.given), message=e.message[:2000])
                for e in self.errors[:_MOST]
            ],
            engines=None if self.engines is None else list(self.engines),
        ).model_dump(exclude_none=True) | ({} if self.answer is None else {"answer": self.answer})

    def response(self) -> JSONResponse:
        """The problem as a response."""
        return JSONResponse(self.document(), self.status_code, self.headers, media_type=MEDIA_TYPE)


def _short(value: Any) -> Any:
    """What was given in a form that is safe to send back."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):  # an integer may be larger than any float, and too long to be written out
        if isinstance(value, int) and abs(value) >= 10**300:
            return f"a number of {value.bit_length()} bits"
        return value if math.isfinite(value) and abs(value) < 1e300 else str(value)[:_LONGEST]
    if isinstance(value, (dict, list, tuple)):
        return "an object" if isinstance(value, dict) else "a list"
    text = str(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def of_error(error: FootroomError) -> ProblemError:
    """The problem behind an error that Footroom raised on purpose."""
    if isinstance(error, InvalidInput):
        count = len(error.problems)
        detail = str(error.problems[0].message) if count == 1 else f"{count} fields are wrong"
        if count == 1 and error.problems[0].path:
            detail = f"{error.problems[0].path}: {detail}"
        return ProblemError(422, "invalid-input", detail, error.problems)
    if isinstance(error, Unsupported):
        message = str(error).removeprefix(f"{error.path}: ")  # the path is told beside it
        return ProblemError(422, "unsupported", str(error), [Problem(error.path, error.given, message)], error.engines)
    if isinstance(error, Infeasible):
        return ProblemError(422, "infeasible", str(error), error.problems, answer=error.answer)
    if isinstance(error, NotConverged):
        return ProblemError(422, "not-converged", str(error))
    if isinstance(error, TimeLimit):
        return ProblemError(422, "beyond-limits", str(error), [Problem("limits.answer", error.seconds, str(error))])
    if isinstance(error, Cancelled):
        return ProblemError(503, "cancelled", str(error) or "the computation was stopped")
    return ProblemError(422, "invalid-input", str(error))


def of_store(error: SQLAlchemyError) -> ProblemError:
    """The problem of a database that cannot be used for now."""
    return ProblemError(
        503, "store-unavailable", f"the database cannot be used: {reason(error)}", headers={"Retry-After": "30"}
    )


def unexpected_problem() -> ProblemError:
    """The problem of a bug in the server, without any internals."""
    return ProblemError(500, "internal", "an unexpected error; the server's log has the details")


def _of_validation(error: RequestValidationError, document: object) -> ProblemError:
    """document: what the request's body is, which tells what an unknown key may have been."""
    problems = []
    for item in error.errors():
        place = [str(step) for step in item["loc"][1:]]
        given = None if item["type"] == "missing" else item.get("input")
        if item["type"].startswith("at:"):  # a rule over several fields names the one to change
            place.append(item["type"][3:])
            given = given.get(place[-1]) if isinstance(given, dict) else None
        message = "this field is required" if item["type"] == "missing" else in_words(item["msg"])
        if item["type"] == "extra_forbidden":
            message = unknown_key(document, item["loc"][1:])
        problems.append(Problem(".".join(place), given, message))
    return of_error(InvalidInput(problems))


def install(app: FastAPI) -> None:
    """Make every error of ``app`` a problem document."""

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        if isinstance(error, ProblemError):
            return error.response()
        kind = (
            "not-found" if error.status_code == 404 else HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
        )
        detail = {
            404: f"nothing is at {request.url.path}",
            405: f"{request.url.path} does not take {request.method}",
        }.get(error.status_code, str(error.detail))
        return ProblemError(error.status_code, kind, detail, headers=dict(error.headers or {})).response()

    @app.exception_handler(RequestValidationError)
    async def validation(request: Request, error: RequestValidationError) -> JSONResponse:
        body = getattr(request.scope.get("route"), "body_field", None)
        return _of_validation(error, None if body is None else body.field_info.annotation).response()

    @app.exception_handler(FootroomError)
    async def footroom(_request: Request, error: FootroomError) -> JSONResponse:
        return of_error(error).response()

    @app.exception_handler(SQLAlchemyError)
    async def store(request: Request, error: SQLAlchemyError) -> JSONResponse:
        problem = of_store(error)
        _LOG.error("%s %s failed: %s", request.method, request.url.path, problem.detail)
        return problem.response()

    @app.exception_handler(ClientDisconnect)
    async def gone(_request: Request, _error: ClientDisconnect) -> Response:
        return Response(status_code=CLIENT_GONE)  # nobody reads it, but the access log and the metrics show it

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> JSONResponse:
        _LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return unexpected_problem().response()
