"""Which of several servers over one database runs its studies."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

#: Number of the advisory lock in PostgreSQL: "footroom" in ASCII.
_NUMBER = 0x666F6F74726F6F6D


class Claim(Protocol):
    """The right to run the studies of a database: one server has it at a time, and loses it with its process."""

    def take(self) -> bool:
        """Whether this server has the right, taking it if nobody has. Raises SQLAlchemyError or sqlite3.Error."""
        ...

    def held(self) -> bool:
        """Whether this server still has it."""
        ...

    def release(self) -> None:
        """Leave the right to others."""
        ...


def claim_of(engine: Engine) -> Claim:
    """The claim of a database."""
    url = engine.url
    if url.get_backend_name() == "postgresql":
        return AdvisoryLock(engine)
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:") and not url.query:
        return FileLock(f"{url.database}-lock")
    return NoLock()


class NoLock:
    """For databases in memory, which no other server sees."""

    def take(self) -> bool:
        return True

    def held(self) -> bool:
        return True

    def release(self) -> None:
        """Nothing was taken."""


class FileLock:
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


class AdvisoryLock:
    """A lock of a PostgreSQL session, which ends with its connection: when the server dies or the network fails."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._session: Connection | None = None

    def take(self) -> bool:
        if self._session is not None:
            return self.held()
        session = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            if session.scalar(text("SELECT pg_try_advisory_lock(:number)"), {"number": _NUMBER}):
                self._session = session
                return True
        except SQLAlchemyError:
            session.invalidate()
            raise
        session.close()
        return False

    def held(self) -> bool:
        if self._session is None:
            return False
        try:
            self._session.execute(text("SELECT 1"))
        except SQLAlchemyError:
            self._drop()
            return False
        return True

    def release(self) -> None:
        if self._session is not None:
            with contextlib.suppress(SQLAlchemyError):
                self._session.execute(text("SELECT pg_advisory_unlock(:number)"), {"number": _NUMBER})
            self._drop()

    def _drop(self) -> None:
        if self._session is not None:
            with contextlib.suppress(SQLAlchemyError):
                self._session.invalidate()
                self._session.close()
            self._session = None
