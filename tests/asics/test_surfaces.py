"""The same chips on the command line and over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from footroom.cli import main
from footroom.parts.asics import ASICS, asic_named
from footroom_api.app import create_app
from footroom_api.settings import Settings


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("asics")
    with TestClient(
        create_app(Settings(database=str(folder / "x.db"), warm=False, frontend=folder)),
        base_url="http://localhost/api/v1",
    ) as made:
        yield made


def test_both_surfaces_list_the_same(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["asics", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == client.get("asics").json()
    assert [row["id"] for row in printed["asics"]] == [asic.id for asic in ASICS]


def test_one_chip_by_name_or_part(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["asics", "BCM56960", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == client.get("asics/tomahawk").json() == asic_named("tomahawk").to_dict()
    assert printed["buffer_usable"] == 15_982_720


def test_an_unchanged_list_costs_no_body(client: TestClient) -> None:
    tag = client.get("asics").headers["etag"]
    assert client.get("asics", headers={"if-none-match": tag}).status_code == 304


def test_a_person_sees_what_is_unsure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["asics"]) == 0
    listed = capsys.readouterr().out
    assert "208 B?" in listed
    assert main(["asics", "trident2-plus"]) == 0
    assert "208 B (unsure)" in capsys.readouterr().out


def test_an_unknown_chip_is_refused_on_each_surface(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["asics", "tomahawc"]) == 2
    assert "did you mean tomahawk" in capsys.readouterr().err
    response = client.get("asics/tomahawc")
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"
    assert "did you mean tomahawk" in response.json()["detail"]
