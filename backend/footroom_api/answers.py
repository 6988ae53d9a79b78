"""Answers that follow from the request alone: the same question is computed once.

A page that is opened again, or a link that a colleague follows, asks what was asked before. Only operations that say so
(``follows_from_request``) are kept: those that read no study, no stored run and no clock.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import Request, Response

#: Bytes of bodies that one server keeps.
MOST_BYTES = 32_000_000
#: Headers of a request, beside its body, that an answer may depend on.
_HEADERS = ("accept", "content-type")

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


def follows_from_request(endpoint: Endpoint) -> Endpoint:
    """Declare that the answer of ``endpoint`` depends on the request alone, so that it may be given again."""
    endpoint.follows_from_request = True  # type: ignore[attr-defined]
    return endpoint


def may_be_kept(endpoint: Callable[..., Any] | None) -> bool:
    """Was ``endpoint`` declared so?"""
    return getattr(endpoint, "follows_from_request", False)


async def question_of(request: Request) -> bytes:
    """What an answer is kept under: all of the request that it may depend on."""
    parts = [request.url.path, request.url.query, *(request.headers.get(name, "") for name in _HEADERS)]
    digest = hashlib.sha256(repr(parts).encode())
    digest.update(await request.body())
    return digest.digest()


class Answers:
    """The answers given last, up to ``most`` bytes of bodies. Safe to use from several threads."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._bytes = most, 0
        self._kept: OrderedDict[bytes, Response] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, question: bytes) -> Response | None:
        """The answer to ``question``, if it is still kept."""
        with self._lock:
            found = self._kept.get(question)
            if found is None:
                return None
            self._kept.move_to_end(question)
            return _copy(found)

    def keep(self, question: bytes, answer: Response) -> None:
        """Keep an answer of status 200 whose body is there as a whole; drop those used longest ago to make room."""
        body = getattr(answer, "body", None)
        if answer.status_code != 200 or not isinstance(body, bytes) or len(body) > self._most:
            return
        with self._lock:
            before = self._kept.pop(question, None)
            self._bytes += len(body) - (len(before.body) if before is not None else 0)
            self._kept[question] = _copy(answer)
            while self._bytes > self._most:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= len(oldest.body)


def _copy(answer: Response) -> Response:
    """Middleware adds headers to what is sent, so what is kept must not be that."""
    copied = Response(answer.body, answer.status_code)
    copied.raw_headers = list(answer.raw_headers)
    return copied
