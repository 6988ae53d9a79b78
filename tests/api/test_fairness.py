"""Users of one server take turns: a long queue of one does not keep another waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api.conftest import PATIENCE, FakePackets, FakeWork

from footroom_api.app import create_app
from footroom_api.fair import FairQueue
from footroom_api.jobs.kept import KeptJobs
from footroom_api.jobs.scheduler import Scheduler
from footroom_api.persistence import ResultStore, open_database
from footroom_api.persistence.studies import Waiting
from footroom_api.settings import Limits, Settings

TOKENS = ("a" * 20, "b" * 20)


@pytest.fixture
def users() -> list[dict[str, str]]:
    """What two users of one server send along."""
    return [{"Authorization": f"Bearer {token}"} for token in TOKENS]


@pytest.fixture
def shared(settings: Settings, work: FakeWork) -> Iterator[TestClient]:
    given = replace(settings, token=",".join(TOKENS), limits=Limits(waiting=12, studies=1))
    with TestClient(create_app(given, work), base_url="http://localhost/api/v1") as made:
        yield made


def test_studies_of_two_users_run_in_turn(
    shared: TestClient, users: list[dict[str, str]], work: FakeWork, request_body: dict[str, Any]
) -> None:
    work.gate.clear()
    asked = []
    for user, numbers in ((0, range(1, 6)), (1, range(6, 9))):
        for replicas in numbers:
            answer = shared.post("studies", json=request_body | {"replicas": replicas}, headers=users[user])
            assert answer.status_code == 202
            asked.append(answer.json()["id"])
    work.begun()
    work.gate.set()
    while any(shared.get(f"studies/{study}", headers=users[0]).json()["status"] != "done" for study in asked):
        pass
    # One of the first user was running already; then whoever was served longest ago comes first.
    assert [call["replicas"] for call in work.calls] == [1, 6, 2, 7, 3, 8, 4, 5]


def test_whose_turn_it_is_is_asked_anew_after_each_study(
    shared: TestClient, users: list[dict[str, str]], work: FakeWork, request_body: dict[str, Any], monkeypatch: Any
) -> None:
    """A study that ends as soon as it begins gives its turn to whoever is next then, not when it was looked for."""
    begin = Scheduler._begin

    def begin_and_end(self: Scheduler, study: Waiting, *, helping: bool) -> None:
        begin(self, study, helping=helping)
        if work.gate.is_set():
            patience = time.monotonic() + PATIENCE
            while study.id in self._running:
                assert time.monotonic() < patience

    monkeypatch.setattr(Scheduler, "_begin", begin_and_end)
    work.gate.clear()
    for user, numbers in ((0, range(1, 4)), (1, range(4, 6))):
        for replicas in numbers:
            shared.post("studies", json=request_body | {"replicas": replicas}, headers=users[user])
    work.begun()
    work.gate.set()
    patience = time.monotonic() + PATIENCE
    while len(work.calls) < 5:
        assert time.monotonic() < patience
    assert [call["replicas"] for call in work.calls] == [1, 4, 2, 5, 3]


def test_one_user_cannot_fill_the_queue(
    shared: TestClient, users: list[dict[str, str]], work: FakeWork, request_body: dict[str, Any]
) -> None:
    work.gate.clear()
    codes = [
        shared.post("studies", json=request_body | {"replicas": n}, headers=users[0]).status_code for n in range(1, 8)
    ]
    assert codes == [202] * 6 + [429]
    refused = shared.post("studies", json=request_body | {"replicas": 9}, headers=users[0])
    assert refused.headers["retry-after"]
    assert refused.json()["type"] == "urn:footroom:problem:too-many"
    assert shared.post("studies", json=request_body | {"replicas": 9}, headers=users[1]).status_code == 202


def test_only_known_tokens_are_taken(shared: TestClient, users: list[dict[str, str]]) -> None:
    assert [shared.get("studies", headers=headers).status_code for headers in users] == [200, 200]
    for wrong in (",".join(TOKENS), "a" * 19, ""):
        assert shared.get("studies", headers={"Authorization": f"Bearer {wrong}"}).status_code == 401


def test_one_user_cannot_fill_the_searches(
    settings: Settings, packets: FakePackets, document: dict[str, Any], users: list[dict[str, str]]
) -> None:
    given = replace(settings, token=",".join(TOKENS), limits=Limits(waiting=4))
    with TestClient(create_app(given), base_url="http://localhost/api/v1") as server:

        def ask(user: int, least: float) -> Any:
            body = {"scenario": document, "require": [f"utilisation>={least}"], "engine": "packet"}
            return server.post("size", json=body, headers=users[user])

        packets.gate.clear()
        assert [ask(0, least).status_code for least in (0.5, 0.6, 0.6)] == [202] * 3  # the third waits already
        refused = ask(0, 0.9)
        assert (refused.status_code, refused.json()["type"]) == (429, "urn:footroom:problem:too-many")
        assert refused.headers["retry-after"]
        assert [ask(1, least).status_code for least in (0.7, 0.8)] == [202] * 2
        assert ask(1, 0.9).status_code == 503
        packets.gate.set()


def test_searches_and_papers_of_two_users_are_made_in_turn(tmp_path: Path) -> None:
    gate, begun, made = threading.Event(), threading.Event(), list[str]()
    database = open_database(str(tmp_path / "x.db"))
    jobs = KeptJobs(ResultStore(database), "searches")

    def start(name: str, client: str) -> None:
        def work(*_: Any) -> dict[str, Any]:
            begun.set()
            gate.wait(PATIENCE)
            made.append(name)
            return {}

        assert jobs.start(name, work, client)

    for name in ("a1", "a2", "a3", "a4", "b1", "b2"):
        start(name, name[0])
        assert begun.wait(PATIENCE)  # of the first
    gate.set()
    patience = time.monotonic() + PATIENCE
    while jobs.active():
        assert time.monotonic() < patience
    assert made == ["a1", "a2", "b1", "a3", "b2", "a4"]
    jobs.stop()
    database.dispose()


def test_a_search_says_that_the_database_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    database = open_database(str(path))
    jobs = KeptJobs(ResultStore(database), "searches")
    gate = threading.Event()

    def work(*_: Any) -> dict[str, Any]:
        return {"waited": gate.wait(PATIENCE)}

    assert jobs.start("a", work)
    path.rename(tmp_path / "moved.db")
    gate.set()
    patience = time.monotonic() + PATIENCE
    while jobs.active():
        assert time.monotonic() < patience
    (tmp_path / "moved.db").rename(path)
    found = jobs.describe("a")
    assert (found["status"], found["error"]["type"]) == ("failed", "urn:footroom:problem:store-unavailable")
    assert jobs.start("a", work)
    while jobs.active():
        assert time.monotonic() < patience
    assert jobs.describe("a")["result"] == {"waited": True}
    jobs.stop()
    database.dispose()


def test_a_fair_queue() -> None:
    queue: FairQueue[int] = FairQueue()
    assert (queue.take(), len(queue)) == (None, 0)
    for client, item in (("a", 1), ("a", 2), ("b", 3), ("a", 4)):
        queue.add(client, item)
    assert (queue.longest(), queue.count("a"), len(queue)) == ("a", 3, 4)
    queue.remove("a", 2)
    queue.remove("a", 99)
    assert [queue.take(), queue.take_last("a"), queue.take(), queue.take()] == [1, 4, 3, None]


@pytest.fixture
def several(settings: Settings, packets: FakePackets) -> Iterator[TestClient]:
    """A server whose studies share one worker."""
    given = replace(settings, token=",".join(TOKENS), limits=Limits(studies=2))
    with TestClient(create_app(given), base_url="http://localhost/api/v1") as made:
        yield made


def test_a_small_study_ends_before_a_large_one_that_came_first(
    several: TestClient, users: list[dict[str, str]], packets: FakePackets, request_body: dict[str, Any]
) -> None:
    packets.gate.clear()
    large = request_body | {"over": {"run.seed": list(range(1, 200))}}
    first = several.post("studies", json=large, headers=users[0]).json()["id"]
    small = several.post("studies", json=request_body, headers=users[0]).json()["id"]
    theirs = several.post("studies", json=request_body | {"replicas": 2}, headers=users[1]).json()["id"]

    def found(study: str) -> dict[str, Any]:
        document: dict[str, Any] = several.get(f"studies/{study}", headers=users[0]).json()
        return document

    # All three run at a time, though there is one worker and two places: nobody waits behind another user.
    patience = time.monotonic() + PATIENCE
    while {found(study)["status"] for study in (first, small, theirs)} != {"running"}:
        assert time.monotonic() < patience
    packets.gate.set()
    while found(small)["status"] != "done" or found(theirs)["status"] != "done":
        assert time.monotonic() < patience
    while found(first)["status"] != "done":
        assert time.monotonic() < patience
    ended = {study: found(study)["finished"] for study in (first, small, theirs)}
    assert max(ended[small], ended[theirs]) < ended[first]
    assert [found(study)["points"] for study in (first, small, theirs)] == [199, 3, 3]


def test_studies_that_run_together_make_a_run_once(
    several: TestClient, users: list[dict[str, str]], packets: FakePackets, request_body: dict[str, Any]
) -> None:
    packets.gate.clear()
    ids = [
        several.post("studies", json=request_body | {"replicas": n}, headers=users[n % 2]).json()["id"] for n in (2, 3)
    ]
    patience = time.monotonic() + PATIENCE
    while {several.get(f"studies/{study}", headers=users[0]).json()["status"] for study in ids} != {"running"}:
        assert time.monotonic() < patience
    packets.gate.set()
    while {several.get(f"studies/{study}", headers=users[0]).json()["status"] for study in ids} != {"done"}:
        assert time.monotonic() < patience
    assert packets.calls == 9


def test_the_cost_is_told_though_the_queue_is_full(
    shared: TestClient, users: list[dict[str, str]], work: FakeWork, request_body: dict[str, Any]
) -> None:
    work.gate.clear()
    for n in range(1, 7):
        shared.post("studies", json=request_body | {"replicas": n}, headers=users[0])
    wanted = request_body | {"replicas": 9}
    assert shared.post("studies", json=wanted, headers=users[0]).status_code == 429
    assert shared.post("studies/cost", json=wanted, headers=users[0]).status_code == 200
