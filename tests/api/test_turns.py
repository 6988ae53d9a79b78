"""Requests that compute for long take turns, for a limited time, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Request
from fastapi.testclient import TestClient

from footroom import studies
from footroom.base.deadline import current
from footroom.base.errors import Cancelled
from footroom_api.app import create_app
from footroom_api.problems import ProblemError
from footroom_api.settings import Limits, Settings
from footroom_api.turns import Turns


@pytest.fixture
def page(settings: Settings) -> Path:
    assert settings.frontend is not None
    settings.frontend.mkdir()
    (settings.frontend / "index.html").write_text("the page")
    return settings.frontend


def serve(settings: Settings, work: Any, limits: Limits) -> TestClient:
    return TestClient(create_app(replace(settings, limits=limits), work), base_url="http://localhost/api/v1")


def test_a_long_estimate_is_refused_with_what_was_done(settings: Settings, work: Any, document: dict[str, Any]) -> None:
    document["traffic"] = [
        {"kind": "long_lived", "flows": 10, "congestion": {"kind": kind}} for kind in ("newreno", "cubic", "bbr")
    ]
    with serve(settings, work, Limits(answer=0.2)) as client:
        response = client.post("estimates", json={"scenario": document, "over": {"topology.rtt": "1ms:50ms:lin2000"}})
    assert response.status_code == 422, response.text
    found = response.json()
    assert found["type"] == "urn:footroom:problem:beyond-limits"
    assert [error["path"] for error in found["errors"]] == ["limits.answer"]
    assert found["errors"][0]["given"] == 0.2
    assert "0.2 s" in found["detail"]
    assert "of its points were read" in found["detail"] or "of 2000 points were answered" in found["detail"]


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Semaphore, threading.Event]]:
    """Studies that are read no further until they may: how many have begun, and the event that lets them go on."""
    begun, free = threading.Semaphore(0), threading.Event()
    real = studies.Study.of

    def wait(*given: Any, **named: Any) -> Any:
        begun.release()
        free.wait(300)
        return real(*given, **named)

    monkeypatch.setattr(studies.Study, "of", wait)
    yield begun, free
    free.set()


def test_health_and_files_never_wait_behind_long_work(
    settings: Settings, work: Any, page: Path, held: Any, request_body: dict[str, Any]
) -> None:
    begun, free = held
    limits = Limits(computing=2, queue=50, patience=300)
    with serve(settings, work, limits) as client, ThreadPoolExecutor(60) as pool:
        asked = [pool.submit(client.post, "estimates", json={"scenario": request_body["scenario"]}) for _ in range(53)]
        for _ in range(2):
            assert begun.acquire(timeout=300)
        # Two are held and fifty wait: only the one too many is answered, whichever of them came last.
        done, _ = wait(asked, return_when=FIRST_COMPLETED)
        assert len(done) == 1
        assert client.get("health").status_code == 200
        assert client.get("http://localhost/").text == "the page"
        assert client.get("studies").status_code == 200
        assert not begun.acquire(blocking=False)  # the others wait for their turn
        free.set()
        answers = [request.result() for request in asked]
    assert sorted(answer.status_code for answer in answers) == [200] * 52 + [503]
    busy = next(answer for answer in answers if answer.status_code == 503)
    assert busy.json()["type"] == "urn:footroom:problem:busy"
    assert busy.headers["retry-after"] == "10"


def request_of(*messages: str, client: str = "192.0.2.1") -> Request:
    """A request from a client that sends ``messages`` and then nothing."""
    coming = list(messages)

    async def receive() -> dict[str, Any]:
        if not coming:
            await asyncio.Event().wait()
        return {"type": coming.pop(0)}

    app = SimpleNamespace(state=SimpleNamespace(settings=Settings()))
    return Request({"type": "http", "method": "POST", "headers": [], "client": (client, 1), "app": app}, receive)


def test_work_ends_when_the_client_has_gone() -> None:
    async def scene() -> None:
        async with Turns(Limits()).take(request_of("http.disconnect")):
            limit = current()
            assert limit is not None
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            with pytest.raises(Cancelled):
                limit.check()

    asyncio.run(scene())


def test_a_turn_ends_with_its_request_and_waiting_does_too() -> None:
    async def scene() -> None:
        turns = Turns(Limits(computing=1, patience=0.01))
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                async with turns.take(request_of()):
                    raise ZeroDivisionError
        async with turns.take(request_of()):
            with pytest.raises(ProblemError) as busy:
                async with turns.take(request_of()):
                    pytest.fail("there was one place only")
            assert busy.value.status_code == 503
        async with turns.take(request_of()):
            assert current() is not None
        assert current() is None

    asyncio.run(scene())


def test_clients_are_served_in_turn_and_the_longest_queue_is_shortened() -> None:
    served: list[str] = []

    async def scene() -> None:
        turns = Turns(Limits(computing=1, queue=6, patience=300))

        async def ask(name: str) -> None:
            async with turns.take(request_of(client=name[0])):
                served.append(name)

        async with turns.take(request_of()):
            asked = {}
            for name in ("a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1"):
                asked[name] = asyncio.create_task(ask(name))
                await asyncio.sleep(0)
            assert served == []
        found = await asyncio.gather(*asked.values(), return_exceptions=True)
        turned_away = [name for name, answer in zip(asked, found, strict=True) if isinstance(answer, ProblemError)]
        assert turned_away == ["a4", "a5"]
        assert served == ["a1", "b1", "c1", "a2", "b2", "a3"]

    asyncio.run(scene())


def test_a_client_that_gives_up_as_its_turn_comes_keeps_no_place() -> None:
    async def scene() -> None:
        turns = Turns(Limits(computing=1))

        async def ask() -> None:
            async with turns.take(request_of()):
                pass

        async with turns.take(request_of()):
            task = asyncio.create_task(ask())
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with asyncio.timeout(60):
            await ask()

    asyncio.run(scene())


@pytest.mark.parametrize("steps", range(4))
def test_a_place_that_is_given_up_as_another_comes_free_breaks_nothing(steps: int) -> None:
    """The future of whoever gives up is cancelled some steps of the event loop before it leaves the queue."""

    async def scene() -> None:
        turns = Turns(Limits(computing=1, patience=300))

        async def ask() -> None:
            async with turns.take(request_of()):
                pass

        async with turns.take(request_of()):
            task = asyncio.create_task(ask())
            await asyncio.sleep(0)
            task.cancel()
            for _ in range(steps):
                await asyncio.sleep(0)
        await asyncio.gather(task, return_exceptions=True)
        async with asyncio.timeout(60):
            await ask()

    asyncio.run(scene())
