"""What the resource ``studies`` takes and answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from footroom.studies.document import Cost
from footroom_api.schemas import Over, ProblemDocument, Scale, Status, Strict


class StudyRequest(Strict):
    """What to run: a scenario, the axes it is swept over, the engines and the number of replicas."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    over: Over = None
    engines: list[str] | None = Field(
        default=None, description='Names of engines, or "auto", which picks one; none means packet.', max_length=8
    )
    replicas: int | None = Field(
        default=None, ge=1, le=1000, strict=True, description="Runs per point; none means run.replicas."
    )
    scale: Scale = None
    budget: float | None = Field(
        default=None,
        gt=0,
        le=2.6e6,
        description="With the engine auto: seconds of one core that a run of packets may take; none means 60.",
    )
    chosen: str | None = Field(
        default=None, max_length=4000, description="Why auto picked the engine, as the request of a study tells."
    )


class StudyDocument(BaseModel):
    """A study as it stands."""

    id: str
    name: str
    status: Status
    progress: float = Field(description="0 to 1.", ge=0, le=1)
    seconds_left: float | None = Field(default=None, description="Estimate while it runs.")
    points: int = Field(description="Finished points.")
    cost: Cost
    request: dict[str, Any] = Field(
        description="The canonical request, SI base units; POST it again for the same study."
    )
    error: ProblemDocument | None = Field(default=None, description="Why the study failed.")
    tags: list[str] = Field(default=[], description="Tags of the study; with the tag keep it never expires.")
    expires: datetime | None = Field(default=None, description="When the server removes it; null for never.")
    created: datetime
    started: datetime | None = None
    finished: datetime | None = None


class StudyLabels(Strict):
    """What a study is called; what is left out stays."""

    name: str | None = Field(default=None, min_length=1, max_length=200)
    tags: list[str] | None = Field(
        default=None, max_length=20, description=("All tags of the study; they replace those it has.")
    )


class StudyPage(BaseModel):
    """Studies, newest first."""

    studies: list[StudyDocument]
    next: str | None = Field(default=None, description="Cursor of the next page; none on the last.")
