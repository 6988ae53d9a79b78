"""Worker threads that several studies share: users take turns, and a small study does not wait behind a large one.

* **Users** are served by the computing time they have had: the one with least is next. A new user starts with the
  time of the one with least, so nobody saves up turns.
* **Studies of one user**: those that have had less than a minute come first, the one with least of it, in every other
  turn; the others take turns among themselves. A small study is done soon, and a large one goes on meanwhile.
* **Runs** are not interrupted. Where all places have long runs, one more thread makes short and small ones, so that
  these do not wait for minutes.

The order of runs changes no result: seeds belong to runs.
"""

from __future__ import annotations

import functools
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from footroom.scenario import Scenario
from footroom.studies.cost import cell_seconds, work_of
from footroom.studies.engines import Progress, Stop, engine_named
from footroom.studies.executors.carrier import run_cells

#: A study is young until it has had so much computing [s].
_YOUNG = 60.0
#: A run is short where it is expected to take at most so long [s], and small up to so much memory [bytes].
_SHORT, _SMALL = 10.0, 5e8
_clock = time.monotonic


class _Run:
    """Runs that a study has handed over together."""

    def __init__(self, study: Visitor, tasks: Sequence[dict[str, Any]], work: Callable[[], Any]) -> None:
        self.study, self.work = study, work
        self.future: Future[list[dict[str, Any]]] = Future()
        self.began = 0.0
        expected = [_expected(task) for task in tasks]
        self.short = sum(seconds for seconds, _ in expected) <= _SHORT
        self.light = self.short and max(memory for _, memory in expected) <= _SMALL


def _expected(task: dict[str, Any]) -> tuple[float, float]:
    """Time [s] and memory [bytes] of a run."""
    given = task["scenario"]
    scenario = given if isinstance(given, Scenario) else Scenario.parse(given)
    memory = work_of(scenario).memory if engine_named(task["engine"]).random else 0.0
    return cell_seconds(task["engine"], scenario), memory


class _User:
    """had: computing time of all studies of the user [s], starting at that of the user with least on arrival."""

    def __init__(self, had: float) -> None:
        self.had = had
        self.studies: list[Visitor] = []
        self.young_next = True


class Places:
    """``count`` threads that make runs, and one more for short runs while all of them have long ones."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._changed = threading.Condition()
        self._users: dict[str, _User] = {}
        self._busy: list[_Run] = []
        self._aside: _Run | None = None

    def enter(self, user: str) -> Visitor:
        """A study of ``user``; to be closed when it ends."""
        with self._changed:
            if user not in self._users:
                self._users[user] = _User(min((other.had for other in self._users.values()), default=0.0))
            visitor = Visitor(self, user)
            self._users[user].studies.append(visitor)
            return visitor

    def leave(self, visitor: Visitor) -> None:
        """Wait until the runs under way have ended, and remove the study."""
        with self._changed:
            for run in visitor.waiting:
                run.future.cancel()
            visitor.waiting.clear()
            self._changed.wait_for(lambda: all(run.study is not visitor for run in self._under_way()))
            user = self._users[visitor.user]
            user.studies.remove(visitor)
            if not user.studies:
                del self._users[visitor.user]

    def add(self, run: _Run) -> None:
        """Make a run when its turn comes."""
        with self._changed:
            run.study.waiting.append(run)
            self._begin()

    def _under_way(self) -> list[_Run]:
        return self._busy if self._aside is None else [*self._busy, self._aside]

    def _begin(self) -> None:
        """Start threads for what may run now. Holds the lock."""
        while len(self._busy) < self.count and (run := self._next(lambda _: True)):
            self._busy.append(run)
            self._thread(run)
        full = len(self._busy) == self.count
        if full and self._aside is None and not any(run.short for run in self._busy):
            self._aside = self._next(lambda run: run.light)
            if self._aside is not None:
                self._thread(self._aside)

    def _thread(self, run: _Run) -> None:
        run.began = _clock()
        threading.Thread(target=self._make, args=(run,), name="footroom-run", daemon=True).start()

    def _make(self, run: _Run) -> None:
        outcome: Any = None
        error: BaseException | None = None
        taken = run.future.set_running_or_notify_cancel()
        if taken:
            try:
                outcome = run.work()
            except BaseException as stopped:  # noqa: BLE001 - whoever waits for the future gets it
                error = stopped
        with self._changed:
            if run is self._aside:
                self._aside = None
            else:
                self._busy.remove(run)
            self._charge(run)
            # Before the answer is given out, its time is counted and its place is free.
            if taken and error is not None:
                run.future.set_exception(error)
            elif taken:
                run.future.set_result(outcome)
            self._begin()
            self._changed.notify_all()

    def _charge(self, run: _Run) -> None:
        took, study = _clock() - run.began, run.study
        user = self._users[study.user]
        user.had += took
        was_young = study.had < _YOUNG
        study.had += took
        if was_young and study.had >= _YOUNG:
            old = [other.turn for other in user.studies if other is not study and other.had >= _YOUNG]
            study.turn = min(old, default=0.0)
        elif not was_young:
            study.turn += took

    def _next(self, wanted: Callable[[_Run], bool]) -> _Run | None:
        """Take the run whose turn it is. Holds the lock."""
        users = [user for user in self._users.values() if any(s.waiting and wanted(s.waiting[0]) for s in user.studies)]
        if not users:
            return None
        now = _clock()
        on_way: dict[Visitor, float] = {}
        for run in self._under_way():
            on_way[run.study] = on_way.get(run.study, 0.0) + now - run.began + 1e-6
        user = min(users, key=lambda one: one.had + sum(on_way.get(study, 0.0) for study in one.studies))
        ready = [study for study in user.studies if study.waiting and wanted(study.waiting[0])]
        young = [study for study in ready if study.had < _YOUNG]
        old = [study for study in ready if study.had >= _YOUNG]
        if young and old:
            user.young_next = not user.young_next
        if young and (not old or not user.young_next):
            study = min(young, key=lambda one: one.had + on_way.get(one, 0.0))
        else:
            study = min(old, key=lambda one: one.turn + on_way.get(one, 0.0))
        return study.waiting.popleft()


class Visitor:
    """A study at shared places: a carrier of its runs. had: computing time so far [s]; turn: the same since its first
    minute, starting at that of the other studies then.
    """

    batch = 0.0
    apart = False

    def __init__(self, places: Places, user: str) -> None:
        self._places, self.user = places, user
        self.had = self.turn = 0.0
        self.waiting: deque[_Run] = deque()

    @property
    def ahead(self) -> int:
        """Twice as many as there are places, so that a free one finds the next run."""
        return 2 * self._places.count

    def submit(
        self,
        tasks: Sequence[dict[str, Any]],
        halt: Stop,
        progress: Sequence[Progress],
    ) -> Future[list[dict[str, Any]]]:
        run = _Run(self, tasks, functools.partial(run_cells, list(tasks), halt, progress))
        self._places.add(run)
        return run.future

    def stop(self) -> None:
        """Runs look at the flag."""

    def close(self) -> None:
        """Leave the places, once the runs under way have ended."""
        self._places.leave(self)
