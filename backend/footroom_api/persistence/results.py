"""Results by content: a run that was computed once is never computed again."""

from __future__ import annotations

import contextlib
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Engine, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from footroom_api.persistence.packing import pack, unpack
from footroom_api.persistence.tables import ResultRow


class ResultStore:
    """What ``footroom.studies.run`` keeps its results in; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, key: str) -> dict[str, Any] | None:
        """The result kept under ``key``, if any."""
        with Session(self._engine) as session:
            row = session.get(ResultRow, key)
            if row is None:
                return None
            body, used = row.body, row.used
        if used != (today := datetime.now(UTC).date()):
            self._use(key, today)
        document: dict[str, Any] = unpack(body)
        return document

    def _use(self, key: str, today: date) -> None:
        """Record that a run was used; ignored where the database can only be read for now."""
        with contextlib.suppress(SQLAlchemyError), Session(self._engine) as session, session.begin():
            session.execute(update(ResultRow).where(ResultRow.key == key).values(used=today))

    def put(self, key: str, document: dict[str, Any]) -> None:
        """Keep ``document``; the first one under a key stays."""
        try:
            with Session(self._engine) as session, session.begin():
                if session.get(ResultRow, key) is None:
                    now = datetime.now(UTC)
                    session.add(ResultRow(key=key, body=pack(document), created=now, used=now.date()))
        except IntegrityError:  # another thread was quicker with the same result
            return
