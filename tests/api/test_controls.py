"""Comparing congestion controls over HTTP: at once by models, in the background by simulations."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api.conftest import FakePackets

from footroom.scenario import presets

NEED = ["utilisation>=0.9"]


@pytest.fixture
def client(packets: FakePackets, client: TestClient) -> Iterator[TestClient]:
    """The server; it ends before ``packets``, or a search that still waits would be a real one."""
    yield client
    packets.gate.set()


@pytest.fixture
def body() -> dict[str, Any]:
    scenario = presets.load("wan-bottleneck").to_dict()["scenario"]
    return {"scenario": scenario, "require": NEED, "controls": ["newreno", "cubic"], "flows": [50]}


def test_the_controls_are_listed(client: TestClient) -> None:
    listed = client.get("controls").json()
    assert [one["control"] for one in listed["controls"]][:3] == ["newreno", "cubic", "bbr1"]
    assert "newreno+cubic" in [one["control"] for one in listed["mixtures"]]


def test_models_answer_at_once_with_the_figures_of_size(client: TestClient, body: dict[str, Any]) -> None:
    need = ["utilisation>=0.97"]  # below about 0.96 theory does not hold for the little that CUBIC needs
    answer = client.post("controls", json={**body, "require": need, "engines": ["theory"]})
    assert answer.status_code == 200
    rows = answer.json()["rows"]
    sized = client.post("size", json={"scenario": body["scenario"], "require": need, "engine": "theory"}).json()
    assert rows[0]["value"] == sized["value"]
    assert answer.json()["headline"].startswith("Yes.")
    assert {rule["name"] for rule in answer.json()["rules"]} >= {"bdp", "bdp_over_root_n"}


def test_simulations_are_costed_watched_and_kept(client: TestClient, body: dict[str, Any]) -> None:
    asked = {**body, "engines": ["packet"]}
    assert client.post("controls/cost", json=asked).json()["seconds"] > 0.0
    started = client.post("controls", json=asked)
    assert started.status_code == 202
    where = f"controls/{started.json()['id']}"
    assert started.headers["location"].endswith(where)
    for _ in range(600):
        found = client.get(where).json()
        if found["status"] not in ("queued", "running"):
            break
        threading.Event().wait(0.02)
    assert found["status"] == "done"
    assert [row["status"] for row in found["result"]["rows"]] == ["found", "found"]
    assert found["result"]["rows"][0]["value"] == pytest.approx(9e4, rel=0.1)
    assert client.post("controls", json=asked).json()["status"] == "done"


def test_a_comparison_is_cancelled(client: TestClient, body: dict[str, Any], packets: FakePackets) -> None:
    packets.gate.clear()
    where = f"controls/{client.post('controls', json={**body, 'engines': ['packet']}).json()['id']}"
    assert client.delete(f"{where}/run").status_code == 202
    assert client.get(where).json()["status"] == "cancelled"
    assert client.delete(f"{where}/run").status_code == 200


def test_what_was_never_asked_is_not_found(client: TestClient) -> None:
    assert client.get("controls/nothing").status_code == 404
    assert client.delete("controls/nothing/run").status_code == 404


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"controls": ["tahoe"]}, "controls"),
        ({"flows": "1:0:log3"}, "traffic.0.flows"),
        ({"engines": ["magic"]}, "engines"),
        ({"require": ["speed>=1"]}, "require"),
        ({"flows": [0]}, "flows"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_wrong_input_is_answered_with_its_field(
    client: TestClient, body: dict[str, Any], change: dict[str, Any], path: str
) -> None:
    answer = client.post("controls", json={**body, **change})
    assert answer.status_code == 422
    assert path in [error["path"] for error in answer.json()["errors"]]


def test_a_network_without_one_bottleneck_names_presets_that_have_one(client: TestClient) -> None:
    scenario = presets.load("storage-benchmark").to_dict()["scenario"]
    answer = client.post("controls", json={"scenario": scenario})
    assert answer.status_code == 422
    assert "wan-bottleneck" in answer.json()["detail"]
