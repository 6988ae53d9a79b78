"""``footroom headroom``: memory for what arrives after a pause, by several schemes, line by line."""

from __future__ import annotations

import argparse
from typing import Any

from footroom.base.errors import InvalidInput, Problem
from footroom.calculators.headroom.compute import answer
from footroom.calculators.headroom.question import HeadroomQuestion, Question, ask
from footroom.cli import fields, show
from footroom.cli.headroom_text import text_of


def options(parser: argparse.ArgumentParser) -> None:
    """One option per field of the question; those of schemes in groups."""
    groups: dict[str, Any] = {}
    for name, field in HeadroomQuestion.model_fields.items():
        extra: Any = field.json_schema_extra
        if name in Question.model_fields:
            fields.add_field(parser, name, field)
            continue
        owners = ", ".join(extra["schemes"])
        if owners not in groups:
            groups[owners] = parser.add_argument_group(f"parameters of {owners}")
        fields.add_field(groups[owners], name, field)


def command(chosen: argparse.Namespace) -> int:
    """Answer and print."""
    given = {name: value for name in HeadroomQuestion.model_fields if (value := getattr(chosen, name)) is not None}
    try:
        found = answer(ask(given)).to_dict()
    except InvalidInput as error:
        raise InvalidInput(
            [
                Problem(f"--{problem.path.replace('_', '-')}", problem.given, problem.message)
                for problem in error.problems
            ]
        ) from None
    if chosen.json:
        show.print_json(found)
    else:
        print(text_of(found))
    return 0
