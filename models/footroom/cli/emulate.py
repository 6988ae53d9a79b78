"""``footroom emulate``: sharing policies side by side on a trace of arrivals or an incast."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from footroom.base.errors import InvalidInput, Problem
from footroom.calculators.emulator import Question, emulate
from footroom.cli import fields, show
from footroom.cli.emulate_text import text_of
from footroom.parts.sharing import REGISTRY

_OWN = ("policies", "trace")


def options(parser: argparse.ArgumentParser) -> None:
    """One option per field of the question."""
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="arrivals instead of an incast: CSV with the columns time [s], port, size [B] and optionally flow",
    )
    parser.add_argument(
        "--policy",
        action="append",
        metavar="KIND[:NAME=VALUE,...]",
        help=f"a policy to compare, repeated: {', '.join(REGISTRY.names)}; with parameters as in "
        "smartbuf:sigma=32,nearest=5; default all",
    )
    for name, field in Question.model_fields.items():
        if name not in _OWN:
            fields.add_field(parser, name, field)


def command(chosen: argparse.Namespace) -> int:
    """Emulate and print."""
    given: dict[str, Any] = {
        name: value
        for name in Question.model_fields
        if name not in _OWN and (value := getattr(chosen, name)) is not None
    }
    if chosen.policy:
        given["policies"] = chosen.policy
    if chosen.trace is not None:
        given["trace"] = _text(Path(chosen.trace))
    try:
        found = emulate(given).to_dict()
    except InvalidInput as error:
        raise InvalidInput(
            [Problem(_option(problem.path), problem.given, problem.message) for problem in error.problems]
        ) from None
    if chosen.json:
        show.print_json(found)
    else:
        print(text_of(found))
    return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInput.at("--trace", str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidInput.at("--trace", str(path), f"cannot be read: not UTF-8 text, {error.reason}") from None


def _option(path: str) -> str:
    """The option behind a field."""
    first, _, rest = path.partition(".")
    option = {"policies": "--policy"}.get(first, f"--{first.replace('_', '-')}")
    return f"{option} ({rest})" if rest else option
