"""Who makes the runs of a study: threads, processes, or the workers of a Dask scheduler on other machines.

All of them take the same tasks and give the same bytes back. An executor is given as:

* none or ``"local"``: threads of this process, because compiled engines release the interpreter's lock;
* ``"processes"``: processes of this machine. They are faster for the ``reference`` engine, which is plain Python;
  compiled engines are as fast in threads;
* an address such as ``"tcp://10.0.0.1:8786"`` (also tls, ws, wss), or a ``distributed.Client``: Dask;
* a ``Visitor`` of ``Places``: threads of this process that several studies share;
* any ``concurrent.futures.Executor``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.studies.cost import cores
from footroom.studies.executors.carrier import Carrier, Plain, Threads
from footroom.studies.executors.places import Places, Visitor

__all__ = ["LOCAL", "PROCESSES", "THREADS", "Places", "Visitor", "carrier", "check_executor"]

#: Names of executors, as ``--scheduler`` takes them.
LOCAL, PROCESSES = "local", "processes"
#: How the names of threads begin that make runs.
THREADS = "footroom"
_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://\S+")


def check_executor(given: Any, path: str = "scheduler") -> None:
    """Raises InvalidInput where ``given`` names no executor."""
    if given is None or isinstance(given, (Executor, Visitor)) or hasattr(given, "get_executor"):
        return
    if not isinstance(given, str) or not (given in (LOCAL, PROCESSES) or _ADDRESS.fullmatch(given)):
        raise InvalidInput.at(
            path, given, f"must be {LOCAL}, {PROCESSES} or the address of a Dask scheduler such as tcp://127.0.0.1:8786"
        )


@contextlib.contextmanager
def carrier(given: Any, workers: int | None, engines: list[str]) -> Iterator[Carrier]:
    """What carries the runs of ``engines``, for the time of a ``with`` block. workers: runs at a time, of threads and
    processes.

    Raises InvalidInput, and Unreachable for a scheduler that does not answer or has no workers.
    """
    check_executor(given)
    if given is None or given == LOCAL:
        count = workers or cores()
        pool, wait = ThreadPoolExecutor(count, thread_name_prefix=THREADS), True
        try:
            yield Threads(pool, 2 * count)
        except KeyboardInterrupt:
            wait = False  # a thread that compiles cannot be stopped, and may take a minute
            raise
        finally:
            pool.shutdown(wait, cancel_futures=not wait)
    elif isinstance(given, Visitor):
        yield given
    elif given == PROCESSES:
        from footroom.studies.executors.processes import processes

        with processes(workers or cores()) as made:
            yield made
    elif isinstance(given, str) or hasattr(given, "get_executor"):
        from footroom.studies.executors.dask import connected

        with connected(given, engines) as made:
            yield made
    elif isinstance(given, ThreadPoolExecutor):
        yield Threads(given, 2 * workers if workers else None)
    else:
        yield Plain(given, 2 * workers if workers else None)
