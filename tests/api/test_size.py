"""The smallest buffer by simulations over HTTP: a job that is asked for, watched, cancelled and kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api.conftest import FakePackets

from footroom import studies
from footroom_api.app import create_app
from footroom_api.settings import Limits, Settings


@pytest.fixture
def client(packets: FakePackets, client: TestClient) -> Iterator[TestClient]:
    """The server; it ends before ``packets``, or a search that still waits would be a real one."""
    yield client
    packets.gate.set()


@pytest.fixture
def body(document: dict[str, Any]) -> dict[str, Any]:
    return {"scenario": document, "require": ["utilisation>=0.9"], "engine": "packet"}


def test_a_search_is_asked_for_watched_and_found(
    client: TestClient, packets: FakePackets, body: dict[str, Any], until: Any
) -> None:
    packets.gate.clear()
    asked = client.post("size", json=body)
    assert asked.status_code == 202
    address = f"size/{asked.json()['id']}"
    assert asked.headers["location"] == f"/api/v1/{address}"
    running = until(client, address, "running")
    assert running["result"] is None
    assert running["progress"] < 1.0
    packets.gate.set()
    found = until(client, address, "done")
    answer = found["result"]
    assert found["progress"] == 1.0
    assert answer["engine"] == "packet"
    assert answer["value"] == pytest.approx(9e4, rel=0.1)
    assert answer["interval"][0] <= answer["value"] <= answer["interval"][1]
    assert answer["binding"] == "utilisation>=0.9"
    assert answer["spent_s"] > 0.0
    # The command line's answer has the same shape.
    direct = studies.search(body["scenario"], body["require"], engine="packet", workers=1).to_dict()
    direct = json.loads(json.dumps(direct))
    assert {k: v for k, v in answer.items() if k != "spent_s"} == {k: v for k, v in direct.items() if k != "spent_s"}


def test_the_same_question_is_answered_once(
    client: TestClient, packets: FakePackets, body: dict[str, Any], until: Any
) -> None:
    first = client.post("size", json=body).json()["id"]
    until(client, f"size/{first}", "done")
    calls = packets.calls
    body["scenario"]["switch"]["buffer"] = "1 MB"  # which the search replaces
    body["require"] = ["utilisation >= 0.9"]
    again = client.post("size", json=body).json()
    assert (again["id"], again["status"]) == (first, "done")
    assert packets.calls == calls


def test_a_finished_search_outlives_the_server(
    settings: Settings, packets: FakePackets, body: dict[str, Any], until: Any
) -> None:
    calls = []
    for _ in range(2):
        with TestClient(create_app(settings), base_url="http://localhost/api/v1") as client:
            until(client, f"size/{client.post('size', json=body).json()['id']}", "done")
            calls.append(packets.calls)
    assert calls[0] == calls[1] > 0


def test_a_search_can_be_cancelled_and_asked_for_again(
    client: TestClient, packets: FakePackets, body: dict[str, Any], until: Any
) -> None:
    packets.gate.clear()
    address = f"size/{client.post('size', json=body).json()['id']}"
    until(client, address, "running")
    assert client.delete(f"{address}/run").status_code == 202
    assert until(client, address, "cancelled")["result"] is None
    assert client.delete(f"{address}/run").status_code == 200
    assert client.post("size", json=body).status_code == 202
    packets.gate.set()
    until(client, address, "done")


def test_what_it_costs_is_said_before_and_limited(
    settings: Settings, packets: FakePackets, body: dict[str, Any]
) -> None:
    few = replace(settings, limits=Limits(seconds=1.0))
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as client:
        cost = client.post("size/cost", json=body).json()
        assert cost["seconds"] > 0.0
        assert cost["runs"] > 20
    with TestClient(create_app(few), base_url="http://localhost/api/v1") as client:
        assert client.post("size", json=body).status_code == 422
        assert client.post("size/cost", json=body).json()["type"] == "urn:footroom:problem:beyond-limits"
    assert packets.calls == 0


def test_what_packets_do_not_know_is_refused_at_once(client: TestClient, body: dict[str, Any]) -> None:
    body["scenario"]["traffic"][0]["congestion"] = {"kind": "bbr", "version": 2}
    refused = client.post("size", json=body)
    assert refused.status_code == 422
    assert refused.json()["type"] == "urn:footroom:problem:unsupported"


def test_unknown_searches(client: TestClient) -> None:
    assert client.get("size/nothing").status_code == 404
    assert client.delete("size/nothing/run").status_code == 404
