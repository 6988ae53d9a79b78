"""Planes and fabrics on the packet engines, with switches that differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

PLANES: dict[str, Any] = {
    "topology": {
        "kind": "parallel_planes",
        "planes": 2,
        "bottleneck": "40 Mb/s",
        "access": "40 Mb/s",
        "rtt": "5 ms",
        "feeds": 3,
    },
    "switch": {"buffer": "60 kB"},
    "switches": {"b": {"buffer": "9 kB"}},
    "traffic": [{"kind": "long_lived", "flows": 8, "start_jitter": "10 ms"}],
    "run": {"duration": "400 ms", "warmup": "100 ms"},
}
FABRIC: dict[str, Any] = {
    "topology": {
        "kind": "leaf_spine",
        "leaves": 3,
        "spines": 2,
        "hosts_per_leaf": 2,
        "host_rate": "40 Mb/s",
        "fabric_rate": "40 Mb/s",
        "link_delay": "50 us",
    },
    "switch": {"buffer": "60 kB"},
    "switches": {"spine": {"buffer": "30 kB"}, "leaf1": {"sharing": {"kind": "static"}}},
    "traffic": [
        {"kind": "long_lived", "flows": 6, "start_jitter": "10 ms"},
        {"kind": "poisson", "load": 0.2, "sizes": "20 kB"},
    ],
    "run": {"duration": "300 ms", "warmup": "50 ms"},
}
PODS: dict[str, Any] = {
    **FABRIC,
    "topology": {"kind": "two_pod", "nic_rate": "40 Mb/s", "fabric_rate": "40 Mb/s", "fabric_delay": "50 us"},
    "switches": {"aggregation": {"buffer": "30 kB"}, "p1t0": {"sharing": {"kind": "static"}}},
    "traffic": [
        {"kind": "long_lived", "flows": 16, "start_jitter": "10 ms"},
        {"kind": "poisson", "load": 0.2, "sizes": "20 kB"},
    ],
}


@pytest.mark.parametrize("raw", [PLANES, FABRIC, PODS], ids=["planes", "fabric", "pods"])
def test_both_packet_engines_agree(raw: dict[str, Any]) -> None:
    fast, plain = fr.run(raw, "packet").metrics, fr.run(raw, "reference").metrics
    exact = ("utilisation", "drop_rate", "goodput", "queue_mean", "queue_max", "retransmissions", "timeouts")
    assert {name: fast[name] for name in exact} == pytest.approx({name: plain[name] for name in exact}, rel=1e-9)
    assert fast["drop_rate"] > 0.0


def test_every_switch_of_the_plan_has_its_own_settings() -> None:
    plan = build_plan(Scenario.parse(PLANES))
    buffers = dict(
        zip(
            [name for name in plan.names if not name[1:].isdigit()],
            [setting.buffer for setting in plan.settings],
            strict=True,
        )
    )
    assert buffers == {"west": 1e12, "east": 1e12, "a-west": 6e4, "a-east": 6e4, "b-west": 9e3, "b-east": 9e3}
    plan = build_plan(Scenario.parse(FABRIC))
    assert [setting.buffer for setting in plan.settings] == [6e4, 6e4, 6e4, 3e4, 3e4]
    assert [setting.sharing.kind for setting in plan.settings] == ["complete", "static", *["complete"] * 3]


def test_a_plane_holds_and_drops_by_its_own_buffer_and_the_edge_loses_nothing() -> None:
    plan = build_plan(Scenario.parse(PLANES))
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    simulation.check_conservation()
    ports = simulation.tables.ports
    a, b = (int(port) for port in plan.watched)
    dropped = ports["dropped"]
    assert dropped.sum() == dropped[a] + dropped[b]
    assert (dropped[[a, b]] > 0).all()
    # A queue that overflows was full to within a packet: that of a, unless it is as small as b's.
    assert 60_000 - 1500 < fr.run(PLANES, "packet").metrics["queue_max"] <= 60_000
    both = {**PLANES, "switches": {"a": {"buffer": "9 kB"}, "b": {"buffer": "9 kB"}}}
    assert 9000 - 1500 < fr.run(both, "packet").metrics["queue_max"] <= 9000


def test_parallel_feeds_are_ports_of_their_own_on_the_line_cards() -> None:
    raw = {**PLANES, "switch": {"buffer": "60 kB", "architecture": {"kind": "voq", "cards": 3, "limit_bytes": "9 kB"}}}
    plan = build_plan(Scenario.parse(raw))
    west, near = plan.names.index("west"), plan.names.index("a-west")
    feeds = np.flatnonzero((plan.port_from == west) & (plan.port_to == near))
    assert sorted(plan.port_card[feeds]) == [0, 1, 2]


def test_hosts_of_a_fabric_fill_their_links_when_nothing_is_shared() -> None:
    """Six hosts, each sending to one and hearing from one, on a fabric of which every link can carry them all."""
    raw = {
        **FABRIC,
        "topology": {**FABRIC["topology"], "fabric_rate": "400 Mb/s", "watched": "hosts"},
        "switches": {},
        "traffic": FABRIC["traffic"][:1],
        "run": {"duration": "1 s", "warmup": "300 ms"},
    }
    assert fr.run(raw, "packet").metrics["utilisation"] > 0.99
