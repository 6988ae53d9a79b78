"""``footroom bench``: this machine's rates."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from footroom.cli import show


def command(chosen: argparse.Namespace) -> int:
    """Measure and print."""
    measured: dict[str, Any] = importlib.import_module("footroom.bench").measure()
    if chosen.json:
        show.print_json(measured)
        return 0
    for title, unit in (("rates", "packets/s"), ("ratios", "times"), ("times", "s")):
        rows = [[name, f"{value:.3g}"] for name, value in measured.get(title, {}).items()]
        if rows:
            print(show.table(rows, [title, unit]))
    return 0
