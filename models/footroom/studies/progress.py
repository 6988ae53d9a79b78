"""How far a study is, and how long it may still take."""

from __future__ import annotations

import time
from collections.abc import Callable

from footroom.studies.cost import cell_seconds
from footroom.studies.engines import engine_named
from footroom.studies.study import Cell, Point, Study

#: Fraction done (0 to 1) and seconds left, none while unknown.
OnProgress = Callable[[float, float | None], None]


class StudyProgress:
    """How much of the study is done, weighed by what each run is expected to take."""

    def __init__(self, study: Study, report: OnProgress | None) -> None:
        self._report = report
        self._weights: dict[tuple[str, int], float] = {}
        self._total = (
            sum(
                self.weight(name, point) * (study.replicas if engine_named(name).random else 1)
                for name in study.engines
                for point in study.points
            )
            if report
            else 1.0
        )
        self._done = self._computed = 0.0
        self._under_way: dict[str, tuple[float, float]] = {}
        self._began: float | None = None

    def progress_of(self, cell: Cell) -> Callable[[float], None]:
        """A callback for the engine at work on ``cell``, callable from any thread."""
        weight = self.weight(cell.engine, cell.point)

        def progress(fraction: float) -> None:
            if self._began is None:  # compiling took its time before, and will not again
                self._began = time.monotonic()
            self._under_way[cell.key] = (weight, min(1.0, max(0.0, fraction)))

        return progress

    def finish(self, engine: str, point: Point, key: str = "", *, computed: bool = True) -> None:
        """One run is in."""
        weight = self.weight(engine, point)
        self._under_way.pop(key, None)
        self._done += weight
        self._computed += weight if computed else 0.0

    def show(self) -> None:
        """Tell the caller."""
        if self._report is None:
            return
        # A copy in one step: threads go on adding to it.
        half_done = sum(weight * fraction for weight, fraction in list(self._under_way.values()))
        fraction = min(1.0, (self._done + half_done) / self._total)
        computed = self._computed + half_done
        left = None
        if self._began is not None and computed > 0.01 * self._total:
            left = (time.monotonic() - self._began) * max(0.0, self._total - self._done - half_done) / computed
        self._report(fraction, left)

    def weight(self, engine: str, point: Point) -> float:
        """What a run of ``point`` is expected to take [s]."""
        if (engine, point.index) not in self._weights:
            self._weights[engine, point.index] = cell_seconds(engine, point.scenario)
        return self._weights[engine, point.index]
