"""Reading a scenario from JSON, TOML or YAML."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from footroom.base.errors import InvalidInput

#: Tag of YAML's merge key, which copies a mapping from elsewhere in the document.
_MERGE = "tag:yaml.org,2002:merge"


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a number in JSON")


def unique_keys(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """An object of ``pairs``. Raises ValueError for a key given twice, which JSON leaves undefined."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is given twice")
    return found


def _yaml(text: str) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """Refuses keys given twice, as YAML 1.2 section 3.2.1.3 demands."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            unique_keys([(self.construct_object(key, deep=True), None) for key, _ in node.value if key.tag != _MERGE])
            return super().construct_mapping(node, deep)

    return yaml.load(text, Loader)


def read(path: Path) -> dict[str, Any]:
    """Plain data of the document in ``path``, by its suffix. Raises InvalidInput."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInput.at("", str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidInput.at("", str(path), f"cannot be read: not UTF-8 text, {error.reason}") from None
    try:
        if path.suffix == ".toml":
            document: Any = tomllib.loads(text)
        elif path.suffix in (".yaml", ".yml"):
            document = _yaml(text)
        else:
            document = json.loads(text, parse_constant=_no_constant, object_pairs_hook=unique_keys)
    except Exception as error:  # noqa: BLE001 - each parser has its own exceptions, and all mean the same to the caller
        kind = path.suffix.lstrip(".") or "JSON"
        raise InvalidInput.at("", str(path), f"is not a valid {kind} document: {error}") from None
    if not isinstance(document, dict):
        raise InvalidInput.at("", str(path), "a scenario is an object with topology, switch, traffic and run")
    _include(document, path.parent)
    return document


def _include(document: dict[str, Any], folder: Path) -> None:
    """Put the text of a file where ``flows`` of a traffic entry says "@" and its name."""
    entries = document.get("traffic")
    for i, entry in enumerate(entries if isinstance(entries, list) else []):
        name = entry.get("flows") if isinstance(entry, dict) else None
        if isinstance(name, str) and name.startswith("@"):
            try:
                entry["flows"] = (folder / name[1:]).read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                why = error.strerror if isinstance(error, OSError) else error.reason
                raise InvalidInput.at(f"traffic.{i}.flows", name, f"cannot be read: {why}") from None
