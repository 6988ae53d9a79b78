"""A CSV file that holds the finished points of a sweep while it runs."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from footroom.studies import csv_of

#: Seconds between two writes, and how many times as long as the last write took.
_EVERY, _TIMES = 2.0, 20.0


class TableFile:
    """Called with every finished point (``footroom.studies.OnPoint``); points stand in the order of the study.

    The file is replaced as a whole, so that a reader never finds half a table. Anything but a regular file, such as a
    pipe, is written once, by ``write``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._points: dict[int, dict[str, Any]] = {}
        self._next = time.monotonic() + _EVERY

    def __call__(self, place: int, answer: dict[str, Any]) -> None:
        if "result" in answer:
            self._points[place] = answer
            if self._path.is_file() and time.monotonic() >= self._next:
                began = time.monotonic()
                self.write()
                self._next = time.monotonic() + max(_EVERY, _TIMES * (time.monotonic() - began))

    def write(self) -> int:
        """Write what is finished; how many points that is. Raises OSError."""
        points = [self._points[place] for place in sorted(self._points)]
        table = csv_of(points)
        if self._path.is_file() and not self._path.is_symlink():
            part = self._path.with_name(f".{self._path.name}.{os.getpid()}")
            try:
                part.write_text(table, encoding="utf-8")
                part.chmod(self._path.stat().st_mode)
                part.replace(self._path)
                return len(points)
            except OSError:  # the folder cannot be written, only the file
                part.unlink(missing_ok=True)
        self._path.write_text(table, encoding="utf-8")
        return len(points)
