"""One study after another in a background thread; each of them uses all cores.

What is running lives in the database, so a server that was killed finds it there and goes on: runs that were finished
come from the result store and cost nothing.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from footroom.errors import Cancelled, FootroomError
from footroom_api.jobs.feed import Feed
from footroom_api.persistence import StudyStore
from footroom_api.problems import of_error, unexpected_problem

_LOG = logging.getLogger("footroom_api")
#: Seconds between two writes of a running study's progress to the database; watchers see every step.
_WRITE_EVERY = 1.0


@dataclass(frozen=True)
class Progress:
    """How far a running study is. fraction: 0 to 1; seconds_left: estimate, none while there is none."""

    fraction: float
    seconds_left: float | None


class Work(Protocol):
    """Runs the study behind a stored request. on_point: place in the study, and the answer or refusal there."""

    def __call__(
        self,
        request: dict[str, Any],
        *,
        stop: threading.Event,
        on_point: Callable[[int, dict[str, Any]], None],
        on_progress: Callable[[float, float | None], None],
    ) -> Any: ...


class Scheduler:
    """The queue and the thread that works it off."""

    def __init__(self, store: StudyStore, feed: Feed, work: Work) -> None:
        self._store, self._feed, self._work = store, feed, work
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._current: tuple[str, threading.Event] | None = None
        self._progress: dict[str, Progress] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="footroom-studies", daemon=True)

    def start(self) -> None:
        """Take up what an earlier server left behind, then wait for more."""
        for study in self._store.unfinished():
            self._store.move(study, ("running",), "queued")
            self._queue.put(study)
        self._thread.start()

    def submit(self, study: str) -> None:
        """Run a study that the store has as queued."""
        self._queue.put(study)
        self._feed.wake(study)

    def cancel(self, study: str) -> bool:
        """Stop a study that is queued or running; whether it was."""
        with self._lock:
            cancelled = self._store.move(study, ("queued", "running"), "cancelled")
            if self._current is not None and self._current[0] == study:
                self._current[1].set()
        self._feed.wake(study)
        return cancelled

    def progress(self) -> dict[str, Progress]:
        """How far the studies that run here are, by id."""
        return self._progress.copy()

    def stop(self, seconds: float = 10.0) -> None:
        """Stop running; what is unfinished stays in the database and is taken up by the next server."""
        self._closing.set()
        self._queue.put(None)
        with self._lock:
            if self._current is not None:
                self._current[1].set()
        self._feed.close()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _loop(self) -> None:
        while not self._closing.is_set():
            study = self._queue.get()
            if study is None or self._closing.is_set():
                return
            try:
                self._run(study)
            except Exception:  # noqa: BLE001 - the thread must outlive a database that is away for a moment
                _LOG.exception("study %s was lost by the scheduler", study)

    def _run(self, study: str) -> None:
        stop = threading.Event()
        with self._lock:
            self._current = (study, stop)
        try:
            if not self._store.move(study, ("queued",), "running"):
                return
            self._feed.wake(study)
            self._finish(study, *self._outcome(study, stop))
        finally:
            with self._lock:
                self._current = None
            self._progress.pop(study, None)
            self._feed.wake(study)

    def _outcome(self, study: str, stop: threading.Event) -> tuple[str, dict[str, Any] | None]:
        """Run the study; the status it ends in and, if it failed, the problem."""
        stored = self._store.get(study)
        if stored is None:
            return "failed", None
        written = time.monotonic()

        def on_point(position: int, point: dict[str, Any]) -> None:
            if self._store.add_point(study, position, point):
                self._feed.wake(study)

        def on_progress(fraction: float, seconds_left: float | None) -> None:
            nonlocal written
            self._progress[study] = Progress(min(1.0, max(0.0, fraction)), seconds_left)
            if time.monotonic() - written > _WRITE_EVERY:
                written = time.monotonic()
                self._store.set_progress(study, fraction)
            self._feed.wake(study)

        try:
            self._work(stored.request, stop=stop, on_point=on_point, on_progress=on_progress)
        except Cancelled:
            return ("queued" if self._closing.is_set() else "cancelled"), None
        except FootroomError as error:
            return "failed", of_error(error).document()
        except Exception:  # noqa: BLE001 - a fault of ours in one study must not end the server
            _LOG.exception("study %s failed", study)
            return "failed", unexpected_problem().document()
        return "done", None

    def _finish(self, study: str, status: str, error: dict[str, Any] | None) -> None:
        # Cancelled or asked for again meanwhile: then the status is no longer "running" and stays as it is.
        self._store.move(study, ("running",), status, error)
