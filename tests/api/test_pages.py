"""The built page: files, addresses of its own, caching, and what a browser may do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom_api.app import create_app
from footroom_api.settings import Settings


@pytest.fixture
def site(settings: Settings, work: Any, tmp_path: Path) -> Any:
    (tmp_path / "dist" / "assets").mkdir(parents=True)
    (tmp_path / "dist" / "index.html").write_text("<title>the page</title>")
    (tmp_path / "dist" / "buffer.html").write_text("<title>the page</title>at the buffer view")
    (tmp_path / "dist" / "assets" / "index-1a2b.js").write_text("0")
    (tmp_path / "secret.txt").write_text("secret")
    with TestClient(create_app(settings, work), base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/index.html", "/compare", "/headroom", "/deep/address?scenario=1"])
def test_addresses_of_the_page_are_answered_with_it(site: TestClient, path: str) -> None:
    response = site.get(path)
    assert response.status_code == 200
    assert "the page" in response.text
    assert response.headers["content-type"].startswith("text/html")
    assert response.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/buffer", "/buffer/", "/buffer?preset=wan-bottleneck"])
def test_a_view_is_answered_with_its_own_document(site: TestClient, path: str) -> None:
    response = site.get(path)
    assert response.status_code == 200
    assert response.text.endswith("at the buffer view")
    assert response.headers["content-type"].startswith("text/html")
    assert response.headers["cache-control"] == "no-cache"


def test_a_view_has_no_more_than_one_document(site: TestClient) -> None:
    assert "at the buffer view" not in site.get("/buffer/more").text
    assert "at the buffer view" not in site.get("/").text


def test_files_with_a_hash_in_their_name_are_kept_for_good(site: TestClient) -> None:
    response = site.get("/assets/index-1a2b.js")
    assert response.status_code == 200
    assert "javascript" in response.headers["content-type"]
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/index-old.js",
        "/favicon.ico",
        "/api/v1/nothing",
        "/api/v2",
        "/api/",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
    ],
)
def test_what_is_missing_is_not_found(site: TestClient, path: str) -> None:
    response = site.get(path, headers={"accept": "text/html"})
    assert "secret" not in response.text.replace("secret.txt", "")
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"


def test_the_page_takes_nothing(site: TestClient) -> None:
    assert site.post("/compare").status_code == 404


def test_a_page_that_is_not_built_says_how_to_build_it(client: TestClient) -> None:
    response = client.get("http://localhost/")
    assert response.status_code == 503
    assert "npm" in response.text
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/api/v1/health", "/api/v1/nothing"])
def test_a_browser_may_do_only_what_is_needed(site: TestClient, path: str) -> None:
    headers = site.get(path).headers
    policy = headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe-eval" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


def test_other_origins_are_not_let_in(site: TestClient) -> None:
    preflight = {"origin": "http://elsewhere", "access-control-request-method": "POST"}
    response = site.options("/api/v1/studies", headers=preflight)
    assert response.status_code == 405
    assert "access-control-allow-origin" not in response.headers


def test_the_reference_of_the_api_is_a_page_of_its_own(site: TestClient) -> None:
    response = site.get("/api/v1/docs", follow_redirects=False)
    assert response.status_code == 307
    assert response.headers["location"] == "/api-reference"
    assert "/api/v1/docs" not in site.get("/api/v1/openapi.json").json()["paths"]
