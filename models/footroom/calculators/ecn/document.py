"""The answer of the ECN advisor in JSON."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.explanation import Explanation


class JudgedDocument(TypedDict):
    """One set of thresholds judged; what does not apply is absent."""

    name: str
    kmin: Annotated[float, Field(description="Queue at which marking begins [B].")]
    kmax: Annotated[float, Field(description="Queue above which everything is marked [B].")]
    pmax: Annotated[float, Field(description="Probability at kmax.")]
    stable: bool
    queue_at_rest: NotRequired[Annotated[float | None, Field(description="[B]")]]
    phase_margin_deg: NotRequired[float | None]
    utilisation: float
    drop_rate: float
    queue_mean: Annotated[float, Field(description="[B]")]
    queue_min: Annotated[float, Field(description="[B]")]
    queue_max: Annotated[float, Field(description="[B]")]
    meets: Annotated[bool, Field(description="Whether it meets the targets.")]
    reasons: Annotated[list[str], Field(description="Why it does not.")]
    source: str


class EcnDocument(TypedDict):
    """The thresholds found, the trade-off about them, and what is shipped."""

    question: dict[str, Any]
    feasible: bool
    advice: NotRequired[JudgedDocument | None]
    reason: Annotated[str, Field(description="Why nothing was found.")]
    valid_from: Annotated[float, Field(description="Smallest Kmin for which the fluid is valid [B].")]
    curve: Annotated[list[JudgedDocument], Field(description="The same ramp for other Kmax.")]
    defaults: Annotated[
        list[JudgedDocument], Field(description=("What vendors and papers ship, checked against the same targets."))
    ]
    explanations: list[Explanation]
    notes: list[str]
