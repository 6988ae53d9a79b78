"""Ways found pair by pair are those found flow by flow."""

from __future__ import annotations

import numpy as np
import pytest

from footroom.engines.plan import Plan, build_plan, ways
from footroom.scenario import Scenario

WAYS = "flow_forward", "flow_reverse", "flow_rtt", "routes"
TOPOLOGIES = {
    "dumbbell": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "2 ms", "rtt_spread": 0.3},
    "star": {"kind": "star", "hosts": 6},
    "leaf_spine": {"kind": "leaf_spine", "leaves": 2, "spines": 2, "hosts_per_leaf": 3},
}


def _plan(topology: dict[str, object], seed: int) -> Plan:
    return build_plan(
        Scenario.parse(
            {
                "topology": topology,
                "switch": {"buffer": "200 kB"},
                "traffic": [
                    {"kind": "long_lived", "flows": 3, "start_jitter": "1 ms"},
                    {"kind": "poisson", "load": 0.3, "sizes": "20 kB", "connections": 4},
                    {"kind": "poisson", "load": 0.1, "sizes": "5 kB"},
                ],
                "run": {"duration": "40 ms", "warmup": "10 ms", "seed": seed},
            }
        )
    )


@pytest.mark.parametrize("name", TOPOLOGIES)
@pytest.mark.parametrize("seed", [1, 2])
def test_both_find_the_same(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    by_pair = _plan(TOPOLOGIES[name], seed)
    assert by_pair.flows > 20
    monkeypatch.setattr(ways, "_by_pair", lambda *_: None)
    by_flow = _plan(TOPOLOGIES[name], seed)
    for field in WAYS:
        np.testing.assert_array_equal(getattr(by_pair, field), getattr(by_flow, field), err_msg=field)


def test_ways_of_a_fabric_are_drawn_flow_by_flow(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    original = ways._by_pair
    monkeypatch.setattr(ways, "_by_pair", lambda *given: asked.append(original(*given) is None))
    for topology in TOPOLOGIES.values():
        _plan(topology, 1)
    assert asked == [False, False, True]
