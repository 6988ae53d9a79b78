"""Servers killed at random moments lose no finished point, and every study is done in the end.

FOOTROOM_KILLS sets how often they are killed; there are few kills by default, for they take seconds each.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text
from tests.api.conftest import DUMBBELL, PATIENCE

from footroom.studies import Study, run
from footroom_api.persistence import StudyStore, open_database

KILLS = int(os.environ.get("FOOTROOM_KILLS", "2"))
REQUEST: dict[str, Any] = {
    "scenario": DUMBBELL | {"run": {"duration": "2 s", "warmup": "1 s"}},
    "engines": ["theory", "packet"],
    "over": {"switch.buffer": [100_000.0 + 1000.0 * n for n in range(10 + 8 * KILLS)]},
    "replicas": 1,
}
#: Runs at the same time, and asks for some of the same runs.
OTHER = REQUEST | {"over": {"switch.buffer": REQUEST["over"]["switch.buffer"][::3]}, "replicas": 2}

pytestmark = pytest.mark.slow


class Server:
    """A server in a process of its own."""

    def __init__(self, database: str) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "FOOTROOM_DATABASE": database,
            "FOOTROOM_WORKERS": "1",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "footroom.cli", "serve", "--port", "0"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = f"{self.process.stdout.readline().split()[-1]}api/v1/"

    def ask(self, path: str, body: Any = None) -> Any:
        """What the server answers."""
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            return json.load(answer)

    def kill(self) -> None:
        """As the system does when memory runs out."""
        self.process.kill()
        self.process.wait()


@pytest.fixture
def servers() -> Iterator[list[Server]]:
    running: list[Server] = []
    yield running
    for server in running:
        server.kill()


def kept(database: Engine) -> dict[str, str]:
    """Finished runs, and when each was."""
    with database.connect() as connection:
        return {key: str(created) for key, created in connection.execute(text("SELECT key, created FROM result"))}


def claimed(database: Engine) -> list[str]:
    """Keys of what servers claim."""
    with database.connect() as connection:
        return list(connection.scalars(text("SELECT key FROM claim")))


def unfinished(store: StudyStore) -> bool:
    """Whether a study is queued or runs."""
    return bool(store.unfinished())


def stuck(servers: list[Server], studies: list[str], database: Engine) -> str:
    """What there is to know of studies that do not end."""
    lines = [f"server {n} ends with {server.process.poll()}" for n, server in enumerate(servers)]
    for study in studies:
        document = servers[0].ask(f"studies/{study}")
        lines.append(f"study {study}: {document['status']}, {document['progress']:.2f}, {document.get('problem')}")
    with database.connect() as connection:
        claims = [tuple(row)[:2] for row in connection.execute(text("SELECT key, owner FROM claim"))]
    return "\n".join([*lines, f"{len(kept(database))} runs kept; claims: {claims}"])


def told(points: list[dict[str, Any]]) -> str:
    """All of the points but how long they took."""
    return json.dumps([{**point, "result": {**point["result"], "wall_s": 0.0}} for point in points], sort_keys=True)


@pytest.mark.parametrize(("kind", "count"), [("sqlite", 1), ("postgresql", 2)])
def test_killed_servers_lose_nothing(
    kind: str, count: int, servers: list[Server], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place = request.getfixturevalue("url") if kind == "postgresql" else str(tmp_path / "x.db")
    dice = random.Random(18)
    database = open_database(place)
    store = StudyStore(database)
    servers += [Server(place) for _ in range(count)]
    studies = [servers[0].ask("studies", request)["id"] for request in (REQUEST, OTHER)]
    points: dict[str, frozenset[int]] = {}
    runs: dict[str, str] = {}
    for _ in range(KILLS):
        few = len(runs) + 1
        patience = time.monotonic() + PATIENCE
        while len(kept(database)) < few and unfinished(store):  # at work again, or done by the other
            assert time.monotonic() < patience, stuck(servers, studies, database)
            time.sleep(0.02)
        time.sleep(dice.uniform(0.0, 1.0))
        points, runs = {study: store.positions(study) for study in studies}, kept(database)
        victim = dice.randrange(count)
        shown = {study: servers[victim].ask(f"studies/{study}")["progress"] for study in studies}
        servers[victim].kill()
        assert all(store.positions(study) >= points[study] for study in studies)
        assert kept(database).items() >= runs.items()
        servers[victim] = Server(place)
        assert all(servers[victim].ask(f"studies/{study}")["progress"] >= shown[study] for study in studies)
    patience = time.monotonic() + PATIENCE
    while unfinished(store):
        assert time.monotonic() < patience, stuck(servers, studies, database)
        time.sleep(0.1)
    assert [servers[0].ask(f"studies/{study}")["status"] for study in studies] == ["done", "done"]
    assert kept(database).items() >= runs.items()  # what was finished was not made again
    for study, asked in zip(studies, (REQUEST, OTHER), strict=True):
        answer = servers[-1].ask(f"studies/{study}/results")
        assert answer["unsupported"] == []
        assert told(answer["points"]) == told(run(Study.from_request(asked)).to_dict()["points"])
    patience = time.monotonic() + PATIENCE
    while claimed(database):  # a study is done a moment before its claims are given up
        assert time.monotonic() < patience, stuck(servers, studies, database)
        time.sleep(0.02)
    database.dispose()
