"""Studies by the engines themselves."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom_api.app import create_app
from footroom_api.settings import Settings


@pytest.fixture
def server(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as client:
        yield client


@pytest.fixture
def small(document: dict[str, Any]) -> dict[str, Any]:
    document["topology"]["bottleneck"] = "10 Mb/s"
    document["traffic"][0]["flows"] = 4
    document["run"] = {"duration": "2 s", "warmup": "500 ms"}
    return {
        "scenario": document,
        "over": {"switch.buffer": ["30 kB", "15 kB"]},
        "engines": ["packet", "theory"],
        "replicas": 2,
    }


def test_a_study_of_two_engines(server: TestClient, small: dict[str, Any], until: Any) -> None:
    study = server.post("studies", json=small).json()["id"]
    done = until(server, study, "done", "failed")
    assert done["status"] == "done", done["error"]
    points = server.get(f"studies/{study}/results").json()["points"]
    # In the order of the study, whichever engine was quicker.
    assert [(p["at"]["switch.buffer"], p["result"]["engine"]) for p in points] == [
        (30_000, "theory"),
        (30_000, "packet"),
        (15_000, "theory"),
        (15_000, "packet"),
    ]
    for point in points:
        assert 0.5 < point["result"]["metrics"]["utilisation"] <= 1.0
    assert points[1]["result"]["provenance"]["replicas"] == 2
    assert "utilisation" in points[1]["result"]["intervals"]
    assert "wall_s" in points[1]["result"]


def test_runs_are_shared_between_studies_and_servers(
    settings: Settings, small: dict[str, Any], until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as first:
        study = first.post("studies", json=small).json()["id"]
        until(first, study, "done")
        before = first.get(f"studies/{study}/results").json()["points"][1]["result"]["metrics"]

    def computed(*given: Any, **options: Any) -> None:
        raise AssertionError("this run was computed before")

    monkeypatch.setattr(importlib.import_module("footroom.studies.executors.carrier"), "run_cell", computed)
    small["over"] = {"switch.buffer": ["30 kB"]}
    small["engines"] = ["packet"]
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as second:
        other = second.post("studies", json=small).json()["id"]
        assert other != study
        done = until(second, other, "done", "failed")
        assert done["status"] == "done", done["error"]
        assert second.get(f"studies/{other}/results").json()["points"][0]["result"]["metrics"] == before


def test_a_study_that_no_engine_can_answer_fails_and_says_who_can(
    server: TestClient, small: dict[str, Any], until: Any
) -> None:
    small["scenario"]["switch"]["marking"] = {"kind": "pi", "target": 5e3}
    small["engines"] = ["packet"]
    study = server.post("studies", json=small).json()["id"]
    failed = until(server, study, "done", "failed")
    assert failed["status"] == "failed"
    assert failed["error"]["engines"] == ["fluid"]
    assert "marking" in failed["error"]["errors"][0]["path"]
    results = server.get(f"studies/{study}/results").json()
    assert results["points"] == []
    assert {refusal["engine"] for refusal in results["unsupported"]} == {"packet"}


def test_a_long_simulation_can_be_cancelled(server: TestClient, small: dict[str, Any], until: Any) -> None:
    small["scenario"]["topology"]["bottleneck"] = "10 Gb/s"
    small["scenario"]["topology"]["access"] = "10 Gb/s"
    small["scenario"]["run"] = {"duration": "600 s", "warmup": "1 s"}
    small["engines"] = ["packet"]
    study = server.post("studies", json=small).json()["id"]
    until(server, study, "running")
    assert server.delete(f"studies/{study}/run").status_code == 202
    # The next study gets its turn: the simulation was not waited for.
    small["scenario"]["run"] = {"duration": "10 ms", "warmup": "0 s"}
    small["scenario"]["traffic"][0]["start_jitter"] = 0
    other = server.post("studies", json=small).json()["id"]
    until(server, other, "done")
    assert server.get(f"studies/{study}").json()["status"] == "cancelled"
