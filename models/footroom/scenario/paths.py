"""Reading and changing one field of a document by its dotted path."""

from __future__ import annotations

import copy
from typing import Any

from footroom.base.errors import InvalidInput


def replace(raw: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of ``raw`` with the field at ``path`` set; objects on the way are created. Raises InvalidInput."""
    document = copy.deepcopy(raw)
    here: Any = document
    steps = path.split(".")
    if not all(steps):
        raise InvalidInput.at(path, value, "a path is field names joined by dots, such as switch.buffer")
    for i, step in enumerate(steps):
        last = i == len(steps) - 1
        if isinstance(here, (list, tuple)):
            if not step.isdigit() or int(step) >= len(here):
                raise InvalidInput.at(path, value, f"{'.'.join(steps[:i])} has entries 0 to {len(here) - 1}")
            key: Any = int(step)
        elif isinstance(here, dict):
            key = step
        else:
            raise InvalidInput.at(path, value, f"{'.'.join(steps[:i])} is a plain value and has no fields")
        if last:
            here[key] = value
        else:
            if isinstance(here, dict) and key not in here:
                here[key] = {}
            here = here[key]
    return document


def lookup(document: Any, path: str) -> Any:
    """The value at ``path`` of plain data. Raises InvalidInput when there is none."""
    here = document
    for step in path.split("."):
        if isinstance(here, dict) and step in here:
            here = here[step]
        elif isinstance(here, (list, tuple)) and step.isdigit() and int(step) < len(here):
            here = here[int(step)]
        else:
            raise InvalidInput.at(path, None, "no such field in this scenario")
    return here
