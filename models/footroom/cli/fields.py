"""Options made from a document's declaration: one per field, with the name, description and checks declared there."""

from __future__ import annotations

import argparse
import re
from typing import Any, TypeVar, get_args

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from footroom.base.component import Component, Document
from footroom.base.errors import InvalidInput, Problem, in_words
from footroom.cli import show

D = TypeVar("D", bound=Document)

#: A document has null for it; an option is left out.
_NONE = re.compile(r"(?<=; )none means (that )?")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def add(parser: argparse.ArgumentParser, document: type[Document]) -> None:
    """One option per field; a field left out keeps its default."""
    for name, field in document.model_fields.items():
        add_field(parser, name, field)


def add_field(group: Any, name: str, field: FieldInfo) -> None:
    """The option of one field, in a parser or one of its groups."""
    extra: Any = field.json_schema_extra or {}
    unit = extra.get("unit", "1")
    text = f"{meaning(field)}{_default(field, unit)}".replace("%", "%%")
    group.add_argument(_option(name), metavar=_metavar(field, unit), help=text)


def meaning(field: FieldInfo) -> str:
    """The field's description in the words of an option."""
    return _NONE.sub("if omitted, ", (field.description or "").rstrip("."))


def _default(field: FieldInfo, unit: str) -> str:
    if field.is_required():
        return "; required"
    value = field.get_default(call_default_factory=True, validated_data={})
    if isinstance(value, bool):
        return f"; default {str(value).lower()}"
    if value is None or isinstance(value, tuple):
        return ""
    if isinstance(value, Component):
        value = value.kind
    if isinstance(value, str):
        shown = value
    # Frames and cells are counted in bytes.
    elif unit == "B" and value < 10_000 and value % 1000:
        shown = f"{value:g} B"
    else:
        shown = show.number(value, unit)
    return f"; default {shown}" if shown else ""


def _metavar(field: FieldInfo, unit: str) -> str:
    """Placeholder of the value in help: the choices, a name, the unit, or a number."""
    kinds = [kind for part in get_args(field.annotation) or (field.annotation,) for kind in get_args(part) or (part,)]
    choices = [kind for kind in kinds if isinstance(kind, str)]
    if choices:
        return "|".join(choices)
    if str in kinds:
        return "NAME"
    if bool in kinds:
        return "true|false"
    if any(isinstance(kind, type) and issubclass(kind, Component) for kind in kinds):
        return "KIND"
    return "N" if unit == "1" else unit


def read(chosen: argparse.Namespace, document: type[D]) -> D:
    """The document given by the options. Raises InvalidInput at the option at fault."""
    given = {name: getattr(chosen, name) for name in document.model_fields if getattr(chosen, name) is not None}
    try:
        return document.model_validate(given)
    except ValidationError as error:
        raise InvalidInput(
            [
                # As it was typed, not as it was read.
                Problem(
                    _option(str(item["loc"][0])), given.get(str(item["loc"][0]), item["input"]), in_words(item["msg"])
                )
                for item in error.errors(include_url=False)
            ]
        ) from None
