"""What whoever runs the server needs: metrics, a token, a log of requests, studies that can be found and removed."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom.base.errors import InvalidInput
from footroom_api.app import create_app
from footroom_api.metrics import ACCESS
from footroom_api.settings import Settings, from_environment

TOKEN = "0123456789abcdef-token"
#: A line of the text format of Prometheus: name, labels, value.
LINE = re.compile(r'[a-z_]+(\{([a-z_]+="[^"\\]*",?)+\})? -?[0-9.e+-]+')


def root(client: TestClient, path: str, **more: Any) -> Any:
    return client.get(f"http://localhost{path}", **more)


def test_metrics_count_requests_and_studies(client: TestClient, request_body: dict[str, Any], until: Any) -> None:
    study = client.post("studies", json=request_body).json()["id"]
    until(client, study, "done")
    client.get("studies/none-of-ours")
    root(client, "/api/v1/no/such/thing")
    answer = root(client, "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    assert all(LINE.fullmatch(line) for line in lines if not line.startswith("# "))
    assert 'footroom_studies{status="done"} 1' in lines
    assert "footroom_database_up 1" in lines
    assert 'footroom_requests_total{method="POST",route="/api/v1/studies",status="202"} 1' in lines
    assert 'footroom_requests_total{method="GET",route="/api/v1/studies/{study}",status="404"} 1' in lines
    assert 'footroom_requests_total{method="GET",route="none",status="404"} 1' in lines
    assert study not in answer.text
    assert root(client, "/metrics", headers={"Host": "evil.example"}).status_code == 403


@pytest.fixture
def guarded(settings: Settings, work: Any) -> Iterator[TestClient]:
    app = create_app(replace(settings, token=TOKEN), work)
    with TestClient(app, base_url="http://localhost/api/v1", follow_redirects=False) as made:
        yield made


def test_a_token_is_asked_for(guarded: TestClient, request_body: dict[str, Any]) -> None:
    for path in ("/api/v1/studies", "/api/v1/openapi.json", "/metrics", "/api"):
        refused = root(guarded, path)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert refused.headers["content-type"] == "application/problem+json"
    for wrong in ("", "Bearer", "Bearer x", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \u00fc"):
        assert guarded.get("studies", headers={b"Authorization": wrong.encode("latin-1")}).status_code == 401
    shown = {"Authorization": f"Bearer {TOKEN}"}
    assert guarded.get("studies", headers=shown).status_code == 200
    assert guarded.post("studies", json=request_body, headers=shown).status_code == 202
    assert guarded.get("health/live").status_code == guarded.get("health").status_code == 200


def test_a_browser_keeps_the_token_in_a_cookie(guarded: TestClient) -> None:
    assert "set-cookie" not in root(guarded, "/?token=wrong").headers
    answer = root(guarded, f"//evil.example/x?preset=a&token={TOKEN}")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/evil.example/x?preset=a"
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=strict" in answer.headers["set-cookie"]
    assert guarded.get("studies").status_code == 200
    # The cookie does not help another site's page.
    foreign = guarded.post("studies", json={}, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403


def test_a_weak_token_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTROOM_TOKEN", "s3cret")
    with pytest.raises(InvalidInput, match="16 to 200") as refused:
        from_environment()
    assert "s3cret" not in str(refused.value)
    monkeypatch.setenv("FOOTROOM_TOKEN", TOKEN)
    assert from_environment().token == TOKEN
    assert TOKEN not in repr(from_environment())


def test_every_request_is_one_line_of_the_log(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):  # as the server sets it
        client.get("studies")
    assert [record for record in caplog.records if record.name == ACCESS.name] == []
    with caplog.at_level(logging.INFO, ACCESS.name):
        client.get("studies?search=x")
    found = json.loads(caplog.records[-1].getMessage())
    assert (found["method"], found["path"], found["status"]) == ("GET", "/api/v1/studies", 200)
    assert found["bytes"] > 0


def test_studies_are_found_and_removed(client: TestClient, request_body: dict[str, Any], work: Any, until: Any) -> None:
    ids = {}
    for number, name in enumerate(("Rack 7", "rack 100%", "other")):
        request_body["scenario"]["name"] = name
        ids[name] = client.post("studies", json=request_body | {"replicas": number + 1}).json()["id"]
        until(client, ids[name], "done")

    def found(**query: str) -> list[str]:
        return [study["name"] for study in client.get("studies", params=query).json()["studies"]]

    assert found(search="rack") == ["rack 100%", "Rack 7"]
    assert found(search="0%") == ["rack 100%"]
    assert found(search="%") == ["rack 100%"]
    assert found(search=ids["other"][:12]) == ["other"]
    assert found(status="running") == []
    assert client.get("studies", params={"status": "lost"}).status_code == 422
    assert client.delete(f"studies/{ids['other']}").status_code == 204
    assert client.get(f"studies/{ids['other']}").status_code == 404
    assert client.delete(f"studies/{ids['other']}").status_code == 404
    assert found() == ["rack 100%", "Rack 7"]
    # Asked for again it is a new study.
    assert client.post("studies", json=request_body | {"replicas": 3}).status_code == 202
    until(client, ids["other"], "done")


def test_a_study_that_runs_is_not_removed(client: TestClient, request_body: dict[str, Any], work: Any) -> None:
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    refused = client.delete(f"studies/{study}")
    assert refused.status_code == 409
    assert "cancel it first" in refused.json()["detail"]
    assert client.get(f"studies/{study}").json()["status"] == "running"
