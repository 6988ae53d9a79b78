"""What the routes of one application share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, cast

from fastapi import Depends, Request
from sqlalchemy import Engine

from footroom_api.jobs import Feed, Scheduler, WarmUp
from footroom_api.persistence import StudyStore
from footroom_api.settings import Settings


@dataclass(frozen=True)
class Services:
    """The stores, the jobs and the settings of one application."""

    settings: Settings
    database: Engine
    studies: StudyStore
    feed: Feed
    scheduler: Scheduler
    warm_up: WarmUp


def _services(request: Request) -> Any:
    return request.app.state.services


Shared = Annotated[Services, Depends(_services)]


def services_of(app: Any) -> Services:
    """The services of a started application."""
    return cast(Services, app.state.services)
