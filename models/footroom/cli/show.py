"""What a person reads: numbers with units and SI prefixes, tables, notes, progress."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Sequence
from typing import Any

from footroom.result import Result
from footroom.result.words import at_text, metric, number

__all__ = [
    "Progress",
    "at_text",
    "metric",
    "notes",
    "number",
    "outside",
    "print_json",
    "reasons",
    "scaling",
    "table",
    "tell",
]


def print_json(document: Any) -> None:
    """Exactly one JSON document on standard output; it cannot hold NaN. Escaped where the output is not Unicode."""
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(document, allow_nan=False, ensure_ascii=not unicode))


def outside(text: str, name: str, result: Result) -> str:
    """A metric's text, with a "!" before it where it lies outside the validity of the engine's model."""
    return f"! {text}" if name in result.outside else text


def reasons(results: Sequence[Result]) -> list[str]:
    """Reasons why numbers have a "!", each once."""
    found = dict.fromkeys((result.engine, reason) for result in results for reason in result.outside.values())
    return [f"! outside the validity of {engine}: {reason}" for engine, reason in found]


def table(rows: Sequence[Sequence[str]], header: Sequence[str], words: Sequence[int] = (0,)) -> str:
    """Columns of equal width, numbers flush right; ``words``: columns that are flush left. An empty column goes."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        cells = [row[i].ljust(width) if i in words else row[i].rjust(width) for i, width in enumerate(widths) if width]
        return "  ".join(cells).rstrip()

    return "\n".join([line(header), line(["-" * width for width in widths]), *(line(row) for row in rows)])


def scaling(report: dict[str, Any] | None) -> list[str]:
    """What scaling kept and what not, as a table after an empty line; nothing when nothing was scaled."""
    if report is None:
        return []
    rows = [
        [
            verdict,
            f"{q['name']} ({q['path']})" if q["path"] else q["name"],
            number(q["before"], q["unit"]),
            number(q["after"], q["unit"]),
            q["meaning"],
        ]
        for verdict in ("kept", "changed")
        for q in report[verdict]
    ]
    header = [f"S = {report['factor']:g}", "quantity", "before", "after", "what depends on it"]
    return ["", table(rows, header, words=(0, 1, 4))]


def notes(lines: Sequence[str]) -> str:
    """Notes, one per line, each once."""
    return "\n".join(f"note: {line}" for line in dict.fromkeys(lines))


class Progress:
    """One line on standard error that tells how far a study is; silent unless that is a terminal."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._last = -math.inf
        self._written = False

    def __call__(self, fraction: float, seconds_left: float | None) -> None:
        if not self._shown or (time.monotonic() - self._last < 0.2 and fraction < 1.0):
            return
        self._last = time.monotonic()
        self._written = True
        left = "compiling (a minute, once) or starting" if fraction < 1.0 else ""
        if seconds_left is not None:
            left = f"{seconds_left:.0f} s left"
        bar = "#" * round(30 * fraction)
        sys.stderr.write(f"\r[{bar:<30}] {fraction:4.0%}  {left:<38}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Erase the line."""
        if self._written:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()


def tell(text: str) -> None:
    """One line to the person, on standard error."""
    print(f"footroom: {text}", file=sys.stderr)
