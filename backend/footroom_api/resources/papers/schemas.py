"""Shapes of papers, their runs, verdicts and figures."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from footroom.papers.document import PaperCase, PaperResult, PaperSummary
from footroom.papers.paper import Tier
from footroom_api.schemas import ProblemDocument

RunStatus = Literal["none", "queued", "running", "done", "cancelled", "failed"]


class PapersDocument(BaseModel):
    """All papers."""

    papers: list[PaperSummary]


class PaperRunDocument(BaseModel):
    """A run as it stands."""

    paper: str
    tier: Tier
    status: RunStatus
    progress: float = Field(ge=0, le=1)
    seconds_left: float | None = Field(description="Estimate while it runs.")
    error: ProblemDocument | None = Field(description="Why the run failed.")
    result: PaperResult | None = Field(description="Once it is done.")


class PaperCasesDocument(BaseModel):
    """Every scenario of a paper at one size."""

    paper: str
    tier: Tier
    cases: list[PaperCase]
