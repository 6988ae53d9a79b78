"""Who asks: users of one server take turns, so that nobody waits behind all that another has asked for.

A client is the token that was shown, where the server knows several, and otherwise the address the request came from.
Only a hash of either is stored.
"""

from __future__ import annotations

import hashlib

from fastapi import Request

from footroom_api.token import shown_token


def client_of(request: Request) -> str:
    """A short name for whoever sent ``request``: the same for all requests of one user."""
    known = request.app.state.settings.tokens
    who = shown_token(request.headers, known) if len(known) > 1 else ""
    return hashlib.sha256((who or (request.client.host if request.client else "")).encode()).hexdigest()[:16]
