"""Faults of a database, in words for the operator of the server."""

from __future__ import annotations

import re
import sqlite3

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

_PASSWORD = re.compile(r"(://[^:/@\s]*:)\S*@")

#: SQLite's messages, and what they mean.
_MEANINGS = (
    ("disk is full", "its disk is full: make room; nothing that was stored is lost"),
    ("readonly", "it can be read only, not written"),
    ("not a database", "it is not an SQLite database: name another file, or restore a backup"),
    ("malformed", "it is damaged: restore a backup, or move it away to start with an empty one"),
    ("unsupported file format", "it was written by a newer SQLite"),
    ("unable to open", "its file or folder does not exist, or may not be read and written by this user"),
    ("disk i/o error", "its disk reports an error"),
    ("is locked", "another program keeps it locked"),
)


#: The beginning of PostgreSQL's code of an error, and what it means.
_CODES = (
    ("53100", "its disk is full: make room; nothing that was stored is lost"),
    ("25006", "it can be read only, not written"),
    ("53300", "it has too many connections"),
    ("57P", "it cannot be reached: it is being stopped or started"),
    ("08", "it cannot be reached"),
)


class StoreLostError(SQLAlchemyError):
    """The file that this server opened is no longer at its place."""


def without_passwords(text: str) -> str:
    """``text`` without the passwords of the URLs in it."""
    return _PASSWORD.sub(r"\1***@", text)


def reason(error: Exception) -> str:
    """Why the database cannot be used, in one sentence without a full stop."""
    if isinstance(error, StoreLostError):
        return str(error)
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    text = without_passwords(" ".join(str(cause).split()))
    if isinstance(cause, sqlite3.Error):
        return next((meaning for said, meaning in _MEANINGS if said in text.lower()), f"SQLite says: {text}")
    code = getattr(cause, "sqlstate", None)
    if isinstance(code, str):
        return next((meaning for beginning, meaning in _CODES if code.startswith(beginning)), text)
    if type(cause).__name__ == "OperationalError":  # psycopg's word for a connection that failed
        return f"it cannot be reached: {text}"
    return text or type(cause).__name__
