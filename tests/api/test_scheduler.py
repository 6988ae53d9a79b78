"""Who runs a study, and what becomes of it when the database, a client or another server comes in between."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError
from tests.api.conftest import PATIENCE, FakeWork

from footroom.base.errors import Cancelled
from footroom_api.app import create_app
from footroom_api.jobs import scheduler
from footroom_api.persistence import StudyStore, claim_of, open_database
from footroom_api.settings import Settings


class Talking(FakeWork):
    """Tells its progress all the time, as engines do."""

    def __call__(
        self, request: dict[str, Any], *, stop: threading.Event, on_point: Any, on_progress: Any, **_: Any
    ) -> None:
        self.calls.append(request)
        self.started.set()
        while True:
            on_progress(0.5, 1.0)
            if stop.is_set():
                raise Cancelled("stopped")
            if self.gate.wait(0.005):
                return


@pytest.fixture(autouse=True)
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Schedulers that look and write all the time."""
    monkeypatch.setattr(scheduler, "_LOOK_EVERY", 0.02)
    monkeypatch.setattr(scheduler, "_WRITE_EVERY", 0.0)


@pytest.fixture
def serve(settings: Settings) -> Iterator[Callable[[FakeWork], TestClient]]:
    """Servers over one database; those that still run are stopped at the end."""
    running: list[TestClient] = []

    def begin(work: FakeWork) -> TestClient:
        client = TestClient(create_app(settings, work), base_url="http://localhost/api/v1")
        client.__enter__()
        running.append(client)
        return client

    yield begin
    for client in running:
        client.app.state.services.scheduler.stop()  # type: ignore[attr-defined]
        client.__exit__(None, None, None)


def stop(client: TestClient) -> None:
    client.app.state.services.scheduler.stop()  # type: ignore[attr-defined]


def test_one_server_has_the_right_to_run_studies_at_a_time(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "x.db"))
    first, second = claim_of(database), claim_of(database)
    assert [first.take(), second.take(), first.take()] == [True, False, True]
    first.release()
    assert [second.take(), first.take()] == [True, False]
    second.release()


def test_another_server_leaves_alone_what_is_running(serve: Any, request_body: dict[str, Any], until: Any) -> None:
    busy, idle = Talking(), Talking()
    busy.gate.clear()
    first = serve(busy)
    study = first.post("studies", json=request_body).json()["id"]
    busy.begun()
    second = serve(idle)
    assert second.get(f"studies/{study}").json()["status"] == "running"
    other = second.post("studies", json=request_body | {"replicas": 2}).json()["id"]
    busy.gate.set()
    until(second, study, "done")
    until(second, other, "done")
    assert (len(busy.calls), idle.calls) == (2, [])


def test_a_study_is_cancelled_by_way_of_another_server(serve: Any, request_body: dict[str, Any], until: Any) -> None:
    work = Talking()
    work.gate.clear()
    first, second = serve(work), serve(FakeWork())
    study = first.post("studies", json=request_body).json()["id"]
    work.begun()
    assert second.delete(f"studies/{study}/run").json()["status"] == "cancelled"
    # Asked for again, it gets its turn only once the run that was cancelled has noticed.
    assert second.post("studies", json=request_body).status_code == 202
    patience = time.monotonic() + PATIENCE
    while len(work.calls) < 2 and time.monotonic() < patience:
        time.sleep(0.005)
    work.gate.set()
    until(second, study, "done")
    assert len(work.calls) == 2


def test_another_server_takes_over_from_one_that_ends(serve: Any, request_body: dict[str, Any], until: Any) -> None:
    ending, left = Talking(), Talking()
    ending.gate.clear()
    first = serve(ending)
    study = first.post("studies", json=request_body).json()["id"]
    ending.begun()
    second = serve(left)
    stop(first)
    until(second, study, "done")
    assert len(left.calls) == 1


@pytest.mark.parametrize("moment", ["running", "done"])
def test_a_database_that_is_away_for_a_moment_loses_no_study(
    client: TestClient, request_body: dict[str, Any], until: Any, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    move, away = StudyStore.move, [True]

    def moved(self: StudyStore, study: str, sources: Any, target: str, error: Any = None) -> bool:
        if target == moment and away:
            away.clear()
            raise OperationalError("UPDATE", {}, Exception("database is locked"))
        return move(self, study, sources, target, error)

    monkeypatch.setattr(StudyStore, "move", moved)
    study = client.post("studies", json=request_body).json()["id"]
    assert until(client, study, "done")["points"] == 3
    assert not away


def test_asking_again_while_it_is_about_to_begin_is_not_lost(
    serve: Any, request_body: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancelled and asked for again at the very moment its turn comes: the second wish counts."""
    client, move, asking = serve(Talking()), StudyStore.move, threading.Event()
    services = client.app.state.services

    def again(study: str) -> None:
        services.scheduler.cancel(study)
        stored = services.studies.get(study)
        services.studies.add(study, stored.request, stored.cost, stored.name)
        services.scheduler.submit(study)

    def moved(self: StudyStore, study: str, sources: Any, target: str, error: Any = None) -> bool:
        if target == "running" and not asking.is_set():
            asking.set()
            thread = threading.Thread(target=again, args=(study,))
            thread.start()
            thread.join(0.2)  # it may have to wait until this study has begun
        return move(self, study, sources, target, error)

    monkeypatch.setattr(StudyStore, "move", moved)
    study = client.post("studies", json=request_body).json()["id"]
    patience = time.monotonic() + PATIENCE
    while client.get(f"studies/{study}").json()["status"] != "done" and time.monotonic() < patience:
        time.sleep(0.005)
    assert client.get(f"studies/{study}").json()["status"] == "done"
