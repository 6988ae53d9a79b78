"""Answers of studies in the database, each kept once, in the order of the study and of arrival."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, func, select, update
from sqlalchemy.orm import Session

from footroom_api.persistence.packing import pack, unpack
from footroom_api.persistence.tables import PointRow, StudyRow


@dataclass(frozen=True)
class StoredPoint:
    """An answer. position: place in the study; sequence: order of arrival; body: as a sweep has it."""

    position: int
    sequence: int
    body: dict[str, Any]


class PointStore:
    """The answers of all studies; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add_point(self, study: str, position: int, point: dict[str, Any]) -> bool:
        """Keep an answer at its place in the study; False when it was kept before (a study that was resumed), and when
        the study was cancelled and removed while the run was made.
        """
        with Session(self._engine) as session, session.begin():
            # Of several threads and servers, one after another: no sequence number may come twice.
            touched = update(StudyRow).where(StudyRow.id == study).values(status=StudyRow.status)
            if session.connection().execute(touched).rowcount == 0:
                return False
            if session.get(PointRow, (study, position)) is not None:
                return False
            last = session.scalar(select(func.max(PointRow.sequence)).where(PointRow.study == study))
            session.add(PointRow(study=study, position=position, sequence=(last or 0) + 1, body=pack(point)))
        return True

    def positions(self, study: str) -> frozenset[int]:
        """Places in the study that are answered."""
        with Session(self._engine) as session:
            return frozenset(session.scalars(select(PointRow.position).where(PointRow.study == study)))

    def arrived(self, study: str, after: int, limit: int) -> list[StoredPoint]:
        """Answers in order of arrival, those after sequence number ``after``."""
        query = select(PointRow).where(PointRow.study == study, PointRow.sequence > after).order_by(PointRow.sequence)
        return self._points(query.limit(limit))

    def last_sequence(self, study: str) -> int:
        """Sequence number of the answer that arrived last; 0 before the first."""
        with Session(self._engine) as session:
            return session.scalar(select(func.max(PointRow.sequence)).where(PointRow.study == study)) or 0

    def points(self, study: str, batch: int = 50) -> Iterator[dict[str, Any]]:
        """Answers in the order of the study, ``batch`` in memory at a time."""
        for point in self.in_order(study, batch):
            yield point.body

    def in_order(self, study: str, batch: int = 50) -> Iterator[StoredPoint]:
        """The same with their places."""
        after = -1
        while True:
            query = (
                select(PointRow).where(PointRow.study == study, PointRow.position > after).order_by(PointRow.position)
            )
            found = self._points(query.limit(batch))
            yield from found
            if len(found) < batch:
                return
            after = found[-1].position

    def _points(self, query: Select[PointRow]) -> list[StoredPoint]:
        with Session(self._engine) as session:
            return [StoredPoint(row.position, row.sequence, unpack(row.body)) for row in session.scalars(query)]
