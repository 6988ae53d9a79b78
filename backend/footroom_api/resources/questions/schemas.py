"""What the resource ``questions`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class QuestionDocument(BaseModel):
    """A question, and the view and the command that answer it."""

    id: str
    number: int
    topic: str = Field(description="What it is about, in words.")
    question: str
    why: str = Field(description="What makes the answer uncertain.")
    view: str = Field(description="View of the page that answers it; empty when none does yet.")
    values: dict[str, Any] = Field(description="State of that view, dotted path to value.")
    link: str = Field(description="Address of the view with these values; empty when it is not answered yet.")
    command: str = Field(description="Command line that answers it; empty when none does yet.")
    source: str = Field(description="Where people were seen asking it.")
    answerable: bool
    missing: str = Field(description="What keeps it from being answered; empty when it is.")


class QuestionsDocument(BaseModel):
    """All questions, by topic."""

    questions: list[QuestionDocument]
