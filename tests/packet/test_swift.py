"""Swift in the packet engine: round trips at the target that its windows ask for, and windows of less than a packet."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from footroom.engines.packet import Simulation
from footroom.engines.plan import Plan, build_plan
from footroom.parts.congestion import Swift
from footroom.scenario import Scenario


def plan_of(flows: int, link: float, **law: Any) -> Plan:
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": link, "access": link, "rtt": "13 us", "pairs": flows},
                "switch": {"buffer": "64 MB"},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": flows,
                        "start_jitter": "100 us",
                        "congestion": {"kind": "swift", **law},
                    }
                ],
                "run": {"duration": "1 s", "warmup": "1 us", "mtu": "1000 B"},
            }
        )
    )


def settled(plan: Plan, begin: float, spacing: float) -> tuple[float, float]:
    """Mean queue [B] and mean window [packets]."""
    simulation = Simulation(plan)
    queues, windows = [], []
    for n in range(200):
        simulation.run_until(round((begin + spacing * n) * 1e12))
        queues.append(float(simulation.tables.ports["bytes"][plan.watched[0]]))
        windows.append(np.mean([simulation.law_words(flow)[0] for flow in range(plan.flows)]))
    return float(np.mean(queues)), float(np.mean(windows))


def rest(plan: Plan, link: float) -> float:
    """The queue [B] at which the delay beyond the base round trip is that of two switches and of flow scaling."""
    law = plan.stacks[0].law
    assert isinstance(law, Swift)
    alpha, beta = law.scaling()
    low, high = 0.0, 1.0
    for _ in range(60):
        wait = (low + high) / 2
        window = (link * (plan.stacks[0].base_rtt * 1e-12 + wait) / 8 / 1000) / plan.flows
        target = 2 * law.hop_target + min(max(alpha / math.sqrt(window) + beta, 0.0), law.scaling_range)
        low, high = (wait, high) if wait < target else (low, wait)
    return low * link / 8


def test_flow_scaling_adds_what_its_formula_says() -> None:
    """100, 29.39, 7.06 and 0 us at 0.1, 1, 10 and 100 packets."""
    alpha, beta = Swift().scaling()
    added = [1e6 * (alpha / math.sqrt(window) + beta) for window in (0.1, 1, 10, 100)]
    assert added == pytest.approx([100.0, 29.39, 7.06, 0.0], abs=0.005)


@pytest.mark.parametrize("flows", [4, 16, 64])
def test_round_trips_are_at_the_target(flows: int) -> None:
    plan = plan_of(flows, 100e9)
    queue, _ = settled(plan, 8e-3, 20e-6)
    assert queue == pytest.approx(rest(plan, 100e9), rel=0.08)


def test_windows_fall_below_a_packet() -> None:
    """200 flows at 10 Gb/s: 16 packets fill the pipe, so that everyone paces one packet over several round trips."""
    plan = plan_of(200, 10e9, additive_increase=0.05)
    queue, window = settled(plan, 60e-3, 200e-6)
    assert window < 0.7
    assert queue == pytest.approx(rest(plan, 10e9), rel=0.25)


def test_without_scaling_all_windows_have_the_same_target() -> None:
    plan = plan_of(16, 100e9, scaling_range=0, hop_target="4 us")
    queue, _ = settled(plan, 8e-3, 20e-6)
    assert queue == pytest.approx(2 * 4e-6 * 100e9 / 8, rel=0.08)
