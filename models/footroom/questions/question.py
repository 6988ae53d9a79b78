"""One question and how it is answered."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from footroom.questions.document import QuestionDocument


@dataclass(frozen=True)
class Question:
    """A question as an engineer asks it.

    number: its place among all of them, for reference.  topic: what it is about, in words.  why: what makes the answer
    uncertain.  view: the view of the page that answers it.  values: state of that view, dotted path to value.
    command: the command line that answers it.  source: where people were seen asking it.  missing: what keeps it from
    being answered; empty when it is.
    """

    id: str
    number: int
    topic: str
    question: str
    why: str
    view: str
    values: dict[str, Any]
    command: str
    source: str
    missing: str

    @property
    def answerable(self) -> bool:
        """Whether view and command answer it."""
        return not self.missing

    @property
    def link(self) -> str:
        """Address of the view with its values filled in; empty when there is none."""
        if not self.answerable:
            return ""
        query = urlencode({path: _leaf(value) for path, value in self.values.items()})
        return f"/{self.view}?{query}" if query else f"/{self.view}"

    def to_dict(self) -> QuestionDocument:
        """Plain data."""
        return {
            "id": self.id,
            "number": self.number,
            "topic": self.topic,
            "question": self.question,
            "why": self.why,
            "view": self.view,
            "values": dict(self.values),
            "command": self.command,
            "source": self.source,
            "missing": self.missing,
            "answerable": self.answerable,
            "link": self.link,
        }


def _leaf(value: Any) -> str:
    """A value as the page writes it into its address: text as it stands, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)
