"""What is no sane JSON is refused with a problem document, whatever it is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom_api.problems import CLIENT_GONE, ProblemError
from footroom_api.strict import parse_json

JSON = {"content-type": "application/json"}


def is_problem(response: Any, status: int, kind: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = response.json()
    assert document["type"] == f"urn:footroom:problem:{kind}"
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    assert isinstance(document["errors"], list)
    return document


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"NaN",
        b'{"scenario": NaN}',
        b'{"scenario": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": 1, "a": 2}',
        b"\xff\xfe",
        b'{"a": "\\ud800"}',
        b'{"\\udfff": 1}',
        b"[" * 200_000,
        b'{"a":' * 40 + b"1" + b"}" * 40,
        b'{"a": ' + b"9" * 5000 + b"}",
        b"\x00",
        b"{'a': 1}",
    ],
)
def test_malformed_bodies_are_refused(client: TestClient, body: bytes) -> None:
    is_problem(client.post("studies", content=body, headers=JSON), 400, "malformed-json")


def test_the_key_given_twice_is_named() -> None:
    with pytest.raises(ProblemError, match="'buffer' is given twice"):
        parse_json(b'{"buffer": 1, "mtu": 2, "buffer": 3}', 5)


def test_depth_is_counted_exactly() -> None:
    assert parse_json(b'[[["deep"]]]', 4) == [[["deep"]]]
    with pytest.raises(ProblemError, match="deeper than 3"):
        parse_json(b'[[["deep"]]]', 3)


def test_ordinary_documents_are_read_as_they_are() -> None:
    assert parse_json('{"µ": [1, -2.5e-3, true, null, "ü\\u00e9😀"]}'.encode(), 10) == {
        "µ": [1, -0.0025, True, None, "üé😀"]
    }


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_other_media_types_are_refused(client: TestClient, kind: str) -> None:
    is_problem(client.post("studies", content=b"{}", headers={"content-type": kind}), 415, "unsupported-media-type")


def test_large_bodies_are_refused_with_and_without_a_length(client: TestClient) -> None:
    large = b'"' + b"a" * 1_000_000 + b'"'
    is_problem(client.post("studies", content=large, headers=JSON), 413, "too-large")

    def pieces() -> Any:
        for _ in range(20):
            yield b"a" * 100_000

    is_problem(client.post("studies", content=pieces(), headers=JSON), 413, "too-large")


def test_an_empty_body_names_what_is_missing(client: TestClient) -> None:
    is_problem(client.post("studies", content=b"", headers=JSON), 422, "invalid-input")
    document = is_problem(client.post("studies", json={}), 422, "invalid-input")
    assert [error["path"] for error in document["errors"]] == ["scenario"]


@pytest.mark.parametrize("body", [[], 1, "x", True])
def test_a_body_that_is_no_object(client: TestClient, body: Any) -> None:
    is_problem(client.post("studies", json=body), 422, "invalid-input")


def test_unknown_addresses_and_methods(client: TestClient) -> None:
    is_problem(client.get("nothing"), 404, "not-found")
    is_problem(client.get("nothing", headers={"accept": "text/html"}), 404, "not-found")
    is_problem(client.get("http://localhost/api"), 404, "not-found")
    document = is_problem(client.put("catalog"), 405, "method-not-allowed")
    assert "PUT" in document["detail"]


def test_our_own_faults_tell_nothing_about_the_inside(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(client.app.state.services.studies, "page", broken)  # type: ignore[attr-defined]
    client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
    response = client.get("studies")
    is_problem(response, 500, "internal")
    assert "secret" not in response.text
    assert "Traceback" not in response.text


def test_a_client_that_goes_while_it_sends_is_no_fault_of_ours(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    sent: list[Any] = []
    headers = {"host": "localhost", "content-type": "application/json", "content-length": "100"}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/api/v1/estimates",
        "raw_path": b"/api/v1/estimates",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(client.app(scope, receive, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == CLIENT_GONE
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_an_unknown_key_is_answered_with_what_is_accepted(client: TestClient, request_body: dict[str, Any]) -> None:
    answer = client.post("studies", json=request_body | {"engine": ["packet"]})
    assert answer.status_code == 422
    assert [(each["path"], each["message"]) for each in answer.json()["errors"]] == [
        ("engine", 'unknown key; did you mean "engines"?')
    ]
    request_body["scenario"]["switch"]["colour"] = "red"
    (error,) = client.post("studies", json=request_body).json()["errors"]
    assert error["path"].endswith("switch.colour")
    assert error["message"].startswith("unknown key; accepted: buffer, ")
