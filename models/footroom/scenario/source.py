"""What is accepted as a scenario: itself, its document, a file or a preset."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.scenario import presets
from footroom.scenario.document import Scenario
from footroom.scenario.files import read

#: What is accepted as a scenario: itself, its document, a file's path or a preset's id.
Source = Scenario | Mapping[str, Any] | str | Path

_SUFFIXES = (".json", ".toml", ".yaml", ".yml")


def load(source: Source) -> Scenario:
    """A scenario from a JSON, TOML or YAML file, a preset's id or plain data. Raises InvalidInput."""
    if isinstance(source, Scenario):
        return source
    if isinstance(source, Mapping):
        return Scenario.parse(dict(source))
    return Scenario.parse(document(source))


def document(source: str | Path) -> dict[str, Any]:
    """Plain data of a file or a preset, not yet validated. Raises InvalidInput."""
    if not isinstance(source, (str, Path)):
        raise InvalidInput.at("scenario", source, "a scenario is an object, the path of a file or the id of a preset")
    path = Path(source)
    if path.suffix in _SUFFIXES or path.is_file():
        return read(path)
    for preset in presets.PRESETS:
        if preset.id == str(source):
            found: dict[str, Any] = preset.to_dict()["scenario"]
            return found
    known = ", ".join(preset.id for preset in presets.PRESETS)
    raise InvalidInput.at("scenario", str(source), f"is neither a file nor a preset; presets are {known}")
