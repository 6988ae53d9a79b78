from __future__ import annotations

from collections import Counter

import pytest

from footroom.base.errors import InvalidInput
from footroom.base.rng import stream
from footroom.engines.plan.routes import Routes
from footroom.parts.topology import Network, TwoPod
from footroom.scenario import Scenario


def built(topology: TwoPod) -> Network:
    return topology.build(8, True, stream(1, "topology"))


def path_of(network: Network, source: str, target: str) -> tuple[list[str], float]:
    """Names of the switches on a path, and its delay [s]."""
    ends = [(a, b) for cable in network.cables for a, b in ((cable.a, cable.b), (cable.b, cable.a))]
    delay = [cable.delay for cable in network.cables for _ in range(2)]
    routes = Routes(len(network.names), [a for a, _ in ends], [b for _, b in ends])
    path = routes.path(network.index(source), network.index(target), stream(1, "paths"))
    assert path is not None
    return [network.names[ends[port][1]] for port in path[:-1]], sum(delay[port] for port in path)


def test_the_testbed_has_the_published_parts() -> None:
    """Section 2.1 of the paper: 2 pods of 2 ToRs, 2 Aggs and four 100G links; 2 cores; 8 servers with two 25G NICs."""
    network = built(TwoPod())
    assert Counter(network.roles) == {"tor": 4, "aggregation": 4, "core": 2}
    nics = [name for name in network.names if "n" in name[2:]]
    assert Counter(name[:4] for name in nics) == {f"p{p}s{s}": 2 for p in range(2) for s in range(4)}
    cables = {(network.names[c.a], network.names[c.b]): c for c in network.cables}
    for pod in ("p0", "p1"):
        inside = [c.rate for (a, b), c in cables.items() if a.startswith(f"{pod}t") and b.startswith(f"{pod}a")]
        assert inside == [100e9] * 4
        assert {(a, b) for a, b in cables if a.startswith(f"{pod}a")} == {
            (f"{pod}a{a}", f"core{c}") for a in range(2) for c in range(2)
        }
    degree = Counter(end for cable in network.cables for end in (cable.a, cable.b))
    assert {degree[network.index(nic)] for nic in nics} == {1}


def test_round_trips_are_those_of_the_testbed() -> None:
    network = built(TwoPod())
    for target, switches, rtt in (("p0s1n1", 1, 5.4e-6), ("p0s2n0", 3, 8.5e-6), ("p1s0n0", 5, 11.6e-6)):
        passed, delay = path_of(network, "p0s0n0", target)
        assert len(passed) == switches
        assert 2.0 * delay == pytest.approx(rtt)


def test_a_servers_nics_share_a_tor_or_have_one_each() -> None:
    for nics, last in (("one_tor", "p0t0"), ("both_tors", "p0t1")):
        network = built(TwoPod(nics=nics))
        assert path_of(network, "p1s0n0", "p0s0n1")[0][-1] == last
        assert path_of(network, "p1s0n0", "p0s0n0")[0][-1] == "p0t0"


def test_no_server_sends_to_itself_and_every_other_nic_is_as_likely() -> None:
    network = built(TwoPod())
    pairs = Counter(network.place(22_400, stream(2, "places")))
    assert all(a // 2 != b // 2 for a, b in pairs)
    assert len(pairs) == 16 * 14
    # 100 flows expected for each pair of NICs: five standard deviations are 50.
    assert max(abs(count - 100) for count in pairs.values()) < 50


def test_flows_that_last_cross_the_cores_one_to_one() -> None:
    network = built(TwoPod())
    assert network.place_lasting is not None
    pairs = network.place_lasting(16, stream(1, "places"))
    assert sorted(a for a, _ in pairs) == sorted(b for _, b in pairs) == list(range(16))
    assert all((a < 8) != (b < 8) for a, b in pairs)


def test_the_testbed_carries_what_its_nics_send_and_a_thin_fabric_does_not() -> None:
    assert TwoPod().most_load() == 1.0
    # 8 NICs of 25G a pod; 8 of the 14 that each may send to lie in the other pod, behind four links of 20G.
    assert TwoPod(fabric_rate="20 Gb/s").most_load() == pytest.approx(80 / (200 * 12 / 14))


def test_an_odd_number_of_servers_is_refused() -> None:
    with pytest.raises(InvalidInput, match="even"):
        Scenario.parse(
            {
                "topology": {"kind": "two_pod", "servers_per_pod": 3},
                "switch": {"buffer": "1 MB"},
                "traffic": [{"kind": "long_lived", "flows": 1}],
            }
        )
