"""One module per resource; ``ROUTERS`` lists them in the order of the documentation."""

from fastapi import APIRouter

from footroom_api.routes import (
    asics,
    catalog,
    ecn,
    estimates,
    events,
    export,
    headroom,
    health,
    planned,
    pool,
    presets,
    questions,
    results,
    size,
    stability,
    studies,
    voq,
)

ROUTERS: tuple[APIRouter, ...] = (
    catalog.router, questions.router, asics.router, presets.router, estimates.router, studies.router, events.router,
    results.router, size.router, headroom.router, pool.router, voq.router, ecn.router,
    stability.router, export.router, planned.router, health.router)

__all__ = ["ROUTERS"]
