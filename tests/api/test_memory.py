"""Memory of switches over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.lossless.small import star
from tests.lossless.test_bad_settings import BAD, with_headroom

import footroom as fr


def test_http_answers_as_python_does(client: TestClient) -> None:
    answer = client.post("memory", json={"scenario": star()})
    assert answer.status_code == 200
    assert answer.json() == {"memories": [found.to_dict() for found in fr.memory(star())]}
    refused = client.post("memory", json={"scenario": star(headroom={"kind": "static_independent", "lossless": [9]})})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["path"].startswith("switch.headroom.lossless")


@pytest.mark.parametrize(("headroom", "path", "words"), BAD, ids=lambda value: json.dumps(value)[:40])
def test_bad_settings_are_refused_by_path(client: TestClient, headroom: dict[str, Any], path: str, words: str) -> None:
    scenario = with_headroom(**headroom)
    swept = {"scenario": scenario, "over": {"run.seed": [1, 2]}, "engines": ["packet"]}
    sized = {
        "scenario": scenario,
        "path": "traffic.0.degree",
        "between": [1, 2],
        "require": ["lossless_drops<=0"],
        "engine": "packet",
    }
    for verb, body in (
        ("memory", {"scenario": scenario}),
        ("estimates", {"scenario": scenario}),
        ("studies", swept),
        ("studies/cost", swept),
        ("size", sized),
        ("size/cost", sized),
    ):
        refused = client.post(verb, json=body)
        assert refused.status_code == 422, verb
        assert refused.headers["content-type"] == "application/problem+json"
        found = next(error for error in refused.json()["errors"] if error["path"].endswith(path))
        assert words in found["message"]
