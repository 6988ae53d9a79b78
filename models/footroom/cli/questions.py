"""``footroom questions``: what people ask, and the command that answers it."""

from __future__ import annotations

import argparse
from itertools import groupby

from footroom import questions
from footroom.cli import show


def command(chosen: argparse.Namespace) -> int:
    """List all, or show one."""
    if chosen.question is not None:
        found = questions.question_named(chosen.question)
        if chosen.json:
            show.print_json(found.to_dict())
        else:
            _print(found)
            print(f"    {found.why}\n    asked at {found.source}")
    elif chosen.json:
        show.print_json({"questions": questions.index()})
    else:
        for topic, group in groupby(questions.QUESTIONS, lambda question: question.topic):
            print(topic)
            for question in group:
                _print(question)
    return 0


def _print(question: questions.Question) -> None:
    print(f"{question.number:>4}  {question.question}")
    print(f"      {question.command if question.answerable else f'not answered yet: {question.missing}'}")
