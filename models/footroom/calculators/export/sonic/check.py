"""A configuration checked against the schema: the fields of each row, and whether the rows it refers to exist."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from footroom.base.errors import in_words
from footroom.calculators.export.findings import Finding
from footroom.calculators.export.sonic.schema import TABLES, Leaf, Part, Table, leaf_of

#: Rows by name, of tables by name.
Config = Mapping[str, Mapping[str, Mapping[str, str]]]


def check(config: Config) -> list[Finding]:
    """Every fault of the tables that the schema knows, in the order of the configuration; empty when it is sound."""
    return [
        finding
        for name, rows in config.items()
        if name in TABLES
        for key, row in rows.items()
        for finding in _row(config, TABLES[name], key, row)
    ]


def _row(config: Config, table: Table, key: str, row: Mapping[str, str]) -> Iterator[Finding]:
    where = f"{table.name}|{key}"
    parts = key.split("|")
    if len(parts) != len(table.key):
        names = "|".join(part.name for part in table.key)
        yield Finding("error", "bad-key", where, f"a row of {table.name} is called {names}")
        return
    for part, text in zip(table.key, parts, strict=True):
        yield from _part(config, part, text, where, "bad-key")
    if table.entries is not None:
        for left, right in row.items():
            yield from _part(config, table.entries[0], left, f"{where}.{left}", "bad-key")
            yield from _part(config, table.entries[1], right, f"{where}.{left}", "bad-value")
    elif table.row is not None:
        yield from _fields(config, table, where, row)


def _part(config: Config, part: Part, text: str, where: str, code: str) -> Iterator[Finding]:
    if not re.fullmatch(part.pattern, text):
        yield Finding("error", code, where, f"given {text!r}; expected {part.meaning}")
    else:
        yield from dangling(config, part.leaf, text, where)


def _fields(config: Config, table: Table, where: str, row: Mapping[str, str]) -> Iterator[Finding]:
    assert table.row is not None
    known = table.row.model_fields
    try:
        table.row.model_validate(dict(row))
    except ValidationError as error:
        for item in error.errors(include_url=False):
            field = ".".join(str(step) for step in item["loc"])
            if item["type"] == "extra_forbidden":
                if not table.partial:
                    yield Finding(
                        "warning",
                        "unknown-field",
                        f"{where}.{field}",
                        f"no field of {table.name} in SONiC's YANG; a switch that validates refuses it",
                    )
                continue
            code, message = _fault(item)
            yield Finding("error", code, f"{where}.{field}" if field else where, message)
    for name, text in row.items():
        if name in known:
            yield from dangling(config, leaf_of(known[name]), text, f"{where}.{name}")


def _fault(item: Any) -> tuple[str, str]:
    if item["type"] == "missing":
        return "missing-field", "this field is required"
    message = in_words(str(item["msg"]))
    if item["loc"]:
        return "bad-value", f"given {item.get('input')!r}; {message[0].lower()}{message[1:]}"
    return "conflict", message


def dangling(config: Config, leaf: Leaf, text: str, where: str) -> Iterator[Finding]:
    """The names in ``text`` that refer to no row."""
    if not leaf.refers:
        return
    names = [name.strip() for name in text.split(leaf.separator)] if leaf.separator else [text]
    for name in names:
        if name not in leaf.words and name not in config.get(leaf.refers, {}):
            yield Finding("error", "dangling-reference", where, f"{leaf.refers} has no row {name!r}")
