from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from footroom.base.errors import InvalidInput, Unsupported
from footroom.base.rng import stream
from footroom.engines.plan.routes import Routes
from footroom.parts.topology import Cable, ParallelPlanes
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import bottleneck_of


def raw(**topology: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "parallel_planes", **topology},
        "switch": {"buffer": "400 packets"},
        "traffic": [{"kind": "long_lived", "flows": 12}],
        "run": {"duration": "3 s", "warmup": "1 s"},
    }


def test_flows_are_hashed_over_planes_and_feeds_and_keep_their_round_trip() -> None:
    topology = ParallelPlanes(planes=3, feeds=2, rtt=0.03, rtt_spread=0.2)
    network = topology.build(20, False, stream(1, "topology"))
    wires = [(a, b, cable) for cable in network.cables for a, b in ((cable.a, cable.b), (cable.b, cable.a))]
    routes = Routes(len(network.names), [a for a, *_ in wires], [b for _, b, _ in wires])
    rng = stream(1, "paths")
    rtts = []
    for pair in range(20):
        there, back = routes.path(pair, 20 + pair, rng), routes.path(20 + pair, pair, rng)
        assert there is not None
        assert back is not None
        assert len(there) == len(back) == 5
        rtts.append(sum(wires[port][2].delay for port in there + back))
        crossed = wires[there[2]]
        assert crossed[:2] in network.watched
        assert crossed[2].rate == topology.bottleneck
    assert 0.024 <= min(rtts) < 0.028
    assert 0.032 < max(rtts) <= 0.036
    feeds = Counter(path[1] for _ in range(6000) if (path := routes.path(0, 20, rng)))
    assert len(feeds) == 6
    # Six equal shares of 6000 draws: five standard deviations of a binomial are 144.
    assert all(abs(count - 1000) < 150 for count in feeds.values())


def test_every_plane_is_watched_and_has_its_role() -> None:
    topology = ParallelPlanes(planes=4)
    network = topology.build(5, False, stream(1, "topology"))
    names = [(network.names[a], network.names[b]) for a, b in network.watched]
    assert names == [(f"{plane}-west", f"{plane}-east") for plane in "abcd"]
    roles = dict(zip((network.names[node] for node in network.switches), network.roles, strict=True))
    assert roles == topology.switch_roles()
    assert Counter(roles.values()) == {"edge": 2, "a": 2, "b": 2, "c": 2, "d": 2}
    assert network.load_capacity == 4 * topology.bottleneck


def test_parallel_cables_are_ingress_ports_of_their_own() -> None:
    network = ParallelPlanes(planes=1, feeds=5, feed=1e9).build(3, False, stream(1, "topology"))
    west, plane = network.index("west"), network.index("a-west")
    assert network.cables.count(Cable(west, plane, 1e9, 0.0)) == 5


@pytest.mark.parametrize(
    ("topology", "path", "word"),
    [
        ({"feeds": 1}, "topology.feeds", "must exceed"),
        ({"feeds": 4, "feed": "1 Gb/s"}, "topology.feeds", "must exceed"),
        ({"pairs": 9}, "topology.pairs", "reach a bottleneck"),
        ({"planes": 27}, "topology.planes", "at most 26"),
        ({"planes": 0}, "topology.planes", "at least 1"),
        ({"rtt": 0}, "topology.rtt", "at least 1 ps"),
        ({"colour": 1}, "topology.colour", "unknown key"),
    ],
)
def test_what_is_wrong_is_named(topology: dict[str, Any], path: str, word: str) -> None:
    with pytest.raises(InvalidInput, match=word) as caught:
        Scenario.parse(raw(**topology))
    assert caught.value.problems[0].path == path


def test_engines_of_one_bottleneck_decline() -> None:
    with pytest.raises(Unsupported, match="packet") as caught:
        bottleneck_of(Scenario.parse(raw()), "fluid")
    assert caught.value.path == "topology.kind"
