"""Finished runs in a file, so that a sweep that was interrupted or killed goes on where it was."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from pathlib import Path
from typing import Any, BinaryIO

from footroom.base.compile_cache.private import choose
from footroom.base.errors import InvalidInput

#: Unused files are removed after so many days.
_DAYS = 30


class Journal:
    """A ``footroom.studies.Cache`` in a file: one line of JSON a run, written as soon as the run is finished.

    A line that was cut off by a crash is skipped. Safe to use from several threads. Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._places: dict[str, int] = {}
        self._file: BinaryIO = path.open("a+b")
        self._file.seek(0)
        place, line = 0, b""
        for line in self._file:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                self._places[json.loads(line)["key"]] = place
            place += len(line)
        if line and not line.endswith(b"\n"):
            self._file.write(b"\n")
        #: Runs that the file held when it was opened.
        self.found = len(self._places)

    @classmethod
    def of(cls, study: str) -> Journal | None:
        """The journal of the study with that id, beside the compiled code; none where nothing can be written."""
        try:
            folder = choose("sweeps-1")
            _clean(folder)
            return cls(folder / f"{study}.jsonl")
        except (OSError, InvalidInput):
            return None

    def __len__(self) -> int:
        return len(self._places)

    def get(self, key: str) -> dict[str, Any] | None:
        """The run under that key, if it is kept."""
        with self._lock:
            if key not in self._places:
                return None
            self._file.seek(self._places[key])
            kept: dict[str, Any] = json.loads(self._file.readline())["run"]
            return kept

    def put(self, key: str, document: dict[str, Any]) -> None:
        """Keep a run."""
        line = json.dumps({"key": key, "run": document}, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        with self._lock:
            if key not in self._places:
                self._file.seek(0, 2)
                self._places[key] = self._file.tell()
                self._file.write(line)
                self._file.flush()

    def close(self) -> None:
        """Leave the file for the next time."""
        self._file.close()

    def discard(self) -> None:
        """The study is done: remove the file."""
        self.close()
        self.path.unlink(missing_ok=True)


def _clean(folder: Path) -> None:
    for path in folder.glob("*.jsonl"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < time.time() - 86_400 * _DAYS:
                path.unlink()
