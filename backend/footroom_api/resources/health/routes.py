"""Whether the server works."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from footroom.base.version import VERSION
from footroom_api.resources.common import router as new_router
from footroom_api.resources.health.schemas import Alive, Health
from footroom_api.services import Shared

router = new_router("health")


@router.get(
    "/health",
    response_model=Health,
    response_model_exclude_none=True,
    operation_id="getHealth",
    responses={503: {"model": Health, "description": "The database cannot be written or read"}},
)
def get_health(shared: Shared, response: Response) -> Any:
    """Whether the server can do its work: a row is written to the database and read back. Ask it before sending work.

    A server that is not ready needs room on its disk or its database back, not a restart: see ``/health/live``.
    """
    trouble = shared.pulse.trouble()
    if trouble is not None:
        response.status_code = 503
    return {
        "status": "ok" if trouble is None else "degraded",
        "version": VERSION,
        "database": "ok" if trouble is None else "unavailable",
        "engine": shared.warm_up.state,
        "reason": trouble,
    }


@router.get("/health/live", response_model=Alive, operation_id="getLive")
async def get_live() -> Any:
    """Whether the process answers at all; touches neither database nor disk. Restart the server where it does not."""
    return {"status": "ok", "version": VERSION}
