"""Questions that the page and the command line answer."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from footroom import questions
from footroom_api.conditional import conditional
from footroom_api.resources.common import router as new_router
from footroom_api.resources.questions.schemas import QuestionsDocument

router = new_router("questions")


@router.get(
    "/questions",
    response_model=QuestionsDocument,
    operation_id="listQuestions",
    responses={304: {"description": "Unchanged"}},
)
def list_questions(request: Request) -> Any:
    """What people who size buffers ask, with the view, the values and the command that answer each."""
    return conditional(request, {"questions": questions.index()})
