"""Studies in the database: created once, run possibly several times, never changed in content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine, Select, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from footroom_api.persistence.packing import pack, unpack
from footroom_api.persistence.tables import PointRow, StudyRow

#: A study in one of these does not change any more unless it is asked for again.
FINAL = ("done", "cancelled", "failed")


@dataclass(frozen=True)
class StoredStudy:
    """A study as it stands. error: problem document of a failed one.  points: how many are finished.

    seconds_left: estimate of the process that runs it, which the database does not know.
    """

    number: int
    id: str
    name: str
    request: dict[str, Any]
    cost: dict[str, Any]
    status: str
    error: dict[str, Any] | None
    progress: float
    created: datetime
    started: datetime | None
    finished: datetime | None
    points: int
    seconds_left: float | None = None

    @property
    def final(self) -> bool:
        """Whether it has ended."""
        return self.status in FINAL


@dataclass(frozen=True)
class StoredPoint:
    """An answer. position: place in the study; sequence: order of arrival; body: as a sweep has it."""

    position: int
    sequence: int
    body: dict[str, Any]


@dataclass(frozen=True)
class Page:
    """Some studies, newest first; ``following`` continues where the page ends."""

    studies: Sequence[StoredStudy]
    following: int | None


def _utc(moment: datetime | None) -> datetime | None:
    """SQLite forgets the time zone; everything stored is UTC."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _stored(row: StudyRow, points: int) -> StoredStudy:
    return StoredStudy(
        number=row.number,
        id=row.id,
        name=row.name,
        request=unpack(row.request),
        cost=unpack(row.cost),
        status=row.status,
        error=None if row.error is None else unpack(row.error),
        progress=row.progress,
        created=_utc(row.created) or row.created,
        started=_utc(row.started),
        finished=_utc(row.finished),
        points=points,
    )


class StudyStore:
    """All studies; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, study: str) -> StoredStudy | None:
        """The study of that id, if any."""
        with Session(self._engine) as session:
            row = session.scalar(select(StudyRow).where(StudyRow.id == study))
            return None if row is None else _stored(row, self._count(session, [study]).get(study, 0))

    def add(self, study: str, request: dict[str, Any], cost: dict[str, Any], name: str) -> bool:
        """Queue a study: a new one, or one that was cancelled or has failed. False when there is nothing to do."""
        again = (
            update(StudyRow)
            .where(StudyRow.id == study, StudyRow.status.in_(("cancelled", "failed")))
            .values(status="queued", error=None, progress=0.0, started=None, finished=None)
        )
        try:
            with Session(self._engine) as session, session.begin():
                if session.connection().execute(again).rowcount == 1:
                    return True
                if session.scalar(select(StudyRow.number).where(StudyRow.id == study)) is not None:
                    return False
                session.add(
                    StudyRow(
                        id=study,
                        name=name,
                        request=pack(request),
                        cost=pack(cost),
                        status="queued",
                        progress=0.0,
                        created=datetime.now(UTC),
                    )
                )
        except IntegrityError:  # the same request at the same moment
            return False
        return True

    def page(self, before: int | None, limit: int, search: str = "", status: str | None = None) -> Page:
        """Up to ``limit`` studies older than number ``before``, newest first.

        search: part of a name, in any case, or the beginning of an id.
        """
        query = select(StudyRow).order_by(StudyRow.number.desc()).limit(limit + 1)
        if search:
            found = StudyRow.name.icontains(search, autoescape=True) | StudyRow.id.startswith(search, autoescape=True)
            query = query.where(found)
        if status is not None:
            query = query.where(StudyRow.status == status)
        if before is not None:
            query = query.where(StudyRow.number < before)
        with Session(self._engine) as session:
            rows = list(session.scalars(query))
            shown = rows[:limit]
            counts = self._count(session, [row.id for row in shown])
            studies = [_stored(row, counts.get(row.id, 0)) for row in shown]
        return Page(studies, shown[-1].number if len(rows) > limit else None)

    def count_by_status(self) -> dict[str, int]:
        """How many studies have each status."""
        query = select(StudyRow.status, func.count()).group_by(StudyRow.status)
        with Session(self._engine) as session:
            return {status: count for status, count in session.execute(query)}  # noqa: C416 - as below

    def delete(self, study: str) -> bool:
        """Remove a study that has ended, with its points; whether it was. Runs that it shares with others stay."""
        with Session(self._engine) as session, session.begin():
            ended = select(StudyRow.number).where(StudyRow.id == study, StudyRow.status.in_(FINAL))
            if session.scalar(ended.with_for_update()) is None:
                return False
            session.execute(delete(PointRow).where(PointRow.study == study))
            session.execute(delete(StudyRow).where(StudyRow.id == study))
        return True

    def next(self) -> str | None:
        """Id of the study to run next: of those that are queued, the first that was asked for."""
        query = select(StudyRow.id).where(StudyRow.status == "queued").order_by(StudyRow.number).limit(1)
        with Session(self._engine) as session:
            return session.scalar(query)

    def unfinished(self) -> list[str]:
        """Ids of the studies that are queued or running, in order of arrival."""
        query = select(StudyRow.id).where(StudyRow.status.in_(("queued", "running"))).order_by(StudyRow.number)
        with Session(self._engine) as session:
            return list(session.scalars(query))

    def move(self, study: str, sources: Iterable[str], target: str, error: dict[str, Any] | None = None) -> bool:
        """Change the status if it is one of ``sources``; whether it was."""
        now = datetime.now(UTC)
        values: dict[str, Any] = {"status": target}
        if target == "running":
            values |= {"started": now, "finished": None}
        if target in FINAL:
            values |= {"finished": now, "error": None if error is None else pack(error)}
        if target == "done":
            values["progress"] = 1.0
        query = update(StudyRow).where(StudyRow.id == study, StudyRow.status.in_(tuple(sources))).values(**values)
        with Session(self._engine) as session, session.begin():
            return session.connection().execute(query).rowcount == 1

    def set_progress(self, study: str, progress: float) -> bool:
        """Remember how far a running study has come, 0 to 1; whether it is running."""
        query = update(StudyRow).where(StudyRow.id == study, StudyRow.status == "running").values(progress=progress)
        with Session(self._engine) as session, session.begin():
            return session.connection().execute(query).rowcount == 1

    def add_point(self, study: str, position: int, point: dict[str, Any]) -> bool:
        """Keep an answer at its place in the study; False when it was kept before (a study that was resumed)."""
        with Session(self._engine) as session, session.begin():
            if session.get(PointRow, (study, position)) is not None:
                return False
            last = session.scalar(select(func.max(PointRow.sequence)).where(PointRow.study == study))
            session.add(PointRow(study=study, position=position, sequence=(last or 0) + 1, body=pack(point)))
        return True

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
        after = -1
        while True:
            query = (
                select(PointRow).where(PointRow.study == study, PointRow.position > after).order_by(PointRow.position)
            )
            found = self._points(query.limit(batch))
            for point in found:
                yield point.body
            if len(found) < batch:
                return
            after = found[-1].position

    def _points(self, query: Select[PointRow]) -> list[StoredPoint]:
        with Session(self._engine) as session:
            return [StoredPoint(row.position, row.sequence, unpack(row.body)) for row in session.scalars(query)]

    @staticmethod
    def _count(session: Session, studies: Sequence[str]) -> dict[str, int]:
        query = select(PointRow.study, func.count()).where(PointRow.study.in_(studies)).group_by(PointRow.study)
        return {study: count for study, count in session.execute(query)}  # noqa: C416 - rows are no tuples to a type checker
