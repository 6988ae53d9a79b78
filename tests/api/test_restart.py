"""What a server leaves behind, the next one takes up."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from tests.api.conftest import PATIENCE

from footroom_api.app import create_app
from footroom_api.persistence import StudyStore, open_database
from footroom_api.settings import Settings


def serve(settings: Settings, work: Any) -> TestClient:
    return TestClient(create_app(settings, work), base_url="http://localhost/api/v1")


def test_a_study_goes_on_after_an_orderly_stop(
    settings: Settings, request_body: dict[str, Any], work: Any, until: Any
) -> None:
    work.gate.clear()
    with serve(settings, work) as first:
        study = first.post("studies", json=request_body).json()["id"]
        work.begun()
        waiting = first.post("studies", json=request_body | {"replicas": 2}).json()["id"]
    store = StudyStore(open_database(settings.database))
    assert [one.id for one in store.unfinished()] == [study, waiting]
    work.gate.set()
    with serve(settings, work) as second:
        done = until(second, study, "done")
        assert done["points"] == 3
        until(second, waiting, "done")
        results = second.get(f"studies/{study}/results").json()
    assert [point["at"]["switch.buffer"] for point in results["points"]] == [100_000, 200_000, 400_000]


def test_a_study_goes_on_after_the_server_was_killed(
    settings: Settings, request_body: dict[str, Any], work: Any, until: Any
) -> None:
    with serve(settings, work) as first:
        study = first.post("studies", json=request_body).json()["id"]
        until(first, study, "done")
    # As a killed server leaves it: running, one point written.
    store = StudyStore(open_database(settings.database))
    assert store.move(study, ("done",), "running")
    work.calls.clear()
    with serve(settings, work) as second:
        assert until(second, study, "done")["points"] == 3
    assert len(work.calls) == 1


def test_progress_does_not_fall_back(settings: Settings, request_body: dict[str, Any], work: Any, until: Any) -> None:
    with serve(settings, work) as first:
        study = first.post("studies", json=request_body).json()["id"]
        until(first, study, "done")
    with open_database(settings.database).begin() as connection:
        connection.execute(text("UPDATE study SET status = 'running', progress = 0.9"))
    work.gate.clear()
    work.started.clear()
    with serve(settings, work) as second:
        work.begun()
        # The first of three points: by itself a quarter of the work.
        assert second.get(f"studies/{study}").json()["progress"] == 0.9
        work.gate.set()
        assert until(second, study, "done")["progress"] == 1.0


def test_no_progress_is_shown_that_a_killed_server_would_lose(
    settings: Settings, request_body: dict[str, Any], until: Any
) -> None:
    steps, told, go = 500, threading.Event(), threading.Event()

    def work(request: dict[str, Any], *, on_progress: Any, **_: Any) -> None:
        for step in range(steps):
            on_progress(step / steps, 1.0)
        told.set()
        go.wait(PATIENCE)

    store = StudyStore(open_database(settings.database))
    with serve(settings, work) as server:
        study = server.post("studies", json=request_body).json()["id"]
        assert told.wait(PATIENCE)
        shown = server.get(f"studies/{study}").json()
        listed = server.get("studies").json()["studies"][0]
        written = store.get(study)
        go.set()
        assert until(server, study, "done")["progress"] == 1.0
    assert written is not None
    assert shown["progress"] == listed["progress"] == written.progress
    assert shown["seconds_left"] == 1.0


def test_final_studies_are_left_alone(settings: Settings, request_body: dict[str, Any], work: Any, until: Any) -> None:
    with serve(settings, work) as first:
        study = first.post("studies", json=request_body).json()["id"]
        until(first, study, "done")
    with serve(settings, work) as second:
        assert second.get(f"studies/{study}").json()["status"] == "done"
        assert second.post("studies", json=request_body).status_code == 200
    assert len(work.calls) == 1


def test_a_database_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    from footroom.base.errors import InvalidInput

    (tmp_path / "file").write_text("no folder")
    for database in (str(tmp_path / "file" / "x.db"), "nonsense://x", "sqlite:////nowhere/at/all.db"):
        with pytest.raises(InvalidInput, match="database"):
            open_database(database)
