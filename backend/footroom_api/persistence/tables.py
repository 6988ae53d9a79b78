"""The tables. A change here needs a new file in ``migrations/versions``."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Base of the tables."""


class StudyRow(Base):
    """A study that was asked for.

    number: order of arrival, for pages.  id: hash of the canonical request.  request, cost: compressed JSON.
    status: queued, running, done, cancelled or failed.  error: compressed problem of a failed study.
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


class ResultRow(Base):
    """A run that was computed once. key: hash of scenario, engine, seed and version of the code."""

    __tablename__ = "result"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    body: Mapped[bytes] = mapped_column(LargeBinary)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class PulseRow(Base):
    """When a server last tried whether the database can be written. number: always 1."""

    __tablename__ = "pulse"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
