"""Users of one server take turns: a long queue of one does not keep another waiting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api.conftest import FakeWork

from footroom_api.app import create_app
from footroom_api.fair import FairQueue
from footroom_api.settings import Limits, Settings

TOKENS = ("a" * 20, "b" * 20)


@pytest.fixture
def users() -> list[dict[str, str]]:
    """What two users of one server send along."""
    return [{"Authorization": f"Bearer {token}"} for token in TOKENS]


@pytest.fixture
def shared(settings: Settings, work: FakeWork) -> Iterator[TestClient]:
    given = replace(settings, token=",".join(TOKENS), limits=Limits(waiting=12))
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


def test_a_fair_queue() -> None:
    queue: FairQueue[int] = FairQueue()
    assert (queue.take(), len(queue)) == (None, 0)
    for client, item in (("a", 1), ("a", 2), ("b", 3), ("a", 4)):
        queue.add(client, item)
    assert (queue.longest(), queue.count("a"), len(queue)) == ("a", 3, 4)
    queue.remove("a", 2)
    queue.remove("a", 99)
    assert [queue.take(), queue.take_last("a"), queue.take(), queue.take()] == [1, 4, 3, None]
