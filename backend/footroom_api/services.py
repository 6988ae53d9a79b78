"""What the routes of one application share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, cast

from fastapi import Depends, Request
from sqlalchemy import Engine

from footroom_api.jobs import Feed, PaperJobs, Progress, Scheduler, SearchJobs, WarmUp
from footroom_api.persistence import Page, Pulse, StoredStudy, StudyStore
from footroom_api.settings import Settings


@dataclass(frozen=True)
class Services:
    """The stores, the jobs and the settings of one application."""

    settings: Settings
    database: Engine
    pulse: Pulse
    studies: StudyStore
    feed: Feed
    scheduler: Scheduler
    papers: PaperJobs
    sizes: SearchJobs
    controls: SearchJobs
    warm_up: WarmUp

    def study(self, study: str) -> StoredStudy | None:
        """The study of that id, with how long it may still take where it runs here."""
        live = self.scheduler.progress()
        found = self.studies.get(study)
        return None if found is None else _with_time_left(found, live)

    def page(
        self, before: int | None, limit: int, search: str = "", status: str | None = None, tag: str | None = None
    ) -> Page:
        """Some studies, newest first, with how long those that run here may still take."""
        live = self.scheduler.progress()
        page = self.studies.page(before, limit, search, status, tag)
        return replace(page, studies=[_with_time_left(found, live) for found in page.studies])


def _with_time_left(study: StoredStudy, live: dict[str, Progress]) -> StoredStudy:
    # Progress stays as it was written: what is told before may be gone with a server that is killed.
    if study.status != "running" or study.id not in live:
        return study
    return replace(study, seconds_left=live[study.id].seconds_left)


async def _services(request: Request) -> Any:  # a plain function would cost every request a change of threads
    return request.app.state.services


Shared = Annotated[Services, Depends(_services)]


def services_of(app: Any) -> Services:
    """The services of a started application."""
    return cast(Services, app.state.services)
