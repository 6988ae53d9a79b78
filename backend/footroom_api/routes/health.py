"""Whether the server works."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import Response
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from footroom.version import VERSION
from footroom_api.routes.common import router as new_router
from footroom_api.schemas import Health
from footroom_api.services import Shared

router = new_router("health")
_LOG = logging.getLogger("footroom_api")


@router.get("/health", response_model=Health, operation_id="getHealth",
            responses={503: {"model": Health, "description": "The database cannot be reached"}})
def get_health(shared: Shared, response: Response) -> Any:
    """Status of the server, its database and its compiled engines."""
    try:
        with shared.database.connect() as connection:
            connection.execute(text("SELECT 1"))
        reachable = True
    except SQLAlchemyError:
        _LOG.exception("the database cannot be reached")
        reachable = False
        response.status_code = 503
    return {"status": "ok" if reachable else "degraded", "version": VERSION,
            "database": "ok" if reachable else "unreachable", "engine": shared.warm_up.state}
