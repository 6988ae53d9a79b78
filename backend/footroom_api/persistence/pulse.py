"""Whether the database can be written and read."""

from __future__ import annotations

import math
import shutil
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from footroom_api.persistence.faults import reason
from footroom_api.persistence.tables import PulseRow

#: How long an answer is reused [s]: the database is written at most this often, however often a client asks.
_FRESH = 1.0
#: Bytes that must be free on the disk of an SQLite file: a study of a few points needs as much.
_LEAST_ROOM = 1e6


def beat(engine: Engine) -> None:
    """Write the row. Raises SQLAlchemyError."""
    try:
        _write(engine)
    except IntegrityError:  # another process made the row in the same moment
        _write(engine)


def _write(engine: Engine) -> None:
    with Session(engine) as session, session.begin():
        session.merge(PulseRow(number=1, at=datetime.now(UTC)))


class Pulse:
    """Writes a row and reads it back; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._asked = -_FRESH
        self._trouble: str | None = None

    def trouble(self) -> str | None:
        """Why the database cannot be used, none where it can."""
        with self._lock:
            if time.monotonic() - self._asked >= _FRESH:
                self._trouble = self._try()
                self._asked = time.monotonic()
            return self._trouble

    def _left(self) -> float:
        """Bytes that are free on the disk of an SQLite file."""
        url = self._engine.url
        if url.get_backend_name() != "sqlite" or not url.database or url.query:
            return math.inf
        try:
            return float(shutil.disk_usage(Path(url.database).parent).free)
        except OSError:
            return math.inf  # what is wrong shows when it is written

    def _try(self) -> str | None:
        if (left := self._left()) < _LEAST_ROOM:
            return f"its disk has only {left / 1e6:.1f} MB left"
        try:
            beat(self._engine)
            with Session(self._engine) as session:
                row = session.get(PulseRow, 1)
        except SQLAlchemyError as error:
            return reason(error)
        return None if row is not None else "what was written could not be read back"
