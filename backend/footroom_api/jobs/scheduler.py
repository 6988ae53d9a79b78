"""Studies in the background, several at a time: they share the workers (``footroom.studies.executors.places``).

The database holds the queue and the running studies: after a crash a server finds them there and goes on; finished runs
come from the result store and cost nothing. Clients take turns. Of several servers over one SQLite file one runs the
studies of all of them; when it ends, another takes over. Over PostgreSQL each leads studies of its own, and one that
has places left helps with those of others: single runs are claimed, so that none is made twice.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from footroom.base.errors import Cancelled, FootroomError, Unreachable
from footroom.studies.claims import Claims
from footroom_api.jobs.feed import Feed
from footroom_api.jobs.priority import stand_back
from footroom_api.jobs.release import give_back
from footroom_api.jobs.sharing import LocalRuns
from footroom_api.persistence import Claim, StudyStore, Waiting, reason
from footroom_api.problems import of_error, unexpected_problem

_LOG = logging.getLogger("footroom_api")
#: A study is short if it is expected to take at most so many seconds of computing.
_SHORT = 60.0
#: Seconds between two writes of a running study's progress to the database, multiplied by the studies that run.
_WRITE_EVERY = 0.25
#: Seconds between two looks for studies and runs that have been kept for long enough.
_EXPIRE_EVERY = 3600.0
#: Seconds after which the database is read even without a wake-up: other servers may have queued studies.
_LOOK_EVERY = 2.0


@dataclass(frozen=True)
class Progress:
    """How far a running study is. fraction: 0 to 1; seconds_left: estimate, none while there is none."""

    fraction: float
    seconds_left: float | None


class Work(Protocol):
    """Runs the study behind a stored request. on_point: place in the study, and the answer or refusal there.

    client: who asked.  claims: how runs are shared out among studies and servers.  known: places in the study that are
    answered.  helping: another server leads; make only what can be shared out.
    """

    def __call__(
        self,
        request: dict[str, Any],
        *,
        client: str,
        stop: threading.Event,
        on_point: Callable[[int, dict[str, Any]], None],
        on_progress: Callable[[float, float | None], None],
        claims: Claims,
        known: frozenset[int],
        helping: bool,
    ) -> Any: ...


@dataclass(frozen=True)
class _Running:
    """A study under way here. stop: ends it; helping: another server leads it."""

    client: str
    stop: threading.Event
    thread: threading.Thread
    helping: bool


class Scheduler:
    """The thread that works off the queue, and one for each study under way.

    places: studies that run at a time. A user with none running gets one more place, and as many places again are for
    short studies. With a single place there is neither.
    """

    def __init__(
        self,
        store: StudyStore,
        claim: Claim,
        feed: Feed,
        work: Work,
        keep_days: int | None = None,
        places: int = 1,
    ) -> None:
        self._store, self._claim, self._feed, self._work = store, claim, feed, work
        self._keep_days, self._expired_at, self._places = keep_days, -_EXPIRE_EVERY, places
        self._news = threading.Event()
        self._settled = False
        self._trouble = ""
        self._wait_until = 0.0
        self._beyond_us: set[str] = set()  # studies of other servers that this one can help no further
        self._lock = threading.RLock()
        self._running: dict[str, _Running] = {}
        self._runs = LocalRuns()
        self._progress: dict[str, Progress] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="footroom-studies", daemon=True)

    def start(self) -> None:
        """Resume studies that an earlier server left, then wait for more."""
        self._thread.start()

    def submit(self, study: str) -> None:
        """Run a study that the store has as queued."""
        self._news.set()
        self._feed.wake(study)

    def cancel(self, study: str) -> bool:
        """Stop a study that is queued or running. Returns whether it was."""
        with self._lock:
            cancelled = self._store.move(study, ("queued", "running"), "cancelled")
            if study in self._running:
                self._running[study].stop.set()
        self._feed.wake(study)
        return cancelled

    def progress(self) -> dict[str, Progress]:
        """How far the studies that run here are, by id."""
        return self._progress.copy()

    def stop(self, seconds: float = 10.0) -> None:
        """Stop running; unfinished studies stay in the database and are resumed by the next server."""
        self._closing.set()
        self._news.set()
        self._stop_all()
        self._feed.close()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _stop_all(self) -> list[_Running]:
        """Ask all studies under way to end, and return them."""
        with self._lock:
            running = list(self._running.values())
        for one in running:
            one.stop.set()
        return running

    def _loop(self) -> None:
        stand_back()
        try:
            while True:
                self._news.clear()
                if self._closing.is_set():  # checked after the clear: a signal in between would be lost
                    return
                try:
                    if self._settle():
                        self._fill()
                        self._trouble = "" if time.monotonic() > self._wait_until else self._trouble
                    self._news.wait(_LOOK_EVERY)
                except Exception as error:  # noqa: BLE001 - the thread must outlive a database that is away for a while
                    self._complain(error)
                    self._settled = False
                if (wait := self._wait_until - time.monotonic()) > 0.0:
                    self._closing.wait(wait)
        finally:
            for one in self._stop_all():
                one.thread.join()
            self._claim.release()

    def _complain(self, error: Exception) -> None:
        """Log why no study can be run, each reason once while it lasts, and wait a moment."""
        known = isinstance(error, (SQLAlchemyError, sqlite3.Error))
        why = f"the database cannot be used: {reason(error)}" if known else str(error)
        known = known or isinstance(error, Unreachable)
        with self._lock:
            self._wait_until = time.monotonic() + _LOOK_EVERY
            said, self._trouble = self._trouble, why
        if why != said:
            _LOG.error("studies wait: %s", why, exc_info=None if known else error)

    def _settle(self) -> bool:
        """Whether this server runs the studies; those marked as running are then queued again, as nobody runs them."""
        if self._settled and not self._claim.held():
            self._settled = False
        if not self._settled:
            if not self._claim.held() and self._stop_all():
                return False  # what was claimed under the lost right ends before there is another
            if self._claim.take():
                for study in self._store.unfinished():
                    if study.status == "running" and study.id not in self._running and self._claim.lead(study.id):
                        self._store.move(study.id, ("running",), "queued")
                        self._claim.leave(study.id, over=False)
                self._settled = True
        return self._settled

    def _expire(self) -> None:
        """Remove what has been kept for long enough."""
        if self._keep_days is None or time.monotonic() - self._expired_at < _EXPIRE_EVERY:
            return
        studies, runs = self._store.expire(datetime.now(UTC) - timedelta(days=self._keep_days))
        self._expired_at = time.monotonic()
        if studies or runs:
            _LOG.info("removed %d studies and %d runs older than %d days", len(studies), runs, self._keep_days)
        for study in studies:
            self._feed.wake(study)

    def _fill(self) -> None:
        """Start studies while there are places for them, then help with those that other servers run."""
        self._expire()
        beyond: list[Waiting] = []
        looked_at: set[str] = set()
        self._beyond_us &= {study.id for study in self._store.unfinished() if study.status == "running"}
        while (study := self._next(self._waiting(looked_at))) is not None:
            looked_at.add(study.id)
            if self._claim.lead(study.id):
                self._begin(study, helping=False)
            elif study.status == "running" and study.id not in self._beyond_us:
                beyond.append(study)
        for study in beyond:
            if len(self._running) < self._places:
                self._begin(study, helping=True)

    def _waiting(self, looked_at: set[str]) -> list[Waiting]:
        """Studies not running here, in order of turns. Each study that starts or ends changes the order."""
        return [one for one in self._store.unfinished() if one.id not in self._running and one.id not in looked_at]

    def _next(self, waiting: list[Waiting]) -> Waiting | None:
        """The study that has a place and comes first: users with few studies under way come before others."""
        with self._lock:
            own = Counter(one.client for one in self._running.values())
            taken = len(self._running)
        for study in sorted(waiting, key=lambda one: own[one.client]):
            short = study.seconds <= _SHORT and taken < 2 * self._places
            if taken < self._places or (self._places > 1 and (short or not own[study.client])):
                return study
        return None

    def _begin(self, study: Waiting, *, helping: bool) -> None:
        stop = threading.Event()
        name = f"footroom-study-{study.id[:8]}"
        thread = threading.Thread(target=self._run, args=(study, stop, helping), name=name, daemon=True)
        try:
            with self._lock:  # together: a cancellation finds it either queued or with its flag
                began = not self._closing.is_set() and (
                    helping or self._store.move(study.id, ("queued", "running"), "running")
                )
                if began:
                    self._running[study.id] = _Running(study.client, stop, thread, helping)
        except BaseException:
            self._claim.leave(study.id, over=False)
            raise
        if began:
            thread.start()
        elif not helping:
            self._claim.leave(study.id, over=False)

    def _run(self, waiting: Waiting, stop: threading.Event, helping: bool) -> None:
        """The thread of a study."""
        study, status, error = waiting.id, "queued", None
        try:
            self._feed.wake(study)
            status, error = self._outcome(waiting, stop, helping=helping)
        except Exception as trouble:  # noqa: BLE001 - the study goes on later
            self._complain(trouble)
        try:
            if not helping:
                self._finish(study, status, error)
            elif status in ("done", "failed"):  # the rest, or what is wrong with it, is left to the server that leads
                self._beyond_us.add(study)
        except Exception as trouble:  # noqa: BLE001 - found as running and led by nobody, it is taken up again
            status = "queued"
            self._complain(trouble)
        finally:
            self._runs.leave(study)
            self._claim.leave(study, over=not helping and status != "queued")
            with self._lock:
                del self._running[study]
            self._progress.pop(study, None)
            self._feed.wake(study)
            give_back()
            self._news.set()

    def _outcome(self, waiting: Waiting, stop: threading.Event, *, helping: bool) -> tuple[str, dict[str, Any] | None]:
        """Run the study; the status it ends in and, if it failed, the problem."""
        study = waiting.id
        stored = self._store.get(study)
        if stored is None:
            return "failed", None
        # Where every point so far was refused, the study may fail as a whole, and why is to be found anew.
        some = any("result" in point for point in self._store.points(study))
        known = self._store.positions(study) if some else frozenset()
        written = time.monotonic() - _WRITE_EVERY

        def on_point(position: int, point: dict[str, Any]) -> None:
            if self._store.add_point(study, position, point):
                self._feed.wake(study)

        def on_progress(fraction: float, seconds_left: float | None) -> None:
            nonlocal written
            # Taken up again, a study first looks up what is finished, and computes anew what was half done.
            fraction = min(1.0, max(stored.progress, fraction))
            self._progress[study] = Progress(fraction, seconds_left)
            if time.monotonic() - written >= _WRITE_EVERY * len(self._running):
                written = time.monotonic()
                if not (self._claim.held() and self._store.set_progress(study, fraction)):
                    stop.set()  # cancelled or ended by way of another server, or led by another from now on
            self._feed.wake(study)

        try:
            self._work(
                stored.request,
                client=waiting.client,
                stop=stop,
                on_point=on_point,
                on_progress=on_progress,
                claims=self._runs.of(study, self._claim.runs(study)),
                known=known,
                helping=helping,
            )
        except Cancelled:
            return ("queued" if self._closing.is_set() or not self._claim.held() else "cancelled"), None
        except (SQLAlchemyError, Unreachable):
            raise  # the study is as good as before: it goes on once the database or the workers can be used again
        except FootroomError as error:
            return "failed", of_error(error).document()
        except Exception:  # noqa: BLE001 - a fault of ours in one study must not end the server
            _LOG.exception("study %s failed", study)
            return "failed", unexpected_problem().document()
        return "done", None

    def _finish(self, study: str, status: str, error: dict[str, Any] | None) -> None:
        # Cancelled or asked for again meanwhile: then the status is no longer "running" and stays as it is.
        if self._claim.held():  # otherwise another server runs it by now
            self._store.move(study, ("running",), status, error)
