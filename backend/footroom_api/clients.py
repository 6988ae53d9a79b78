"""Clients: users of one server take turns, so that none waits behind all requests of another.

A client is the token that was sent, where the server has several, and otherwise the address of the request.
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
