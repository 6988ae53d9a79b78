"""Which of several servers over one database runs its studies."""

from __future__ import annotations

import sqlite3

from sqlalchemy import Engine


class Claim:
    """The right to run the studies of a database: one server has it at a time, and loses it with its process.

    It is a lock on a file beside the database, SQLite's own kind, which the system gives up when a process dies,
    however it dies. Databases without a file are not guarded: over those, run one server.
    """

    def __init__(self, engine: Engine) -> None:
        url = engine.url
        file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:") and not url.query
        self._path = f"{url.database}-lock" if file else None
        self._lock: sqlite3.Connection | None = None

    def take(self) -> bool:
        """Whether this server has the right, taking it if nobody has. Raises sqlite3.Error if it cannot be known."""
        if self._path is None or self._lock is not None:
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

    def release(self) -> None:
        """Leave the right to others."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
