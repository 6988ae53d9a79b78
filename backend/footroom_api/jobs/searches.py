"""Searches by simulations in the background: the smallest buffer, alone or under every congestion control."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from footroom_api.jobs.kept import KeptJobs
from footroom_api.persistence import ResultStore


class SearchJobs:
    """All searches of one kind, by what was asked; safe to use from several threads."""

    def __init__(self, results: ResultStore, workers: int | None, kind: str) -> None:
        self._results, self._workers = results, workers
        self._jobs = KeptJobs(results, kind)

    def active(self, client: str | None = None) -> int:
        """How many are queued or running, of one client or of all."""
        return self._jobs.active(client)

    def start(self, id_: str, search: Callable[..., Any], admission: Any, client: str) -> bool:
        """Queue a search unless it is done, queued or running. Returns whether it was. admission: may refuse runs.

        search: takes ``workers``, ``stop``, ``cache``, ``on_progress`` and ``admission``.
        """

        def work(stop: threading.Event, on_progress: Callable[[float, float | None], None]) -> dict[str, Any]:
            found: dict[str, Any] = search(
                workers=self._workers, stop=stop, cache=self._results, on_progress=on_progress, admission=admission
            ).to_dict()
            return found

        return self._jobs.start(id_, work, client)

    def describe(self, id_: str) -> dict[str, Any]:
        """The search as clients see it; status ``none`` before it was asked for."""
        return {"id": id_, **self._jobs.describe(id_)}

    def cancel(self, id_: str) -> bool:
        """Stop a search that is queued or running. Returns whether it was."""
        return self._jobs.cancel(id_)

    def stop(self) -> None:
        """Stop whatever runs, and wait for it."""
        self._jobs.stop()
