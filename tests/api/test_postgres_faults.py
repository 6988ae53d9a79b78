"""A PostgreSQL database that is full, read-only, restarted or cut off is named, and nothing finished is lost."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import create_engine, text
from tests.api.conftest import PATIENCE, FakeWork, Until
from tests.api.postgres import Postgres, begun, binaries

from footroom_api.app import create_app
from footroom_api.jobs import scheduler
from footroom_api.settings import Settings


@pytest.fixture
def place() -> Path:
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    found = binaries()
    if found is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return found


@pytest.fixture
def served(place: Path, settings: Settings, work: FakeWork, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A server over a PostgreSQL server of its own, in a folder that is given; both."""
    monkeypatch.setattr(scheduler, "_LOOK_EVERY", 0.05)
    monkeypatch.setattr(scheduler, "_WRITE_EVERY", 0.05)
    with contextlib.ExitStack() as stack:

        def serve(folder: Path | None = None) -> tuple[TestClient, Postgres]:
            postgres = stack.enter_context(begun(place, folder))
            given = replace(settings, database=f"{postgres.url}/postgres")
            app = create_app(given, work)
            return stack.enter_context(TestClient(app, base_url="http://localhost/api/v1")), postgres

        yield serve


def ask(postgres: Postgres, *statements: str) -> None:
    """Statements of whoever looks after the database."""
    engine = create_engine(
        f"{postgres.url.replace('postgresql', 'postgresql+psycopg')}/template1", isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'"


def other(request_body: dict[str, Any], number: int) -> dict[str, Any]:
    """Another study, with a large question."""
    buffers = [float(b + number) for b in range(100_000, 100_190)]
    return request_body | {"over": {"switch.buffer": buffers}, "replicas": 1}


def kept(client: TestClient, study: str) -> list[Any]:
    return list(client.get(f"studies/{study}/results").json()["points"])


def test_a_connection_that_is_cut_is_made_again(
    served: Any, work: FakeWork, request_body: dict[str, Any], until: Until
) -> None:
    client, postgres = served()
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    before = kept(client, study)
    assert before
    for _ in range(3):
        ask(postgres, CUT)
        assert client.get("health").status_code in (200, 503)
        assert client.get("studies").status_code in (200, 503)
    work.gate.set()
    assert until(client, study, "done")["points"] == 3
    assert kept(client, study)[: len(before)] == before


def test_a_restart_of_the_database_is_survived(
    served: Any, work: FakeWork, request_body: dict[str, Any], until: Until
) -> None:
    client, postgres = served()
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    before = kept(client, study)
    postgres.stop("immediate")
    for answer in (
        client.get("studies"),
        client.get(f"studies/{study}"),
        client.post("studies", json=other(request_body, 1)),
        client.get("health"),
    ):
        assert answer.status_code == 503
        said = answer.json()
        assert "cannot be reached" in said.get("detail", said.get("reason", "")), said
    assert client.get("health/live").status_code == 200
    postgres.start()
    work.gate.set()
    _until_up(client)
    assert until(client, study, "done")["points"] == 3
    assert kept(client, study)[: len(before)] == before


def test_a_database_that_is_read_only_is_named(
    served: Any, work: FakeWork, request_body: dict[str, Any], until: Until
) -> None:
    client, postgres = served()
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    before = kept(client, study)
    ask(postgres, "ALTER DATABASE postgres SET default_transaction_read_only = on", CUT)
    refused = client.post("studies", json=other(request_body, 1))
    assert refused.status_code == 503
    assert "it can be read only, not written" in refused.json()["detail"]
    assert refused.headers["retry-after"]
    assert kept(client, study) == before  # what is there can be read
    work.gate.set()
    ask(postgres, "ALTER DATABASE postgres SET default_transaction_read_only = off", CUT)
    _until_up(client)
    assert until(client, study, "done")["points"] == 3


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 90 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=90m,mode=777", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.getuid() != 0 or subprocess.run(words, check=False).returncode != 0:
        pytest.skip("a small disk can be mounted by root alone")
    # pytest keeps its folders for their owner, and PostgreSQL runs as somebody else.
    opened = [parent for parent in folder.parents if parent.stat().st_mode & 0o001 == 0]
    for parent in opened:
        parent.chmod(parent.stat().st_mode | 0o001)
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_loses_nothing(
    small_disk: Path, served: Any, work: FakeWork, request_body: dict[str, Any], until: Until
) -> None:
    client, postgres = served(small_disk)
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    before = kept(client, study)
    filler = small_disk / "filler"
    filler.write_bytes(bytes(max(0, shutil.disk_usage(small_disk).free - 8192)))
    # A table that takes what is left in pages that are there already.
    answers = []
    for number in range(1, 60):
        answers.append(client.post("studies", json=other(request_body, number)))
        if answers[-1].status_code == 503 and "disk is full" in answers[-1].text:
            break
    assert {answer.status_code for answer in answers} <= {202, 503}, answers[-1].text
    assert any("disk is full" in answer.text for answer in answers), answers[-1].text
    health = client.get("health")
    assert health.status_code in (200, 503)
    filler.unlink()
    if not postgres.runs():  # it ends itself where its log cannot be written
        postgres.start()
    work.gate.set()
    _until_up(client)
    assert until(client, study, "done")["points"] == 3
    assert kept(client, study)[: len(before)] == before


def _until_up(client: TestClient) -> None:
    patience = time.monotonic() + PATIENCE
    while client.get("health").status_code != 200:
        assert time.monotonic() < patience
        time.sleep(0.1)
