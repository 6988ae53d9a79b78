"""What the resource ``ecn`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.result import Explanation


class JudgedDocument(BaseModel):
    """One set of thresholds judged; what does not apply is absent."""

    name: str
    kmin: float = Field(description="Queue at which marking begins [B].")
    kmax: float = Field(description="Queue above which everything is marked [B].")
    pmax: float = Field(description="Probability at kmax.")
    stable: bool
    queue_at_rest: float | None = Field(None, description="[B]")
    phase_margin_deg: float | None = None
    utilisation: float
    drop_rate: float
    queue_mean: float = Field(description="[B]")
    queue_min: float = Field(description="[B]")
    queue_max: float = Field(description="[B]")
    meets: bool = Field(description="Whether it holds what was asked.")
    reasons: list[str] = Field(description="Why it does not.")
    source: str


class EcnDocument(BaseModel):
    """The thresholds found, the trade-off about them, and what is shipped."""

    question: dict[str, Any]
    feasible: bool
    advice: JudgedDocument | None = None
    reason: str = Field(description="Why nothing was found.")
    valid_from: float = Field(description="Kmin from which the fluid holds [B]; what begins to mark below is outside.")
    curve: list[JudgedDocument] = Field(description="The same ramp for other Kmax.")
    defaults: list[JudgedDocument] = Field(description="What vendors and papers ship, judged alike.")
    explanations: list[Explanation]
    notes: list[str]


class EcnControlsDocument(BaseModel):
    """What the advisor can answer."""

    congestion: list[str] = Field(description="Kinds of congestion control that answer to marks.")
