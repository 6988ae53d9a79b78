"""Running papers in the background."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from footroom import papers
from footroom.papers import Paper, Tier
from footroom.papers import runner as paper_runner
from footroom.studies.fingerprint import fingerprint, sources
from footroom_api.jobs.kept import KeptJobs
from footroom_api.persistence import ResultStore

_CODE = Path(papers.__file__).parent


class PaperJobs:
    """All runs of papers, by paper and tier; safe to use from several threads."""

    def __init__(self, results: ResultStore, workers: int | None) -> None:
        self._results, self._workers = results, workers
        self._jobs = KeptJobs(results, "papers")

    def result(self, paper: Paper, tier: Tier) -> dict[str, Any] | None:
        """What the finished run found, if there is one of this code."""
        return self._jobs.result(_address(paper, tier))

    def start(self, paper: Paper, tier: Tier, client: str) -> bool:
        """Queue a run for ``client`` unless it is done, queued or running. Returns whether it was queued."""

        def work(stop: threading.Event, on_progress: Callable[[float, float | None], None]) -> dict[str, Any]:
            found = paper_runner.run(
                [paper.id], tier, workers=self._workers, stop=stop, on_progress=on_progress, cache=self._results
            )
            return dict(found.to_dict())

        return self._jobs.start(_address(paper, tier), work, client)

    def describe(self, paper: Paper, tier: Tier) -> dict[str, Any]:
        """The run as clients see it; status ``none`` before it was asked for."""
        return {"paper": paper.id, "tier": tier, **self._jobs.describe(_address(paper, tier))}

    def cancel(self, paper: Paper, tier: Tier) -> bool:
        """Stop a run that is queued or running. Returns whether it was."""
        return self._jobs.cancel(_address(paper, tier))

    def stop(self) -> None:
        """Stop whatever runs, and wait for it."""
        self._jobs.stop()


def _address(paper: Paper, tier: Tier) -> str:
    """Address of a finished run: what decides its content."""
    parts = (paper.id, tier, fingerprint("packet"), sources(_CODE))
    return hashlib.sha256(":".join(parts).encode()).hexdigest()
