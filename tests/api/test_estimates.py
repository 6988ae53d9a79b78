"""Theory and fluid over HTTP, by the engines themselves."""

from __future__ import annotations

import math
from typing import Any

import pytest
from fastapi.testclient import TestClient


def estimate(client: TestClient, **body: Any) -> dict[str, Any]:
    response = client.post("estimates", json=body)
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.json()
    return document


def test_both_engines_answer_at_once(client: TestClient, document: dict[str, Any]) -> None:
    answer = estimate(client, scenario=document)
    assert [point["result"]["engine"] for point in answer["points"]] == ["theory", "fluid"]
    for point in answer["points"]:
        assert 0.5 < point["result"]["metrics"]["utilisation"] <= 1.0
    assert answer["unsupported"] == []


def test_a_sweep_is_answered_point_by_point(client: TestClient, document: dict[str, Any]) -> None:
    answer = estimate(client, scenario=document, over={"switch.buffer": "25kB:2.5MB:log9"}, engines=["theory"])
    buffers = [point["at"]["switch.buffer"] for point in answer["points"]]
    assert len(buffers) == 9
    assert buffers == sorted(buffers)
    used = [point["result"]["metrics"]["utilisation"] for point in answer["points"]]
    assert used == sorted(used)
    assert used[0] < used[-1]


def test_what_an_engine_cannot_answer_is_listed_and_the_others_answer(
    client: TestClient, document: dict[str, Any]
) -> None:
    document["topology"] = {"kind": "star", "hosts": 8}
    document["traffic"] = [{"kind": "poisson", "load": 0.5, "sizes": "websearch_dctcp"}]
    answer = estimate(client, scenario=document)
    refused = {item["engine"] for item in answer["unsupported"]}
    answered = {point["result"]["engine"] for point in answer["points"]}
    assert "fluid" in refused
    assert refused | answered == {"theory", "fluid"}
    assert not refused & answered
    for item in answer["unsupported"]:
        assert item["message"]
        assert "packet" in item["engines"]


def test_engines_that_take_time_are_for_studies(client: TestClient, document: dict[str, Any]) -> None:
    response = client.post("estimates", json={"scenario": document, "engines": ["theory", "packet"]})
    assert response.status_code == 422
    assert response.json()["errors"][0]["path"] == "engines.1"
    assert response.json()["errors"][0]["given"] == "packet"


def test_too_many_points_are_for_studies(client: TestClient, document: dict[str, Any]) -> None:
    response = client.post("estimates", json={"scenario": document, "over": {"switch.buffer": "25kB:2.5MB:log5000"}})
    assert response.status_code == 422
    assert response.json()["type"] == "urn:footroom:problem:beyond-limits"


@pytest.mark.parametrize(("sharing", "held"), [("static", 250e3 / 51), ("dynamic_threshold", 125e3)])
def test_what_a_policy_leaves_to_the_queue_is_a_read_out(
    client: TestClient, document: dict[str, Any], sharing: str, held: float
) -> None:
    shared = document | {"switch": document["switch"] | {"sharing": {"kind": sharing}}}
    derived = estimate(client, scenario=shared, engines=["theory"])["derived"]
    assert derived["queue_buffer"] == pytest.approx(held)


def test_read_outs_follow_by_arithmetic(client: TestClient, document: dict[str, Any]) -> None:
    derived = estimate(client, scenario=document, engines=["theory"])["derived"]
    assert derived["bdp"] == pytest.approx(1e9 * 0.02 / 8)
    assert derived["bdp_packets"] == pytest.approx(2.5e6 / 1500)
    assert derived["drain_time"] == pytest.approx(250e3 * 8 / 1e9)
    assert derived["packet_time"] == pytest.approx(12e-6)
    assert derived["buffer_over_bdp"] == pytest.approx(0.1)
    assert derived["bdp_over_root_flows"] == pytest.approx(2.5e6 / math.sqrt(50))
    assert derived["queue_buffer"] == derived["buffer"] == 250e3
    assert derived["flows"] == 50
    assert derived["load"] == 0.0


def test_read_outs_without_a_base_round_trip(client: TestClient, document: dict[str, Any]) -> None:
    document["topology"] = {
        "kind": "graph",
        "hosts": ["a", "b"],
        "switches": ["s"],
        "links": [{"ends": ["a", "s"], "rate": "10G"}, {"ends": ["s", "b"], "rate": "1G"}],
        "bottlenecks": [["s", "b"]],
    }
    document["traffic"] = [{"kind": "long_lived", "flows": 2, "sources": ["a"], "destinations": ["b"]}]
    derived = estimate(client, scenario=document)["derived"]
    assert derived["capacity"] == 1e9
    assert derived["bdp"] is None
    assert derived["flows"] == 2


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"scenario": {}}, "topology"),
        ({"scenario": []}, "scenario"),
        ({"over": {"switch.x": [1]}}, "switch.x"),
        ({"engines": "theory"}, "engines"),
        ({"extra": 1}, "extra"),
        ({"engines": []}, "engines"),
    ],
)
def test_wrong_estimates(client: TestClient, document: dict[str, Any], change: dict[str, Any], path: str) -> None:
    response = client.post("estimates", json={"scenario": document} | change)
    assert response.status_code == 422
    assert path in [error["path"] for error in response.json()["errors"]]


def test_the_smallest_buffer(client: TestClient, document: dict[str, Any]) -> None:
    response = client.post("size", json={"scenario": document, "require": ["utilisation>=0.98"], "engine": "theory"})
    assert response.status_code == 200, response.text
    answer = response.json()
    assert answer["feasible"]
    low, high = answer["interval"]
    assert low < answer["value"] <= high
    document["switch"]["buffer"] = answer["value"]
    met = estimate(client, scenario=document, engines=["theory"])["points"][0]["result"]["metrics"]["utilisation"]
    document["switch"]["buffer"] = low
    missed = estimate(client, scenario=document, engines=["theory"])["points"][0]["result"]["metrics"]["utilisation"]
    assert missed < 0.98 <= met


def test_a_size_out_of_reach_says_why(client: TestClient, document: dict[str, Any]) -> None:
    body = {"scenario": document, "require": ["queue_mean<=1 B", "utilisation>=0.99"], "engine": "theory"}
    answer = client.post("size", json=body).json()
    assert not answer["feasible"]
    assert answer["reason"]
    assert answer["value"] is None


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"require": ["speed>=1"]}, "require"),
        ({"require": []}, "require"),
        ({"engine": "quickest"}, "engine"),
        ({"engine": "packet", "require": ["speed>=1"]}, "require"),
        ({"engine": "packet", "between": ["2 MB", "1 MB"]}, "between"),
        ({"engine": "packet", "replicas": 0}, "replicas"),
        ({"path": "switch.nothing", "between": [1, 2]}, "switch.nothing"),
        ({"tolerance": 0}, "tolerance"),
        ({"between": ["2 MB", "1 MB"]}, "between"),
        ({"between": [1]}, "between.1"),
        ({"require": ["pause_time<=1s"]}, "require"),
    ],
)
def test_wrong_sizes(client: TestClient, document: dict[str, Any], change: dict[str, Any], path: str) -> None:
    body = {"scenario": document, "require": ["utilisation>=0.98"], "engine": "theory"} | change
    response = client.post("size", json=body)
    assert response.status_code == 422, response.text
    assert path in [error["path"] for error in response.json()["errors"]]
