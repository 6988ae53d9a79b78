"""What a key that no document has is answered with: the key that was meant, or those that are accepted."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel


def unknown_key(document: Any, location: Sequence[int | str]) -> str:
    """The message for the key that a validation error locates.

    document: the class that was validated; any other annotation gives a message without keys.  location: as pydantic
    gives it, with indices and the kinds of the members of unions.
    """
    accepted = _keys(_behind(document, location[:-1]))
    close = difflib.get_close_matches(str(location[-1]), accepted, n=1)
    if close:
        return f'unknown key; did you mean "{close[0]}"?'
    return f"unknown key; accepted: {', '.join(accepted)}" if accepted else "unknown key"


def _keys(documents: Sequence[type[BaseModel]]) -> list[str]:
    return list(dict.fromkeys(field.alias or name for each in documents for name, field in each.model_fields.items()))


def _behind(document: Any, location: Sequence[int | str]) -> list[type[BaseModel]]:
    here = list(_documents(document))
    for step in location:
        fields = [each.model_fields[step] for each in here if step in each.model_fields]
        if fields:
            here = [found for field in fields for found in _documents(field.annotation)]
        elif of_kind := [each for each in here if "kind" in each.model_fields and _kind(each) == step]:
            here = of_kind
    return here


def _kind(document: type[BaseModel]) -> Any:
    field = document.model_fields["kind"]
    return next(iter(get_args(field.annotation)), field.default)


def _documents(annotation: Any) -> Iterator[type[BaseModel]]:
    """The documents among the members of an annotation, however deep in unions, lists and tables they are."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for member in get_args(annotation):
        yield from _documents(member)
