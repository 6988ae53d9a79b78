"""A token that clients must send, where one or several are set.

Programs send ``Authorization: Bearer TOKEN``. A browser opens ``/?token=TOKEN`` once and keeps it in a cookie that
scripts cannot read and that other sites cannot make it send. The liveness check needs no token.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from footroom_api.problems import ProblemError

_COOKIE = "footroom-token"
#: What needs no token: probes of an orchestrator carry none.
_OPEN = ("/api/v1/health/live", "/api/v1/health")


class TokenCheck:
    """Passes on to ``app`` requests of the API and of the metrics that show one of ``tokens``."""

    def __init__(self, app: ASGIApp, tokens: Sequence[str]) -> None:
        self._app, self._tokens = app, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path, headers = scope["path"], Headers(scope=scope)
        if path.startswith("/api/") or path in ("/api", "/metrics"):
            if path in _OPEN or shown_token(headers, self._tokens):
                await self._app(scope, receive, send)
            else:
                await ProblemError(
                    401,
                    "unauthorized",
                    "this server needs a token: send Authorization: Bearer TOKEN, "
                    "or open /?token=TOKEN in the browser once",
                    headers={"WWW-Authenticate": "Bearer"},
                ).response()(scope, receive, send)
            return
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(asked).get("token", "")
        if scope["method"] == "GET" and given and _known(given, self._tokens):
            rest = urlencode([(name, value) for name, value in asked if name != "token"])
            # Two slashes at the beginning would lead to another host.
            response = RedirectResponse(f"/{path.lstrip('/')}{'?' if rest else ''}{rest}", 303)
            response.set_cookie(
                _COOKIE, given, max_age=30 * 86_400, httponly=True, samesite="strict", secure=scope["scheme"] == "https"
            )
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)


def shown_token(headers: Headers, tokens: Sequence[str]) -> str:
    """The one of ``tokens`` that a request shows; empty for none."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _known(given.strip(), tokens)
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(_COOKIE)
    except CookieError:
        return ""
    return "" if cookie is None else _known(cookie.value, tokens)


def _known(given: str, tokens: Sequence[str]) -> str:
    """The token among ``tokens`` that was given; all are compared, each in the same time."""
    same = [token for token in tokens if hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())]
    return same[0] if same else ""
