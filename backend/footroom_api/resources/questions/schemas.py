"""What the resource ``questions`` takes and answers."""

from __future__ import annotations

from pydantic import BaseModel

from footroom.questions.document import QuestionDocument


class QuestionsDocument(BaseModel):
    """All questions, by topic."""

    questions: list[QuestionDocument]
