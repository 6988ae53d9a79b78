"""Which engine to ask: the choice with its reason, studies by the engine auto, and the errors of the engines."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom.studies.accuracy.release import released
from footroom_api.app import create_app
from footroom_api.settings import Settings


@pytest.fixture
def server(settings: Settings) -> Any:
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as client:
        yield client


@pytest.fixture
def small(document: dict[str, Any]) -> dict[str, Any]:
    document["topology"]["bottleneck"] = "10 Mb/s"
    document["traffic"][0]["flows"] = 4
    document["run"] = {"duration": "2 s", "warmup": "500 ms"}
    return document


def test_the_choice_says_why_and_what_it_costs(server: TestClient, small: dict[str, Any]) -> None:
    found = server.post("engines/choice", json={"scenario": small, "metrics": ["timeouts"]}).json()
    assert (found["engine"], found["budget"]) == ("packet", 60.0)
    assert "fluid: it does not compute timeouts" in found["reason"]
    assert 0.0 < found["seconds"] < 60.0
    dear = server.post("engines/choice", json={"scenario": small, "metrics": ["timeouts"], "budget": 1e-3}).json()
    assert "beyond the budget of 0.001 s" in dear["reason"]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [({"metrics": ["speed"]}, "no metric of that name"), ({"budget": -1.0}, "budget"), ({"scenario": {}}, "topology")],
)
def test_a_wrong_question_is_refused(
    server: TestClient, small: dict[str, Any], wrong: dict[str, Any], told: str
) -> None:
    answer = server.post("engines/choice", json={"scenario": small, **wrong})
    assert answer.status_code == 422
    assert told in answer.text


def test_a_study_by_auto_tells_why_in_its_results(server: TestClient, small: dict[str, Any], until: Any) -> None:
    """Also when its canonical request is posted again."""
    study = server.post("studies", json={"scenario": small, "engines": ["auto"], "budget": 30.0}).json()
    until(server, study["id"], "done")
    (point,) = server.get(f"studies/{study['id']}/results").json()["points"]
    assert study["request"]["engines"] == [point["result"]["engine"]]
    assert point["result"]["notes"][0].startswith(f"auto picked {point['result']['engine']}")
    again = server.post("studies", json=study["request"]).json()
    assert again["id"] == study["id"]


def test_results_carry_the_error_to_expect(server: TestClient, small: dict[str, Any]) -> None:
    (point,) = server.post("estimates", json={"scenario": small, "engines": ["theory"]}).json()["points"]
    found = point["result"]["expected_error"]
    assert found["date"] == released().date
    assert bool(found["case"]) != bool(found["reason"])


def test_the_errors_of_the_engines(server: TestClient) -> None:
    found = server.get("engines/errors")
    assert found.json()["cases"] == len(released().cases)
    assert {row["engine"] for row in found.json()["errors"]} == {"theory", "fluid", "hybrid"}
    assert server.get("engines/errors", headers={"if-none-match": found.headers["etag"]}).status_code == 304
