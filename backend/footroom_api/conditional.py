"""Answers with an ETag: unchanged ones cost a header instead of a body."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from fastapi import Request, Response


def _matches(header: str | None, tag: str) -> bool:
    if header is None:
        return False
    # A weak comparison, as RFC 9110 §13.1.2 has it for If-None-Match.
    given = {part.strip().removeprefix("W/") for part in header.split(",")}
    return "*" in given or tag in given


def conditional(request: Request, document: Any, headers: dict[str, str] | None = None, status: int = 200) -> Response:
    """``document`` as JSON with an ETag, or 304 when the client has it already."""
    body = json.dumps(document, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode()
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    sent = {"ETag": tag, "Cache-Control": "no-cache", **(headers or {})}
    if request.method in ("GET", "HEAD") and _matches(request.headers.get("if-none-match"), tag):
        return Response(status_code=304, headers=sent)
    return Response(body, status, sent, media_type="application/json")
