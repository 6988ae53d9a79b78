"""The reference: every kind with its fields, metrics, engines, commands and questions, from the package itself."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from footroom.cli.parser import build_parser
from footroom.questions import QUESTIONS
from footroom.studies.catalogue import catalog

#: Parts of a scenario that have no kinds.
_PARTS = {"scenario": "Scenario", "switch": "Switch", "host": "Host", "run": "Run"}

_INTRODUCTION = """# Reference

What a scenario may hold, what an engine answers, and the commands. All of it is read off the package;
`footroom catalog --json` and `GET /api/v1/catalog` give the same as data.

## Engines

| engine | what it is | answers |
|---|---|---|"""

_QUESTIONS = """# Questions

What network engineers ask, the command that answers it, and where it was asked. The start page of
`footroom serve` answers each on a page of its own.
"""

_LOW = {"minimum": "≥", "exclusiveMinimum": ">"}
_HIGH = {"maximum": "≤", "exclusiveMaximum": "<"}


def names() -> list[str]:
    """The pages in the order of the navigation."""
    axes = [f"reference/{axis['axis']}.md" for axis in catalog()["axes"]]
    return ["reference/index.md", "reference/command-line.md", *(f"reference/{part}.md" for part in _PARTS), *axes]


def pages() -> Iterator[tuple[str, str]]:
    """Every page by its name."""
    known = catalog()
    yield "reference/index.md", _index(known)
    yield "reference/command-line.md", _commands()
    yield "questions.md", _questions()
    for part, title in _PARTS.items():
        yield f"reference/{part}.md", "\n".join((f"# {title}", "", *_fields(known[part])))
    for axis in known["axes"]:
        yield f"reference/{axis['axis']}.md", _axis(axis)


def _index(known: dict[str, Any]) -> str:
    lines = [_INTRODUCTION]
    lines += [
        f"| `{engine['engine']}` | {_cell(engine['title'])} | {engine['answers']} |" for engine in known["engines"]
    ]
    lines += ["", "## Metrics", "", "| metric | unit | meaning |", "|---|---|---|"]
    lines += [
        f"| `{name}` | {metric['unit']} | {_cell(metric['meaning'])} |" for name, metric in known["metrics"].items()
    ]
    return "\n".join(lines)


def _axis(axis: dict[str, Any]) -> str:
    lines = [f"# {axis['axis'].capitalize()}", "", f"{axis['title']}.", ""]
    for kind in axis["kinds"]:
        lines += [f"## {kind['title']} `{kind['kind']}`", "", kind["summary"], ""]
        lines += [
            f"- {label}: {value}"
            for label, value in (
                ("Holds for", kind["holds"]),
                ("Departs from its source", kind["departures"]),
                ("Source", "; ".join(kind["sources"])),
            )
            if value
        ]
        lines += ["", "```json", json.dumps(kind["example"]), "```", ""]
        lines += _fields(kind["schema"])
    return "\n".join(lines)


def _fields(schema: dict[str, Any]) -> list[str]:
    fields = {name: field for name, field in schema.get("properties", {}).items() if name != "kind"}
    if not fields:
        return []
    rows = [
        f"| `{name}` | {_cell(field.get('symbol', ''))} | {_default(field)} | {_range(field)} | "
        f"{_cell(field.get('description', ''))} {_cell(field.get('source', ''))} |"
        for name, field in fields.items()
    ]
    return ["| field | symbol | default | accepted | meaning, source |", "|---|---|---|---|---|", *rows, ""]


def _default(field: dict[str, Any]) -> str:
    if "default" not in field:
        return "required"
    unit = "" if field.get("unit", "1") == "1" or field["default"] in (None, 0) else f" {field['unit']}"
    return f"`{json.dumps(field['default'])}`{unit}"


def _range(field: dict[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    bounds = [f"{sign} {field[key]:g}" for signs in (_LOW, _HIGH) for key, sign in signs.items() if key in field]
    return ", ".join(bounds)


def _commands() -> str:
    parser = build_parser()
    verbs = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    lines = ["# Command line", "", "```", parser.format_help().rstrip(), "```", ""]
    for name, verb in verbs.choices.items():
        lines += [f"## footroom {name}", "", "```", verb.format_help().rstrip(), "```", ""]
    return "\n".join(lines)


def _questions() -> str:
    lines = [_QUESTIONS]
    for one in QUESTIONS:
        lines += [f"## {one.question}", "", f"{one.why}", ""]
        lines += ["```sh", one.command, "```", ""] if one.command else [f"Not answered: {one.missing}", ""]
        lines += [f"Source: {one.source}", ""]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return " ".join(str(text).split()).replace("|", "\\|")
