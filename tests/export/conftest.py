"""What the tests of export and import share."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom_api.app import create_app
from footroom_api.settings import Settings

RACK: dict[str, Any] = {
    "name": "rack",
    "topology": {"kind": "star", "hosts": 8, "rate": "100 Gb/s", "rtt": "6 us"},
    "switch": {
        "buffer": "12 MB",
        "sharing": {"kind": "dynamic_threshold", "alpha": 0.1},
        "marking": {"kind": "red", "kmin": "100 kB", "kmax": "400 kB", "pmax": 0.2},
    },
    "traffic": [{"kind": "long_lived", "flows": 4}],
    "run": {"duration": "2 s", "warmup": "1 s", "mtu": "1500 B"},
}


@pytest.fixture
def rack() -> dict[str, Any]:
    """Eight hosts on one switch; a host's cable is 6 us / 4 at 5 ns/m: 300 m."""
    return copy.deepcopy(RACK)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("export")
    with TestClient(
        create_app(Settings(database=str(folder / "x.db"), warm=False, frontend=folder)),
        base_url="http://localhost/api/v1",
    ) as made:
        yield made
