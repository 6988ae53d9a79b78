"""What runs on a Dask worker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from footroom.base.errors import Cancelled
from footroom.base.version import VERSION
from footroom.studies.executors.carrier import run_cells
from footroom.studies.fingerprint import fingerprint

#: Studies that were stopped, by the token of their connection; kept for as long as the worker lives.
_STOPPED: set[str] = set()
#: Seconds between two messages about one run.
_TELL_EVERY = 1.0


class _Stop:
    def __init__(self, token: str) -> None:
        self._token = token

    def is_set(self) -> bool:
        return self._token in _STOPPED


def stop(token: str) -> None:
    """End the runs of a connection that are under way here."""
    _STOPPED.add(token)


def prepare(engines: Sequence[str]) -> dict[str, Any]:
    """Which code this worker has, and how long its packet engine took to compile or to load [s]."""
    began = time.monotonic()
    if "packet" in engines:
        from footroom.engines.packet.warm import warm

        warm()
    return {
        "version": VERSION,
        "code": {name: fingerprint(name) for name in engines},
        "compile_s": time.monotonic() - began,
    }


def run_batch(
    tasks: list[dict[str, Any]],
    code: dict[str, str],
    token: str,
    topic: str,
    keys: list[int],
) -> dict[str, Any]:
    """Runs one after another: ``outcomes`` as ``run_cell`` gives them, or why not: ``stopped`` or ``other_code``."""
    if any(fingerprint(name) != expected for name, expected in code.items()):
        return {"other_code": VERSION}
    try:
        return {"outcomes": run_cells(tasks, _Stop(token), [_teller(topic, key) for key in keys])}
    except Cancelled:
        return {"stopped": True}


def _teller(topic: str, key: int) -> Callable[[float], None]:
    from distributed import get_worker

    worker, lock, last = get_worker(), threading.Lock(), [0.0]

    def tell(fraction: float) -> None:
        with lock:
            if time.monotonic() - last[0] < _TELL_EVERY:
                return
            last[0] = time.monotonic()
        worker.log_event(topic, {"key": key, "fraction": fraction})

    return tell
