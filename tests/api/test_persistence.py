"""The database: its schema, and stores that several threads use at once."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, inspect, text

from footroom.base.errors import InvalidInput
from footroom_api.persistence import ResultStore, StudyStore, migrate, open_database
from footroom_api.persistence import studies as stored
from footroom_api.persistence.packing import pack, unpack
from footroom_api.persistence.tables import Base


def schema_differs(database: Engine) -> list[Any]:
    with database.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))


def test_migrations_lead_to_the_tables(database: Engine) -> None:
    assert schema_differs(database) == []


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_what_is_stored_goes_down_and_up_again(database: Engine, revision: str) -> None:
    studies, results = StudyStore(database), ResultStore(database)
    studies.add("s", {"a": 1}, {"b": 2}, "name", "a client")
    studies.add_point("s", 0, {"p": 1})
    results.put("k", {"x": 1})
    migrate(database, revision)
    assert schema_differs(database)
    migrate(database)
    assert schema_differs(database) == []
    assert list(studies.points("s")) == [{"p": 1}]
    found = studies.get("s")
    assert found is not None
    assert (found.name, found.request, found.cost, found.status) == ("name", {"a": 1}, {"b": 2}, "queued")
    assert results.get("k") == {"x": 1}
    assert [one.client for one in studies.unfinished()] == [""]  # forgotten on the way down


def test_a_schema_goes_down_to_nothing(database: Engine) -> None:
    migrate(database, "base")
    with database.connect() as connection:
        assert inspect(connection).get_table_names() == ["alembic_version"]


def test_migrating_again_changes_nothing(database: Engine) -> None:
    StudyStore(database).add("a", {}, {}, "")
    migrate(database)
    assert StudyStore(database).get("a") is not None


#: Opens a database once told to.
OPEN = """
import sys
from footroom_api.persistence import StudyStore, open_database

print("ready", flush=True)
sys.stdin.readline()
print(StudyStore(open_database(sys.argv[1])).unfinished())
"""


def test_processes_make_a_new_database_together(tmp_path: Path) -> None:
    words = [sys.executable, "-c", OPEN, str(tmp_path / "x.db")]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    processes = [subprocess.Popen(words, text=True, **pipes) for _ in range(3)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.communicate(timeout=300) for process in processes] == [("[]\n", "")] * 3


def test_readers_do_not_wait_for_the_writer(tmp_path: Path) -> None:
    with open_database(str(tmp_path / "x.db")).connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"


def test_what_is_packed_comes_back() -> None:
    document = {"b": [1, 2.5e-300, None, True, "ü\x00"], "a": {}}
    assert unpack(pack(document)) == document
    assert list(unpack(pack(document))) == ["b", "a"]
    with pytest.raises(ValueError, match="JSON"):
        pack({"x": float("nan")})


def test_results_are_kept_once(database: Engine) -> None:
    store = ResultStore(database)
    assert store.get("k") is None
    store.put("k", {"x": 1})
    store.put("k", {"x": 2})
    assert store.get("k") == {"x": 1}


def test_many_threads_write_at_once(database: Engine) -> None:
    results, studies = ResultStore(database), StudyStore(database)
    positions: list[bool] = []
    studies.add("s", {}, {}, "")
    added: list[bool] = []

    def write(first: int) -> None:
        for i in range(20):
            results.put(f"shared {i}", {"i": i})
            results.put(f"{first} {i}", {"i": i})
            added.append(studies.add(f"study {i}", {}, {}, ""))
            positions.append(studies.add_point("s", i, {}))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(added) == 20
    assert len(studies.unfinished()) == 21
    assert sum(positions) == 20
    assert [point.sequence for point in studies.arrived("s", 0, 100)] == list(range(1, 21))
    assert all(results.get(f"{n} {i}") == {"i": i} for n in range(4) for i in range(20))


def test_one_of_many_who_ask_again_at_once_has_asked(database: Engine) -> None:
    store, together = StudyStore(database), threading.Barrier(4)
    store.add("s", {}, {}, "")
    added: list[bool] = []

    def ask() -> None:
        together.wait()
        added.append(store.add("s", {}, {}, ""))

    for _ in range(10):
        store.move("s", ("queued",), "cancelled")
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sum(added) == 10


@pytest.mark.parametrize("how", ["delete", "expire"])
def test_a_study_that_is_asked_for_while_it_is_removed_is_kept(
    database: Engine, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Between the look at a study and its removal nobody else changes it: asking again waits for the end."""
    store, began, added = StudyStore(database), threading.Event(), threading.Event()
    store.add("s", {}, {}, "")
    store.move("s", ("queued",), "cancelled")

    def ask() -> None:
        began.wait()
        store.add("s", {}, {}, "")
        added.set()

    remove = stored._remove

    def slowly(*given: Any) -> None:
        began.set()
        assert not added.wait(0.3)
        remove(*given)

    monkeypatch.setattr(stored, "_remove", slowly)
    thread = threading.Thread(target=ask)
    thread.start()
    assert store.delete("s") if how == "delete" else store.expire(datetime.now(UTC))[0] == ["s"]
    thread.join()
    assert [one.id for one in store.unfinished()] == ["s"]


def test_an_answer_to_a_study_that_was_removed_is_dropped(database: Engine) -> None:
    store = StudyStore(database)
    store.add("s", {}, {}, "")
    store.move("s", ("queued",), "cancelled")
    assert store.delete("s")
    assert not store.add_point("s", 0, {"p": 1})


def test_the_next_study_is_the_first_that_was_asked_for(database: Engine) -> None:
    store = StudyStore(database)
    assert store.unfinished() == []
    for study in ("b", "a"):
        store.add(study, {}, {}, "")
    assert [one.id for one in store.unfinished()] == ["b", "a"]
    store.move("b", ("queued",), "running")
    store.add("c", {}, {}, "", "another client")
    assert [(one.id, one.status) for one in store.unfinished()] == [("c", "queued"), ("b", "running"), ("a", "queued")]
    assert [store.set_progress(study, 0.5) for study in ("a", "b")] == [False, True]


def test_a_point_is_kept_once_and_points_are_in_order(database: Engine) -> None:
    store = StudyStore(database)
    store.add("s", {}, {}, "")
    assert [store.add_point("s", position, {"p": position}) for position in (2, 0, 1, 0)] == [True, True, True, False]
    assert list(store.points("s", batch=2)) == [{"p": 0}, {"p": 1}, {"p": 2}]
    assert [point.body["p"] for point in store.arrived("s", 0, 10)] == [2, 0, 1]
    assert [point.body["p"] for point in store.arrived("s", 1, 1)] == [0]
    found = store.get("s")
    assert found is not None
    assert found.points == 3


def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "x.db"
    engine = open_database(str(path))
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE t (a)")
        assert {file.name for file in path.parent.iterdir()} >= {"x.db", "x.db-wal"}
        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
    engine.dispose()


def test_any_name_is_a_path(tmp_path: Path) -> None:
    open_database(str(tmp_path / "dé b?x=1#%20.db")).dispose()
    assert (tmp_path / "dé b?x=1#%20.db").stat().st_size > 0


@pytest.mark.parametrize(
    "url",
    [
        "postgres://me:s3cret@nowhere.invalid/x",
        "nonsense://me:s3cret@host/x",
        "postgresql+psycopg://me:s3c@ret@[broken/x",
    ],
)
def test_no_error_shows_a_password(url: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        open_database(url)
    assert "s3c" not in str(refusal.value)
    assert "ret@" not in str(refusal.value)
    assert "me:***@" in str(refusal.value)
