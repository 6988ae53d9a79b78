"""Fluid and packets in networks of several hops: against full packet runs, and byte by byte at every port."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.engines.fluid.laws.flows import NET
from footroom.engines.hybrid import check, coupled, layout
from footroom.engines.hybrid.background import Background
from footroom.engines.packet.environment import Environment
from footroom.scenario import Scenario

RACKS = {
    "kind": "leaf_spine",
    "leaves": 2,
    "spines": 2,
    "hosts_per_leaf": 4,
    "host_rate": "1 Gb/s",
    "fabric_rate": "1 Gb/s",
    "link_delay": "0.5 ms",
}
PLANES = {"kind": "parallel_planes", "planes": 2, "bottleneck": "300 Mb/s", "access": "100 Mb/s", "rtt": "20 ms"}


def scenario(topology: dict[str, Any], fluid: bool = True, flows: int = 32, **changes: Any) -> Scenario:
    return Scenario.parse(
        {
            "topology": topology,
            "switch": {"buffer": "1 MB", "sharing": {"kind": "dynamic_threshold", "alpha": 1.0}},
            "traffic": [
                {"kind": "long_lived", "flows": flows, "start_jitter": "100 ms", "as": "fluid" if fluid else "packets"},
                {"kind": "poisson", "load": 0.03, "sizes": "30 kB"},
            ],
            "run": {"duration": "6 s", "warmup": "1 s", "mtu": "1500 B"},
            **changes,
        }
    )


def test_a_fabric_agrees_with_packets_alone() -> None:
    """Uplinks are full in both directions, so that acknowledgements wait too. Bounds: those of the documentation."""
    packets, mixed = (
        fr.run(scenario(RACKS, fluid), engine=engine) for fluid, engine in ((False, "packet"), (True, "hybrid"))
    )
    assert not {"utilisation", "drop_rate", "queue_mean", "fct_p50"} & set(mixed.outside)
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.02)
    assert mixed.metrics["goodput"] == pytest.approx(packets.metrics["goodput"], rel=0.03)
    assert mixed.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], rel=0.15)
    assert 1.0 / 1.5 < mixed.metrics["drop_rate"] / packets.metrics["drop_rate"] < 1.5
    assert mixed.metrics["fct_p50"] == pytest.approx(packets.metrics["fct_p50"], rel=0.1)


def test_every_byte_is_accounted_for_at_every_port() -> None:
    environment, background = coupled(scenario(RACKS))
    assert isinstance(background, Background)
    for until in (0.05, 0.5, 1.5):
        environment.run(until=until)
        background.check_conservation()
        environment.simulation.check_conservation()
    tables = environment.simulation.tables
    ports = tables.ports[tables.fluids["port"]]
    waits = ports["offered"] - ports["sent"] - ports["dropped"]
    held = ports["backlog"] + tables.fluids["inside"] / tables.fluids["packet"]
    switches = ports["switch"] >= 0
    assert np.abs(waits - held)[switches].max() < 6.0
    assert tables.fluids["lost"].sum() > 0.0


def test_bytes_that_go_missing_at_one_port_are_found() -> None:
    environment, background = coupled(scenario(RACKS))
    environment.run(until=0.5)
    environment.simulation.tables.fluids["sent"][-1] += 20000.0
    with pytest.raises(RuntimeError, match="fluid is not conserved"):
        background.check_conservation()


def test_acknowledgements_wait_on_their_way_back() -> None:
    """They pass as many ports as data, and their bytes are those of the packets that they would be."""
    _, background = coupled(scenario(RACKS))
    assert isinstance(background, Background)
    there = background._routes[:, layout.THERE]
    assert set(there.tolist()) == {4.0}
    assert ((background._hops >= 0).sum(axis=1) == 8).all()
    assert background._routes[:, layout.ANSWER] == pytest.approx(64.0 / 3000.0, rel=0.1)


def test_watched_ports_count_fluid_that_never_waits() -> None:
    """Two flows of 100 Mb/s each cannot fill a plane, whose use they are nevertheless."""
    found = fr.run(scenario(PLANES, flows=2), engine="hybrid")
    assert found.metrics["utilisation"] > 0.2


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        (
            {"switch": {"buffer": "1 MB", "marking": {"kind": "step", "threshold": "50 kB", "sample": "departure"}}},
            "switch.marking.sample",
        ),
        (
            {
                "switch": {
                    "buffer": "1 MB",
                    "marking": {"kind": "red", "kmin": "50 kB", "kmax": "100 kB", "weight": 0.002},
                }
            },
            "switch.marking.weight",
        ),
        (
            {
                "switch": {"buffer": "1 MB", "marking": {"kind": "step", "threshold": "50 kB"}},
                "traffic": [
                    {"kind": "long_lived", "flows": 8, "host": {"ecn": False}, "as": "fluid"},
                    {"kind": "poisson", "load": 0.03, "sizes": "30 kB"},
                ],
            },
            "traffic.0.host.ecn",
        ),
        ({"switch": {"buffer": "1 MB", "cell_size": "208 B"}}, "switch.cell_size"),
    ],
)
def test_what_is_not_coupled_over_several_hops_is_refused(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(Unsupported) as refused:
        check(scenario(RACKS, **changes))
    assert refused.value.path == path


def test_a_full_link_that_one_host_feeds_sends_no_more_than_it_can() -> None:
    ends: dict[str, Any] = {"kind": "long_lived", "sources": ["h1"], "destinations": ["h0"]}
    document = {
        "topology": {"kind": "star", "hosts": 2, "rate": "1 Gb/s", "rtt": "2 ms"},
        "switch": {"buffer": "500 kB"},
        "traffic": [{**ends, "flows": 16, "as": "fluid"}, {**ends, "flows": 1, "congestion": {"kind": "cubic"}}],
        "run": {"duration": "2 s", "warmup": "0.5 s"},
    }
    result = fr.run(Scenario.parse(document), engine="hybrid")
    assert 0.999 < result.metrics["utilisation"] <= 1.0
    assert result.metrics["throughput"] <= 1e9


def test_windows_grow_to_twice_what_hosts_links_let_out() -> None:
    """In slow start a window grows until it is twice what is outstanding (Linux tcp_is_cwnd_limited), here where links
    of hosts are full. With what the link lets out alone windows were half as large, and less was lost at the start.
    """
    document = {
        "topology": {"kind": "star", "hosts": 12, "rate": "300 Mb/s", "rtt": "8 ms"},
        "switch": {"buffer": "100 MB"},
        "traffic": [
            {"kind": "long_lived", "flows": 60, "start_jitter": "60 ms", "as": "fluid"},
            {"kind": "poisson", "load": 0.01, "sizes": "30 kB"},
        ],
        "run": {"duration": "0.4 s", "warmup": "0.1 s", "mtu": "1500 B"},
    }
    mixed, background = coupled(Scenario.parse(document))
    assert isinstance(background, Background)
    mixed.run(until=0.3)
    windows = background._flows[:, NET]
    packets = Environment(Scenario.parse(document))
    packets.run(until=0.3)
    flows = packets.simulation.tables.flows[packets.plan.flow_stack == 0]
    assert windows.sum() == pytest.approx(flows["cwnd"].sum(), rel=0.15)
    assert flows["cwnd"].sum() > 1.7 * (flows["nxt"] - flows["una"]).sum()
