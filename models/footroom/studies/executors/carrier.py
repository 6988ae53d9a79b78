"""The interface between a study and the threads, processes or machines that make its runs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any, Protocol

from footroom.studies.cell import run_cell
from footroom.studies.engines import Progress, Stop

#: Tasks handed ahead to an executor of unknown size.
_AHEAD = 64


class Carrier(Protocol):
    """Takes runs in batches. ahead: batches to hand over at a time; batch: computing time that one should take [s].

    apart: whether runs may be made by another process, which gets plain data.
    """

    batch: float
    apart: bool

    @property
    def ahead(self) -> int: ...

    def submit(
        self,
        tasks: Sequence[dict[str, Any]],
        halt: Stop,
        progress: Sequence[Progress],
    ) -> Future[list[dict[str, Any]]]:
        """Make runs one after another; the future gives their outcomes in order, see ``run_cell``."""
        ...

    def stop(self) -> None:
        """Ask runs that are under way to end."""
        ...


def run_cells(
    tasks: Sequence[dict[str, Any]], stop: Stop | None = None, progress: Sequence[Callable[[float], None]] | None = None
) -> list[dict[str, Any]]:
    """Runs one after another, see ``run_cell``."""
    return [run_cell(task, stop, None if progress is None else progress[i]) for i, task in enumerate(tasks)]


class Threads:
    """Threads of this process: they see the stop flag and tell their progress while a run is under way."""

    batch = 0.0
    apart = False

    def __init__(self, executor: Executor, ahead: int | None) -> None:
        self._executor = executor
        self.ahead = ahead or _AHEAD

    def submit(
        self,
        tasks: Sequence[dict[str, Any]],
        halt: Stop,
        progress: Sequence[Progress],
    ) -> Future[list[dict[str, Any]]]:
        return self._executor.submit(functools.partial(run_cells, stop=halt, progress=progress), list(tasks))

    def stop(self) -> None:
        """Nothing to do: the threads check the flag."""


class Plain:
    """Any other executor: runs under way cannot be stopped and report no progress."""

    batch = 0.0
    apart = True

    def __init__(self, executor: Executor, ahead: int | None) -> None:
        self._executor = executor
        self.ahead = ahead or _AHEAD

    def submit(
        self,
        tasks: Sequence[dict[str, Any]],
        halt: Stop,
        progress: Sequence[Progress],
    ) -> Future[list[dict[str, Any]]]:
        return self._executor.submit(run_cells, list(tasks))

    def stop(self) -> None:
        """Does nothing: such an executor has no way to."""
