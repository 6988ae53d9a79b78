"""What follows from a request alone is computed once, and nothing else is given again."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import Response
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from footroom.calculators.ecn import advice
from footroom_api.answers import Answers, may_be_kept
from footroom_api.resources.routers import ROUTERS

QUESTION: dict[str, Any] = {"congestion": "dctcp", "speed": "10 Gb/s", "rtt": "100 us", "flows": 20}
TOO_MUCH: dict[str, Any] = {"asic": "tomahawk", "lossless_classes": 8, "scheme": "ieee"}


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How often advice is computed."""
    calls: list[str] = []
    real = advice.advise

    def counted(question: Any) -> Any:
        calls.append("advise")
        return real(question)

    monkeypatch.setattr(advice, "advise", counted)
    return calls


def test_the_same_question_is_computed_once(client: TestClient, computed: list[str]) -> None:
    first, second = (client.post("ecn", json=QUESTION) for _ in range(2))
    assert first.status_code == 200, first.text
    assert (second.content, dict(second.headers), computed) == (first.content, dict(first.headers), ["advise"])
    assert client.post("ecn", json={**QUESTION, "flows": 21}).json() != first.json()
    assert len(computed) == 2


def test_another_kind_of_body_is_refused_though_its_bytes_are_known(client: TestClient) -> None:
    assert client.post("ecn", json=QUESTION).status_code == 200
    body = client.post("ecn", json=QUESTION).request.content
    assert client.post("ecn", content=body, headers={"content-type": "text/plain"}).status_code == 415


def test_what_stands_behind_the_path_counts(client: TestClient) -> None:
    asked = [client.post(f"pool{query}", json=TOO_MUCH).status_code for query in ("", "?refuse=false", "", "?refuse=0")]
    assert asked == [422, 200, 422, 200]


def test_what_reads_a_study_or_a_clock_is_never_kept() -> None:
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    kept = {route.path for route in routes if may_be_kept(route.endpoint)}
    assert {"/estimates", "/ecn", "/headroom", "/pool", "/size", "/stability"} <= kept
    assert not [path for path in kept if "{" in path or "cost" in path or path.startswith(("/studies", "/engines"))]


def test_room_is_made_by_dropping_what_was_used_longest_ago() -> None:
    answers = Answers(most=25)
    for name in (b"a", b"b"):
        answers.keep(name, Response(name * 10))
    assert answers.find(b"a") is not None
    answers.keep(b"c", Response(b"c" * 10))
    assert [answers.find(name) is not None for name in (b"a", b"b", b"c")] == [True, False, True]
    answers.keep(b"d", Response(b"d" * 26))
    assert answers.find(b"d") is None


def test_what_is_kept_does_not_change_with_what_was_sent() -> None:
    answers = Answers()
    sent = Response(b"{}", media_type="application/json")
    answers.keep(b"q", sent)
    sent.headers["x-added"] = "later"
    found = answers.find(b"q")
    assert found is not None
    assert "x-added" not in found.headers
    assert found.headers["content-type"] == "application/json"


@pytest.mark.parametrize("status", [202, 422, 503])
def test_only_a_whole_answer_is_kept(status: int) -> None:
    answers = Answers()
    answers.keep(b"q", Response(b"{}", status))
    assert answers.find(b"q") is None
