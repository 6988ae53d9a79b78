"""A scenario against a change of it, over HTTP, with real runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.lossless.small import star

from footroom_api.app import create_app
from footroom_api.settings import Settings


@pytest.fixture
def real(settings: Settings) -> Iterator[TestClient]:
    """The API with the engines behind it."""
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as found:
        yield found


def test_two_studies_are_compared_seed_by_seed(real: TestClient, until: Any) -> None:
    asked = real.post("what-if/alternatives", json={"scenario": star(3), "replicas": 2}).json()
    scheme = next(one for one in asked["alternatives"] if one["id"] == "scheme")
    assert scheme["changes"] == {"switch.headroom.kind": "dynamic_shared"}
    ids = [real.post("studies", json=study).json()["id"] for study in (asked["study"], scheme["study"])]
    for study in ids:
        until(real, study, "done")
    found = real.post("what-if", json={"a": ids[0], "b": ids[1]})
    assert found.status_code == 200, found.text
    rows = {row["name"]: row for row in found.json()["differences"]}
    assert found.json()["same_arrivals"]
    assert rows["headroom reserved"]["verdict"] == "lower"
    assert rows["lossless_drops"]["verdict"] == "same"
    assert rows["fct_mean"]["pairs"] == 2


def test_what_cannot_be_compared_is_refused(client: TestClient, request_body: dict[str, Any], until: Any) -> None:
    assert client.post("what-if", json={"a": "none", "b": "none"}).status_code == 404
    assert client.post("what-if/alternatives", json={"scenario": {"topology": 1}}).status_code == 422
    assert client.post("what-if/alternatives", json={"scenario": star(3), "replicas": 0}).status_code == 422
    swept = client.post("studies", json=request_body).json()["id"]
    until(client, swept, "done")
    refused = client.post("what-if", json={"a": swept, "b": swept})
    assert refused.status_code == 422
    assert "run.seed" in refused.text


def test_a_study_that_is_under_way_is_refused(client: TestClient, request_body: dict[str, Any], work: Any) -> None:
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    refused = client.post("what-if", json={"a": study, "b": study})
    assert refused.status_code == 422
    assert "finished" in refused.text
