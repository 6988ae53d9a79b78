"""Opening a database: SQLite in a file unless a URL says otherwise, brought up to date by its migrations."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from footroom.errors import InvalidInput

_MIGRATIONS = Path(__file__).with_name("migrations")
_BUSY_SECONDS = 60
_PASSWORD = re.compile(r"(://[^:/@\s]*:)\S*@")


def _url(database: str) -> URL:
    """A SQLAlchemy URL for a URL or a path. The file of a path is made, for its owner alone to read and write."""
    if "://" not in database:
        path = Path(database).expanduser().resolve()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput.at("database", database, f"its folder cannot be made: {error}") from None
        with contextlib.suppress(OSError):  # what is there already keeps its mode; SQLite says what is wrong
            # SQLite gives its other files the mode of this one.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        return URL.create("sqlite", database=str(path))
    for short in ("postgres://", "postgresql://"):
        if database.startswith(short):
            return make_url("postgresql+psycopg://" + database.removeprefix(short))
    return make_url(database)


def _shown(text: str) -> str:
    """``text`` without the passwords of the URLs in it."""
    return _PASSWORD.sub(r"\1***@", text)


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    """Readers must not wait for the writer, and a crash may cost the last commits but never the file."""
    if isinstance(connection, sqlite3.Connection):
        cursor = connection.cursor()
        for setting in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {setting}")
        cursor.close()


def migrate(engine: Engine) -> None:
    """Bring the schema up to the newest version."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    with engine.begin() as connection:
        if connection.dialect.name == "sqlite":  # of servers that start at once, one after another
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def open_database(database: str) -> Engine:
    """An engine on ``database`` (URL or path of an SQLite file), migrated. Raises InvalidInput."""
    try:
        url = _url(database)
        sqlite = url.get_backend_name() == "sqlite"
        engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS} if sqlite else {}, pool_pre_ping=not sqlite)
        event.listen(engine, "connect", _set_up_sqlite)
        migrate(engine)
    except (ArgumentError, NoSuchModuleError) as error:
        raise InvalidInput.at(
            "database", _shown(database), f"is no path or URL of a database: {_shown(str(error))}") from None
    except ModuleNotFoundError as error:
        raise InvalidInput.at(
            "database", _shown(database), f"needs the Python package {error.name}, which is not installed"
        ) from None
    except OperationalError as error:
        raise InvalidInput.at("database", _shown(database), f"cannot be opened: {_shown(str(error.orig))}") from None
    return engine
