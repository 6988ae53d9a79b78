"""Base of every router."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from footroom_api.schemas import ProblemDocument
from footroom_api.strict import StrictRoute


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problem documents that an operation can answer with."""
    return {status: {"model": ProblemDocument} for status in statuses}


def router(tag: str) -> APIRouter:
    """A router whose bodies are read strictly. 403 is for requests of other sites, see ``footroom_api.origin``."""
    return APIRouter(tags=[tag], route_class=StrictRoute, responses=problems(403))


#: What any operation that takes a body can answer with.
BODY = problems(400, 413, 415, 422, 503)
