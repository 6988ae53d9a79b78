"""What a study would cost is counted, never built, and refused while it is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom.parts.topology import Topology
from footroom.scenario import Scenario
from footroom_api.admission import Guard
from footroom_api.app import create_app
from footroom_api.problems import ProblemError
from footroom_api.settings import Limits, Settings

SHORT = [{"kind": "poisson", "load": 0.5, "sizes": "websearch_dctcp"}]
RUN = {"duration": "1 ms", "warmup": 0}
FLOWS: dict[str, Any] = {"kind": "long_lived", "flows": 100_000, "start_jitter": 0}


def scenario(topology: dict[str, Any], traffic: list[dict[str, Any]]) -> dict[str, Any]:
    return {"topology": topology, "switch": {"buffer": "1 MB"}, "traffic": traffic, "run": RUN}


MANY_FLOWS = {"scenario": scenario({"kind": "dumbbell"}, [FLOWS] * 64)}
LARGE_FABRICS = {
    "scenario": scenario({"kind": "leaf_spine", "leaves": 1000, "spines": 100, "hosts_per_leaf": 100}, SHORT),
    "over": {"topology.link_delay": "1us:1.5us:lin50"},
}
MANY_STARS = {
    "scenario": scenario({"kind": "star", "hosts": 10_000}, SHORT),
    "over": {"topology.rtt": "100us:200us:lin10000"},
}


@pytest.fixture
def server(settings: Settings, work: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server with the limits it has by default, and topologies that cannot be built."""

    def built(*_: Any) -> None:
        pytest.fail("a network was built before the study was admitted")

    for kind in Topology.__subclasses__():
        monkeypatch.setattr(kind, "build", built)
    given = Settings(database=settings.database, warm=False, frontend=settings.frontend, workers=2)
    with TestClient(create_app(given, work), base_url="http://localhost/api/v1") as client:
        yield client


@pytest.mark.parametrize(
    ("body", "limits"),
    [(MANY_FLOWS, {"limits.parts", "limits.memory"}), (MANY_STARS, {"limits.parts", "limits.seconds"})],
    ids=["flows", "stars"],
)
def test_what_is_too_large_is_refused_by_counting(server: TestClient, body: dict[str, Any], limits: set[str]) -> None:
    response = server.post("studies", json=body)
    assert response.status_code == 422, response.text
    document = response.json()
    assert document["type"] == "urn:footroom:problem:beyond-limits"
    assert {error["path"] for error in document["errors"]} == limits
    for error in document["errors"]:
        assert error["given"] > 0
        assert "allows" in error["message"]
        assert "ask for" in error["message"]
        assert "e+" not in error["message"]


def test_a_large_fabric_is_counted_whole(server: TestClient) -> None:
    response = server.post("studies", json=LARGE_FABRICS)
    assert response.status_code == 202, response.text
    cost = response.json()["cost"]
    # 100 000 hosts with a cable each and 100 000 cables between switches, both ways; setting one up takes 20 s.
    assert cost["parts"] > 50 * (100_000 + 1100 + 400_000)
    assert cost["cpu_seconds"] > 50 * 19.5


def test_a_study_is_refused_before_all_its_points_are_read() -> None:
    guard = Guard(Limits(parts=50_000), workers=1)
    guard.begin(1000, ("packet",), 1)
    point = Scenario.parse(scenario({"kind": "star", "hosts": 1000}, SHORT))
    guard.add(point)
    one = guard.tally.cost().parts
    assert one > 1000 + 1 + 2 * 2000  # hosts, the switch, ports with a queue each, and flows
    for _ in range(int(50_000 / one) - 1):
        guard.add(point)
    with pytest.raises(ProblemError) as refusal:
        guard.add(point)
    assert refusal.value.errors[0].given == pytest.approx(1000 * one)
