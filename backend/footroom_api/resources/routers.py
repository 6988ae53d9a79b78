"""Every resource's router, in the order of the documentation."""

from fastapi import APIRouter

from footroom_api.resources.asics import routes as asics
from footroom_api.resources.catalog import routes as catalog
from footroom_api.resources.controls import routes as controls
from footroom_api.resources.ecn import routes as ecn
from footroom_api.resources.emulate import routes as emulate
from footroom_api.resources.engines import routes as engines
from footroom_api.resources.estimates import routes as estimates
from footroom_api.resources.events import routes as events
from footroom_api.resources.export import routes as export
from footroom_api.resources.files import routes as files
from footroom_api.resources.headroom import routes as headroom
from footroom_api.resources.health import routes as health
from footroom_api.resources.memory import routes as memory
from footroom_api.resources.papers import routes as papers
from footroom_api.resources.pool import routes as pool
from footroom_api.resources.presets import routes as presets
from footroom_api.resources.questions import routes as questions
from footroom_api.resources.results import routes as results
from footroom_api.resources.scale import routes as scale
from footroom_api.resources.size import routes as size
from footroom_api.resources.stability import routes as stability
from footroom_api.resources.studies import routes as studies
from footroom_api.resources.voq import routes as voq
from footroom_api.resources.what_if import routes as what_if

ROUTERS: tuple[APIRouter, ...] = (
    catalog.router,
    questions.router,
    asics.router,
    presets.router,
    estimates.router,
    files.router,
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
    engines.router,
    health.router,
)

__all__ = ["ROUTERS"]
