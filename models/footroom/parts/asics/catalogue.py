"""The chips that Footroom knows, read from ``data/asics.json``."""

from __future__ import annotations

import difflib
import json
import re
from importlib import resources

from footroom.base.errors import InvalidInput
from footroom.parts.asics.asic import Asic


def _read() -> tuple[Asic, ...]:
    text = resources.files("footroom.parts.asics").joinpath("data", "asics.json").read_text(encoding="utf-8")
    return tuple(Asic(**{**row, "unsure": tuple(row["unsure"])}) for row in json.loads(text))


ASICS: tuple[Asic, ...] = _read()


def _key(name: str) -> str:
    """A name without case, spaces and dashes, so that Tomahawk 4, tomahawk-4 and tomahawk4 are one."""
    return re.sub(r"[^a-z0-9]", "", name.lower().replace("+", "plus"))


_BY_KEY = {_key(name): asic for asic in ASICS for name in (asic.part, asic.name, asic.id)}


def asic_named(name: str, path: str = "asic") -> Asic:
    """The chip of that id, name or part number. Raises InvalidInput at ``path`` with the nearest ids."""
    found = _BY_KEY.get(_key(name))
    if found is None:
        near = difflib.get_close_matches(_key(name), _BY_KEY, n=4, cutoff=0.5)
        ids = list(dict.fromkeys(_BY_KEY[key].id for key in near))
        hint = f"did you mean {', '.join(ids)}?" if ids else f"known are {', '.join(asic.id for asic in ASICS)}"
        raise InvalidInput.at(path, name, f"no such ASIC; {hint}")
    return found
