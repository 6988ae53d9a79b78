"""Which of several servers over one database runs its studies.

Over SQLite one server runs all of them. Over PostgreSQL all servers do: one leads a study, the others help with its
runs, and nobody makes a run that another has claimed (``footroom_api.persistence.owner``).
"""

from __future__ import annotations

import sqlite3
from typing import Protocol

from sqlalchemy import Engine

from footroom.studies.claims import Claims
from footroom_api.persistence.owner import Owner


class Claim(Protocol):
    """The right of a server to run studies of a database, which ends with its process.

    Safe to use from several threads.
    """

    def runs(self, study: str) -> Claims | None:
        """Claims of the runs of a study, where other servers may work on it; none where this server is alone."""
        ...

    def take(self) -> bool:
        """Take the right if it is free. Returns whether this server has it. Raises SQLAlchemyError or sqlite3.Error."""
        ...

    def held(self) -> bool:
        """Whether this server still has it."""
        ...

    def lead(self, study: str) -> bool:
        """Take the lead of a study if it is free. Returns whether this server leads it."""
        ...

    def leave(self, study: str, *, over: bool) -> None:
        """Give up the lead and what else was claimed of a study. over: it has ended."""
        ...

    def release(self) -> None:
        """Leave the right to others."""
        ...


def claim_of(engine: Engine) -> Claim:
    """The claim of a database."""
    url = engine.url
    if url.get_backend_name() == "postgresql":
        return Owner(engine)
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:") and not url.query:
        return FileLock(f"{url.database}-lock")
    return Alone()


class Alone:
    """For databases in memory, which no other server sees."""

    def runs(self, study: str) -> Claims | None:
        return None

    def take(self) -> bool:
        return True

    def held(self) -> bool:
        return True

    def lead(self, study: str) -> bool:
        return True

    def leave(self, study: str, *, over: bool) -> None:
        """Nobody else wants it."""

    def release(self) -> None:
        """Nothing was taken."""


class FileLock(Alone):
    """A lock on a file beside an SQLite database, SQLite's own kind.

    The system gives it up when a process dies, however it dies.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock: sqlite3.Connection | None = None

    def take(self) -> bool:
        if self._lock is not None:
            return True
        lock = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                return False
            raise
        self._lock = lock
        return True

    def held(self) -> bool:
        return self._lock is not None

    def release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
