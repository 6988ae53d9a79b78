from __future__ import annotations

from fastapi.testclient import TestClient


def test_limit_memory_and_wait(client: TestClient) -> None:
    found = client.post("voq", json={"rate": "100 Gb/s", "line_cards": 4, "delay": "50 ms", "limit": "500 MB"}).json()
    assert (found["limit"], found["packets"], found["memory"], found["delay"]) == (156.25e6, 104_166, 625e6, 0.16)
    assert found["explanations"][0]["terms"][0] == {
        "symbol": "D",
        "meaning": "longest wait allowed",
        "value": 0.05,
        "unit": "s",
    }


def test_the_field_at_fault_is_named(client: TestClient) -> None:
    refused = client.post("voq", json={"rate": "100 GB/s", "cards": 3})
    assert refused.status_code == 422
    assert {error["path"] for error in refused.json()["errors"]} == {"rate", "cards"}


def test_a_wait_out_of_reach(client: TestClient) -> None:
    refused = client.post("voq", json={"delay": "10 ns"})
    assert refused.status_code == 422
    assert refused.json()["type"] == "urn:footroom:problem:infeasible"
