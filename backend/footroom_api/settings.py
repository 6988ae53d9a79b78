"""Settings of the server: its database, how it runs studies, and its limits."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from footroom.base.errors import InvalidInput
from footroom.studies.executors import check_executor

#: Used when neither an argument nor FOOTROOM_DATABASE names a database.
DEFAULT_DATABASE = ".footroom/footroom.db"

_HOST = re.compile(r"\*|[a-z0-9]([a-z0-9._-]*[a-z0-9])?", re.IGNORECASE)


_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,200}")


@dataclass(frozen=True)
class Limits:
    """Limits beyond which the server refuses a request or study.

    body: bytes of a request; file: of a study that is imported. depth: nesting of a JSON document. runs: points times
    engines times replicas of a study. estimates: points of one estimate. packet_hops: of a whole study. parts: hosts,
    switches, ports, queues and flows that the runs of a study set up. seconds: computing time of a whole study. memory:
    bytes at any time. waiting: studies queued or running. studies: those that run at a time, beside one of every other
    user and as many short ones. answer: time [s] that a request may compute. computing:
    requests that compute at a time; queue: those that may wait for it, and patience: how long [s].
    """

    body: int = 1_000_000
    file: int = 500_000_000
    depth: int = 32
    runs: int = 10_000
    estimates: int = 2_000
    packet_hops: float = 1e11
    parts: float = 5e7
    seconds: float = 24 * 3600.0
    memory: float = 4e9
    waiting: int = 100
    studies: int = 10
    answer: float = 20.0
    computing: int = 3
    queue: int = 256
    patience: float = 10.0


@dataclass(frozen=True)
class Settings:
    """Everything that differs between one server and another.

    database: SQLAlchemy URL or path of an SQLite file.  scheduler: who makes the runs of studies, as
    ``footroom.studies.executors`` names it.  workers: parallel runs, none means one per core.  warm: compile the
    engines in the background at the start.  frontend: folder of the built page; none means the one of the source tree.
    allow_hosts: names that the server may be called by, beside localhost and IP addresses; "*" for any.
    token: what clients must show, several joined by commas; empty for none.  access_log: file with one line of JSON a
    request, "-" for standard error.  keep_days: after how many days studies that have ended, and runs that nobody uses,
    are removed; none for never.
    """

    database: str = DEFAULT_DATABASE
    scheduler: str = "local"
    workers: int | None = None
    warm: bool = True
    frontend: Path | None = None
    allow_hosts: tuple[str, ...] = ()
    token: str = field(default="", repr=False)
    access_log: str = ""
    keep_days: int | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every token that is taken."""
        return tuple(self.token.split(",")) if self.token else ()

    def __post_init__(self) -> None:
        check_executor(self.scheduler)
        if not all(_TOKEN.fullmatch(token) for token in self.tokens):
            raise InvalidInput.at(
                "FOOTROOM_TOKEN",
                "…",
                "must be 16 to 200 letters, digits, - or _: for example what "
                "openssl rand -hex 32 prints; several are joined by commas",
            )
        for name in self.allow_hosts:
            if not _HOST.fullmatch(name):
                raise InvalidInput.at(
                    "allow-host",
                    name,
                    "must be a name such as footroom.example.net, without scheme and port, or * for any",
                )


def _whole(name: str) -> int | None:
    """A whole number of at least 1 from the environment, if there is one. Raises InvalidInput."""
    written = os.environ.get(name)
    if not written:
        return None
    if not (written.isascii() and written.isdigit() and 1 <= int(written) <= 36_500):
        raise InvalidInput.at(name, written, "must be a whole number from 1 to 36500")
    return int(written)


def from_environment(**given: object) -> Settings:
    """Settings from FOOTROOM_DATABASE, FOOTROOM_FRONTEND, FOOTROOM_SCHEDULER, FOOTROOM_TOKEN, FOOTROOM_ACCESS_LOG,
    FOOTROOM_WORKERS, FOOTROOM_KEEP_DAYS and FOOTROOM_ALLOW_HOSTS (joined by commas).

    ``given`` values other than None win.

    Raises InvalidInput.
    """
    settings = Settings()
    if database := os.environ.get("FOOTROOM_DATABASE"):
        settings = replace(settings, database=database)
    if frontend := os.environ.get("FOOTROOM_FRONTEND"):
        settings = replace(settings, frontend=Path(frontend))
    if hosts := os.environ.get("FOOTROOM_ALLOW_HOSTS"):
        settings = replace(settings, allow_hosts=tuple(name.strip() for name in hosts.split(",") if name.strip()))
    if scheduler := os.environ.get("FOOTROOM_SCHEDULER"):
        settings = replace(settings, scheduler=scheduler)
    if access_log := os.environ.get("FOOTROOM_ACCESS_LOG"):
        settings = replace(settings, access_log=access_log)
    if token := os.environ.get("FOOTROOM_TOKEN"):
        settings = replace(settings, token=token)
    settings = replace(settings, workers=_whole("FOOTROOM_WORKERS"), keep_days=_whole("FOOTROOM_KEEP_DAYS"))
    return replace(settings, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
