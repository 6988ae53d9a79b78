"""How long packets wait behind virtual output queues."""

from __future__ import annotations

from typing import Any

from footroom.calculators.voq import VoqQuestion, answer
from footroom.calculators.voq.document import VoqDocument
from footroom_api.answers import follows_from_request
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router

router = new_router("voq")


@router.post("/voq", response_model=VoqDocument, operation_id="computeVoq", responses=BODY)
@follows_from_request
def compute_voq(body: VoqQuestion) -> Any:
    """The queue limit that keeps the wait short when every line card has a queue for the same output: V = D·C/(8·N)."""
    return answer(body).to_dict()
