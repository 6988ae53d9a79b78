"""Refusing requests that a foreign web page makes in a user's browser.

There is no log-in, so any web page could use the server of a user who opens it: by a form or a script, which a browser
sends with the page's own origin, or by pointing its name to this machine (DNS rebinding), which shows in the Host
header. The rules for origins are those of Go's ``http.CrossOriginProtection`` (Fetch Metadata first, then
Origin); those for hosts are Vite's: names of this machine and IP addresses, which nobody can rebind. Starlette's
``TrustedHostMiddleware`` has no rule for IP addresses and answers in plain text.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from footroom_api.problems import ProblemError

#: Takes every host; for servers that only a proxy with checks of its own can reach.
ANY = "*"
_SAFE = ("GET", "HEAD", "OPTIONS")
#: What a browser lets a form or a script of any page send without asking first.
_SIMPLE = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")


class SameOrigin:
    """Passes to ``app`` only requests of this server's own page, or of no browser at all.

    hosts: names by which the server may be called, beside localhost and IP addresses.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self._app, self._hosts = app, tuple(host.lower().rstrip(".") for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            api = scope["path"] in ("/api", "/metrics") or scope["path"].startswith("/api/")
            refusal = self._host(headers) if api else None
            if refusal is None and scope["method"] not in _SAFE:
                refusal = self._origin(headers) or _form(headers)
            if refusal is not None:
                await refusal.response()(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _host(self, headers: Headers) -> ProblemError | None:
        given = headers.getlist("host")
        if len(given) == 1 and self._known(_name(f"//{given[0]}")):
            return None
        shown = ", ".join(given)[:200] or "none"
        return ProblemError(
            403,
            "foreign-host",
            f"the Host header is {shown}: this server answers to localhost, IP addresses"
            f"{''.join(f', {host}' for host in self._hosts)}; start it with --allow-host NAME to allow another name",
        )

    def _origin(self, headers: Headers) -> ProblemError | None:
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site in ("same-origin", "none"):
            return None
        if site is None and (origin is None or _place(origin) == _place(f"//{headers.get('host', '')}")):
            return None
        if origin is not None and _name(origin) in self._hosts:
            return None
        return ProblemError(
            403,
            "foreign-origin",
            f"the request comes from a page of {(origin or 'another site')[:200]}: only this "
            "server's own page, and programs that are not browsers, may change anything",
        )

    def _known(self, name: str) -> bool:
        if ANY in self._hosts or name in self._hosts or name == "localhost" or name.endswith(".localhost"):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _form(headers: Headers) -> ProblemError | None:
    kind = headers.get("content-type", "").split(";")[0].strip().lower()
    if kind not in _SIMPLE:
        return None
    return ProblemError(415, "unsupported-media-type", f"the body must be application/json, not {kind}")


def _name(address: str) -> str:
    """The host of an address or origin, without its port; empty where there is none."""
    try:
        return (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _place(address: str) -> tuple[str, int | None]:
    """Host and port of an address or origin."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return "", -1
