"""Opening a database: SQLite in a file unless a URL says otherwise, brought up to date by its migrations."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from footroom.errors import InvalidInput

_MIGRATIONS = Path(__file__).with_name("migrations")
_BUSY_SECONDS = 60


def _url(database: str) -> str:
    """A SQLAlchemy URL for a URL or a path."""
    if "://" not in database:
        path = Path(database).expanduser().resolve()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput.at("database", database, f"its folder cannot be made: {error}") from None
        return f"sqlite:///{path}"
    for short in ("postgres://", "postgresql://"):
        if database.startswith(short):
            return "postgresql+psycopg://" + database.removeprefix(short)
    return database


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
        url = make_url(_url(database))
        sqlite = url.get_backend_name() == "sqlite"
        engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS} if sqlite else {}, pool_pre_ping=not sqlite)
        event.listen(engine, "connect", _set_up_sqlite)
        migrate(engine)
    except (ArgumentError, NoSuchModuleError) as error:
        raise InvalidInput.at("database", database, f"is no path or URL of a database: {error}") from None
    except ModuleNotFoundError as error:
        raise InvalidInput.at(
            "database", database, f"needs the Python package {error.name}, which is not installed"
        ) from None
    except OperationalError as error:
        raise InvalidInput.at("database", database, f"cannot be opened: {error.orig}") from None
    return engine
