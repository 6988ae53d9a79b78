"""Studies in PostgreSQL: the same as in SQLite, and two servers never run one study."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from fastapi.testclient import TestClient
from sqlalchemy import Engine, create_engine, text
from tests.api.postgres import binaries, server

from footroom.base.errors import InvalidInput
from footroom_api.app import create_app
from footroom_api.persistence import Pulse, ResultStore, StudyStore, claim_of, migrate, open_database
from footroom_api.persistence.tables import Base
from footroom_api.settings import Settings


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
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


@pytest.fixture
def database(url: str) -> Iterator[Engine]:
    engine = open_database(url)
    yield engine
    engine.dispose()


def test_migrations_lead_to_the_tables_and_back(database: Engine) -> None:
    store = StudyStore(database)
    store.add("s", {"a": 1}, {}, "name")
    store.add_point("s", 0, {"p": 1})
    with database.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    migrate(database, "0001")
    migrate(database)
    assert list(store.points("s")) == [{"p": 1}]
    with database.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_many_threads_write_at_once(database: Engine) -> None:
    results, studies = ResultStore(database), StudyStore(database)
    added: list[bool] = []

    def write(first: int) -> None:
        for i in range(10):
            results.put(f"shared {i}", {"i": i})
            results.put(f"{first} {i}", {"i": i})
            added.append(studies.add(f"study {i}", {}, {}, ""))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(added) == 10
    assert all(results.get(f"{n} {i}") == {"i": i} for n in range(4) for i in range(10))
    assert Pulse(database).trouble() is None


def test_servers_that_start_together_make_one_schema(url: str) -> None:
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(open_database(url))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [StudyStore(engine).unfinished() for engine in found] == [[]] * 3
    for engine in found:
        engine.dispose()


def test_one_server_has_the_claim_and_loses_it_with_its_connection(url: str) -> None:
    one, two = open_database(url), open_database(url)
    first, second = claim_of(one), claim_of(two)
    assert [first.take(), second.take(), first.take(), first.held()] == [True, False, True, True]
    with two.connect() as connection:  # as when the first server's machine is gone
        connection.execute(text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"))
    patience = time.monotonic() + 60
    while not second.take():
        assert time.monotonic() < patience
        time.sleep(0.01)
    assert not first.held()
    assert not first.take()
    second.release()
    assert first.take()
    first.release()
    one.dispose()
    two.dispose()


def test_two_servers_run_every_study_once(
    url: str, settings: Settings, request_body: dict[str, Any], work: Any, until: Any
) -> None:
    both = replace(settings, database=url)
    with (
        TestClient(create_app(both, work), base_url="http://localhost/api/v1") as first,
        TestClient(create_app(both, work), base_url="http://localhost/api/v1") as second,
    ):
        ids = [
            client.post("studies", json=request_body | {"replicas": replicas}).json()["id"]
            for replicas in (1, 2, 3)
            for client in (first, second)
        ]
        for study in ids:
            assert until(second, study, "done")["points"] == 3
        assert len(set(ids)) == len(work.calls) == 3
        assert first.get("health").json()["database"] == "ok"


def test_a_server_that_does_not_answer_is_named() -> None:
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    with pytest.raises(InvalidInput, match="cannot be opened") as refused:
        open_database("postgresql://me:s3cret@127.0.0.1:9/x")
    assert "s3cret" not in str(refused.value)
