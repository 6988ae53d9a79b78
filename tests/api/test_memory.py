"""Memory of switches over HTTP."""

from __future__ import annotations

from fastapi.testclient import TestClient
from tests.lossless.small import star

import footroom as fr


def test_http_answers_as_python_does(client: TestClient) -> None:
    answer = client.post("memory", json={"scenario": star()})
    assert answer.status_code == 200
    assert answer.json() == {"memories": [found.to_dict() for found in fr.memory(star())]}
    refused = client.post("memory", json={"scenario": star(headroom={"kind": "static_independent", "lossless": [9]})})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["path"].startswith("switch.headroom.lossless")
