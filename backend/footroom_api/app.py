"""The application: routes, errors, stores and jobs put together."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from fastapi import FastAPI
from starlette.responses import RedirectResponse

from footroom.base.version import VERSION
from footroom.studies.executors import PROCESSES
from footroom_api import problems
from footroom_api.answers import Answers
from footroom_api.channels import Channels
from footroom_api.headers import SecurityHeaders
from footroom_api.jobs import Feed, PaperJobs, Scheduler, SearchJobs, WarmUp, Work
from footroom_api.jobs.work import study_runner
from footroom_api.metrics import Observed, Requests
from footroom_api.metrics import answer as metrics
from footroom_api.openapi import describe
from footroom_api.origin import SameOrigin
from footroom_api.pages import Pages, frontend_folder
from footroom_api.persistence import Pulse, ResultStore, StudyStore, claim_of, open_database
from footroom_api.resources.routers import ROUTERS
from footroom_api.services import Services
from footroom_api.settings import Settings
from footroom_api.token import TokenCheck
from footroom_api.turns import Turns

PREFIX = "/api/v1"


@contextlib.asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    """Open the database, resume studies that an earlier server left; at the end stop all runs."""
    settings: Settings = app.state.settings
    app.state.turns = Turns(settings.limits)
    app.state.answers = Answers()
    database = open_database(settings.database)
    studies, feed = StudyStore(database), Feed()
    results = ResultStore(database)
    scheduler = Scheduler(
        studies,
        claim_of(database),
        feed,
        app.state.work or study_runner(results, settings.workers, settings.scheduler),
        settings.keep_days,
        # Every study would have processes of its own.
        1 if settings.scheduler == PROCESSES else settings.limits.studies,
    )
    papers = PaperJobs(results, settings.workers)
    sizes = SearchJobs(results, settings.workers, "sizes")
    controls = SearchJobs(results, settings.workers, "controls")
    warm_up = WarmUp()
    app.state.services = Services(
        settings, database, Pulse(database), studies, feed, scheduler, papers, sizes, controls, warm_up
    )
    app.state.channels = Channels(app.state.services)
    if settings.warm:
        warm_up.start()
    scheduler.start()
    try:
        yield
    finally:
        scheduler.stop()
        papers.stop()
        sizes.stop()
        controls.stop()
        database.dispose()


def create_app(settings: Settings | None = None, work: Work | None = None) -> FastAPI:
    """An application with ``settings``; its database is opened when it starts.

    ``work`` runs studies in place of the engines.
    """
    app = FastAPI(
        title="Footroom",
        version=VERSION,
        lifespan=_life,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        separate_input_output_schemas=False,
        description="How much buffer a switch needs, and how to set it. Quantities are accepted with units and "
        "answered as bare numbers in SI base units: bit/s, byte, second, metre.",
    )
    app.state.settings = settings if settings is not None else Settings()
    app.state.work = work
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
    app.add_middleware(SameOrigin, hosts=app.state.settings.allow_hosts)
    if app.state.settings.token:
        app.add_middleware(TokenCheck, tokens=app.state.settings.tokens)
    app.add_middleware(SecurityHeaders)
    app.state.requests = Requests()
    app.add_middleware(Observed, requests=app.state.requests)
    app.add_route("/metrics", metrics, include_in_schema=False)
    problems.install(app)
    describe(app)
    app.add_route(f"{PREFIX}/docs", lambda _: RedirectResponse("/api-reference"), include_in_schema=False)
    app.router.default = Pages(frontend_folder(app.state.settings.frontend))
    return app
