"""Libraries that only notebooks need, and a sentence where they are missing."""

from __future__ import annotations

import importlib
from typing import Any

from footroom.base.errors import Unsupported


def pandas() -> Any:
    """The module pandas. Raises Unsupported with the command that installs it."""
    return _needed("pandas", "a table")


def plotly(module: str = "graph_objects") -> Any:
    """A module of Plotly by its name. Raises Unsupported with the command that installs it."""
    return _needed(f"plotly.{module}", "a figure")


def _needed(name: str, purpose: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        library = name.partition(".")[0]
        raise Unsupported(f"{purpose} needs {library}: pip install 'footroom[notebook]'") from None
