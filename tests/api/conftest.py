"""An application over a database of its own, with engines that do as they are told."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from tests.api.postgres import address, url

from footroom import studies
from footroom.base.errors import Cancelled
from footroom.result import Result
from footroom.studies import engines
from footroom_api.app import create_app
from footroom_api.persistence import open_database
from footroom_api.persistence.studies import FINAL
from footroom_api.settings import Limits, Settings

__all__ = ["address", "url"]

Until = Callable[..., dict[str, Any]]
#: What a busy machine that has to compile first may take for anything at all [s].
PATIENCE = 300

DUMBBELL: dict[str, Any] = {
    "name": "WAN bottleneck",
    "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "20 ms"},
    "switch": {"buffer": "250 kB"},
    "traffic": [{"kind": "long_lived", "flows": 50, "congestion": {"kind": "newreno"}}],
    "run": {"duration": "3 s", "warmup": "1 s"},
}


def made_up(buffer: float) -> dict[str, Any]:
    """A point as engines make them."""
    return {
        "at": {"switch.buffer": buffer},
        "result": {
            "engine": "packet",
            "scenario": {"switch": {"buffer": buffer}},
            "seed": 1,
            "wall_s": 0.1,
            "metrics": {"utilisation": 0.9, "drop_rate": 1e-4},
            "intervals": {"utilisation": [0.89, 0.91]},
            "notes": [],
            "explanations": [],
            "provenance": {"version": "0", "schema": 1, "replicas": 3},
        },
    }


class FakeWork:
    """Answers each buffer of a study with a made-up point.

    gate: closed, it holds the work up after each point.  started: a point was made.  error: raised at once.
    deaf: do not notice being stopped.
    """

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.started = threading.Event()
        self.calls: list[dict[str, Any]] = []
        self.error: Exception | None = None
        self.deaf = False

    def begun(self) -> None:
        """Wait until a point was made."""
        assert self.started.wait(PATIENCE)

    def __call__(
        self,
        request: dict[str, Any],
        *,
        stop: threading.Event,
        on_point: Callable[[int, dict[str, Any]], None],
        on_progress: Callable[[float, float | None], None],
        **_: Any,
    ) -> None:
        self.calls.append(request)
        if self.error is not None:
            raise self.error
        buffers = (request.get("over") or {}).get("switch.buffer") or [request["scenario"]["switch"]["buffer"]]
        for i, buffer in enumerate(buffers):
            on_point(i, made_up(buffer))
            on_progress((i + 1) / (len(buffers) + 1), 0.5)
            self.started.set()
            while not self.gate.wait(0.005):
                if stop.is_set() and not self.deaf:
                    raise Cancelled("stopped")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An empty database of either kind."""
    found = request.getfixturevalue("url") if request.param == "postgresql" else str(tmp_path / "folder" / "x.db")
    engine = open_database(found)
    yield engine
    engine.dispose()


@pytest.fixture
def work() -> Iterator[FakeWork]:
    fake = FakeWork()
    yield fake
    fake.gate.set()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database=str(tmp_path / "footroom.db"),
        warm=False,
        frontend=tmp_path / "dist",
        workers=1,
        limits=Limits(runs=200, studies=1),
    )


@pytest.fixture
def client(settings: Settings, work: FakeWork) -> Iterator[TestClient]:
    with TestClient(create_app(settings, work), base_url="http://localhost/api/v1") as found:
        yield found


@pytest.fixture
def document() -> dict[str, Any]:
    return copy.deepcopy(DUMBBELL)


@pytest.fixture
def request_body(document: dict[str, Any]) -> dict[str, Any]:
    return {"scenario": document, "over": {"switch.buffer": [100_000, 200_000, 400_000]}, "engines": ["packet"]}


@pytest.fixture
def until() -> Until:
    """Wait until something at an address, such as a study, has one of some statuses; what is there then."""

    def wait(client: TestClient, what: str, *statuses: str) -> dict[str, Any]:
        address = what if "/" in what else f"studies/{what}"
        patience = time.monotonic() + PATIENCE
        while time.monotonic() < patience:
            found: dict[str, Any] = client.get(address).json()
            if found["status"] in statuses:
                return found
            assert found["status"] not in FINAL, f"{address} is {found['status']}: {found['error']}"
            time.sleep(0.005)
        raise AssertionError(f"{address} is still {found['status']}, not {' or '.join(statuses)}")

    return wait


class FakePackets:
    """Utilisation B/(B + 10 kB), scattered by seed. gate: closed, it holds runs up."""

    def __init__(self) -> None:
        self.gate, self.calls = threading.Event(), 0
        self.gate.set()

    def __call__(self, scenario: Any, seed: int, *, stop: Any, progress: Any) -> Result:
        self.calls += 1
        while not self.gate.wait(0.005):
            if stop is not None and stop.is_set():
                raise Cancelled("stopped")
        buffer = scenario.switch.buffer
        return Result(
            "packet",
            scenario.to_dict(),
            seed,
            0.0,
            {"utilisation": buffer / (buffer + 1e4) * (1.0 - 1e-3 * (seed % 7))},
            offered=10**6,
        )


@pytest.fixture
def packets(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePackets]:
    fake = FakePackets()
    known = {engine.name: engine for engine in studies.ENGINES}
    monkeypatch.setattr(
        engines, "ENGINES", (*(known[name] for name in ("theory", "fluid")), replace(known["packet"], simulate=fake))
    )
    yield fake
    fake.gate.set()
