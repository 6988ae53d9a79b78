"""Studies in the database: created once, run possibly several times, never changed in content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, case, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from footroom_api.persistence.packing import pack, unpack
from footroom_api.persistence.points import PointStore
from footroom_api.persistence.tables import PointRow, ResultRow, StudyRow, TagRow

#: A study in one of these does not change any more unless it is asked for again.
FINAL = ("done", "cancelled", "failed")
#: Asking for a study in one of these queues it once more.
UNANSWERED = ("cancelled", "failed")
#: The tag of studies that never expire.
KEEP = "keep"
#: Points of an imported study that are written at a time.
_WRITTEN = 50


@dataclass(frozen=True)
class StoredStudy:
    """A study as it stands. error: problem document of a failed one.  points: how many are finished.

    seconds_left: estimate of the process that runs it, which the database does not know.
    """

    number: int
    id: str
    name: str
    request: dict[str, Any]
    cost: Mapping[str, Any]
    status: str
    error: dict[str, Any] | None
    progress: float
    created: datetime
    started: datetime | None
    finished: datetime | None
    points: int
    tags: tuple[str, ...] = ()
    seconds_left: float | None = None

    @property
    def final(self) -> bool:
        """Whether it has ended."""
        return self.status in FINAL


@dataclass(frozen=True)
class Waiting:
    """A study that is queued or running, who asked for it, and what it is expected to take [s of one core]."""

    id: str
    status: str
    client: str
    seconds: float


@dataclass(frozen=True)
class Page:
    """Some studies, newest first; ``following`` continues where the page ends."""

    studies: Sequence[StoredStudy]
    following: int | None


def _utc(moment: datetime | None) -> datetime | None:
    """SQLite forgets the time zone; everything stored is UTC."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _stored(row: StudyRow, points: int, tags: Sequence[str]) -> StoredStudy:
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
        tags=tuple(tags),
    )


class StudyStore(PointStore):
    """All studies; safe to use from several threads."""

    def get(self, study: str) -> StoredStudy | None:
        """The study of that id, if any."""
        with Session(self._engine) as session:
            row = session.scalar(select(StudyRow).where(StudyRow.id == study))
            return None if row is None else _described(session, [row])[0]

    def add(self, study: str, request: dict[str, Any], cost: Mapping[str, Any], name: str, client: str = "") -> bool:
        """Queue a study: a new one, or one that was cancelled or has failed. False when there is nothing to do."""
        again = (
            update(StudyRow)
            .where(StudyRow.id == study, StudyRow.status.in_(UNANSWERED))
            .values(status="queued", error=None, progress=0.0, started=None, finished=None, client=client)
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
                        client=client,
                        created=datetime.now(UTC),
                    )
                )
        except IntegrityError:  # the same request at the same moment
            return False
        return True

    def page(
        self, before: int | None, limit: int, search: str = "", status: str | None = None, tag: str | None = None
    ) -> Page:
        """Up to ``limit`` studies older than number ``before``, newest first.

        search: part of a name, in any case, or the beginning of an id.  tag: one that they must have.
        """
        query = select(StudyRow).order_by(StudyRow.number.desc()).limit(limit + 1)
        if search:
            found = StudyRow.name.icontains(search, autoescape=True) | StudyRow.id.startswith(search, autoescape=True)
            query = query.where(found)
        if status is not None:
            query = query.where(StudyRow.status == status)
        if tag is not None:
            query = query.where(StudyRow.id.in_(select(TagRow.study).where(TagRow.tag == tag)))
        if before is not None:
            query = query.where(StudyRow.number < before)
        with Session(self._engine) as session:
            rows = list(session.scalars(query))
            shown = rows[:limit]
            studies = _described(session, shown)
        return Page(studies, shown[-1].number if len(rows) > limit else None)

    def count_by_status(self) -> dict[str, int]:
        """How many studies have each status."""
        query = select(StudyRow.status, func.count()).group_by(StudyRow.status)
        with Session(self._engine) as session:
            return {status: count for status, count in session.execute(query)}  # noqa: C416 - as below

    def delete(self, study: str) -> bool:
        """Remove a study that has ended, with its points. Returns whether it was. Runs shared with others stay."""
        with Session(self._engine) as session, session.begin():
            if not _ended(session, StudyRow.id == study):
                return False
            _remove(session, [study])
        return True

    def expire(self, before: datetime) -> tuple[list[str], int]:
        """Remove studies that ended before a moment, except those tagged ``keep``, and runs that were not used since.

        Returns the ids of the studies, and the number of runs.
        """
        kept = select(TagRow.study).where(TagRow.tag == KEEP)
        with Session(self._engine) as session, session.begin():
            studies = _ended(session, StudyRow.finished < before, StudyRow.id.not_in(kept))
            _remove(session, studies)
            unused = delete(ResultRow).where(ResultRow.used < before.date())
            return studies, session.connection().execute(unused).rowcount

    def label(self, study: str, name: str | None = None, tags: Iterable[str] | None = None) -> bool:
        """Give a study another name, other tags or both. Returns whether there is such a study."""
        with Session(self._engine) as session, session.begin():
            row = session.scalar(select(StudyRow).where(StudyRow.id == study))
            if row is None:
                return False
            row.name = row.name if name is None else name
            if tags is not None:
                session.execute(delete(TagRow).where(TagRow.study == study))
                session.add_all(TagRow(study=study, tag=tag) for tag in dict.fromkeys(tags))
        return True

    def again(self, study: str, cost: Mapping[str, Any], client: str = "") -> bool:
        """Queue a study that has ended, without its points. Returns whether it had ended."""
        ended = (
            update(StudyRow)
            .where(StudyRow.id == study, StudyRow.status.in_(FINAL))
            .values(
                status="queued", error=None, progress=0.0, started=None, finished=None, client=client, cost=pack(cost)
            )
        )
        with Session(self._engine) as session, session.begin():
            if session.connection().execute(ended).rowcount != 1:
                return False
            session.execute(delete(PointRow).where(PointRow.study == study))
        return True

    def put(self, study: StoredStudy, points: Iterable[tuple[int, dict[str, Any]]]) -> bool:
        """Keep a whole ended study of another server; False where one of that id is here."""
        row = StudyRow(
            id=study.id,
            name=study.name,
            request=pack(study.request),
            cost=pack(study.cost),
            status=study.status,
            progress=study.progress,
            created=study.created,
            started=study.started,
            finished=study.finished,
        )
        try:
            with Session(self._engine) as session, session.begin():
                session.add(row)
                session.flush()
                session.add_all(TagRow(study=study.id, tag=tag) for tag in study.tags)
                for number, (position, body) in enumerate(points, 1):
                    session.add(PointRow(study=study.id, position=position, sequence=number, body=pack(body)))
                    if number % _WRITTEN == 0:
                        session.flush()
                        session.expunge_all()
        except IntegrityError:
            return False
        return True

    def unfinished(self) -> list[Waiting]:
        """Studies that are queued or running, in the order in which they should run.

        Clients take turns: first the client served longest ago, and of its studies the oldest.
        """
        served = select(StudyRow.client, func.max(StudyRow.started).label("last")).group_by(StudyRow.client).subquery()
        query = (
            select(StudyRow.id, StudyRow.status, StudyRow.client, StudyRow.cost)
            .join(served, served.c.client == StudyRow.client)
            .where(StudyRow.status.in_(("queued", "running")))
            .order_by(served.c.last.is_not(None), served.c.last, StudyRow.number)
        )
        with Session(self._engine) as session:
            return [
                Waiting(row.id, row.status, row.client, unpack(row.cost).get("cpu_seconds", 0.0))
                for row in session.execute(query)
            ]

    def move(self, study: str, sources: Iterable[str], target: str, error: dict[str, Any] | None = None) -> bool:
        """Change the status if it is one of ``sources``. Returns whether it was."""
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
        """Store the progress of a running study, 0 to 1, unless it was higher. Returns whether the study is running."""
        further = case((StudyRow.progress < progress, progress), else_=StudyRow.progress)
        query = update(StudyRow).where(StudyRow.id == study, StudyRow.status == "running").values(progress=further)
        with Session(self._engine) as session, session.begin():
            return session.connection().execute(query).rowcount == 1


def _described(session: Session, rows: Sequence[StudyRow]) -> list[StoredStudy]:
    """Studies with what other tables know of them."""
    ids = [row.id for row in rows]
    count = select(PointRow.study, func.count()).where(PointRow.study.in_(ids)).group_by(PointRow.study)
    points = {study: number for study, number in session.execute(count)}  # noqa: C416 - rows are no tuples
    tags: dict[str, list[str]] = {}
    for tag in session.scalars(select(TagRow).where(TagRow.study.in_(ids)).order_by(TagRow.tag)):
        tags.setdefault(tag.study, []).append(tag.tag)
    return [_stored(row, points.get(row.id, 0), tags.get(row.id, ())) for row in rows]


def _ended(session: Session, *conditions: ColumnElement[bool]) -> list[str]:
    """Ids of studies that have ended; nobody else changes them until the transaction is over.

    SQLite locks nothing for a SELECT: a study could be asked for again before it is removed. So they are written first.
    """
    found = (StudyRow.status.in_(FINAL), *conditions)
    session.connection().execute(update(StudyRow).where(*found).values(status=StudyRow.status))
    return list(session.scalars(select(StudyRow.id).where(*found)))


def _remove(session: Session, studies: Sequence[str]) -> None:
    for table in (PointRow, TagRow):
        session.execute(delete(table).where(table.study.in_(studies)))
    session.execute(delete(StudyRow).where(StudyRow.id.in_(studies)))
