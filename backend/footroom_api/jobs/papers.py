"""Running papers in the background: one after another, each on all cores.

A finished run is kept in the result store under the address of its content (paper, tier, code), so it is there after a
restart, and not after a change of the code. What was only under way at a restart is asked for again; runs that it had
finished come from the same store.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from footroom import papers
from footroom.errors import Cancelled, FootroomError
from footroom.papers import Paper, Tier
from footroom.papers import runner as paper_runner
from footroom.studies.fingerprint import fingerprint
from footroom_api.persistence import ResultStore
from footroom_api.problems import of_error, unexpected_problem

_LOG = logging.getLogger("footroom_api")
_CODE = Path(papers.__file__).parent


@dataclass
class PaperJob:
    """A run that was asked for. status: queued, running, done, cancelled or failed."""

    status: str = "queued"
    progress: float = 0.0
    seconds_left: float | None = None
    error: dict[str, Any] | None = None
    stop: threading.Event = field(default_factory=threading.Event)


class PaperJobs:
    """All runs of papers, by paper and tier; safe to use from several threads."""

    def __init__(self, results: ResultStore, workers: int | None) -> None:
        self._results, self._workers = results, workers
        self._lock = threading.Lock()
        self._jobs: dict[tuple[str, str], PaperJob] = {}
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="footroom-papers")

    def result(self, paper: Paper, tier: Tier) -> dict[str, Any] | None:
        """What the finished run found, if there is one of this code."""
        return self._results.get(_address(paper, tier))

    def start(self, paper: Paper, tier: Tier) -> bool:
        """Queue a run unless it is done, queued or running; whether it was queued."""
        with self._lock:
            job = self._jobs.get((paper.id, tier))
            if self.result(paper, tier) is not None or (job is not None and job.status in ("queued", "running")):
                return False
            job = self._jobs[paper.id, tier] = PaperJob()
        self._pool.submit(self._run, paper, tier, job)
        return True

    def describe(self, paper: Paper, tier: Tier) -> dict[str, Any]:
        """The run as clients see it; status ``none`` before it was asked for."""
        job = self._jobs.get((paper.id, tier))
        status = "none" if job is None else job.status  # before the result: "done" is said after it was kept
        result = self.result(paper, tier)
        common = {"paper": paper.id, "tier": tier, "result": result, "error": None, "seconds_left": None}
        if result is not None:
            return {**common, "status": "done", "progress": 1.0}
        if job is None:
            return {**common, "status": status, "progress": 0.0}
        return {**common, "status": status, "progress": job.progress, "seconds_left": job.seconds_left,
                "error": job.error}

    def cancel(self, paper: Paper, tier: Tier) -> bool:
        """Stop a run that is queued or running; whether it was."""
        with self._lock:
            job = self._jobs.get((paper.id, tier))
            if job is None or job.status not in ("queued", "running"):
                return False
            job.stop.set()
            job.status = "cancelled"
            return True

    def stop(self) -> None:
        """Stop whatever runs, and wait for it."""
        for job in list(self._jobs.values()):
            job.stop.set()
        self._pool.shutdown(cancel_futures=True)

    def _run(self, paper: Paper, tier: Tier, job: PaperJob) -> None:
        def on_progress(fraction: float, seconds_left: float | None) -> None:
            job.progress, job.seconds_left = min(1.0, max(0.0, fraction)), seconds_left

        with self._lock:
            if job.stop.is_set():
                return
            job.status = "running"
        try:
            found = paper_runner.run([paper.id], tier, workers=self._workers, stop=job.stop, on_progress=on_progress,
                                     cache=self._results).to_dict()
            with self._lock:
                if job.status == "running":  # a cancelled one publishes nothing; its single runs are kept
                    self._results.put(_address(paper, tier), found)
                    job.status = "done"
        except Cancelled:
            self._end(job, "cancelled")
        except FootroomError as error:
            self._end(job, "failed", of_error(error).document())
        except Exception:  # noqa: BLE001 - a fault of ours in one paper must not end the thread
            _LOG.exception("paper %s failed", paper.id)
            self._end(job, "failed", unexpected_problem().document())

    def _end(self, job: PaperJob, status: str, error: dict[str, Any] | None = None) -> None:
        """Settle a run without a result, unless it was cancelled: whoever was told so must not find it failed later."""
        with self._lock:
            if job.status == "running":
                job.error, job.status = error, status


def _address(paper: Paper, tier: Tier) -> str:
    """Address of a finished run: what decides its content."""
    parts = (paper.id, tier, fingerprint("packet"), fingerprint("packet", _CODE))
    return hashlib.sha256(":".join(parts).encode()).hexdigest()
