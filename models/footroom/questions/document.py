"""The questions in JSON."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict


class QuestionDocument(TypedDict):
    """A question, and the view and the command that answer it."""

    id: str
    number: int
    topic: Annotated[str, Field(description="What it is about, in words.")]
    question: str
    why: Annotated[str, Field(description="What makes the answer uncertain.")]
    view: Annotated[str, Field(description="View of the page that answers it; empty when none does yet.")]
    values: Annotated[dict[str, Any], Field(description="State of that view, dotted path to value.")]
    link: Annotated[str, Field(description="Address of the view with these values; empty when it is not answered yet.")]
    command: Annotated[str, Field(description="Command line that answers it; empty when none does yet.")]
    source: Annotated[str, Field(description="Where people were seen asking it.")]
    answerable: bool
    missing: Annotated[str, Field(description="What keeps it from being answered; empty when it is.")]
