"""Databases that cannot be used: said in words at the start and to clients, and used again once they can be."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from footroom.base.errors import InvalidInput
from footroom_api.persistence import open_database


def refusal(path: Path | str) -> str:
    with pytest.raises(InvalidInput) as refused:
        open_database(str(path))
    return str(refused.value)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(os.urandom(5000))
    assert "it is not an SQLite database" in refusal(path)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    open_database(str(path)).dispose()
    path.write_bytes(path.read_bytes()[:6000])
    assert "it is damaged: restore a backup" in refusal(path)


def test_the_schema_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    open_database(str(path)).dispose()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert "has schema 9999" in refusal(path)
    assert "start the newer version" in refusal(path)


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    open_database(str(tmp_path / "x.db")).dispose()
    assert "it can be read only" in refusal(f"sqlite:///file:{tmp_path / 'x.db'}?mode=ro&uri=true")


def engine_of(client: TestClient) -> Any:
    return client.app.state.services.database  # type: ignore[attr-defined]


def health(client: TestClient) -> tuple[int, dict[str, Any]]:
    client.app.state.services.pulse._asked = -1e9  # type: ignore[attr-defined]  # do not wait until it is asked anew
    answer = client.get("health")
    return answer.status_code, answer.json()


def test_a_deleted_file_is_noticed(client: TestClient, settings: Any, request_body: dict[str, Any]) -> None:
    path = Path(settings.database)
    assert health(client) == (200, client.get("health").json())
    moved = path.rename(path.with_name("moved.db"))
    answer = client.post("studies", json=request_body)
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:footroom:problem:store-unavailable"
    assert "is gone" in answer.json()["detail"]
    assert client.get("studies").status_code == 503
    status, found = health(client)
    assert (status, found["status"], found["database"]) == (503, "degraded", "unavailable")
    assert "is gone" in found["reason"]
    assert client.get("health/live").status_code == 200
    path.write_bytes(b"")
    assert "another file" in health(client)[1]["reason"]
    moved.rename(path)
    assert health(client)[0] == 200
    assert client.post("studies", json=request_body).status_code == 202


def test_a_full_disk_stops_nothing_for_good(
    client: TestClient, request_body: dict[str, Any], work: Any, until: Any
) -> None:
    """SQLite's own limit of pages gives the very error of a full disk."""
    pages: list[int] = []

    def limit(connection: Any, _record: Any, _proxy: Any) -> None:
        most = pages[0] if pages else 2**31 - 2
        connection.execute(f"PRAGMA max_page_count = {most}")

    event.listen(engine_of(client), "checkout", limit)
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    pages.append(1)  # SQLite keeps what it has: not one page more
    statuses = []
    for replicas in range(2, 8):
        answer = client.post(
            "studies",
            json=request_body
            | {
                "replicas": 1,
                "engines": ["packet"],
                "over": {"switch.buffer": [float(b + replicas) for b in range(100_000, 100_150)]},
            },
        )
        statuses.append(answer.status_code)
        if answer.status_code == 503:
            assert "its disk is full" in answer.json()["detail"]
    assert 503 in statuses
    assert 500 not in statuses
    work.gate.set()
    pages.clear()
    assert until(client, study, "done")["points"] == 3


def test_a_disk_without_room_is_not_ready(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("footroom_api.persistence.pulse._LEAST_ROOM", 1e18)
    status, found = health(client)
    assert status == 503
    assert "left" in found["reason"]


@pytest.mark.parametrize("scheme", ["", "sqlite:///"])
def test_only_its_owner_reads_a_new_file(tmp_path: Path, scheme: str) -> None:
    open_database(f"{scheme}{tmp_path / 'x.db'}").dispose()
    assert stat.S_IMODE((tmp_path / "x.db").stat().st_mode) == 0o600
