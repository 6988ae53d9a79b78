"""Waking the watchers of a study.

A wake-up carries no data: the watcher reads what is new from the store. So nothing is lost when a watcher is slow or
comes back later, and nothing piles up in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator


class Watcher:
    """One reader of one study, living in an event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()

    def wake(self) -> None:
        """Something is new; called from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop of a reader who has gone may be closed
            self._loop.call_soon_threadsafe(self._changed.set)

    async def changed(self, seconds: float) -> None:
        """Wait until something is new, ``seconds`` at most."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)
        self._changed.clear()


class Feed:
    """All watchers; safe to use from several threads."""

    def __init__(self) -> None:
        # The signal that stops the server calls ``close`` in the event loop's thread, whatever that is in the midst of.
        self._lock = threading.RLock()
        self._watchers: dict[str, set[Watcher]] = {}
        self.closed = False

    @contextlib.contextmanager
    def watch(self, study: str) -> Iterator[Watcher]:
        """A watcher of ``study`` for the time of a ``with`` block inside an event loop."""
        watcher = Watcher()
        with self._lock:
            self._watchers.setdefault(study, set()).add(watcher)
        try:
            yield watcher
        finally:
            with self._lock:
                self._watchers[study].discard(watcher)
                if not self._watchers[study]:
                    del self._watchers[study]

    def wake(self, study: str) -> None:
        """Something about ``study`` is new."""
        with self._lock:
            watchers = list(self._watchers.get(study, ()))
        for watcher in watchers:
            watcher.wake()

    def close(self) -> None:
        """The server is stopping: end every stream."""
        self.closed = True
        with self._lock:
            watchers = [watcher for group in self._watchers.values() for watcher in group]
        for watcher in watchers:
            watcher.wake()
