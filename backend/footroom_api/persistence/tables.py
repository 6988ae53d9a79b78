"""The tables. A change here needs a new file in ``migrations/versions``."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import Date, DateTime, ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Base of the tables."""


class StudyRow(Base):
    """A study that was asked for.

    number: order of arrival, for pages.  id: hash of the canonical request.  request, cost: compressed JSON.
    status: queued, running, done, cancelled or failed.  error: compressed problem of a failed study.
    client: who asked, see ``footroom_api.clients``.
    """

    __tablename__ = "study"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(Text)
    request: Mapped[bytes] = mapped_column(LargeBinary)
    cost: Mapped[bytes] = mapped_column(LargeBinary)
    status: Mapped[str] = mapped_column(String(16), index=True)
    error: Mapped[bytes | None] = mapped_column(LargeBinary)
    progress: Mapped[float] = mapped_column(default=0.0)
    client: Mapped[str] = mapped_column(String(64), default="", server_default="", index=True)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    started: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    finished: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class PointRow(Base):
    """What an engine answered at a point of a study, or why it could not.

    position: place in the study, so that none comes twice and results are in order.  sequence: order of arrival, so
    that a reader who was away can go on where it was.
    """

    __tablename__ = "point"

    study: Mapped[str] = mapped_column(ForeignKey("study.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    sequence: Mapped[int]
    body: Mapped[bytes] = mapped_column(LargeBinary)


class TagRow(Base):
    """A tag of a study."""

    __tablename__ = "tag"

    study: Mapped[str] = mapped_column(ForeignKey("study.id", ondelete="CASCADE"), primary_key=True)
    tag: Mapped[str] = mapped_column(String(40), primary_key=True, index=True)


class ResultRow(Base):
    """A run that was computed once. key: hash of scenario, engine, seed and version of the code.

    used: day on which it was last made use of.
    """

    __tablename__ = "result"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    body: Mapped[bytes] = mapped_column(LargeBinary)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    used: Mapped[date] = mapped_column(Date, server_default="1970-01-01", index=True)


class ClaimRow(Base):
    """A run, or the lead of a study, that one of several servers has taken.

    owner: number of that server, see ``footroom_api.persistence.owner``.  refusal: compressed error of a run that could
    not be made, for the other servers to see.
    """

    __tablename__ = "claim"

    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    owner: Mapped[int] = mapped_column(index=True)
    study: Mapped[str] = mapped_column(String(64), index=True)
    refusal: Mapped[bytes | None] = mapped_column(LargeBinary)


class PulseRow(Base):
    """When a server last tried whether the database can be written. number: always 1."""

    __tablename__ = "pulse"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
