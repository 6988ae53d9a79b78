"""Fluid on paths of a few packets, where a step brings less than a packet: docs/hybrid.md."""

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
