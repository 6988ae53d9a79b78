"""Running a study: a map over an executor (``footroom.studies.executors``).

Engines without random numbers answer first, many points at a time. Then come the runs of the others, the costliest
first, so that no worker is left with a long one at the end; points that need the same run share it, and short runs go
to remote workers in batches.
The final list is in the order of the study whatever finished first, and a run's seed belongs to the run, so results
depend neither on that order nor on the number of workers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import replace
from typing import Any, Protocol

from footroom.base import deadline
from footroom.base.errors import Cancelled, FootroomError, InvalidInput, TimeLimit, Unreachable, Unsupported
from footroom.result import Result, combine
from footroom.studies.accuracy.place import expected
from footroom.studies.cell import pack, unpack, unpack_error
from footroom.studies.claims import Claims, Sharing
from footroom.studies.engines import Stop, engine_named
from footroom.studies.executors import carrier
from footroom.studies.executors.carrier import Carrier
from footroom.studies.progress import OnProgress, StudyProgress
from footroom.studies.study import Cell, Point, Study
from footroom.studies.sweep import Refusal, Sweep, SweepPoint

#: A finished point, or what could not be answered, as plain data (``SweepPoint.to_dict``, ``Refusal.to_dict``).
OnPoint = Callable[[int, dict[str, Any]], None]

#: Points given at once to an engine without random numbers: enough to fill a batch, few enough to stop between two.
_BATCH = 64
#: How often the stop flag is checked while runs are under way [s].
_POLL = 0.1


class Cache(Protocol):
    """Finished runs by content: what it holds is not computed again."""

    def get(self, key: str) -> dict[str, Any] | None: ...

    def put(self, key: str, document: dict[str, Any]) -> None: ...


class _Halt:
    """Set when the caller asks to stop, or when the study ends early for a reason of its own."""

    def __init__(self, asked: Stop | None) -> None:
        self._asked = asked
        self._own = threading.Event()

    def set(self) -> None:
        self._own.set()

    def is_set(self) -> bool:
        return self._own.is_set() or (self._asked is not None and self._asked.is_set())


def check_workers(workers: int | None) -> None:
    """Raises InvalidInput where ``workers`` is not a valid number of workers."""
    if workers is not None and (type(workers) is not int or workers < 1):
        raise InvalidInput.at("workers", workers, "a whole number of at least 1 is needed")


def run(
    study: Study,
    *,
    executor: Any = None,
    workers: int | None = None,
    stop: Stop | None = None,
    on_point: OnPoint | None = None,
    on_progress: OnProgress | None = None,
    cache: Cache | None = None,
    claims: Claims | None = None,
    known: Collection[tuple[int, str]] = (),
    on_stop: Callable[[Sweep], None] | None = None,
    collect: bool = True,
) -> Sweep:
    """Run ``study`` and return its points in order.

    executor: who makes the runs: none for threads, ``workers`` of them (all cores), "processes", the address of a Dask
    scheduler ("tcp://10.0.0.1:8786"), a ``distributed.Client``, or any Executor of ``concurrent.futures``. All but the
    last see ``stop`` while a run is under way; there, runs not yet begun are cancelled.
    on_point: called in this thread with the place of a finished point (its index times the number of engines, plus the
    place of its engine) and its answer, all its replicas in; also with what an engine cannot
    answer, which is also listed in ``unsupported``.  on_progress: called in this thread.
    cache: where finished runs are looked up and kept.  claims: how other processes that use the same cache share out
    its runs.  known: points that are answered already, by number and engine; they are left out.
    on_stop: called in this thread with what is finished where the study ends early, before the error is raised.
    collect: whether the sweep has the points; without, only ``on_point`` gets them, and none is kept in memory.
    Raises InvalidInput where no point can be run, Unreachable where the workers are lost, and Cancelled once ``stop``
    is set.
    """
    check_workers(workers)
    job = _Job(study, stop, on_point, on_progress, cache, claims, known, collect)
    try:
        return job.run(executor, workers)
    except BaseException:
        if on_stop is not None:
            on_stop(job.answer())
        raise


class _Job:
    """A study under way."""

    def __init__(
        self,
        study: Study,
        stop: Stop | None,
        on_point: OnPoint | None,
        on_progress: OnProgress | None,
        cache: Cache | None,
        claims: Claims | None,
        known: Collection[tuple[int, str]],
        collect: bool,
    ) -> None:
        self.study, self.cache, self.on_point, self.known, self.collect = study, cache, on_point, known, collect
        self.sharing = (
            None if claims is None or cache is None else Sharing(claims, cache.get, self._found, self._cannot)
        )
        self.began = time.monotonic()
        self.halt = _Halt(stop)
        self.progress = StudyProgress(study, on_progress)
        self.answers = 0
        self.finished: dict[tuple[int, str], SweepPoint] = {}
        self.refused: dict[tuple[int, str], Refusal] = {}
        self.replicas: dict[tuple[int, str], dict[int, Result]] = {}
        self.wrong: InvalidInput | None = None  # the first point that cannot be

    def run(self, executor: Any, workers: int | None) -> Sweep:
        random = [name for name in self.study.engines if engine_named(name).random]
        for name in self.study.engines:
            if name not in random:
                self._estimate(name)
        if random:
            with carrier(executor, workers, random) as carried:
                self._simulate(random, carried)
        if self.wrong is not None and not self.answers and not self.known:
            raise self.wrong
        self.progress.show()
        return self.answer()

    def answer(self) -> Sweep:
        """What is finished by now."""
        order = [(point.index, name) for point in self.study.points for name in self.study.engines]
        return Sweep(
            self.study,
            tuple(self.finished[key] for key in order if key in self.finished),
            tuple(self.refused[key] for key in order if key in self.refused),
            time.monotonic() - self.began,
        )

    def _check(self) -> None:
        if self.halt.is_set():
            raise Cancelled("the study was stopped")

    def _estimate(self, name: str) -> None:
        engine = engine_named(name)
        points = [point for point in self.study.points if (point.index, name) not in self.known]
        for point in self.study.points:
            if (point.index, name) in self.known:
                self.progress.finish(name, point, computed=False)
        for first in range(0, len(points), _BATCH):
            self._check()
            batch = points[first : first + _BATCH]
            try:
                deadline.check()
                answers = engine.evaluate_many([point.scenario for point in batch])
            except TimeLimit as error:
                done = f"{first} of {len(points)} points were answered by the {name} engine"
                raise TimeLimit(error.seconds, done) from None
            for point, answer in zip(batch, answers, strict=True):
                self.progress.finish(name, point)
                if isinstance(answer, Result):
                    self._finish(point, name, [answer])
                else:
                    self._refuse(point, name, answer)
            self.progress.show()

    def _simulate(self, names: list[str], carried: Carrier) -> None:
        batches = self._batches(self._uncached(self._costliest_first(names)), carried.batch)
        running: dict[Future[list[dict[str, Any]]], list[list[Cell]]] = {}
        try:
            while True:
                ahead = carried.ahead
                while len(running) < ahead and (batch := self._next(batches)):
                    first = [alike[0] for alike in batch]
                    tasks = [cell.task() if carried.apart else cell.task_here() for cell in first]
                    running[carried.submit(tasks, self.halt, [self.progress.progress_of(cell) for cell in first])] = (
                        batch
                    )
                self._check()
                if running:
                    done, _ = wait(running, timeout=_POLL, return_when=FIRST_COMPLETED)
                elif self.sharing:
                    done = set()
                    time.sleep(_POLL)
                else:
                    break
                for future in done:
                    batch = running.pop(future)
                    for alike, outcome in zip(batch, self._outcomes(future), strict=True):
                        self._take(alike, outcome)
                self.progress.show()
        except BaseException:
            self._keep(running)
            raise
        finally:
            self.halt.set()
            if running:
                carried.stop()
            for future in running:
                future.cancel()

    def _next(self, batches: Iterator[list[list[Cell]]]) -> list[list[Cell]] | None:
        """Runs to hand over together; none for now, or at all."""
        if self.sharing is None:
            return next(batches, None)
        if again := self.sharing.look_again():
            return again
        for batch in batches:
            if ours := self.sharing.ours(batch):
                return ours
        return None

    def _keep(self, running: dict[Future[list[dict[str, Any]]], list[list[Cell]]]) -> None:
        """Take what had been finished when something else ended the study."""
        for future in [one for one in running if one.done() and not one.cancelled() and one.exception() is None]:
            for alike, outcome in zip(running.pop(future), future.result(), strict=True):
                self._take(alike, outcome)

    def _outcomes(self, future: Future[list[dict[str, Any]]]) -> list[dict[str, Any]]:
        try:
            return future.result()
        except CancelledError:  # by an executor that somebody else closed
            self._check()
            raise Unreachable("the executor was closed while the study ran; finished runs are kept") from None

    def _batches(self, runs: Iterator[list[Cell]], seconds: float) -> Iterator[list[list[Cell]]]:
        """Runs put together until they are expected to take ``seconds``."""
        batch: list[list[Cell]] = []
        expected = 0.0
        for alike in runs:
            batch.append(alike)
            expected += self.progress.weight(alike[0].engine, alike[0].point)
            if expected >= seconds:
                yield batch
                batch, expected = [], 0.0
        if batch:
            yield batch

    def _costliest_first(self, names: list[str]) -> list[list[Cell]]:
        """All runs, each with every cell that asks for it."""
        alike: dict[str, list[Cell]] = {}
        for name in names:
            for cell in self.study.cells(name):
                if (cell.point.index, name) in self.known:
                    self.progress.finish(name, cell.point, computed=False)
                    continue
                alike.setdefault(cell.key, []).append(cell)
        return sorted(alike.values(), key=lambda cells: -self.progress.weight(cells[0].engine, cells[0].point))

    def _uncached(self, runs: list[list[Cell]]) -> Iterator[list[Cell]]:
        for alike in runs:
            self._check()
            kept = self.cache.get(alike[0].key) if self.cache is not None else None
            if kept is None:
                yield alike
                continue
            self._found(alike, kept)

    def _found(self, alike: list[Cell], kept: dict[str, Any]) -> None:
        """Take a run that was made before, or elsewhere."""
        for cell in alike:
            self.progress.finish(cell.engine, cell.point, computed=False)
            self._collect(cell, unpack(kept))

    def _cannot(self, alike: list[Cell], error: dict[str, Any]) -> None:
        """Take a run that cannot be made."""
        for cell in alike:
            self.progress.finish(cell.engine, cell.point, cell.key, computed=False)
            self._refuse(cell.point, cell.engine, unpack_error(error))

    def _take(self, alike: list[Cell], outcome: dict[str, Any]) -> None:
        if "error" in outcome:
            error = unpack_error(outcome["error"])
            if isinstance(error, InvalidInput) and len(self.study.points) == 1:
                raise error
            if self.sharing is not None:
                self.sharing.claims.refuse(alike[0].key, outcome["error"])
            self._cannot(alike, outcome["error"])
            return
        for number, cell in enumerate(alike):
            self.progress.finish(cell.engine, cell.point, cell.key, computed=number == 0)
        result = unpack(outcome["result"])
        if self.cache is not None:
            self.cache.put(alike[0].key, pack(result))
        if self.sharing is not None:
            self.sharing.claims.settle([alike[0].key])
        for cell in alike:
            self._collect(cell, result)

    def _collect(self, cell: Cell, result: Result) -> None:
        mine = self.replicas.setdefault((cell.point.index, cell.engine), {})
        mine[cell.replica] = result
        if len(mine) == self.study.replicas:
            del self.replicas[cell.point.index, cell.engine]
            self._finish(cell.point, cell.engine, [mine[replica] for replica in sorted(mine)])

    def _finish(self, point: Point, engine: str, replicas: list[Result]) -> None:
        # A cached run may be from a study with another name, or another number of replicas.
        result = replace(combine(replicas), scenario=point.scenario.to_dict(), seed=point.scenario.run.seed)
        if point.scaling is not None:
            result = replace(result, scaling=point.scaling.to_dict(), notes=(*point.scaling.notes, *result.notes))
        result = replace(result, expected_error=expected(point.scenario, engine))
        auto = self.study.auto
        if auto is not None and auto.engine == engine:
            result = replace(result, notes=(auto.reason, *result.notes))
        finished = SweepPoint(point.at, result)
        self.answers += 1
        if self.collect:
            self.finished[point.index, engine] = finished
        if self.on_point is not None:
            self.on_point(self._place(point, engine), finished.to_dict())

    def _place(self, point: Point, engine: str) -> int:
        return point.index * len(self.study.engines) + self.study.engines.index(engine)

    def _refuse(self, point: Point, engine: str, error: FootroomError) -> None:
        if (point.index, engine) in self.refused:  # every replica is refused alike
            return
        path, engines = (error.path, error.engines) if isinstance(error, Unsupported) else ("", ())
        if isinstance(error, InvalidInput):
            path = error.problems[0].path
            self.wrong = self.wrong or error
        refusal = Refusal(point.at, engine, str(error), path, engines)
        self.refused[point.index, engine] = refusal
        if self.on_point is not None:
            self.on_point(self._place(point, engine), {**refusal.to_dict()})
