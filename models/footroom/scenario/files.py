"""Reading a scenario from JSON, TOML or YAML."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from footroom.errors import InvalidInput


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number in JSON")


def read(path: Path) -> dict[str, Any]:
    """Plain data of the document in ``path``, by its suffix. Raises InvalidInput."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInput.at("", str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidInput.at("", str(path), f"cannot be read: no UTF-8 text, {error.reason}") from None
    try:
        if path.suffix == ".toml":
            document: Any = tomllib.loads(text)
        elif path.suffix in (".yaml", ".yml"):
            import yaml

            document = yaml.safe_load(text)
        else:
            document = json.loads(text, parse_constant=_no_constant)
    except Exception as error:  # noqa: BLE001 - each parser has its own exceptions, and all mean the same to the caller
        kind = path.suffix.lstrip(".") or "JSON"
        raise InvalidInput.at("", str(path), f"is no valid {kind} document: {error}") from None
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
