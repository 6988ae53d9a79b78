"""Workers of a Dask scheduler, on this machine or on others.

Workers need the same version of Footroom: every connection compares the hash of the engines' code, and compiles on
each worker before the first run. A run whose worker dies is made again on another.
"""

from __future__ import annotations

import contextlib
import itertools
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from typing import Any

from footroom.base.errors import Cancelled, InvalidInput, Unreachable, Unsupported
from footroom.studies.cell import pack_error
from footroom.studies.engines import Progress, Stop
from footroom.studies.executors import remote
from footroom.studies.fingerprint import fingerprint

#: Time to connect in [s], and to wait for a first worker.
_CONNECT, _WORKERS = 10, 10
#: Time that a busy worker may take until it has compiled [s].
_COMPILE = 600
#: Workers that have compiled, and the hashes of their code: later studies do not ask them again, as they may be busy.
#: The worker checks the code once more for every batch of runs.
_CHECKED: set[tuple[str, str]] = set()
#: Pause between two looks at workers that compile [s].
_LOOK = 0.05


class Dask:
    """A connected client."""

    #: A task costs the scheduler about 2 ms, which is small beside this much computing [s].
    batch = 0.5
    apart = True

    def __init__(self, client: Any, engines: Sequence[str]) -> None:
        self._client = client
        self._token, self._numbers = uuid.uuid4().hex, itertools.count()
        self._topic = f"footroom-{self._token}"
        self._code = {name: fingerprint(name) for name in engines}
        self._progress: dict[int, Progress] = {}
        self._check(list(engines))
        client.subscribe_topic(self._topic, self._hear)

    @property
    def ahead(self) -> int:
        """Twice as many as the workers of this moment have threads; they may come and go."""
        return 2 * max(1, sum(int(threads) for threads in self._client.nthreads().values()))

    def submit(
        self,
        tasks: Sequence[dict[str, Any]],
        halt: Stop,
        progress: Sequence[Progress],
    ) -> Future[list[dict[str, Any]]]:
        keys = [next(self._numbers) for _ in tasks]
        self._progress.update(zip(keys, progress, strict=True))
        code = {task["engine"]: self._code[task["engine"]] for task in tasks}
        future = self._client.submit(remote.run_batch, list(tasks), code, self._token, self._topic, keys, pure=False)
        answer: Future[list[dict[str, Any]]] = _Answer(future)
        future.add_done_callback(lambda done: self._settle(answer, done, keys))
        return answer

    def stop(self) -> None:
        with contextlib.suppress(Exception):
            self._client.run(remote.stop, self._token, on_error="ignore")

    def close(self) -> None:
        """Stop what is under way and listen no more."""
        self.stop()
        with contextlib.suppress(Exception):
            self._client.unsubscribe_topic(self._topic)

    def _settle(self, answer: Future[list[dict[str, Any]]], done: Any, keys: list[int]) -> None:
        """Called in a thread of the client once a task has ended."""
        for key in keys:
            self._progress.pop(key, None)
        result: list[dict[str, Any]] | None = None
        error: BaseException | None = None
        try:
            found = done.result()
            result = found.get("outcomes")
            if "stopped" in found:
                error = Cancelled("the study was stopped")
            elif "other_code" in found:
                error = _other_code("one of the workers", found["other_code"])
        except CancelledError:
            error = Unreachable(f"the scheduler {self._address()} was lost; finished runs are kept")
        except Exception as cause:  # noqa: BLE001 - Dask has errors of its own, and passes on those of the workers
            if type(cause).__name__ == "KilledWorker":
                result = [{"error": pack_error(_too_deadly())} for _ in keys]
            else:
                error = cause
        with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
            if error is not None:
                answer.set_exception(error)
            elif result is not None:
                answer.set_result(result)

    def _hear(self, event: Any) -> None:
        _, message = event
        progress = self._progress.get(message["key"]) if isinstance(message, dict) else None
        if progress is not None:
            progress(message["fraction"])

    def _address(self) -> str:
        return str(self._client.scheduler.address) if self._client.scheduler is not None else ""

    def _check(self, engines: list[str]) -> None:
        """Compile on every worker and compare its code. Raises InvalidInput, Unreachable."""
        try:
            self._client.wait_for_workers(1, timeout=_WORKERS)
            names = list(self._client.scheduler_info(n_workers=-1)["workers"])
            unknown = [name for name in names if (name, self._hashes()) not in _CHECKED]
            told = {name: self._ask(name, engines) for name in unknown}
            answers = self._collected(told, alone=len(unknown) == len(names))
        except TimeoutError:
            if self._client.nthreads():
                raise Unreachable(f"the workers of {self._address()} are busy or do not answer") from None
            raise Unreachable(
                f"the scheduler {self._address()} has no workers: start them with dask worker {self._address()}"
            ) from None
        except ModuleNotFoundError as error:
            raise InvalidInput.at(
                "scheduler", self._address(), f"a worker lacks the Python package {error.name}: install Footroom there"
            ) from None
        for name, answer in answers.items():
            if answer["code"] != self._code:
                raise _other_code(f"the worker {name}", answer["version"])
            _CHECKED.add((name, self._hashes()))

    def _hashes(self) -> str:
        return repr(sorted(self._code.items()))

    def _ask(self, worker: str, engines: list[str]) -> Any:
        """Have one worker compile, before it makes runs of other studies that wait."""
        return self._client.submit(remote.prepare, engines, workers=[worker], pure=False, priority=1)

    def _collected(self, told: dict[str, Any], *, alone: bool) -> dict[str, dict[str, Any]]:
        """The answer of every worker; one that dies meanwhile is left out. alone: there are no workers but these.

        Raises TimeoutError.
        """
        answers: dict[str, dict[str, Any]] = {}
        last = time.monotonic() + _COMPILE
        while len(answers) < len(told):
            there = self._client.nthreads()
            for name, future in list(told.items()):
                if name in answers:
                    continue
                if future.done():
                    answers[name] = future.result()
                elif name not in there:
                    told.pop(name).cancel()
            if (alone and not told) or time.monotonic() > last:
                raise TimeoutError
            time.sleep(_LOOK)
        return answers


class _Answer(Future[list[dict[str, Any]]]):
    """A future of ``concurrent.futures`` that also cancels its Dask task."""

    def __init__(self, task: Any) -> None:
        super().__init__()
        self._task = task

    def cancel(self) -> bool:
        self._task.cancel()
        return super().cancel()


def _other_code(whose: str, version: str) -> InvalidInput:
    return InvalidInput.at(
        "scheduler",
        version,
        f"{whose} has other code of the engines than this process: install "
        "the same Footroom, and the same NumPy, on all of them",
    )


def _too_deadly() -> Unsupported:
    """A task may lose its worker so often as Dask's ``distributed.scheduler.allowed-failures`` says (three times)."""
    return Unsupported(
        "every worker that made this run died, perhaps because memory ran out: give workers more memory, or run a "
        "smaller scenario"
    )


@contextlib.contextmanager
def connected(given: Any, engines: list[str]) -> Iterator[Dask]:
    """A client of the scheduler at an address, or the client given, for the time of a ``with`` block.

    Raises InvalidInput, Unreachable.
    """
    if not isinstance(given, str):
        made = Dask(given, engines)
        try:
            yield made
        finally:
            made.close()
        return
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise InvalidInput.at(
            "scheduler",
            given,
            f"needs the Python package {error.name}, which is not installed: pip install 'footroom[dask]'",
        ) from None
    try:
        client = Client(given, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Unreachable(f"the scheduler {given} cannot be reached: {error}") from None
    with client, contextlib.closing(Dask(client, engines)) as made:
        yield made
