"""``footroom pool``: whether a buffer configuration fits its chip, and what is left to share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, get_args

from footroom.base.component import Document
from footroom.base.errors import InvalidInput, Problem
from footroom.calculators.pool import Question, assess
from footroom.cli import fields, show
from footroom.cli.inputs import assignment
from footroom.cli.pool_text import text_of
from footroom.formulas.headroom.schemes import SCHEMES
from footroom.parts.asics import asic_of_configuration
from footroom.scenario.axes import scalar
from footroom.scenario.files import read

UNREACHABLE = 3


#: Options written in short, and how.
_SHORT = {
    "ports": "32x100G@300m,8x400G",
    "pools": "NAME=SIZE+XOFF,...",
    "scheme": "|".join(SCHEMES.names),
    "compared": "SCHEME.NAME=VALUE,...",
}


def _parts() -> dict[str, type[Document]]:
    """Optional fields that are documents of their own, with what they are."""
    found = {}
    for name, field in Question.model_fields.items():
        kinds = [kind for kind in get_args(field.annotation) if kind is not type(None)]
        if name not in _SHORT and len(kinds) == 1 and isinstance(kinds[0], type) and issubclass(kinds[0], Document):
            found[name] = kinds[0]
    return found


def options(parser: argparse.ArgumentParser) -> None:
    """One option per field of the question; those of its parts in groups."""
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a JSON, TOML or YAML file with a question, or a SONiC configuration whose BUFFER_POOL is checked",
    )
    parts = _parts()
    for name, field in Question.model_fields.items():
        if name in _SHORT:
            parser.add_argument(f"--{name}", metavar=_SHORT[name], help=fields.meaning(field))
        elif name not in parts:
            fields.add_field(parser, name, field)
    for name, document in parts.items():
        group = parser.add_argument_group(name, Question.model_fields[name].description)
        for inner, field in document.model_fields.items():
            fields.add_field(group, f"{name}_{inner}", field)
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="PATH=VALUE",
        dest="settings",
        help="any other field, repeated: scheme.port_mtu=9216, ports.0.headroom=60kB",
    )


def command(chosen: argparse.Namespace) -> int:
    """Answer and print; for a configuration that does not fit also what would fit, with exit status 3."""
    question = _question(chosen)
    try:
        answer = assess(question)
    except InvalidInput as error:
        raise InvalidInput(
            [Problem(_option(problem.path), problem.given, problem.message) for problem in error.problems]
        ) from None
    if chosen.json:
        show.print_json(answer.to_dict())
    else:
        print(text_of(answer.to_dict()))
    if not answer.feasible:
        show.tell(f"cannot be reached: {answer.reason}")
    return 0 if answer.feasible else UNREACHABLE


def _question(chosen: argparse.Namespace) -> dict[str, Any]:
    """Plain data: the file, then options, then ``--set``."""
    document: dict[str, Any] = {} if chosen.file is None else read(Path(chosen.file))
    if "BUFFER_POOL" in document:
        chip = asic_of_configuration(document)
        document = {"pools": document["BUFFER_POOL"]} | ({} if chip is None else {"asic": chip.id})
    parts = _parts()
    for name in Question.model_fields:
        if name not in parts and (value := getattr(chosen, name)) is not None:
            document[name] = value
    for name, part in parts.items():
        given = {
            inner: value for inner in part.model_fields if (value := getattr(chosen, f"{name}_{inner}")) is not None
        }
        if given:
            before = document.get(name)
            document[name] = {**(before if isinstance(before, dict) else {}), **given}
    for setting in chosen.settings:
        path, value = assignment(setting, "--set", "scheme.port_mtu=9216")
        _set(document, path, scalar(value))
    return document


def _set(document: dict[str, Any], path: str, value: Any) -> None:
    """Set one field, written in short or not. Raises InvalidInput where there is no such place."""
    spelled = Question.spelled_out(document)
    here: Any = spelled
    *steps, last = path.split(".")
    for step, after in zip(steps, path.split(".")[1:], strict=True):
        if isinstance(here, dict) and (step in here or not after.isdigit()):
            here = here.setdefault(step, {})
        elif isinstance(here, list) and step.isdigit() and int(step) < len(here):
            here = here[int(step)]
        else:
            raise InvalidInput.at("--set", path, f"there is nothing at {step}")
    if isinstance(here, list) and last.isdigit() and int(last) < len(here):
        here[int(last)] = value
    elif isinstance(here, dict):
        here[last] = value
    else:
        raise InvalidInput.at("--set", path, f"there is nothing at {last}")
    document.update(spelled)


def _option(path: str) -> str:
    """The option behind a field, and the field where the option has several."""
    steps = path.split(".")
    known = _parts()
    if steps[0] in known and len(steps) > 1:
        return f"--{steps[0]}-{steps[1].replace('_', '-')}"
    option = f"--{steps[0].replace('_', '-')}" if steps[0] in Question.model_fields else path
    return f"{option} ({path})" if len(steps) > 1 and option != path else option
