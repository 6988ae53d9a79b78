"""A configuration as given, turned into tables of text; whatever is odd is kept and reported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.calculators.export.findings import Finding
from footroom.calculators.export.sonic.schema import TABLES, Table, leaf_of
from footroom.calculators.export.sonic.tables import Tables

_BRACKETS = re.compile(r"\[[A-Z_]+\|([^\]|]+)\]")


def read(raw: Any) -> tuple[Tables, dict[str, Any], list[Finding]]:
    """The tables that the schema knows, all others as they are, and findings on what was corrected.

    Raises InvalidInput when ``raw`` is no configuration at all.
    """
    if not isinstance(raw, Mapping):
        raise InvalidInput.at(
            "config_db",
            raw if isinstance(raw, (str, int, float)) else type(raw).__name__,
            "a configuration is an object of tables, as in config_db.json",
        )
    tables: Tables = {}
    unknown: dict[str, Any] = {}
    findings: list[Finding] = []
    for name, rows in raw.items():
        if name not in TABLES:
            unknown[str(name)] = rows
        elif not isinstance(rows, Mapping):
            findings.append(Finding("error", "bad-table", str(name), "a table is an object of rows"))
        else:
            tables[name] = _rows(TABLES[name], rows, findings)
    if unknown:
        findings.append(
            Finding(
                "note",
                "unknown-tables",
                "",
                f"{len(unknown)} tables are kept but not read: {', '.join(sorted(unknown)[:20])}"
                + (" …" if len(unknown) > 20 else ""),
            )
        )
    return tables, unknown, findings


def _rows(table: Table, rows: Mapping[Any, Any], findings: list[Finding]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for key, row in rows.items():
        where = f"{table.name}|{key}"
        if not isinstance(row, Mapping):
            findings.append(Finding("error", "bad-row", where, "a row is an object of fields"))
            continue
        fields = {
            str(name): text
            for name, value in row.items()
            if (text := _text(table, str(name), value, f"{where}.{name}", findings)) is not None
        }
        head, *rest = str(key).split("|")
        names = [name for name in head.split(",") if name] if table.key[0].leaf.refers == "PORT" else [head]
        if len(names) > 1:
            findings.append(
                Finding(
                    "warning",
                    "several-ports",
                    where,
                    f"{len(names)} ports in one row's name, an "
                    "older form; YANG takes one, so it is read as one row each",
                )
            )
        for name in names or [head]:
            found["|".join([name, *rest])] = fields
    return found


def _text(table: Table, name: str, value: Any, where: str, findings: list[Finding]) -> str | None:
    """A value as text; None when it cannot be one."""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ",".join(value)
    if not isinstance(value, str):
        if isinstance(value, (dict, list)) or value is None:
            findings.append(Finding("error", "bad-value", where, "a value is a string"))
            return None
        findings.append(
            Finding("warning", "not-a-string", where, f'given {value!r}; every value is a string: "{_written(value)}"')
        )
        value = _written(value)
    field = table.row.model_fields.get(name) if table.row is not None else None
    if field is not None and leaf_of(field).refers and _BRACKETS.search(value):
        findings.append(Finding("note", "old-reference", where, f"{value} is an older form; read as the name in it"))
        return _BRACKETS.sub(r"\1", value)
    return str(value)


def _written(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
