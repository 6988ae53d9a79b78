"""Work in the background whose result is kept: one job after another, each on all cores. Clients take turns.

A finished result is kept in the result store under a hash of the question and of the code that answered, so it is
there after a restart, but not after a change of the code. A job that was under way at a restart must be requested
again; runs that it had finished come from the same store.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from footroom.base.errors import Cancelled, FootroomError
from footroom_api.fair import FairQueue
from footroom_api.jobs.priority import stand_back
from footroom_api.jobs.release import give_back
from footroom_api.persistence import ResultStore
from footroom_api.problems import ProblemError, of_error, of_store, unexpected_problem

_LOG = logging.getLogger("footroom_api")
#: Ended jobs that are remembered; finished results stay in the store.
_REMEMBERED = 1000


@dataclass
class KeptJob:
    """Work that was asked for. client: who asked last; status: queued, running, done, cancelled or failed."""

    client: str = ""
    status: str = "queued"
    progress: float = 0.0
    seconds_left: float | None = None
    error: dict[str, Any] | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def active(self) -> bool:
        """Whether it is queued or running."""
        return self.status in ("queued", "running")


#: Does the work: gets the stop flag and a progress callback; returns the document to keep.
Work = Callable[[threading.Event, Callable[[float, float | None], None]], dict[str, Any]]


class KeptJobs:
    """All jobs of one kind, by address; safe to use from several threads."""

    def __init__(self, results: ResultStore, name: str) -> None:
        self._results, self._name = results, name
        self._lock = threading.Lock()
        self._jobs: dict[str, KeptJob] = {}
        self._waiting: FairQueue[tuple[str, Work, KeptJob]] = FairQueue()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=f"footroom-{name}", initializer=stand_back)

    def result(self, address: str) -> dict[str, Any] | None:
        """What finished work found, if there is any of this code."""
        return self._results.get(address)

    def active(self, client: str | None = None) -> int:
        """How many are queued or running, of one client or of all."""
        with self._lock:
            return sum(job.active and client in (None, job.client) for job in self._jobs.values())

    def start(self, address: str, work: Work, client: str = "") -> bool:
        """Queue ``work`` of ``client`` unless it is done, queued or running. Returns whether it was queued."""
        with self._lock:
            job = self._jobs.get(address)
            if self.result(address) is not None or (job is not None and job.active):
                return False
            ended = [key for key, one in self._jobs.items() if not one.active]
            for old in ended[: max(0, len(self._jobs) - _REMEMBERED)]:
                del self._jobs[old]
            job = self._jobs[address] = KeptJob(client)
            self._waiting.add(client, (address, work, job))
        self._pool.submit(self._next)
        return True

    def describe(self, address: str) -> dict[str, Any]:
        """The job as clients see it; status ``none`` before it was asked for."""
        job = self._jobs.get(address)
        status = "none" if job is None else job.status  # before the result: "done" is said after it was kept
        result = self.result(address)
        common = {"result": result, "error": None, "seconds_left": None}
        if result is not None:
            return {**common, "status": "done", "progress": 1.0}
        if job is None:
            return {**common, "status": status, "progress": 0.0}
        return {
            **common,
            "status": status,
            "progress": job.progress,
            "seconds_left": job.seconds_left,
            "error": job.error,
        }

    def cancel(self, address: str) -> bool:
        """Stop a job that is queued or running. Returns whether it was."""
        with self._lock:
            job = self._jobs.get(address)
            if job is None or not job.active:
                return False
            job.stop.set()
            job.status = "cancelled"
            return True

    def stop(self) -> None:
        """Stop whatever runs, and wait for it."""
        for job in list(self._jobs.values()):
            job.stop.set()
        self._pool.shutdown(cancel_futures=True)

    def _next(self) -> None:
        """Do the work of the client whose turn it is."""
        with self._lock:
            found = self._waiting.take()
        if found is not None:
            self._run(*found)

    def _run(self, address: str, work: Work, job: KeptJob) -> None:
        def on_progress(fraction: float, seconds_left: float | None) -> None:
            job.progress, job.seconds_left = min(1.0, max(job.progress, fraction)), seconds_left

        with self._lock:
            if job.stop.is_set():
                return
            job.status = "running"
        try:
            found = work(job.stop, on_progress)
            with self._lock:
                if job.status == "running":  # a cancelled one publishes nothing; its single runs are kept
                    self._results.put(address, found)
                    job.status = "done"
        except Cancelled:
            self._end(job, "cancelled")
        except FootroomError as error:
            self._end(job, "failed", of_error(error).document())
        except ProblemError as error:
            self._end(job, "failed", error.document())
        except SQLAlchemyError as error:
            problem = of_store(error)
            _LOG.error("a job of %s failed: %s", self._name, problem.detail)
            self._end(job, "failed", problem.document())
        except Exception:  # noqa: BLE001 - a fault of ours in one job must not end the thread
            _LOG.exception("a job of %s failed", self._name)
            self._end(job, "failed", unexpected_problem().document())
        finally:
            give_back()

    def _end(self, job: KeptJob, status: str, error: dict[str, Any] | None = None) -> None:
        """End a job without a result, unless it was cancelled: a client that saw so must not find it failed later."""
        with self._lock:
            if job.status == "running":
                job.error, job.status = error, status
