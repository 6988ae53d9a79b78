"""A limit on the time that an answer may take, checked by the code that computes it.

Code that answers a waiting user opens a ``within`` block; code that may compute for long calls ``check`` between two
steps, and compiled loops read ``flag``. Without such a block neither does anything. Compiling does not count, nor does
waiting for another thread that compiles: it happens once, and a second request would need it again.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import threading
import time
import weakref
from collections.abc import Iterator
from contextvars import ContextVar

import numpy as np
import numpy.typing as npt

from footroom.base.errors import Cancelled, TimeLimit


class Deadline:
    """A limit of ``seconds`` from now on. One thread computes; any thread may ``drop`` it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        #: 1 as soon as the time is over or nobody waits any more; compiled loops read it.
        self.flag = np.zeros(1, np.int64)
        self._ends = time.monotonic() + seconds
        self._dropped = False
        self._paused: list[float] = []
        self._watched = False

    def drop(self) -> None:
        """Nobody waits for the answer any more."""
        self._dropped = True
        self.flag[0] = 1

    def check(self, done: str = "") -> None:
        """Raise TimeLimit when the time is over, with what was ``done`` by then; Cancelled when nobody waits."""
        if self._dropped:
            raise Cancelled("the client no longer waits for the answer")
        if self.flag[0] or (not self._paused and time.monotonic() >= self._ends):
            raise TimeLimit(self.seconds, done)

    def pause(self) -> None:
        """Stop the clock; calls may be nested."""
        self._paused.append(time.monotonic())

    def resume(self) -> None:
        """Restart the clock after the outermost pause."""
        since = self._paused.pop()
        if not self._paused:
            self._ends += time.monotonic() - since

    def watch(self) -> None:
        """Raise the flag in time, until ``close``."""
        self._watched = True
        self.look()

    def look(self) -> None:
        """Raise the flag if it is time; otherwise ask the clock to come back."""
        if not self._watched:
            return
        left = self._ends - time.monotonic()
        if self._paused or left > 0.0:
            _CLOCK.come_back(self, max(left, 0.05))
        else:
            self.flag[0] = 1

    def close(self) -> None:
        """Stop watching the time."""
        self._watched = False


class _Clock:
    """One thread that checks every deadline when it is due: a timer each would cost more than most answers."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        # Weak, so that a closed deadline is freed before it is due: a busy server has thousands that end together.
        self._due: list[tuple[float, int, weakref.ref[Deadline]]] = []
        self._numbers = itertools.count()  # of two that are due at one moment, the first comes first
        self._thread: threading.Thread | None = None

    def come_back(self, deadline: Deadline, seconds: float) -> None:
        """Look at ``deadline`` after ``seconds``."""
        with self._news:
            heapq.heappush(self._due, (time.monotonic() + seconds, next(self._numbers), weakref.ref(deadline)))
            if self._thread is None or not self._thread.is_alive():  # not there yet, or left behind by a fork
                self._thread = threading.Thread(target=self._run, name="footroom-clock", daemon=True)
                self._thread.start()
            elif self._due[0][2]() is deadline:
                self._news.notify()

    def _run(self) -> None:
        while True:
            with self._news:
                while not self._due or (wait := self._due[0][0] - time.monotonic()) > 0.0:
                    self._news.wait(wait if self._due else None)
                deadline = heapq.heappop(self._due)[2]()
            if deadline is not None:
                deadline.look()
            del deadline


_CLOCK = _Clock()
_CURRENT: ContextVar[Deadline | None] = ContextVar("deadline", default=None)
_NEVER = np.zeros(1, np.int64)


@contextlib.contextmanager
def within(deadline: Deadline) -> Iterator[None]:
    """Apply ``deadline`` to what is computed in a ``with`` block."""
    token = _CURRENT.set(deadline)
    deadline.watch()
    try:
        yield
    finally:
        deadline.close()
        _CURRENT.reset(token)


def current() -> Deadline | None:
    """The time limit that applies to this code, if any."""
    return _CURRENT.get()


def check(done: str = "") -> None:
    """Raise TimeLimit or Cancelled when the answer under way should end; see ``Deadline.check``."""
    deadline = _CURRENT.get()
    if deadline is not None:
        deadline.check(done)


def flag() -> npt.NDArray[np.int64]:
    """One number: not 0 once the answer should end. Look it up in the thread that ``within`` was opened in."""
    deadline = _CURRENT.get()
    return _NEVER if deadline is None else deadline.flag
