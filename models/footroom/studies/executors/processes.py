"""Processes of this machine."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

from footroom.studies.engines import Progress, Stop
from footroom.studies.executors.carrier import run_cells

#: The flag of this process, if it is one of a pool.
_STOP: list[Any] = []


def _begin(stop: Any) -> None:
    _STOP[:] = [stop]
    # Ctrl-C reaches every process of the terminal; the process that started the study decides when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return run_cells(tasks, _STOP[0] if _STOP else None)


class Processes:
    """A pool of processes that share a stop flag."""

    batch = 0.1
    apart = True

    def __init__(self, pool: ProcessPoolExecutor, stop: Any, count: int) -> None:
        self._pool, self._stop = pool, stop
        self.ahead = 2 * count

    def submit(
        self,
        tasks: Sequence[dict[str, Any]],
        halt: Stop,
        progress: Sequence[Progress],
    ) -> Future[list[dict[str, Any]]]:
        return self._pool.submit(_run, list(tasks))

    def stop(self) -> None:
        self._stop.set()


@contextlib.contextmanager
def processes(count: int) -> Iterator[Processes]:
    """A pool of ``count`` processes for the time of a ``with`` block."""
    context = multiprocessing.get_context("spawn")  # threads of compiled code do not survive a fork
    stop = context.Event()
    with ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(stop,)) as pool:
        yield Processes(pool, stop, count)
