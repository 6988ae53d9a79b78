"""A study as a stream of events."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom_api import channels

Watched = Callable[[Callable[[], Any]], threading.Thread]


@pytest.fixture
def once_watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Do something in a thread of its own, as soon as a stream has had a first look at its study."""
    looked, look = threading.Event(), channels._look

    def looking(*given: Any) -> Any:
        found = look(*given)
        looked.set()
        return found

    def begin(do: Callable[[], Any]) -> threading.Thread:
        thread = threading.Thread(target=lambda: looked.wait() and do(), daemon=True)
        thread.start()
        return thread

    monkeypatch.setattr(channels, "_look", looking)
    return begin


def events_of(text: str) -> list[tuple[str, str | None, Any]]:
    """(event, id, data) of every event of a stream; comments left out."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
    return found


def watch(client: TestClient, study: str, **headers: str) -> list[tuple[str, str | None, Any]]:
    response = client.get(f"studies/{study}/events", headers={name.replace("_", "-"): v for name, v in headers.items()})
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-cache"
    return events_of(response.text)


def buffers(events: list[tuple[str, str | None, Any]]) -> list[float]:
    return [data["at"]["switch.buffer"] for event, _, data in events if event == "point"]


def test_a_finished_study_is_replayed(client: TestClient, request_body: dict[str, Any], until: Any) -> None:
    study = client.post("studies", json=request_body).json()["id"]
    until(client, study, "done")
    events = watch(client, study)
    assert [event for event, _, _ in events] == ["status", "point", "point", "point", "progress", "done"]
    assert buffers(events) == [100_000, 200_000, 400_000]
    assert events[-1][2] == {"id": study, "status": "done", "error": None}
    assert events[-2][2] == {"progress": 1.0, "seconds_left": None, "points": 3}


def test_a_stream_that_broke_off_goes_on_where_it_was(
    client: TestClient, request_body: dict[str, Any], until: Any
) -> None:
    study = client.post("studies", json=request_body).json()["id"]
    until(client, study, "done")
    second = [number for event, number, _ in watch(client, study) if event == "point"][1]
    assert second is not None
    assert buffers(watch(client, study, last_event_id=second)) == [400_000]
    assert buffers(watch(client, study, last_event_id="9" * 9)) == []
    assert len(buffers(watch(client, study, last_event_id="9" * 9000))) == 3
    assert len(buffers(watch(client, study, last_event_id="no number"))) == 3


def test_a_running_study_is_followed_to_its_end(
    client: TestClient, request_body: dict[str, Any], work: Any, once_watched: Watched
) -> None:
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    release = once_watched(work.gate.set)
    events = watch(client, study)
    release.join()
    assert buffers(events) == [100_000, 200_000, 400_000]
    statuses = [data["status"] for event, _, data in events if event == "status"]
    assert statuses == ["running", "done"]
    fractions = [data["progress"] for event, _, data in events if event == "progress"]
    assert fractions == sorted(fractions)
    assert events[-1][0] == "done"


def test_a_cancelled_study_ends_its_stream(
    client: TestClient, request_body: dict[str, Any], work: Any, once_watched: Watched
) -> None:
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    cancel = once_watched(lambda: client.delete(f"studies/{study}/run"))
    events = watch(client, study)
    cancel.join()
    assert [data["status"] for event, _, data in events if event == "status"] == ["running", "cancelled"]
    assert events[-1][0] == "done"
    assert events[-1][2]["status"] == "cancelled"
    assert buffers(events) == [100_000]


def test_closing_the_feed_ends_streams(
    client: TestClient, request_body: dict[str, Any], work: Any, once_watched: Watched
) -> None:
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    close = once_watched(client.app.state.services.feed.close)  # type: ignore[attr-defined]
    events = watch(client, study)
    close.join()
    assert [event for event, _, _ in events] == ["status", "point", "progress"]


def test_nobody_is_left_watching(client: TestClient, request_body: dict[str, Any], until: Any) -> None:
    study = client.post("studies", json=request_body).json()["id"]
    until(client, study, "done")
    watch(client, study)
    assert client.app.state.services.feed._watchers == {}  # type: ignore[attr-defined]


def test_many_watchers_ask_the_database_once(
    client: TestClient, request_body: dict[str, Any], work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    look = channels._look

    def counting(shared: Any, study: str, after: int) -> Any:
        looks.append(study)
        return look(shared, study, after)

    monkeypatch.setattr(channels, "_look", counting)
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(watch(client, study))) for _ in range(30)]
    for thread in threads:
        thread.start()
    joined = client.app.state.channels  # type: ignore[attr-defined]
    while study not in joined._open or len(joined._open[study].watchers) < 30 or joined._open[study].study is None:
        time.sleep(0.01)
    before = len(looks)
    for _ in range(100):
        client.app.state.services.feed.wake(study)  # type: ignore[attr-defined]
    work.gate.set()
    for thread in threads:
        thread.join()
    assert [buffers(events) for events in found] == [[100_000, 200_000, 400_000]] * 30
    assert all(events[-1][0] == "done" for events in found)
    assert len(looks) - before < 100  # one after another, for all of them together
    assert joined._open == {}


def test_points_that_are_no_longer_kept_come_from_the_store(
    client: TestClient, request_body: dict[str, Any], work: Any, monkeypatch: pytest.MonkeyPatch, once_watched: Watched
) -> None:
    monkeypatch.setattr(channels, "_KEPT", 1)
    monkeypatch.setattr(channels, "BATCH", 2)
    request_body["over"]["switch.buffer"] = [100_000 + 1000 * i for i in range(9)]
    work.gate.clear()
    study = client.post("studies", json=request_body).json()["id"]
    work.begun()
    release = once_watched(work.gate.set)
    events = watch(client, study)
    release.join()
    assert buffers(events) == request_body["over"]["switch.buffer"]
    assert events[-1][0] == "done"
