"""Absurd scenarios are refused or answered, never a fault of the server."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from footroom_api import problems
from footroom_api.app import create_app
from footroom_api.settings import Settings

SCENARIO: dict[str, Any] = {
    "name": "absurd",
    "topology": {
        "kind": "dumbbell",
        "bottleneck": "1 Gb/s",
        "access": "10 Gb/s",
        "rtt": "20 ms",
        "rtt_spread": 0.1,
        "pairs": 50,
    },
    "switch": {
        "buffer": "250 kB",
        "reserved": 0,
        "sharing": {"kind": "dynamic_threshold", "alpha": 1},
        "marking": {"kind": "red", "kmin": 1e4, "kmax": 1e5, "pmax": 0.1},
    },
    "traffic": [
        {
            "kind": "long_lived",
            "flows": 50,
            "congestion": {"kind": "newreno"},
            "host": {"mss": 1448, "min_rto": "200 ms", "ack_every": 2, "receive_window": "1 MB"},
        },
        {
            "kind": "poisson",
            "load": 0.2,
            "sizes": {"kind": "bounded_pareto", "shape": 1.2, "minimum": 1e3, "maximum": 1e6},
        },
    ],
    "run": {"duration": 3, "warmup": 1, "seed": 1, "replicas": 1, "mtu": 1500},
}


def _paths(here: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for step, inner in here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ():
        yield (*before, step)
        yield from _paths(inner, (*before, step))


PATHS = sorted(_paths(SCENARIO), key=str)
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(
        [
            0,
            -1,
            1,
            1e-300,
            1e300,
            -1e300,
            10**18,
            10**300,
            "9" * 400,
            True,
            None,
            "",
            "1e308 GB",
            "-1 kB",
            "∞",
            "NaN",
            "inf",
            "1 packet",
            "0 packets",
            "1e300 packets",
            "1e-300 s",
            [],
            {},
            [[]],
            {"kind": None},
            {"kind": "none"},
            {"kind": []},
            "websearch_dctcp",
            "\x00",
            "x" * 1000,
            [1] * 100,
        ]
    ),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.floats(min_value=1e-12, max_value=1e14),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("absurd")

    def idle(request: dict[str, Any], **hooks: Any) -> None:
        """Admission is what is tested here, not the engines."""

    made = create_app(Settings(database=str(folder / "x.db"), warm=False, frontend=folder), idle)
    with TestClient(made, base_url="http://localhost/api/v1", raise_server_exceptions=True) as client:
        yield client


def test_the_scenario_that_is_changed_is_a_good_one(server: TestClient) -> None:
    assert server.post("estimates", json={"scenario": SCENARIO}).status_code == 200
    assert server.post("studies", json={"scenario": SCENARIO}).status_code == 202


def send(server: TestClient, where: str, body: Any) -> None:
    try:
        text = json.dumps(body, allow_nan=False).encode()
    except ValueError:
        return
    response = server.post(where, content=text, headers={"content-type": "application/json"})
    assert response.status_code in (200, 202, 400, 422), response.text
    json.loads(response.text, parse_constant=lambda name: pytest.fail(f"{name} in the answer"))
    if response.status_code >= 400:
        assert response.headers["content-type"] == "application/problem+json"
        assert response.json()["detail"]


@pytest.mark.parametrize("where", ["studies", "estimates"])
def test_any_value_anywhere(server: TestClient, where: str) -> None:
    @given(changes=st.lists(st.tuples(st.sampled_from(PATHS), VALUES), min_size=1, max_size=2))
    @settings(max_examples=150)
    def answered(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
        scenario = copy.deepcopy(SCENARIO)
        for path, value in changes:
            here: Any = scenario
            try:
                for step in path[:-1]:
                    here = here[step]
                here[path[-1]] = value
            except (TypeError, KeyError, IndexError):
                continue
        send(server, where, {"scenario": scenario})

    answered()


def test_any_axis(server: TestClient) -> None:
    names = [".".join(map(str, path)) for path in PATHS]

    @given(
        over=st.dictionaries(
            st.sampled_from([*names, "", ".", "switch.", "a.b", "traffic.-1.flows"]),
            st.one_of(
                st.lists(VALUES, max_size=3),
                st.text(max_size=12),
                st.just("1:2:log3"),
                st.just("1e-300:1e300:log4"),
                st.just("-1:1:lin3"),
            ),
            max_size=3,
        )
    )
    @settings(max_examples=100)
    def answered(over: dict[str, Any]) -> None:
        send(server, "studies", {"scenario": SCENARIO, "over": over})

    answered()


@pytest.mark.parametrize("kind", ["hosts", "links", "traffic", "sources"])
def test_huge_lists(server: TestClient, kind: str) -> None:
    hosts = [f"h{i}" for i in range(2000)]
    scenario = copy.deepcopy(SCENARIO)
    scenario["topology"] = {
        "kind": "graph",
        "hosts": hosts,
        "switches": ["s"],
        "links": [{"ends": [host, "s"], "rate": "1G"} for host in hosts],
    }
    if kind == "hosts":
        scenario["topology"]["hosts"] = [str(i) for i in range(50_000)]
    elif kind == "links":
        scenario["topology"]["links"] = [{"ends": ["h0", "s"]}] * 500
    elif kind == "traffic":
        scenario["traffic"] = scenario["traffic"] * 1000
    else:
        scenario["traffic"][0]["sources"] = hosts * 20
    send(server, "studies", {"scenario": scenario})


def test_many_faults_are_listed_in_part(server: TestClient) -> None:
    scenario = SCENARIO | {"traffic": [{"kind": "long_lived", "flows": -1}] * 64}
    response = server.post("studies", json={"scenario": scenario})
    assert response.status_code == 422
    assert len(response.json()["errors"]) == 50
    assert "64" in response.json()["detail"]


@pytest.mark.parametrize("path", ["switch.buffer", "traffic.0.flows", "run.seed"])
def test_a_number_beyond_every_float_is_refused(server: TestClient, path: str) -> None:
    digits = "9" * 400
    body = {"scenario": SCENARIO, "over": {path: digits}, "engines": ["packet"]}
    for address in ("studies", "studies/cost", "estimates"):
        answer = server.post(address, json=body)
        assert answer.status_code == 422, answer.text
    assert server.post(
        "export/sonic", json={"asic": "tomahawk", "ports": "2x100G@3m", "lossless": digits}
    ).is_client_error


def test_an_integer_that_is_no_float_is_told_by_its_length() -> None:
    assert problems._short(10**400) == "a number of 1329 bits"
    assert problems._short(-(10**5000)) == "a number of 16610 bits"
    assert problems._short(10**20) == 10**20
