"""Options that follow from a document's declaration: one per field, named, explained and checked as declared there."""

from __future__ import annotations

import argparse
from typing import Any, TypeVar

from pydantic import ValidationError

from footroom.cli import show
from footroom.component import Document
from footroom.errors import InvalidInput, Problem

D = TypeVar("D", bound=Document)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def add(parser: argparse.ArgumentParser, document: type[Document]) -> None:
    """One option per field; a field left out keeps its default."""
    for name, field in document.model_fields.items():
        extra: Any = field.json_schema_extra or {}
        unit = extra.get("unit", "1")
        default = "" if field.default is None else f"; {show.number(field.default, unit)} by default"
        text = f"{(field.description or '').rstrip('.')}{default}".replace("%", "%%")
        parser.add_argument(_option(name), metavar="N" if unit == "1" else unit, help=text)


def read(chosen: argparse.Namespace, document: type[D]) -> D:
    """The document that the options say. Raises InvalidInput at the option at fault."""
    given = {name: getattr(chosen, name) for name in document.model_fields if getattr(chosen, name) is not None}
    try:
        return document.model_validate(given)
    except ValidationError as error:
        raise InvalidInput([Problem(_option(str(item["loc"][0])), item["input"], item["msg"])
                            for item in error.errors(include_url=False)]) from None
