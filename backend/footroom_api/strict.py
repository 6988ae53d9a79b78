"""Reading a request's body: JSON as in RFC 8259, within limits, and nothing else.

Python's own reader accepts NaN, infinities (also written 1e999), duplicate keys and any depth. Each of them would be
an error later, further from its cause.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from footroom.scenario.files import unique_keys
from footroom_api.answers import Answers, may_be_kept, question_of
from footroom_api.problems import ProblemError
from footroom_api.settings import Limits

_DIGITS = 400


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a number in JSON")


def _integer(text: str) -> int:
    if len(text) > _DIGITS:
        raise ValueError(f"a number of {len(text)} digits is too large")
    return int(text)


def _real(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is too large for a number")
    return value


def _check(document: Any, depth: int) -> None:
    """Refuse deep nesting and text that cannot be written as UTF-8; iterative, because depth is what it guards."""
    level = [document]
    for _ in range(depth):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, str):
                value.encode()
            elif isinstance(value, dict):
                inner += value.keys()
                inner += value.values()
            elif isinstance(value, list):
                inner += value
        if not inner:
            return
        level = inner
    raise ValueError(f"nested deeper than {depth} levels")


def parse_json(body: bytes, depth: int) -> Any:
    """The document in ``body``. Raises ProblemError (400) on anything that is not strict JSON."""
    try:
        document = json.loads(
            body.decode("utf-8"),
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=_real,
            object_pairs_hook=unique_keys,
        )
        _check(document, depth)
    except UnicodeError:
        raise ProblemError(400, "malformed-json", "the body is not UTF-8 text") from None
    except RecursionError:
        raise ProblemError(400, "malformed-json", f"the body is nested deeper than {depth} levels") from None
    except ValueError as error:
        raise ProblemError(400, "malformed-json", f"the body is not valid JSON: {error}") from None
    return document


class StrictRequest(Request):
    """A request whose body is read within the application's limits."""

    @property
    def limits(self) -> Limits:
        """Limits of the application."""
        limits: Limits = self.app.state.settings.limits
        return limits

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            chunks: list[bytes] = []
            total = 0
            async for chunk in self.stream():
                total += len(chunk)
                if total > self.limits.body:
                    raise ProblemError(413, "too-large", f"the body may have at most {self.limits.body} bytes")
                chunks.append(chunk)
            self._body = b"".join(chunks)
        return self._body

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = parse_json(await self.body(), self.limits.depth)
        return self._json


class StrictRoute(APIRoute):
    """A route that reads its body through StrictRequest, accepts JSON only, and computes when it is its turn.

    An answer that follows from the request alone is computed once (``footroom_api.answers``).
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        takes_body = self.body_field is not None
        keeps = may_be_kept(self.endpoint)

        async def strict(request: Request) -> Response:
            if not takes_body:
                return await handle(StrictRequest(request.scope, request.receive))
            kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
            if kind != "application/json":
                raise ProblemError(
                    415,
                    "unsupported-media-type",
                    f"the body must be application/json, not {kind[:80] or 'of unknown type'}",
                )
            asked = StrictRequest(request.scope, request.receive)
            await asked.body()  # a slow sender blocks no turn
            answers: Answers = request.app.state.answers
            question = await question_of(asked) if keeps else b""
            if keeps and (known := answers.find(question)) is not None:
                return known
            async with request.app.state.turns.take(asked):
                answer = await handle(asked)
            if keeps:
                answers.keep(question, answer)
            return answer

        return strict
