"""Results as JSON and CSV, partial ones too."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom_api.negotiation import preferred
from footroom_api.problems import ProblemError


def test_results_have_the_shape_of_a_sweep(client: TestClient, request_body: dict[str, Any], until: Any) -> None:
    study = client.post("studies", json=request_body).json()["id"]
    until(client, study, "done")
    document = client.get(f"studies/{study}/results").json()
    assert document["status"] == "done"
    assert document["unsupported"] == []
    assert [point["at"] for point in document["points"]] == [{"switch.buffer": b} for b in (100_000, 200_000, 400_000)]
    assert document["points"][0]["result"]["metrics"] == {"utilisation": 0.9, "drop_rate": 1e-4}


def test_partial_results_say_so(client: TestClient, request_body: dict[str, Any], work: Any) -> None:
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    document = client.get(f"studies/{study}/results").json()
    assert document["status"] == "running"
    assert len(document["points"]) == 1


def test_results_before_the_first_point(client: TestClient, request_body: dict[str, Any], work: Any) -> None:
    work.gate.clear()
    client.post("studies", json=request_body)
    work.begun()
    waiting = client.post("studies", json=request_body | {"replicas": 2}).json()["id"]
    assert client.get(f"studies/{waiting}/results").json() == {
        "id": waiting,
        "status": "queued",
        "points": [],
        "unsupported": [],
    }


def test_csv(client: TestClient, request_body: dict[str, Any], until: Any) -> None:
    study = client.post("studies", json=request_body).json()["id"]
    until(client, study, "done")
    response = client.get(f"studies/{study}/results", headers={"accept": "text/csv"})
    assert response.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [float(row["switch.buffer"]) for row in rows] == [100_000, 200_000, 400_000]
    assert [row["utilisation_high"] for row in rows] == ["0.91"] * 3
    assert [row["engine"] for row in rows] == ["packet"] * 3


def test_nothing_else_is_on_offer(client: TestClient, request_body: dict[str, Any]) -> None:
    study = client.post("studies", json=request_body).json()["id"]
    response = client.get(f"studies/{study}/results", headers={"accept": "image/png"})
    assert response.status_code == 406
    assert "text/csv" in response.json()["detail"]


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "a/json"),
        ("", "a/json"),
        ("*/*", "a/json"),
        ("t/csv", "t/csv"),
        ("a/json;q=0.1, t/csv;q=0.5", "t/csv"),
        ("t/*, a/json;q=0.9", "t/csv"),
        ("t/csv;q=0, */*", "a/json"),
        ("*/*;q=0.1, t/csv;q=x", "t/csv"),
        ("T/CSV", "t/csv"),
    ],
)
def test_the_preferred_media_type(accept: str | None, chosen: str) -> None:
    assert preferred(accept, ("a/json", "t/csv")) == chosen


def test_no_media_type_is_acceptable() -> None:
    with pytest.raises(ProblemError, match="a/json or t/csv"):
        preferred("a/json;q=0, image/*", ("a/json", "t/csv"))


def test_points_as_arrow(client: TestClient, request_body: dict[str, Any], until: Any) -> None:
    arrow = pytest.importorskip("pyarrow", reason="the extra arrow is not installed")
    study = client.post("studies", json=request_body).json()["id"]
    until(client, study, "done")
    answer = client.get(f"studies/{study}/results", headers={"Accept": "application/vnd.apache.arrow.stream"})
    assert answer.headers["content-type"] == "application/vnd.apache.arrow.stream"
    found = arrow.ipc.open_stream(answer.content).read_all()
    text = client.get(f"studies/{study}/results", headers={"Accept": "text/csv"}).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert found.column_names == list(rows[0])
    assert [{name: str(value) for name, value in row.items()} for row in found.to_pylist()] == rows


def test_without_pyarrow_arrow_is_not_offered(
    client: TestClient, request_body: dict[str, Any], until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("footroom.studies.sweep.find_spec", lambda name: None)
    study = client.post("studies", json=request_body).json()["id"]
    until(client, study, "done")
    answer = client.get(f"studies/{study}/results", headers={"Accept": "application/vnd.apache.arrow.stream"})
    assert answer.status_code == 406
    assert "application/json or text/csv" in answer.json()["detail"]
