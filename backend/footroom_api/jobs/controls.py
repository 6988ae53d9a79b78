"""Comparisons of congestion controls by simulations in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from footroom import studies
from footroom_api.jobs.kept import KeptJobs
from footroom_api.persistence import ResultStore


class ControlsJobs:
    """All comparisons, by what was asked; safe to use from several threads."""

    def __init__(self, results: ResultStore, workers: int | None) -> None:
        self._results, self._workers = results, workers
        self._jobs = KeptJobs(results, "controls")

    def active(self) -> int:
        """How many are queued or running."""
        return self._jobs.active()

    def start(self, asked: studies.Comparison, admission: Any) -> bool:
        """Queue a comparison unless it is done, queued or running; whether it was. admission: may refuse its runs."""
        def work(stop: threading.Event, on_progress: Callable[[float, float | None], None]) -> dict[str, Any]:
            return asked.answer(workers=self._workers, stop=stop, cache=self._results, on_progress=on_progress,
                                admission=admission).to_dict()

        return self._jobs.start(asked.id, work)

    def describe(self, id_: str) -> dict[str, Any]:
        """The comparison as clients see it; status ``none`` before it was asked for."""
        return {"id": id_, **self._jobs.describe(id_)}

    def cancel(self, id_: str) -> bool:
        """Stop a comparison that is queued or running; whether it was."""
        return self._jobs.cancel(id_)

    def stop(self) -> None:
        """Stop whatever runs, and wait for it."""
        self._jobs.stop()
