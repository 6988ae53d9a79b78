"""What a server keeps in memory does not grow with what it is asked."""

from __future__ import annotations

import ctypes
import functools
import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api.conftest import DUMBBELL

from footroom.result import Result
from footroom_api.app import create_app
from footroom_api.persistence import StudyStore
from footroom_api.settings import Settings

#: Objects that may be alive beside those of the server itself: what is under way, and what waits for the collector.
SPARE = 20


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    """A server whose studies are run by the real engines."""
    made = Settings(database=str(tmp_path / "x.db"), warm=False, frontend=tmp_path, workers=1)
    with TestClient(create_app(made), base_url="http://localhost/api/v1") as client:
        yield client


def test_a_running_study_keeps_no_finished_point_in_memory(
    server: TestClient, until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    points, found = 300, []
    add = StudyStore.add_point

    def counted(store: StudyStore, study: str, position: int, point: dict[str, Any]) -> bool:
        if position in (100, points - 1):
            found.append(sum(type(one) is Result for one in gc.get_objects()))
        return add(store, study, position, point)

    monkeypatch.setattr(StudyStore, "add_point", counted)
    body = {"scenario": DUMBBELL, "engines": ["theory"], "over": {"switch.buffer": f"25kB:2.5MB:log{points}"}}
    study = server.post("studies", json=body).json()["id"]
    assert until(server, study, "done")["points"] == points
    # Those of the batch that is computed together are there; the 100th and the last are alike.
    assert len(found) == 2
    assert max(found) < 100


def asked(server: TestClient, until: Any, round_: int) -> None:
    """Other requests, and another study, each round."""
    for number in range(25):
        buffer = 30_000 + 1000 * (25 * round_ + number)
        document = DUMBBELL | {"switch": {"buffer": buffer}}
        assert server.post("estimates", json={"scenario": document, "engines": ["theory"]}).status_code == 200
        assert server.post("studies/cost", json={"scenario": document, "engines": ["packet"]}).status_code == 200
        question = {"speed": "100 Gb/s", "cable": 25 * round_ + number + 1}
        assert server.post("headroom", json=question).status_code == 200
        assert server.get(f"studies/none-{round_}-{number}").status_code == 404
        assert server.request(f"VERB{'X' * round_}{'Y' * number}", "studies").status_code == 405
    document = DUMBBELL | {"name": f"round {round_}"}
    over = {"switch.buffer": [1e5 + 1e3 * (40 * round_ + number) for number in range(40)]}
    study = server.post("studies", json={"scenario": document, "engines": ["theory"], "over": over}).json()["id"]
    until(server, study, "done")
    assert server.get(f"studies/{study}/results").status_code == 200
    assert server.get(f"studies/{study}/events").status_code == 200
    server.get("http://localhost/metrics")


def caches() -> dict[str, int]:
    """Entries of every cache of the package that has no limit."""
    found = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    return {
        f"{one.__module__}.{one.__qualname__}": one.cache_info().currsize
        for one in found
        if one.cache_info().maxsize is None and str(one.__module__).startswith("footroom")
    }


def counted() -> Counter[str]:
    """Live objects of the package by type, and series of the metrics."""
    gc.collect()
    return Counter(
        f"{type(one).__module__}.{type(one).__name__}"
        for one in gc.get_objects()
        if str(type(one).__module__).startswith("footroom")
    )


def test_rounds_of_requests_and_studies_leave_nothing_behind(server: TestClient, until: Any) -> None:
    asked(server, until, 0)  # what is read or made at the first use stays
    asked(server, until, 1)
    kept, objects, series = caches(), counted(), len(server.app.state.requests.answered)  # type: ignore[attr-defined]
    for round_ in range(2, 4):
        asked(server, until, round_)
    assert kept  # or nothing was looked at
    assert caches() == kept
    more = counted() - objects
    assert {kind: count for kind, count in more.items() if count > SPARE} == {}
    assert len(server.app.state.requests.answered) == series  # type: ignore[attr-defined]


def resident() -> float:
    """Memory of this process in use [MB]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.skipif(sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="needs glibc")
def test_pages_that_a_study_freed_go_back_to_the_system(settings: Settings, request_body: Any, until: Any) -> None:
    kept, full = [], []

    def work(request: dict[str, Any], **_: Any) -> None:
        freed = [bytearray(50_000) for _ in range(4000)]  # 200 MB in pieces that do not go back one by one
        kept.append(bytearray(50_000))  # and what keeps their heap from shrinking
        full.append(resident())
        del freed

    with TestClient(create_app(settings, work), base_url="http://localhost/api/v1") as client:
        before = resident()
        study = client.post("studies", json=request_body).json()["id"]
        until(client, study, "done")
    # The server has ended, and with it the thread that runs studies.
    assert full[0] > before + 150.0
    assert resident() < full[0] - 100.0
