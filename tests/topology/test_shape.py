"""What topologies say of their size is what they build."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.base.rng import stream
from footroom.engines.plan.routes import Routes
from footroom.parts.topology import REGISTRY
from footroom.scenario import Scenario, is_open_loop, lasting_flows, network_of

LONG: dict[str, Any] = {"kind": "long_lived", "flows": 5, "start_jitter": "1 ms"}
SHORT: dict[str, Any] = {"kind": "poisson", "load": 0.1, "sizes": "10 kB"}
TREE = {
    "kind": "graph",
    "hosts": ["a", "b", "c", "d"],
    "switches": ["s", "t", "u"],
    "links": [
        {"ends": ["a", "s"], "rate": "1G", "delay": "1 us"},
        {"ends": ["b", "s"], "rate": "1G", "delay": "2 us"},
        {"ends": ["c", "u"], "rate": "2G", "delay": "3 us"},
        {"ends": ["d", "u"], "rate": "1G", "delay": "4 us"},
        {"ends": ["s", "t"], "rate": "5G", "delay": "5 us"},
        {"ends": ["t", "u"], "rate": "5G", "delay": "6 us"},
    ],
}
TOPOLOGIES: list[dict[str, Any]] = [
    {"kind": "dumbbell"},
    {"kind": "dumbbell", "pairs": 500, "rtt_spread": 0.5},
    {"kind": "star", "hosts": 9},
    {"kind": "leaf_spine", "leaves": 3, "spines": 2, "hosts_per_leaf": 4},
    {"kind": "leaf_spine", "leaves": 3, "spines": 5, "hosts_per_leaf": 4, "watched": "fabric", "load_of": "uplinks"},
    {"kind": "leaf_spine", "leaves": 2, "spines": 1, "watched": "hosts", "partners": "other_racks"},
    {"kind": "two_pod"},
    {"kind": "two_pod", "servers_per_pod": 6, "nics_per_server": 3, "nics": "both_tors"},
    {"kind": "two_pod", "watched": "nics"},
    {"kind": "parallel_planes", "planes": 3, "feeds": 2},
    TREE,
    TREE | {"bottlenecks": [["s", "t"]]},
]


def test_every_kind_is_tried() -> None:
    assert {topology["kind"] for topology in TOPOLOGIES} == set(REGISTRY.names)


@pytest.mark.parametrize("traffic", [[LONG], [SHORT], [LONG, SHORT]], ids=["long", "short", "both"])
@pytest.mark.parametrize("topology", TOPOLOGIES, ids=str)
def test_the_shape_is_that_of_the_network(topology: dict[str, Any], traffic: list[dict[str, Any]]) -> None:
    scenario = Scenario.parse({"topology": topology, "switch": {"buffer": "1 MB"}, "traffic": traffic})
    shape = scenario.topology.shape(lasting_flows(scenario), is_open_loop(scenario))
    network = network_of(scenario, 1)
    assert shape.hosts == len(network.names) - len(network.switches)
    assert sum(shape.switches.values()) == len(network.switches)
    assert shape.switches == {role: network.roles.count(role) for role in set(network.roles)}
    assert shape.ports == 2 * len(network.cables)
    assert shape.watched == len(network.watched)
    rates = {pair: cable.rate for cable in network.cables for pair in ((cable.a, cable.b), (cable.b, cable.a))}
    assert shape.watched_capacity == pytest.approx(sum(rates[pair] for pair in network.watched))
    assert shape.load_capacity == pytest.approx(network.load_capacity)


@pytest.mark.parametrize("traffic", [[LONG], [SHORT]], ids=["long", "short"])
@pytest.mark.parametrize("topology", TOPOLOGIES, ids=str)
def test_a_typical_path_is_the_mean_of_many(topology: dict[str, Any], traffic: list[dict[str, Any]]) -> None:
    scenario = Scenario.parse({"topology": topology, "switch": {"buffer": "1 MB"}, "traffic": traffic})
    shape = scenario.topology.shape(lasting_flows(scenario), is_open_loop(scenario))
    network = network_of(scenario, 1)
    ends = [pair for cable in network.cables for pair in ((cable.a, cable.b), (cable.b, cable.a))]
    delays = [cable.delay for cable in network.cables for _ in range(2)]
    routes, rng = Routes(len(network.names), [a for a, _ in ends], [b for _, b in ends]), stream(1, "test")
    place = network.place_lasting if "flows" in traffic[0] and network.place_lasting else network.place
    found = [path for path in (routes.path(a, b, rng) for a, b in place(4000, rng)) if path]
    assert shape.links == pytest.approx(sum(map(len, found)) / len(found), rel=0.05)
    delay = sum(delays[port] for path in found for port in path) / len(found)
    assert shape.rtt == pytest.approx(2.0 * delay, rel=0.05)
