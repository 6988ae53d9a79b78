"""A token that clients must show, where one is set.

Programs send ``Authorization: Bearer TOKEN``. A browser opens ``/?token=TOKEN`` once and keeps it in a cookie that
scripts cannot read and that other sites cannot make it send. Whether the process is alive is told to everybody.
"""

from __future__ import annotations

import hmac
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
    """Passes on to ``app`` requests of the API and of the metrics that show ``token``."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path, headers = scope["path"], Headers(scope=scope)
        if path.startswith("/api/") or path in ("/api", "/metrics"):
            if path in _OPEN or self._shown(headers):
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
        if scope["method"] == "GET" and given and self._same(given):
            rest = urlencode([(name, value) for name, value in asked if name != "token"])
            # Two slashes at the beginning would lead to another host.
            response = RedirectResponse(f"/{path.lstrip('/')}{'?' if rest else ''}{rest}", 303)
            response.set_cookie(
                _COOKIE, given, max_age=30 * 86_400, httponly=True, samesite="strict", secure=scope["scheme"] == "https"
            )
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _shown(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self._same(given.strip())
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(_COOKIE)
        except CookieError:
            return False
        return cookie is not None and self._same(cookie.value)

    def _same(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token)
