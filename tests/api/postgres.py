"""A PostgreSQL server of its own for tests, from the system's packages, on loopback; tests that need it are skipped
where it is not installed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, text


def binaries() -> Path | None:
    """The folder of ``initdb`` and ``postgres``; none where they are not installed."""
    found = shutil.which("initdb")
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *([Path(found).resolve().parent] if found else [])]
    return next((place for place in places if (place / "initdb").exists() and (place / "postgres").exists()), None)


def _ordinary_user() -> str | None:
    """PostgreSQL does not run as root: who runs it then."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    return None


class Postgres:
    """A server that can be stopped and started. url: without a database's name."""

    def __init__(self, place: Path, folder: Path) -> None:
        user = _ordinary_user()
        self._as_user: dict[str, Any] = {"cwd": folder}
        if user:
            shutil.chown(folder, user)
            self._as_user |= {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._control: list[str | Path] = [place / "pg_ctl", "-D", folder / "data"]
        self._log = folder / "log"
        self.url = f"postgresql://footroom@127.0.0.1:{self._port}"
        subprocess.run(
            [
                *(place / "initdb", "-D", folder / "data", "-U", "footroom", "-A", "trust", "-N"),
                *("--encoding=UTF8", "--no-locale", "--wal-segsize=1"),
            ],
            check=True,
            capture_output=True,
            **self._as_user,
        )

    def start(self) -> None:
        """Start and wait for it."""
        options = (
            f"-c listen_addresses=127.0.0.1 -c port={self._port} -c unix_socket_directories='' -c fsync=off "
            "-c min_wal_size=2MB -c max_wal_size=8MB"
        )
        subprocess.run(
            [*self._control, "-l", self._log, "-w", "-t", "120", "-o", options, "start"],
            check=True,
            stdout=subprocess.DEVNULL,
            **self._as_user,
        )

    def stop(self, how: str = "immediate") -> None:
        """Stop it: "fast" ends its connections in order, "immediate" is a crash."""
        subprocess.run(
            [*self._control, "-m", how, "stop"],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._as_user,
        )

    def runs(self) -> bool:
        """Whether its process is there."""
        asked = subprocess.run([*self._control, "status"], check=False, stdout=subprocess.DEVNULL, **self._as_user)
        return asked.returncode == 0


@contextmanager
def begun(place: Path, folder: Path | None = None) -> Iterator[Postgres]:
    """A server for the time of a ``with`` block, its files in ``folder``."""
    own = Path(tempfile.mkdtemp(prefix="footroom-postgres-")) if folder is None else folder
    try:
        made = Postgres(place, own)
        made.start()
        try:
            yield made
        finally:
            made.stop()
    finally:
        if folder is None:
            shutil.rmtree(own, ignore_errors=True)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The URL of a server, without a database's name."""
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    place = binaries()
    if place is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with begun(place) as made:
        yield made.url


@pytest.fixture
def url(address: str) -> str:
    """A database of its own."""
    name = f"t{uuid4().hex}"
    engine = create_engine(
        f"{address.replace('postgresql', 'postgresql+psycopg')}/postgres", isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return f"{address}/{name}"
