"""Stored studies: named, tagged, found, run again, expired, and moved from one server to another as a file."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from tests.api.conftest import FakePackets, FakeWork

from footroom_api.app import create_app
from footroom_api.jobs import scheduler
from footroom_api.persistence import ResultStore, StudyStore
from footroom_api.settings import Settings

BYTES = {"Content-Type": "application/octet-stream"}


@pytest.fixture
def real(settings: Settings, packets: FakePackets) -> Iterator[TestClient]:
    """A server that runs studies with a fast engine."""
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as made:
        yield made


@pytest.fixture
def other(settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    """Another server, which runs nothing."""
    given = replace(settings, database=str(tmp_path / "other.db"))
    with TestClient(create_app(given, FakeWork()), base_url="http://localhost/api/v1") as made:
        yield made


@pytest.fixture
def done(real: TestClient, request_body: dict[str, Any], until: Any) -> str:
    """A study that is done."""
    study: str = real.post("studies", json=request_body | {"engines": ["theory", "packet"]}).json()["id"]
    until(real, study, "done")
    return study


def test_a_study_is_named_and_tagged_and_found(real: TestClient, done: str) -> None:
    changed = real.patch(f"studies/{done}", json={"name": " Rack 7 ", "tags": ["rack", "2026/11", "rack"]})
    assert changed.status_code == 200, changed.text
    assert (changed.json()["name"], changed.json()["tags"]) == ("Rack 7", ["2026/11", "rack"])
    for query, found in (("tag=rack", 1), ("tag=rac", 0), ("search=rack+7", 1), ("tag=rack&search=8", 0)):
        assert len(real.get(f"studies?{query}").json()["studies"]) == found
    assert real.patch(f"studies/{done}", json={"tags": []}).json()["name"] == "Rack 7"
    assert real.get("studies?tag=rack").json()["studies"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"tags": [""]},
        {"tags": ["-x"]},
        {"tags": ["a" * 41]},
        {"tags": ["a\n"]},
        {"tags": [str(n) for n in range(21)]},
        {"name": " "},
        {"name": "a\0b"},
        {"name": 3},
        {"name": "a" * 201},
        {"nme": "x"},
    ],
)
def test_wrong_labels_are_refused(real: TestClient, done: str, body: dict[str, Any]) -> None:
    answer = real.patch(f"studies/{done}", json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"]


def test_a_study_is_run_again(
    real: TestClient, done: str, packets: FakePackets, until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def points() -> list[Any]:
        found = real.get(f"studies/{done}/results").json()["points"]
        return [{**point, "result": {**point["result"], "wall_s": 0.0}} for point in found]

    before = points()
    calls = packets.calls
    assert real.post(f"studies/{done}/run").status_code == 202
    until(real, done, "done")
    assert points() == before
    assert packets.calls == calls  # the same code has made these runs
    monkeypatch.setattr("footroom.studies.study.fingerprint", lambda name: "tomorrow's code")
    real.post(f"studies/{done}/run")
    until(real, done, "done")
    assert packets.calls == 2 * calls
    packets.gate.clear()
    monkeypatch.setattr("footroom.studies.study.fingerprint", lambda name: "the code of next week")
    assert real.post(f"studies/{done}/run").status_code == 202
    assert real.post(f"studies/{done}/run").status_code == 409


def test_a_study_moves_to_another_server_as_a_file(real: TestClient, other: TestClient, done: str) -> None:
    real.patch(f"studies/{done}", json={"name": "Rack 7", "tags": ["rack"]})
    file = real.get(f"studies/{done}/file")
    assert file.headers["content-type"] == "application/octet-stream"
    assert f"{done}.footroom-study" in file.headers["content-disposition"]
    assert real.get(f"studies/{done}/file").content == file.content
    came = other.post("studies/file", content=file.content, headers=BYTES)
    assert came.status_code == 201, came.text
    assert came.headers["location"] == f"/api/v1/studies/{done}"
    for field in ("id", "name", "tags", "status", "points", "request", "created", "started", "finished"):
        assert came.json()[field] == real.get(f"studies/{done}").json()[field], field
    assert other.get(f"studies/{done}/results").json() == real.get(f"studies/{done}/results").json()
    assert other.get(f"studies/{done}/file").content == file.content
    again = other.post("studies/file", content=file.content, headers=BYTES)
    assert (again.status_code, again.json()) == (200, came.json())


def lines_of(client: TestClient, study: str) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(client.get(f"studies/{study}/file").content).splitlines()]


def packed(lines: list[Any]) -> bytes:
    return gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines))


def test_a_file_with_some_of_the_points_goes_on(real: TestClient, other: TestClient, done: str, until: Any) -> None:
    lines = lines_of(real, done)
    came = other.post("studies/file", content=packed([*lines[:3], {"points": 2}]), headers=BYTES)
    assert came.status_code == 201, came.text
    assert (came.json()["status"], came.json()["points"]) == ("cancelled", 2)
    other.post("studies", json=came.json()["request"])
    assert until(other, done, "done")


def change(lines: list[Any], number: int, **changed: Any) -> list[Any]:
    return [{**line, **changed} if i == number else line for i, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda lines: packed(lines)[:-30], "damaged"),
        (lambda lines: b"PK\3\4 not gzip", "not a gzip file"),
        (lambda lines: packed(lines[:-1]), "cut off"),
        (lambda lines: packed([*lines[:2], *lines[3:]]), "says that it has 6 points"),
        (lambda lines: packed([*lines[:2], *lines[1:]]), "twice"),
        (lambda lines: packed(change(lines, 1, position=6)), "point 6 is not in this study"),
        (lambda lines: packed(change(lines, 1, position=True)), "is not in this study"),
        (
            lambda lines: packed(change(lines, 1, position=lines[2]["position"], point=lines[1]["point"])),
            "another question",
        ),
        (lambda lines: packed(change(lines, 1, point={"at": {}})), "is not a valid answer"),
        (lambda lines: packed(change(lines, 0, format="x")), "not a study file of Footroom"),
        (lambda lines: packed(change(lines, 0, version=2)), "version 2"),
        (lambda lines: packed(change(lines, 0, tags=["<b>"])), "tags"),
        (lambda lines: packed(change(lines, 0, created="yesterday")), "no time"),
        (lambda lines: packed(change(lines, 0, request={"scenario": {}})), "required"),
        (lambda lines: packed(change(lines, 0, request=7)), "scenario"),
        (lambda lines: gzip.compress(b"[1]\n"), "not an object"),
        (lambda lines: gzip.compress(b'{"format": NaN}\n'), "not JSON"),
        (lambda lines: gzip.compress(b"[" * 100_000 + b"\n"), "not JSON"),
        (lambda lines: b"", "not a study file of Footroom"),
    ],
)
def test_wrong_files_are_refused_whole(real: TestClient, other: TestClient, done: str, spoil: Any, why: str) -> None:
    answer = other.post("studies/file", content=spoil(lines_of(real, done)), headers=BYTES)
    assert answer.status_code == 422, answer.text
    assert why in answer.text
    assert other.get("studies").json()["studies"] == []


def test_large_files_and_other_media_are_refused(other: TestClient) -> None:
    object.__setattr__(other.app.state.settings.limits, "file", 10)  # type: ignore[attr-defined]
    assert other.post("studies/file", content=b"0" * 11, headers=BYTES).status_code == 413
    assert other.post("studies/file", content=b"0").status_code == 415


def test_what_has_been_kept_for_long_enough_goes(database: Engine) -> None:
    studies, results = StudyStore(database), ResultStore(database)
    for study in ("old", "kept", "waiting", "new"):
        studies.add(study, {}, {}, "")
        studies.add_point(study, 0, {})
        if study != "waiting":
            studies.move(study, ("queued",), "done")
    studies.label("kept", tags=["keep"])
    studies.label("old", tags=["other"])
    for key in ("unused", "used"):
        results.put(key, {"x": 1})
    long_ago = {"then": datetime.now(UTC) - timedelta(days=31), "day": (datetime.now(UTC) - timedelta(days=31)).date()}
    with database.begin() as connection:
        connection.execute(
            text("UPDATE study SET created = :then, finished = :then WHERE id <> 'new'"), {"then": long_ago["then"]}
        )
        connection.execute(text("UPDATE result SET used = :day"), {"day": long_ago["day"]})
    results.get("used")
    assert studies.expire(datetime.now(UTC) - timedelta(days=30)) == (["old"], 1)
    assert [studies.get(study) is not None for study in ("old", "kept", "waiting", "new")] == [False, True, True, True]
    assert list(studies.points("old")) == []
    assert (results.get("unused"), results.get("used")) == (None, {"x": 1})
    assert studies.expire(datetime.now(UTC) - timedelta(days=30)) == ([], 0)


def test_a_server_removes_what_has_expired(
    settings: Settings, work: FakeWork, request_body: dict[str, Any], until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "_EXPIRE_EVERY", 0.0)
    with TestClient(create_app(replace(settings, keep_days=30), work), base_url="http://localhost/api/v1") as client:
        first, second = (client.post("studies", json=request_body | {"replicas": n}).json()["id"] for n in (1, 2))
        until(client, first, "done")
        ended = until(client, second, "done")
        expires, finished = (datetime.fromisoformat(ended[name]) for name in ("expires", "finished"))
        assert expires - finished == timedelta(days=30)
        assert client.patch(f"studies/{second}", json={"tags": ["keep"]}).json()["expires"] is None
        with client.app.state.services.database.begin() as connection:  # type: ignore[attr-defined]
            connection.execute(text("UPDATE study SET finished = '2020-01-01 00:00:00'"))
        work.calls.clear()
        third = client.post("studies", json=request_body | {"replicas": 3}).json()["id"]
        until(client, third, "done")
        assert client.get(f"studies/{first}").status_code == 404
        assert client.get(f"studies/{second}").status_code == 200
