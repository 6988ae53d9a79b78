"""A configuration as YANG instance data, and the check of it by ``yanglint`` against SONiC's own modules.

The modules are not part of Footroom: a folder of them (src/sonic-yang-models/yang-models of sonic-net/sonic-buildimage,
with the modules that its build makes from yang-templates) is named by the caller.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from footroom.base.errors import InvalidInput, Unsupported
from footroom.calculators.export.sonic.check import Config
from footroom.calculators.export.sonic.schema import TABLES, Leaf, Part, Table, leaf_of

#: Types that JSON writes as numbers; 64 bits do not fit and stay text (RFC 7951, section 6.1).
_NUMBERS = {"int8", "int16", "int32", "uint8", "uint16", "uint32"}
_WHOLE = re.compile(r"-?\d{1,18}")
_SECONDS = 60


def _value(leaf: Leaf, text: str) -> Any:
    if leaf.separator:
        return [part.strip() for part in text.split(leaf.separator)]
    if leaf.base in _NUMBERS and _WHOLE.fullmatch(text):
        return int(text)
    return text == "true" if leaf.base == "boolean" else text


def _named(parts: tuple[Part, ...], texts: list[str]) -> dict[str, Any]:
    # A name with too few parts is for YANG to refuse.
    return {part.name: _value(part.leaf, text) for part, text in zip(parts, texts, strict=False)}


def _row(table: Table, row: Mapping[str, str]) -> dict[str, Any]:
    if table.entries is not None:
        return {table.name: [_named(table.entries, [left, right]) for left, right in row.items()]}
    assert table.row is not None
    fields = table.row.model_fields
    return {name: _value(leaf_of(fields[name]) if name in fields else Leaf(), text) for name, text in row.items()}


def _table(table: Table, rows: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    if table.container:
        return {key: _row(table, row) for key, row in rows.items()}
    return {
        f"{table.name}_LIST": [{**_named(table.key, key.split("|")), **_row(table, row)} for key, row in rows.items()]
    }


def to_yang(config: Config) -> dict[str, Any]:
    """``config`` as JSON instance data (RFC 7951) of SONiC's modules; tables the schema does not know are left out.

    The rows of a table become a list ``TABLE_LIST`` whose keys are the parts of their names, inside a container named
    after the table inside a container named after the module (SONiC YANG model guidelines).
    """
    return {
        f"{TABLES[name].module}:{TABLES[name].module}": {name: _table(TABLES[name], rows)}
        for name, rows in config.items()
        if name in TABLES and rows
    }


def yanglint(config: Config, modules: str | Path) -> dict[str, Any]:
    """The verdict of ``yanglint`` on ``config``: ``valid``, the ``modules`` used, and its ``messages``.

    modules: a folder with SONiC's .yang files; those of ``config`` and what they import must be there.
    Raises InvalidInput when it lacks one, Unsupported when yanglint is not installed.
    """
    folder, program = Path(modules), shutil.which("yanglint")
    if program is None:
        raise Unsupported("yanglint is not installed (Debian: libyang2-tools)", path="yang")
    used = sorted({TABLES[name].module for name, rows in config.items() if name in TABLES and rows})
    missing = [name for name in used if not (folder / f"{name}.yang").is_file()]
    if missing:
        raise InvalidInput.at("yang", str(modules), f"lacks {', '.join(f'{name}.yang' for name in missing)}")
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch) / "config.json"
        data.write_text(json.dumps(to_yang(config)), encoding="utf-8")
        ended = subprocess.run(
            # -ii: imported modules count as present, or conditions that look into them would be skipped.
            [
                program,
                "-ii",
                "-p",
                str(folder),
                "-t",
                "config",
                *(str(folder / f"{name}.yang") for name in used),
                str(data),
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
    return {
        "valid": ended.returncode == 0,
        "modules": used,
        "messages": [line for line in ended.stderr.splitlines() if line.strip()],
    }
