"""Dataclasses as plain data.

The dataclass of an answer also declares its JSON: the API serves its shape, with the meaning and unit of each field
from ``Annotated[..., Field(description=...)]``.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

from pydantic.fields import FieldInfo


def plain(value: Any) -> Any:
    """``value`` ready for JSON: a dataclass as a dict by its fields' names, or by their aliases; tuples as lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {key: plain(getattr(value, name)) for name, key in _keys(type(value)).items()}
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


@functools.cache
def _keys(kind: type[Any]) -> dict[str, str]:
    """Name of each field to its key: Python does not allow ``class`` and ``from`` as names."""
    hints = get_type_hints(kind, include_extras=True)
    found = {}
    for field in fields(kind):
        notes = getattr(hints[field.name], "__metadata__", ())
        aliases = [note.alias for note in notes if isinstance(note, FieldInfo) and note.alias is not None]
        found[field.name] = aliases[0] if aliases else field.name
    return found
