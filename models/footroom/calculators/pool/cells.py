"""Sizes written in cells of the chip: ``614370 cells``."""

from __future__ import annotations

import re
from typing import Any

from pydantic_core import PydanticCustomError

from footroom.base.errors import InvalidInput
from footroom.base.quantity import SIZE, parse
from footroom.parts.asics import asic_named

_CELLS = re.compile(r"^\s*(\d+)\s*cells?\s*$")


def in_bytes(raw: dict[str, Any]) -> dict[str, Any]:
    """``raw``, a question with its pools written out, with sizes in cells as bytes.

    Raises InvalidInput at the size where neither ``cell_size`` nor the chip says what a cell has.
    """
    found = {name: _converted(value, raw, name) for name, value in raw.items()}
    if isinstance(raw.get("pools"), list):
        found["pools"] = [
            {name: _converted(value, raw, f"pools.{place}.{name}") for name, value in pool.items()}
            if isinstance(pool, dict)
            else pool
            for place, pool in enumerate(raw["pools"])
        ]
    return found


def _converted(value: Any, raw: dict[str, Any], path: str) -> Any:
    match = _CELLS.match(value) if isinstance(value, str) else None
    if match is None or path == "cell_size":
        return value
    cell = _cell(raw)
    if cell is None:
        raise InvalidInput.at(path, value, "the cell size is not known: give cell_size, or an asic whose cell is known")
    return int(match[1]) * cell


def _cell(raw: dict[str, Any]) -> float | None:
    given = raw.get("cell_size")
    if given is not None:
        try:
            return parse(given, SIZE)
        except PydanticCustomError:
            return None
    asic = raw.get("asic")
    return None if not isinstance(asic, str) else asic_named(asic).cell
