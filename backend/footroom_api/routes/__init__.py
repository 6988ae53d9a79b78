"""One module per resource; ``ROUTERS`` lists them in the order of the documentation."""

from fastapi import APIRouter

from footroom_api.routes import (
    asics,
    catalog,
    controls,
    ecn,
    emulate,
    estimates,
    events,
    export,
    headroom,
    health,
    memory,
    papers,
    pool,
    presets,
    questions,
    results,
    scale,
    size,
    stability,
    studies,
    voq,
    what_if,
)

ROUTERS: tuple[APIRouter, ...] = (
    catalog.router,
    questions.router,
    asics.router,
    presets.router,
    estimates.router,
    studies.router,
    events.router,
    results.router,
    what_if.router,
    size.router,
    controls.router,
    scale.router,
    memory.router,
    headroom.router,
    pool.router,
    voq.router,
    emulate.router,
    ecn.router,
    stability.router,
    export.router,
    papers.router,
    health.router,
)

__all__ = ["ROUTERS"]
