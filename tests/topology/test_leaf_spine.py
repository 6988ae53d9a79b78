from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from footroom.base.errors import InvalidInput
from footroom.base.rng import stream
from footroom.engines.plan.routes import Routes
from footroom.parts.topology import LeafSpine, Network
from footroom.parts.traffic import Poisson
from footroom.scenario import Scenario


def built(topology: LeafSpine, open_loop: bool = True) -> Network:
    return topology.build(8, open_loop, stream(1, "topology"))


def routes_of(network: Network) -> tuple[Routes, list[tuple[int, int]]]:
    ends = [(a, b) for cable in network.cables for a, b in ((cable.a, cable.b), (cable.b, cable.a))]
    return Routes(len(network.names), [a for a, _ in ends], [b for _, b in ends]), ends


@pytest.mark.parametrize(("leaves", "spines", "hosts_per_leaf"), [(2, 1, 1), (3, 2, 5), (20, 10, 20), (16, 16, 16)])
def test_every_leaf_has_its_hosts_and_every_spine(leaves: int, spines: int, hosts_per_leaf: int) -> None:
    topology = LeafSpine(leaves=leaves, spines=spines, hosts_per_leaf=hosts_per_leaf)
    network = built(topology)
    degree = Counter(end for cable in network.cables for end in (cable.a, cable.b))
    by_role: dict[str, list[int]] = {"leaf": [], "spine": []}
    for node, role in zip(network.switches, network.roles, strict=True):
        by_role[role].append(degree[node])
    assert by_role == {"leaf": [hosts_per_leaf + spines] * leaves, "spine": [leaves] * spines}
    hosts = set(range(len(network.names))) - set(network.switches)
    assert len(hosts) == leaves * hosts_per_leaf
    assert {degree[host] for host in hosts} == {1}
    assert topology.switch_roles() == {
        network.names[node]: role for node, role in zip(network.switches, network.roles, strict=True)
    }


def test_racks_are_eight_links_of_round_trip_apart_and_paths_use_all_spines() -> None:
    network = built(LeafSpine(leaves=3, spines=4, hosts_per_leaf=2, link_delay="1.5 us"))
    routes, ends = routes_of(network)
    rng = stream(1, "paths")
    delay = {end: cable.delay for cable in network.cables for end in ((cable.a, cable.b), (cable.b, cable.a))}
    here, beside, there = (network.index(name) for name in ("l0h0", "l0h1", "l2h1"))
    for target, links in ((beside, 2), (there, 4)):
        path = routes.path(here, target, rng)
        assert path is not None
        assert len(path) == links
        assert sum(delay[ends[port]] for port in path) == pytest.approx(links * 1.5e-6)
    taken = Counter(ends[path[1]][1] for _ in range(4000) if (path := routes.path(here, there, rng)))
    assert len(taken) == 4
    # Four equal shares of 4000 draws: five standard deviations of a binomial are 137.
    assert all(abs(count - 1000) < 140 for count in taken.values())


def test_long_lived_flows_join_hosts_of_different_racks_one_to_one() -> None:
    topology = LeafSpine(leaves=5, spines=2, hosts_per_leaf=7)
    network = built(topology)
    assert network.place_lasting is not None
    for seed in range(20):
        pairs = np.array(network.place_lasting(35, stream(seed, "places")))
        assert sorted(pairs[:, 0]) == sorted(pairs[:, 1]) == list(range(35))
        assert (pairs[:, 0] // 7 != pairs[:, 1] // 7).all()
    again = [network.place_lasting(50, stream(3, "places")) for _ in range(2)]
    assert again[0] == again[1]
    assert Counter(source for source, _ in again[0]).most_common(1)[0][1] == 2


def test_two_racks_exchange_everything() -> None:
    network = built(LeafSpine(leaves=2, spines=1, hosts_per_leaf=9))
    assert network.place_lasting is not None
    assert all((a < 9) != (b < 9) for a, b in network.place_lasting(18, stream(1, "places")))


@pytest.mark.parametrize("partners", ["any", "other_racks"])
def test_flows_that_come_and_go_spread_evenly(partners: Any) -> None:
    topology = LeafSpine(leaves=4, spines=2, hosts_per_leaf=3, partners=partners)
    pairs = np.array(built(topology).place(60_000, stream(1, "places")))
    assert (pairs[:, 0] != pairs[:, 1]).all()
    for column in (0, 1):
        counts = np.bincount(pairs[:, column], minlength=12)
        assert (abs(counts - 5000) < 5 * np.sqrt(5000)).all()
    local = (pairs[:, 0] // 3 == pairs[:, 1] // 3).mean()
    assert local == (0.0 if partners == "other_racks" else pytest.approx(2 / 11, abs=0.01))


@pytest.mark.parametrize("partners", ["any", "other_racks"])
def test_load_of_uplinks_is_what_crosses_them(partners: Any) -> None:
    topology = LeafSpine(leaves=4, spines=2, hosts_per_leaf=4, load_of="uplinks", partners=partners)
    network = built(topology)
    pairs = np.array(network.place(200_000, stream(1, "places")))
    crossing = float((pairs[:, 0] // 4 != pairs[:, 1] // 4).mean())
    assert 0.5 * network.load_capacity * crossing == pytest.approx(0.5 * 4 * 2 * 1e10, rel=0.005)
    assert built(LeafSpine(leaves=4, spines=2, hosts_per_leaf=4)).load_capacity == 16 * 1e10


def parsed(load: float, **topology: Any) -> Scenario:
    return Scenario.parse(
        {
            "topology": {"kind": "leaf_spine", **topology},
            "switch": {"buffer": "4 MB"},
            "traffic": [{"kind": "poisson", "load": load, "sizes": "100 kB"}],
            "run": {"duration": "10 ms", "warmup": "1 ms"},
        }
    )


def test_a_load_that_some_link_cannot_carry_is_refused() -> None:
    """Twenty hosts on ten uplinks: 380 of 399 partners are in other racks, so uplinks are full at 0.525."""
    wide = {"leaves": 20, "spines": 10, "hosts_per_leaf": 20}
    assert LeafSpine(**wide).most_load() == pytest.approx(0.5 * 399 / 380)
    assert isinstance(parsed(0.52, **wide).traffic[0], Poisson)
    with pytest.raises(InvalidInput, match=r"0\.525") as caught:
        parsed(0.53, **wide)
    assert caught.value.problems[0].path == "traffic"
    assert parsed(0.95, **wide, load_of="uplinks").topology.most_load() == 1.0
    with pytest.raises(InvalidInput, match="steady state"):
        parsed(0.5, leaves=4, spines=16, hosts_per_leaf=4, load_of="uplinks")


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("leaves", 1, "at least 2"),
        ("spines", 0, "at least 1"),
        ("hosts_per_leaf", 0, "at least"),
        ("link_delay", "300 m", "unit of length"),
        ("load_of", "spines", "uplinks"),
        ("fabric_rate", "10 GB", "unit of size"),
        ("pods", 2, "unknown key"),
        ("leaves", 1000, "at most 200000"),
    ],
)
def test_what_is_wrong_is_named(field: str, value: Any, word: str) -> None:
    extra = {"spines": 1000} if value == 1000 else {}
    with pytest.raises(InvalidInput, match=word) as caught:
        parsed(0.1, **extra, **{field: value})
    assert caught.value.problems[0].path == f"topology.{field}"


def test_what_is_watched_can_be_chosen() -> None:
    ports = {
        which: set(built(LeafSpine(leaves=3, spines=2, hosts_per_leaf=4, watched=which)).watched)
        for which in ("all", "hosts", "fabric")
    }
    assert {which: len(found) for which, found in ports.items()} == {"all": 24, "hosts": 12, "fabric": 12}
    assert ports["all"] == ports["hosts"] | ports["fabric"]
    assert LeafSpine(host_rate=1e9, fabric_rate=1e10, watched="fabric").slowest_watched() == 1e10
    assert LeafSpine(host_rate=1e9, fabric_rate=1e10).slowest_watched() == 1e9


def test_engines_of_one_bottleneck_decline() -> None:
    assert LeafSpine().single_bottleneck(8, False) is None
