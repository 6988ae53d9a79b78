"""Flows that stop: both engines agree to the picosecond, and what follows from it by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.reference.agreement import agree

from footroom.base.errors import InvalidInput
from footroom.engines import packet
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def scenario(congestion: str = "newreno", recovery: str = "prr", **run: Any) -> Scenario:
    entries = [
        {
            "kind": "long_lived",
            "flows": 2,
            "start": 0.05 * k,
            "start_jitter": 0.01,
            "stop": 0.2 + 0.05 * k,
            "congestion": {"kind": congestion},
            "host": {"recovery": recovery},
        }
        for k in range(3)
    ]
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "20 Mb/s", "access": "100 Mb/s", "rtt": "5 ms"},
            "switch": {"buffer": "20 kB"},
            "traffic": entries,
            "run": {"duration": 0.6, "warmup": 0.02, **run},
        }
    )


@pytest.mark.parametrize(
    ("congestion", "recovery"), [("newreno", "newreno"), ("newreno", "prr"), ("cubic", "sack"), ("bbr", "prr")]
)
def test_engines_agree(congestion: str, recovery: str) -> None:
    agree(build_plan(scenario(congestion, recovery)))


def test_flows_fall_silent_one_after_another() -> None:
    result = packet.simulate(build_plan(scenario(series=0.05)))
    assert result.series is not None
    goodput = [flow["goodput"] for flow in result.series["flows"]]
    assert len(goodput) == 6
    assert max(goodput[0][-3:]) == 0.0  # the last windows of those that have stopped
    assert sum(flow[3] for flow in goodput) == pytest.approx(20e6, rel=0.1)
    assert result.metrics["goodput"] < 20e6


def test_a_stop_before_the_start_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must not stop before"):
        Scenario.parse(
            {
                **scenario().to_dict(),
                "traffic": [{"kind": "long_lived", "flows": 1, "start": 1.0, "start_jitter": 1.0, "stop": 1.5}],
            }
        )
