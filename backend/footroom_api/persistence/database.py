"""Opening a database: SQLite in a file unless a URL says otherwise, brought up to date by its migrations."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from footroom.base.errors import InvalidInput
from footroom_api.persistence.faults import StoreLostError, reason, without_passwords
from footroom_api.persistence.owner import KEEPALIVE
from footroom_api.persistence.pulse import beat

_MIGRATIONS = Path(__file__).with_name("migrations")
_BUSY_SECONDS = 60


def _url(database: str) -> URL:
    """A SQLAlchemy URL for a URL or a path. A file of SQLite is made, for its owner alone to read and write."""
    if "://" not in database:
        path = Path(database).expanduser().resolve()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput.at("database", database, f"its folder cannot be made: {error}") from None
        _make_private(path)
        return URL.create("sqlite", database=str(path))
    for short in ("postgres://", "postgresql://"):
        if database.startswith(short):
            return make_url("postgresql+psycopg://" + database.removeprefix(short))
    url = make_url(database)
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:") and not url.query:
        _make_private(Path(str(url.database)))
    return url


def _make_private(path: Path) -> None:
    """Make the file, for its owner alone. One that is there already keeps its mode; SQLite says what is wrong."""
    with contextlib.suppress(OSError):
        # SQLite gives its other files the mode of this one.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    """Readers must not wait for the writer, and a crash may cost the last commits but never the file."""
    if isinstance(connection, sqlite3.Connection):
        cursor = connection.cursor()
        _use_wal(cursor)
        for setting in ("synchronous=NORMAL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {setting}")
        cursor.close()


def _use_wal(cursor: sqlite3.Cursor) -> None:
    """Switch to WAL with retries: SQLite does not wait where another process switches a new file at the same moment."""
    last = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > last:
                raise
            time.sleep(0.02)


def _keep_watch(engine: Engine) -> None:
    """Refuse to go on once the file was deleted or replaced: anything written to it would be lost silently."""
    path = engine.url.database
    if engine.url.get_backend_name() != "sqlite" or path in (None, "", ":memory:") or engine.url.query:
        return
    assert path is not None
    found = os.stat(path)  # noqa: PTH116 - the very path that SQLite opens
    ours = (found.st_dev, found.st_ino)

    def check(*_: Any) -> None:
        try:
            now = os.stat(path)  # noqa: PTH116
        except OSError:
            raise StoreLostError(f"the file {path} is gone: put it back and restart the server") from None
        if (now.st_dev, now.st_ino) != ours:
            raise StoreLostError(f"another file is now at {path}: restart the server to use it")

    event.listen(engine, "checkout", check)
    event.listen(engine, "do_connect", check)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


def migrate(engine: Engine, revision: str = "head") -> None:
    """Bring the schema up, or down, to ``revision``. Raises InvalidInput for a schema of a newer version."""
    config = _config()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with engine.begin() as connection:
        if connection.dialect.name == "sqlite":  # of servers that start at once, one after another
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        elif connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('footroom migrations'))")
        present = MigrationContext.configure(connection).get_current_revision()
        if present is not None and present not in known:
            raise InvalidInput.at(
                "database",
                without_passwords(str(engine.url)),
                f"has schema {present}, this version of Footroom knows "
                f"those up to {max(known)}: start the newer version that wrote it, or name another database",
            )
        config.attributes["connection"] = connection
        if revision != "base" and (revision == "head" or (present or "") <= revision):
            command.upgrade(config, revision)
        else:
            command.downgrade(config, revision)


def open_database(database: str) -> Engine:
    """An engine on ``database`` (URL or path of an SQLite file), migrated. Raises InvalidInput."""
    shown = without_passwords(database)
    try:
        url = _url(database)
        if "@" in (url.host or ""):  # half of a password would be parsed as the host, and shown
            raise InvalidInput.at("database", shown, "write an @ in a user name or password as %40")
        sqlite = url.get_backend_name() == "sqlite"
        # A database without an encoding (SQL_ASCII) would answer with bytes.
        given: dict[str, dict[str, Any]] = {
            "sqlite": {"timeout": _BUSY_SECONDS},
            "postgresql": {"client_encoding": "utf8", **KEEPALIVE},
        }
        settings = {
            name: value for name, value in given.get(url.get_backend_name(), {}).items() if name not in url.query
        }
        engine = create_engine(url, connect_args=settings, pool_pre_ping=not sqlite)
        event.listen(engine, "connect", _set_up_sqlite)
        migrate(engine)
        beat(engine)
        _keep_watch(engine)
    except (ArgumentError, NoSuchModuleError) as error:
        raise InvalidInput.at(
            "database", shown, f"is not a path or URL of a database: {without_passwords(str(error))}"
        ) from None
    except ModuleNotFoundError as error:
        raise InvalidInput.at(
            "database", shown, f"needs the Python package {error.name}, which is not installed"
        ) from None
    except SQLAlchemyError as error:
        raise InvalidInput.at("database", shown, f"cannot be opened: {reason(error)}") from None
    return engine
