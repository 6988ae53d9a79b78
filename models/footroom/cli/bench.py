"""``footroom bench``: this machine's rates."""

from __future__ import annotations

import argparse
import importlib
import time
from typing import Any

from footroom.cli import show


def command(chosen: argparse.Namespace) -> int:
    """Measure and print."""
    bench = importlib.import_module("footroom.bench")
    progress = show.Progress()
    begun = 0
    began = time.monotonic()

    def say(_: str) -> None:
        nonlocal begun
        done = begun / bench.MEASUREMENTS
        progress(done, (time.monotonic() - began) * (1.0 - done) / done if begun else None)
        begun += 1

    try:
        measured: dict[str, Any] = bench.measure(say=say)
    finally:
        progress.clear()
    if chosen.json:
        show.print_json(measured)
        return 0
    for title, unit in (("rates", "packets/s"), ("ratios", "times"), ("times", "s")):
        rows = [[name, f"{value:.3g}"] for name, value in measured.get(title, {}).items()]
        if rows:
            print(show.table(rows, [title, unit]))
    return 0
