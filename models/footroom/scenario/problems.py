"""From a validation error to the path, what was given and what is accepted."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from footroom.errors import Problem

_PLAIN = {
    "missing": "this field is required",
    "extra_forbidden": "unknown key",
}


def problems_of(error: ValidationError, raw: Any) -> list[Problem]:
    """One Problem per fault, its path written as in the document (without the names of union members)."""
    found: list[Problem] = []
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
        if isinstance(given, (dict, list, tuple)):
            given = "an object" if isinstance(given, dict) else "a list"
        problem = Problem(path, given, _PLAIN.get(kind, message))
        if problem not in found:
            found.append(problem)
    # A list with a faulty entry is also reported as too short; the entry's own fault says all.
    return [p for p in found if not any(q.path.startswith(f"{p.path}.") for q in found)] if len(found) > 1 else found


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
