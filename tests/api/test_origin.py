"""What pages of other sites cannot do to the server of whoever looks at them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom.base.errors import InvalidInput
from footroom_api.app import create_app
from footroom_api.settings import Settings, from_environment

RUN = "papers/facebook-ebb/run?tier=full"


def refused(response: Any, kind: str) -> dict[str, Any]:
    assert response.status_code == 403, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["x-content-type-options"] == "nosniff"
    document: dict[str, Any] = response.json()
    assert document["type"] == f"urn:footroom:problem:{kind}"
    return document


def test_a_form_of_another_site_starts_nothing(client: TestClient) -> None:
    for headers in (
        {"origin": "https://attacker.example", "content-type": "text/plain"},
        {"origin": "null"},
        {"origin": "http://localhost:3000"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "origin": "http://localhost:3000"},
    ):
        refused(client.post(RUN, headers=headers), "foreign-origin")
        refused(client.delete("papers/facebook-ebb/runs/full", headers=headers), "foreign-origin")
    assert client.get("papers/facebook-ebb/runs/full").json()["status"] == "none"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_what_forms_send_is_no_json(client: TestClient, kind: str) -> None:
    assert client.post(RUN, content=b"a=b", headers={"content-type": kind}).status_code == 415
    assert client.get("papers/facebook-ebb/runs/full").json()["status"] == "none"


@pytest.mark.parametrize(
    "host",
    [
        "attacker.example",
        "localhost.attacker.example:8000",
        "localhost@attacker.example",
        "attacker.example#.localhost",
        "127.0.0.1.attacker.example",
        "[::1",
        "",
    ],
)
def test_a_name_that_was_rebound_reads_and_changes_nothing(
    client: TestClient, host: str, request_body: dict[str, Any]
) -> None:
    headers = {"host": host}
    document = refused(client.get("health", headers=headers), "foreign-host")
    assert "--allow-host" in document["detail"]
    assert host in document["detail"]
    same = headers | {"sec-fetch-site": "same-origin", "origin": f"http://{host}"}
    refused(client.post("studies", json=request_body, headers=same), "foreign-host")
    refused(client.get("presets", headers=headers), "foreign-host")
    assert client.get("studies").json()["studies"] == []


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "LOCALHOST",
        "127.0.0.1:8000",
        "[::1]:8000",
        "[::1]",
        "192.168.1.20:8000",
        "footroom.localhost:8000",
    ],
)
def test_this_machine_and_its_addresses_are_known(client: TestClient, host: str) -> None:
    assert client.get("health", headers={"host": host}).status_code == 200
    own = {"host": host, "origin": f"http://{host}"}
    assert client.post("voq", json={}, headers=own).status_code == 200


def test_the_page_and_programs_work_as_before(client: TestClient) -> None:
    for headers in (
        {},
        {"sec-fetch-site": "same-origin", "origin": "http://localhost:5173"},
        {"sec-fetch-site": "none"},
        {"origin": "http://localhost"},
    ):
        assert client.post("voq", json={}, headers=headers).status_code == 200
    assert client.get("presets", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_names_can_be_allowed(settings: Settings, work: Any) -> None:
    given = replace(settings, allow_hosts=("Footroom.example.net",))
    with TestClient(create_app(given, work), base_url="http://footroom.example.net/api/v1") as client:
        assert client.get("health").status_code == 200
        assert client.post("voq", json={}, headers={"origin": "https://footroom.example.net"}).status_code == 200
        refused(client.get("health", headers={"host": "other.example.net"}), "foreign-host")
        refused(client.post("voq", json={}, headers={"origin": "https://other.example.net"}), "foreign-origin")
    with TestClient(create_app(replace(settings, allow_hosts=("*",)), work), base_url="http://any/api/v1") as client:
        assert client.get("health").status_code == 200
        refused(client.post("voq", json={}, headers={"origin": "https://other.example.net"}), "foreign-origin")


def test_names_come_from_the_environment_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTROOM_ALLOW_HOSTS", "one.example, two.example")
    assert from_environment().allow_hosts == ("one.example", "two.example")
    monkeypatch.setenv("FOOTROOM_ALLOW_HOSTS", "http://one.example:80")
    with pytest.raises(InvalidInput, match="without scheme"):
        from_environment()
