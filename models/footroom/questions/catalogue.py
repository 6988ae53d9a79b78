"""The questions that Footroom knows, read from ``data``."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.questions.document import QuestionDocument
from footroom.questions.question import Question
from footroom.scenario import presets

#: Files in the order in which topics are offered.
_TOPICS = ("headroom", "pool", "marking", "size")


def _read(topic: str) -> list[Question]:
    text = resources.files("footroom.questions").joinpath("data", f"{topic}.json").read_text(encoding="utf-8")
    document = json.loads(text)
    return [_question(document["title"], entry) for entry in document["questions"]]


def _question(topic: str, entry: dict[str, Any]) -> Question:
    return Question(
        entry["id"],
        entry["number"],
        topic,
        entry["question"],
        entry["why"],
        entry.get("view", ""),
        _values(entry),
        entry.get("command", ""),
        entry["source"],
        entry.get("missing", ""),
    )


def _values(entry: dict[str, Any]) -> dict[str, Any]:
    """State of the view. ``set`` changes fields of the preset's scenario, ``against`` those of the one it is compared
    with; the page has either as a whole in its address.
    """
    values: dict[str, Any] = dict(entry.get("values", {}))
    for key, prefix in (("set", ""), ("against", "a.")):
        if key in entry:
            scenario = presets.load(values["preset"]).to_dict()["scenario"]
            for path, value in entry[key].items():
                _put(scenario, path, value)
            values |= {f"{prefix}{path}": value for path, value in leaves(scenario)}
    return values


def _put(document: Any, path: str, value: Any) -> None:
    first, _, rest = path.partition(".")
    key: Any = int(first) if isinstance(document, list) else first
    if rest:
        _put(document[key], rest, value)
    else:
        document[key] = value


def leaves(document: Any, path: str = "") -> list[tuple[str, Any]]:
    """Every leaf of a document under its dotted path; empty lists and objects are leaves."""
    steps: Any = document.items() if isinstance(document, dict) else ()
    if isinstance(document, list):
        steps = enumerate(document)
    found = [leaf for key, value in steps for leaf in leaves(value, f"{path}.{key}" if path else str(key))]
    return found or [(path, document)]


QUESTIONS: tuple[Question, ...] = tuple(question for topic in _TOPICS for question in _read(topic))


def index() -> list[QuestionDocument]:
    """Every question as plain data, by topic."""
    return [question.to_dict() for question in QUESTIONS]


def question_named(name: str) -> Question:
    """The question of that id or number. Raises InvalidInput."""
    for question in QUESTIONS:
        if name in (question.id, str(question.number)):
            return question
    raise InvalidInput.at(
        "ID", name, f"no such question; give a number from 1 to {len(QUESTIONS)} or an id such as {QUESTIONS[0].id}"
    )
