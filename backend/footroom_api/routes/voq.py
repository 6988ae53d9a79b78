"""How long packets wait behind virtual output queues."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.calculators.voq import VoqQuestion, answer
from footroom_api.result_schemas import ExplanationDocument
from footroom_api.routes.common import BODY
from footroom_api.routes.common import router as new_router

router = new_router("voq")


class VoqDocument(BaseModel):
    """The largest limit of one queue for the wait allowed, and the wait behind the limit given."""

    limit: float = Field(description="Largest limit of one queue [B].")
    packets: int = Field(description="Full packets in it.")
    memory: float = Field(description="What the queues of all line cards together then hold for one output [B].")
    delay: float | None = Field(description="Wait that the limit given allows [s]; null when none was given.")
    explanations: list[ExplanationDocument]


@router.post("/voq", response_model=VoqDocument, operation_id="computeVoq", responses=BODY)
def compute_voq(body: VoqQuestion) -> Any:
    """The queue limit that keeps the wait short when every line card has a queue for the same output: V = D·C/(8·N)."""
    return answer(body).to_dict()
