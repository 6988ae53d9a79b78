"""Fluid on paths of a few packets and in shallow buffers, beside transfers: docs/hybrid-agreement.md."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.engines.hybrid import coupled, layout
from footroom.engines.hybrid.background import Background
from footroom.scenario import Scenario

#: 19 packets of path under a step, and 4 packets of path for 194 flows: fluid stopped for good in both once.
FEW = (1.05e9, 0.219e-3, 3, 31e3, 19.5e3)
MANY = (1.56e9, 0.031e-3, 194, 22.5e3, 7.5e3)


def scenario(fluid: bool, rate: float, trip: float, flows: int, buffer: float, threshold: float) -> Scenario:
    both: dict[str, Any] = {"congestion": {"kind": "dctcp"}, "host": {"min_rto": 5e-3}}
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 4.0 * rate, "rtt": trip},
            "switch": {"buffer": buffer, "marking": {"kind": "step", "threshold": threshold}},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": 0.03,
                    **both,
                    "as": "fluid" if fluid else "packets",
                },
                {"kind": "poisson", "load": 0.1, "sizes": 15e3, **both},
            ],
            "run": {"duration": 1.5, "warmup": 0.3, "mtu": 1500, "seed": 1},
        }
    )


@pytest.mark.parametrize("path", [FEW, MANY])
def test_flows_hear_of_what_was_lost(path: tuple[float, float, int, float, float]) -> None:
    """What a port has lost and no flow has is at most a packet and a half; it was 3 and 5000 packets."""
    environment, background = coupled(scenario(True, *path))
    assert isinstance(background, Background)
    environment.run(until=1.5)
    assert environment.simulation.tables.fluids["lost"].sum() > 100.0 * background.packet
    assert np.abs(background._ports[:, layout.OWED]).max() <= 1.5 * background.packet
    background.check_conservation()
    environment.close()


@pytest.mark.parametrize("path", [FEW, MANY])
def test_a_short_path_is_used_as_by_packets(path: tuple[float, float, int, float, float]) -> None:
    """Utilisation as with packets, within four points; it was 10 % of the link in the second."""
    packets = fr.run(scenario(False, *path), engine="packet").metrics["utilisation"]
    assert fr.run(scenario(True, *path), engine="hybrid").metrics["utilisation"] == pytest.approx(packets, abs=0.04)


def shallow(fluid: bool, flows: int, control: str = "dctcp", access: float = 3.15e9) -> Scenario:
    """Transfers that overflow 27 packets of buffer on a path of 86."""
    both = {"congestion": {"kind": control}}
    step = {"marking": {"kind": "step", "threshold": 24e3}} if control == "dctcp" else {}
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": 3.15e9, "access": access, "rtt": 0.327e-3},
            "switch": {"buffer": 40.5e3, **step},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": 0.02,
                    **both,
                    "as": "fluid" if fluid else "packets",
                },
                {"kind": "poisson", "load": 0.09, "sizes": 30e3, **both},
            ],
            "run": {"duration": 0.6, "warmup": 0.1, "mtu": 1500, "seed": 1},
        }
    )


@pytest.mark.parametrize("flows", [2, 4])
def test_a_loss_after_a_mark_does_not_cut_dctcp_again(flows: int) -> None:
    """RFC 8257, section 3.5; with a cut for each loss utilisation was 7 and 4 points below that of packets."""
    packets = fr.run(shallow(False, flows), engine="packet").metrics["utilisation"]
    assert fr.run(shallow(True, flows), engine="hybrid").metrics["utilisation"] == pytest.approx(packets, abs=0.02)


def test_a_flow_grows_while_its_host_may_hold_more() -> None:
    """Behind a link of the bottleneck's speed; its window passes what the path holds and fills the buffer."""
    environment, background = coupled(shallow(True, 1, "newreno"))
    assert isinstance(background, Background)
    largest = 0.0
    for k in range(60):
        environment.run(until=0.01 * (k + 1))
        largest = max(largest, background.window)
    environment.close()
    assert largest > 86.0 + 0.9 * 27.0


def test_drop_rates_of_few_flows_are_outside() -> None:
    """Which of two flows loses is chance; utilisation is outside as well where the buffer is shallow."""
    found = fr.run(shallow(True, 2, "newreno"), engine="hybrid").outside
    assert {"drop_rate", "utilisation"} <= set(found)
    assert "drop_rate" not in fr.run(shallow(True, 12, "newreno"), engine="hybrid").outside


def test_flows_that_fill_the_path_with_a_packet_each_use_it() -> None:
    """Windows far below four packets leave drop rates outside, not utilisation."""
    found = fr.run(scenario(True, *MANY), engine="hybrid").outside
    assert "drop_rate" in found
    assert "utilisation" not in found


def test_hosts_send_more_than_what_waits_at_once_in_a_step_longer_than_that() -> None:
    """Few long paths have steps in which a host's link sends tens of packets, and two wait there."""
    raw = {
        "topology": {
            "kind": "leaf_spine",
            "leaves": 2,
            "spines": 1,
            "hosts_per_leaf": 2,
            "host_rate": "200 Mb/s",
            "fabric_rate": "200 Mb/s",
            "link_delay": "10 ms",
        },
        "switch": {"buffer": "4 MB", "sharing": {"kind": "dynamic_threshold", "alpha": 8.0}},
        "traffic": [
            {"kind": "long_lived", "flows": 8, "congestion": {"kind": "cubic"}, "as": "fluid"},
            {"kind": "poisson", "load": 0.02, "sizes": "30 kB"},
        ],
        "run": {"duration": "6 s", "warmup": "2 s"},
    }
    mixed, packets = (fr.run(fr.Scenario.parse(raw), engine=engine) for engine in ("hybrid", "packet"))
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.05)
