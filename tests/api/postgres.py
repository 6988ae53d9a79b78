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


@contextmanager
def server(place: Path) -> Iterator[str]:
    """A server for the time of a ``with`` block; its URL without a database's name."""
    user = _ordinary_user()
    as_user: dict[str, Any] = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}
    folder = Path(tempfile.mkdtemp(prefix="footroom-postgres-"))
    if user:
        shutil.chown(folder, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data, log = folder / "data", folder / "log"
    try:
        subprocess.run(
            [place / "initdb", "-D", data, "-U", "footroom", "-A", "trust", "-N", "--encoding=UTF8", "--no-locale"],
            check=True,
            capture_output=True,
            cwd=folder,
            **as_user,
        )
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories='' -c fsync=off"
        subprocess.run(
            [place / "pg_ctl", "-D", data, "-l", log, "-w", "-t", "120", "-o", options, "start"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
            **as_user,
        )
        try:
            yield f"postgresql://footroom@127.0.0.1:{port}"
        finally:
            subprocess.run(
                [place / "pg_ctl", "-D", data, "-m", "immediate", "stop"],
                check=False,
                stdout=subprocess.DEVNULL,
                cwd=folder,
                **as_user,
            )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The URL of a server, without a database's name."""
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    place = binaries()
    if place is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with server(place) as url:
        yield url


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
