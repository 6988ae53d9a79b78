"""``scale`` in the bodies that ask for estimates and studies."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient


def test_estimates_are_scaled_point_by_point_and_say_so(client: TestClient, document: dict[str, Any]) -> None:
    document["traffic"][0]["flows"] = 40
    body = {"scenario": document, "over": {"switch.buffer": ["30 kB", "3 MB"]}, "engines": ["theory"], "scale": 4}
    response = client.post("estimates", json=body)
    assert response.status_code == 200, response.text
    points = response.json()["points"]
    assert [point["at"]["switch.buffer"] for point in points] == [30_000, 3_000_000]
    assert [point["result"]["scenario"]["switch"]["buffer"] for point in points] == [15_000, 750_000]
    assert [point["result"]["scaling"]["factor"] for point in points] == [4, 4]


def test_a_scaled_study_is_another_study(client: TestClient, request_body: dict[str, Any]) -> None:
    request_body["scenario"]["traffic"][0]["flows"] = 40
    plain = client.post("studies", json=request_body).json()["id"]
    scaled = client.post("studies", json={**request_body, "scale": 4}).json()["id"]
    assert scaled != plain
    assert client.post("studies", json={**request_body, "scale": 4.0}).json()["id"] == scaled


@pytest.mark.parametrize("scale", [0.5, "4", -1, True, 1e7])
@pytest.mark.parametrize("path", ["estimates", "studies"])
def test_a_factor_that_is_none_is_refused(client: TestClient, document: dict[str, Any], path: str, scale: Any) -> None:
    response = client.post(path, json={"scenario": document, "scale": scale})
    assert response.status_code == 422, response.text
    assert "scale" in response.text


def test_what_cannot_be_scaled_is_refused_with_the_reason(client: TestClient, document: dict[str, Any]) -> None:
    document["topology"] = {"kind": "leaf_spine"}
    response = client.post("studies", json={"scenario": document, "scale": 4})
    assert response.status_code == 422, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert "fewer ports" in response.text
    fault = response.json()["errors"][0]
    assert fault["path"] == "topology.kind"
    assert not fault["message"].startswith("topology.kind")  # the path is told once


def test_scaling_alone_gives_the_document_that_a_study_would_run(client: TestClient, document: dict[str, Any]) -> None:
    document["traffic"][0]["flows"] = 40
    answer = client.post("scale", json={"scenario": document, "scale": 4})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    ran = client.post("estimates", json={"scenario": document, "engines": ["theory"], "scale": 4}).json()["points"][0]
    assert found["scenario"]["topology"] == ran["result"]["scenario"]["topology"]
    assert found["scenario"]["traffic"][0]["flows"] == 10
    assert found["scaling"] == ran["result"]["scaling"]
    for scale in (0, -1, 1e9, "4", None):
        refused = client.post("scale", json={"scenario": document, "scale": scale})
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["path"] == "scale"
