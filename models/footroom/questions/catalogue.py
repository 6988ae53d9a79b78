"""The questions that Footroom knows, read from ``data``."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from footroom.errors import InvalidInput
from footroom.questions.question import Question

#: Files in the order in which topics are offered.
_TOPICS = ("headroom", "pool", "marking", "size")


def _read(topic: str) -> list[Question]:
    text = resources.files("footroom.questions").joinpath("data", f"{topic}.json").read_text(encoding="utf-8")
    document = json.loads(text)
    return [Question(topic=document["title"], **entry) for entry in document["questions"]]


QUESTIONS: tuple[Question, ...] = tuple(question for topic in _TOPICS for question in _read(topic))


def index() -> list[dict[str, Any]]:
    """Every question as plain data, by topic."""
    return [question.to_dict() for question in QUESTIONS]


def question_named(name: str) -> Question:
    """The question of that id or number. Raises InvalidInput."""
    for question in QUESTIONS:
        if name in (question.id, str(question.number)):
            return question
    raise InvalidInput.at("ID", name, f"no such question; give a number from 1 to {len(QUESTIONS)} or an id such as "
                                      f"{QUESTIONS[0].id}")
