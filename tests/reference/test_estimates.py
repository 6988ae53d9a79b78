"""What BBR takes its path for: both engines estimate the same, and what is recorded is what they estimate."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.engines import packet
from footroom.engines.plan import SECOND, build_plan
from footroom.engines.reference import Network
from footroom.engines.reference.bbr import BbrLaw
from footroom.engines.reference.bbr3 import Bbr3Law
from footroom.scenario import Scenario

RATE, RTT = 20e6, 0.02
BDP = RATE * RTT / 8


def scenario(version: int = 1, seconds: float = 3.0, **entry: Any) -> Scenario:
    congestion = {"kind": "bbr", "version": version, "probe_rtt_interval": 2.0}
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": RATE, "access": 10 * RATE, "rtt": RTT},
            "switch": {"buffer": 12 * BDP},
            "traffic": [
                {"kind": "long_lived", "flows": 3, "start_jitter": 1.0, "congestion": congestion, **entry},
                {"kind": "long_lived", "flows": 1, "start_jitter": 1.0, "congestion": {"kind": "newreno"}},
            ],
            "run": {"duration": seconds, "warmup": 0, "series": 0.25},
        }
    )


@pytest.mark.parametrize("version", [1, 3])
def test_engines_estimate_the_same_path(version: int) -> None:
    plan = build_plan(scenario(version))
    series = packet.simulate(plan).series
    assert series is not None
    network, seen = Network(plan), 0
    for window, end in enumerate(series["time"]):
        network.run(round(end * SECOND))
        for flow, recorded in zip(network.flows, series["flows"], strict=True):
            if recorded["entry"] == 1:
                assert "path" not in recorded
                continue
            law = flow.sender.law
            assert isinstance(law, BbrLaw | Bbr3Law)
            rate, trip = law.path
            bandwidth, least = recorded["path"]["bandwidth"][window], recorded["path"]["min_rtt"][window]
            if flow.start_at > round(end * SECOND):
                assert (bandwidth, least) == (None, None)
                continue
            assert (bandwidth or 0.0) == pytest.approx(rate * 1448 * 8)
            assert round((least or 0.0) * SECOND) == (trip or 0)
            seen += 1
    assert seen > 20


def test_late_flows_take_the_queue_for_propagation_until_probe_rtt() -> None:
    """The path as it is, and estimates before and after the first ProbeRTT, which all flows enter together."""
    series = packet.simulate(build_plan(scenario(seconds=8.0, flows=6))).series
    assert series is not None
    paths = [flow["path"] for flow in series["flows"] if "path" in flow]
    early, late = series["time"].index(2.0), len(series["time"]) - 1
    assert all(path["rtt"] == pytest.approx(RTT) for path in paths)
    shortest = [path["min_rtt"] for path in paths]
    assert max(trips[early] or 0.0 for trips in shortest) > 2.0 * RTT
    assert min(trips[early] or 0.0 for trips in shortest) == pytest.approx(RTT, rel=0.05)
    assert max(trips[late] or 0.0 for trips in shortest) < max(trips[early] or 0.0 for trips in shortest)
    assert sum(path["bandwidth"][late] or 0.0 for path in paths) < 2.0 * RATE
