"""Studies are asked for, watched, listed, cancelled and asked for again."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom.base.errors import Unsupported


def ask(client: TestClient, body: dict[str, Any], status: int = 202) -> dict[str, Any]:
    response = client.post("studies", json=body)
    assert response.status_code == status, response.text
    document: dict[str, Any] = response.json()
    assert response.headers["location"] == f"/api/v1/studies/{document['id']}"
    return document


def test_a_study_runs_to_its_end(client: TestClient, request_body: dict[str, Any], until: Any) -> None:
    asked = ask(client, request_body)
    assert asked["status"] in ("queued", "running", "done")
    assert asked["cost"]["runs"] == 3
    done = until(client, asked["id"], "done")
    assert done["progress"] == 1.0
    assert done["points"] == 3
    assert done["started"] is not None
    assert done["started"] <= done["finished"]
    (listed,) = client.get("studies").json()["studies"]
    assert {name: listed[name] for name in ("created", "started", "finished")} == {
        name: done[name] for name in ("created", "started", "finished")
    }


def test_the_cost_is_told_without_asking_for_the_study(client: TestClient, request_body: dict[str, Any]) -> None:
    told = client.post("studies/cost", json=request_body)
    assert told.status_code == 200, told.text
    assert client.get("studies").json()["studies"] == []
    assert told.json() == ask(client, request_body)["cost"]
    request_body["replicas"] = 1000
    refused = client.post("studies/cost", json=request_body)
    assert refused.status_code == 422
    assert refused.json()["errors"]


def test_the_same_request_in_other_units_is_the_same_study(
    client: TestClient, request_body: dict[str, Any], until: Any, work: Any
) -> None:
    first = ask(client, request_body)["id"]
    until(client, first, "done")
    request_body["scenario"]["topology"] |= {"bottleneck": "1000 Mb/s", "rtt": 0.02}
    request_body["scenario"]["switch"]["buffer"] = 250_000
    request_body["over"] = {"switch.buffer": ["100 kB", "0.2 MB", 4e5]}
    assert ask(client, request_body, 200)["id"] == first
    assert len(work.calls) == 1


def test_the_canonical_request_asks_for_the_same_study(client: TestClient, request_body: dict[str, Any]) -> None:
    asked = ask(client, request_body)
    assert ask(client, asked["request"], 200)["id"] == asked["id"]


def test_another_seed_is_another_study(client: TestClient, request_body: dict[str, Any]) -> None:
    first = ask(client, request_body)["id"]
    request_body["scenario"]["run"]["seed"] = 2
    assert ask(client, request_body)["id"] != first


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("switch", {"buffer": "10 Gb"}, "switch.buffer"),
        ("switch", {"buffer": -5}, "switch.buffer"),
        ("switch", {"buffer": "1e999 kB"}, "switch.buffer"),
        ("switch", {"buffer": 10**300}, "switch.buffer"),
        ("switch", {"buffer": True}, "switch.buffer"),
        ("switch", {"buffer": "250 kB", "colour": "red"}, "switch.colour"),
        ("topology", {"kind": "mesh"}, "topology.kind"),
        ("topology", [], "topology"),
        ("traffic", [], "traffic"),
        ("traffic", [{"kind": "long_lived", "flows": 10**9}], "traffic.0.flows"),
        ("traffic", [{"kind": "long_lived", "flows": 1.5}], "traffic.0.flows"),
        ("run", {"duration": 10, "warmup": 20}, "run.warmup"),
    ],
)
def test_wrong_fields_are_named(
    client: TestClient, request_body: dict[str, Any], path: str, value: Any, field: str
) -> None:
    request_body["scenario"][path] = value
    del request_body["over"]  # what an axis replaces is not looked at
    response = client.post("studies", json=request_body)
    assert response.status_code == 422
    document = response.json()
    assert document["type"] == "urn:footroom:problem:invalid-input"
    assert field in [error["path"] for error in document["errors"]] or any(
        error["path"].startswith(field) for error in document["errors"]
    )
    assert all(error["message"] for error in document["errors"])


@pytest.mark.parametrize(
    "change",
    [
        {"engines": ["ns3"]},
        {"engines": []},
        {"replicas": 0},
        {"replicas": 10**9},
        {"replicas": "3"},
        {"unknown": 1},
        {"over": {"switch.nothing": [1, 2]}},
        {"over": {"switch.buffer": []}},
        {"over": {"switch.buffer": "25kB:2.5MB:logx"}},
        {"over": {"switch.buffer": "1:2:log999999999"}},
        {"over": {"": [1]}},
        {"over": {"switch.buffer": [[1]]}},
        {"over": {"switch.buffer": "1e-300:1e300:log5"}},
        {"over": []},
        {"over": {"switch.buffer": {"from": 1}}},
        {"over": {"traffic.99.flows": [1]}},
        {"over": {"switch.buffer": [None]}},
        {"over": {f"run.{name}": list(range(1, 1000)) for name in ("seed", "duration", "mtu", "warmup")}},
    ],
)
def test_wrong_requests_are_refused(client: TestClient, request_body: dict[str, Any], change: dict[str, Any]) -> None:
    response = client.post("studies", json=request_body | change)
    assert response.status_code == 422, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["errors"]


def test_studies_beyond_the_limits_are_refused_by_name(client: TestClient, request_body: dict[str, Any]) -> None:
    response = client.post("studies", json=request_body | {"replicas": 100})
    assert response.status_code == 422
    document = response.json()
    assert document["type"] == "urn:footroom:problem:beyond-limits"
    assert [error["path"] for error in document["errors"]] == ["limits.runs"]
    assert document["errors"][0]["given"] == 300
    assert "200" in document["detail"]


def test_cancelling_a_running_study(client: TestClient, request_body: dict[str, Any], work: Any, until: Any) -> None:
    work.gate.clear()
    study = ask(client, request_body)["id"]
    work.begun()
    response = client.delete(f"studies/{study}/run")
    assert response.status_code == 202
    assert response.json()["status"] == "cancelled"
    again = client.delete(f"studies/{study}/run")
    assert again.status_code == 200
    assert until(client, study, "cancelled")["points"] == 1


def test_cancelling_a_waiting_study(client: TestClient, request_body: dict[str, Any], work: Any, until: Any) -> None:
    work.gate.clear()
    first = ask(client, request_body)["id"]
    work.begun()
    second = ask(client, request_body | {"replicas": 7})["id"]
    assert until(client, second, "queued", "running")["status"] == "queued"
    assert client.delete(f"studies/{second}/run").status_code == 202
    work.gate.set()
    until(client, first, "done")
    assert until(client, second, "cancelled")["started"] is None
    assert len(work.calls) == 1


def test_a_cancelled_study_can_be_asked_for_again(
    client: TestClient, request_body: dict[str, Any], work: Any, until: Any
) -> None:
    work.gate.clear()
    work.deaf = True  # the first run goes on for a while after it was cancelled
    study = ask(client, request_body)["id"]
    work.begun()
    client.delete(f"studies/{study}/run")
    assert ask(client, request_body)["status"] == "queued"
    work.gate.set()
    done = until(client, study, "done")
    assert done["points"] == 3
    assert len(work.calls) == 2


def test_a_failed_study_says_why_and_can_be_asked_for_again(
    client: TestClient, request_body: dict[str, Any], work: Any, until: Any
) -> None:
    work.error = Unsupported("no such thing", path="switch.marking.kind", engines=("fluid",))
    study = ask(client, request_body)["id"]
    failed = until(client, study, "failed")
    assert failed["error"]["engines"] == ["fluid"]
    assert failed["error"]["errors"][0]["path"] == "switch.marking.kind"
    work.error = None
    ask(client, request_body)
    assert until(client, study, "done")["error"] is None


def test_a_fault_of_ours_fails_one_study_and_not_the_server(
    client: TestClient, request_body: dict[str, Any], work: Any, until: Any
) -> None:
    work.error = ZeroDivisionError("secret")
    study = ask(client, request_body)["id"]
    failed = until(client, study, "failed")
    assert failed["error"]["status"] == 500
    assert "secret" not in str(failed)
    work.error = None
    other = ask(client, request_body | {"replicas": 2})["id"]
    until(client, other, "done")


def test_pages_cover_every_study_once(client: TestClient, request_body: dict[str, Any]) -> None:
    asked = [ask(client, request_body | {"replicas": n})["id"] for n in range(1, 6)]
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(5):
        page = client.get("studies", params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        seen += [study["id"] for study in page["studies"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == asked[::-1]
    assert cursor is None


@pytest.mark.parametrize(
    "query",
    [
        "cursor=!",
        "cursor=%00",
        "cursor=LTE",
        "cursor=OTk5OTk5OTk5OTk5OTk5",
        "limit=0",
        "limit=101",
        "limit=x",
        "cursor=" + "A" * 50,
    ],
)
def test_wrong_pages_are_refused(client: TestClient, query: str) -> None:
    assert client.get(f"studies?{query}").status_code == 422


def test_an_unchanged_study_costs_no_body(client: TestClient, request_body: dict[str, Any], until: Any) -> None:
    study = ask(client, request_body)["id"]
    until(client, study, "done")
    tag = client.get(f"studies/{study}").headers["etag"]
    unchanged = client.get(f"studies/{study}", headers={"if-none-match": tag})
    assert unchanged.status_code == 304
    assert unchanged.content == b""
    assert client.get(f"studies/{study}", headers={"if-none-match": f'W/{tag}, "x"'}).status_code == 304
    assert client.get(f"studies/{study}", headers={"if-none-match": '"x"'}).status_code == 200


@pytest.mark.parametrize("path", ["", "/results", "/events"])
def test_unknown_studies(client: TestClient, path: str) -> None:
    assert client.get(f"studies/{'0' * 32}{path}").status_code == 404
    assert client.delete(f"studies/{'0' * 32}/run").status_code == 404


def test_waiting_studies_are_limited(client: TestClient, request_body: dict[str, Any], work: Any) -> None:
    work.gate.clear()
    object.__setattr__(client.app.state.settings.limits, "waiting", 1)  # type: ignore[attr-defined]
    ask(client, request_body)
    response = client.post("studies", json=request_body | {"replicas": 2})
    assert response.status_code == 503
    assert response.headers["retry-after"]
    ask(client, request_body, 200)


def test_what_is_asked_for_again_waits_like_what_is_new(
    client: TestClient, request_body: dict[str, Any], work: Any, until: Any
) -> None:
    ended = [ask(client, request_body | {"replicas": n})["id"] for n in (3, 4)]
    for study in ended:
        until(client, study, "done")
    work.gate.clear()
    running = ask(client, request_body)["id"]
    until(client, running, "running")
    stopped = ask(client, request_body | {"replicas": 2})["id"]
    assert client.delete(f"studies/{stopped}/run").status_code == 202
    object.__setattr__(client.app.state.settings.limits, "waiting", 1)  # type: ignore[attr-defined]
    ask(client, request_body | {"replicas": 3}, 200)  # it is done and takes no place
    for refused in (
        client.post("studies", json=request_body | {"replicas": 2}),
        *(client.post(f"studies/{study}/run") for study in (stopped, ended[0])),
    ):
        assert refused.status_code == 503
        assert refused.headers["retry-after"]
    assert client.post(f"studies/{running}/run").status_code == 409
    object.__setattr__(client.app.state.settings.limits, "waiting", 2)  # type: ignore[attr-defined]
    assert client.post(f"studies/{ended[0]}/run").status_code == 429  # one of two places is the most for one user


def test_a_study_that_is_removed_as_it_is_asked_for_is_asked_for_again(
    client: TestClient, request_body: dict[str, Any], until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = ask(client, request_body)["id"]
    until(client, study, "done")
    store = client.app.state.services.studies  # type: ignore[attr-defined]
    add = store.add

    def late(*given: Any) -> Any:
        monkeypatch.undo()
        found = add(*given)
        assert store.delete(study)
        return found

    monkeypatch.setattr(store, "add", late)
    assert ask(client, request_body)["id"] == study
    assert until(client, study, "done")["points"] == 3
