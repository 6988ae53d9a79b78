"""From a validation error to the path, what was given and what is accepted."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from footroom.base.errors import Problem, in_words
from footroom.base.unknown_key import unknown_key

_PLAIN = {
    "missing": "this field is required",
    "tuple_type": "a list is expected",
}


#: Faults reported at most; a document with more is wrong in one way many times.
_MOST = 200


def problems_of(error: ValidationError, raw: Any, document: type[BaseModel]) -> list[Problem]:
    """One Problem per fault, its path written as in the document (without the names of union members).

    document: the class that was validated, which tells what an unknown key may have been.
    """
    found: dict[tuple[str, str], Problem] = {}
    for item in error.errors(include_url=False):
        kind, message = item["type"], item["msg"]
        path, given = _locate(item["loc"], raw)
        if kind.startswith("at:"):  # a rule over several fields names the one to change, relative to its document
            path = ".".join(filter(None, [path, kind[3:]]))
            given = _lookup(path, raw)
        elif kind in ("kind", "not_yet_supported"):
            given = given.get("kind") if isinstance(given, dict) else given
            path = f"{path}.kind"
        if kind == "missing":
            given = None
        if isinstance(given, (dict, list, tuple)) and not _short(given):
            given = "an object" if isinstance(given, dict) else "a list"
        if kind == "extra_forbidden":
            message = unknown_key(document, item["loc"])
        found.setdefault((path, message), Problem(path, given, _PLAIN.get(kind, _listed(message))))
        if len(found) == _MOST:
            break
    # A list with a faulty entry is also reported as too short; the entry's own fault says all.
    inner = {path[:i] for path, _ in found for i, letter in enumerate(path) if letter == "."}
    return [problem for (path, _), problem in found.items() if path not in inner]


def _short(given: Any) -> bool:
    """Whether it is a list of a few numbers or words, which a message can repeat."""
    return (
        isinstance(given, (list, tuple))
        and 0 < len(given) <= 8
        and all(isinstance(each, (int, float, str)) and len(str(each)) <= 20 for each in given)
    )


def _listed(message: str) -> str:
    """The message in a reader's words: lists, which are tuples here."""
    return in_words(message.replace(" after validation", ""))


def _locate(location: tuple[int | str, ...], raw: Any) -> tuple[str, Any]:
    """Dotted path and value; a location names the union member it tried, which is no key of the document."""
    path: list[str] = []
    here = raw
    for i, step in enumerate(location):
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):  # no such field: a union member's name, or the missing field itself
            if i < len(location) - 1 or not isinstance(here, dict) or here.get("kind") == step:
                continue
        path.append(str(step))
    return ".".join(path), here


def _lookup(path: str, raw: Any) -> Any:
    for step in path.split("."):
        if isinstance(raw, dict):
            raw = raw.get(step)
        elif isinstance(raw, (list, tuple)) and step.isdigit() and int(step) < len(raw):
            raw = raw[int(step)]
        else:
            return None
    return raw
