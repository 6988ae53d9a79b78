"""Results by content: a run that was computed once is never computed again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
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
            return None if row is None else unpack(row.body)

    def put(self, key: str, document: dict[str, Any]) -> None:
        """Keep ``document``; the first one under a key stays."""
        try:
            with Session(self._engine) as session, session.begin():
                if session.get(ResultRow, key) is None:
                    session.add(ResultRow(key=key, body=pack(document), created=datetime.now(UTC)))
        except IntegrityError:  # another thread was quicker with the same result
            return
