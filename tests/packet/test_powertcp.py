"""PowerTCP in the packet engine against what the paper derives: relaxation, equilibrium queue, shares of flows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from footroom.engines.packet import Simulation
from footroom.engines.plan import Plan, build_plan
from footroom.scenario import Scenario

LINK = 25e9


def plan_of(*entries: tuple[int, dict[str, Any]], mtu: str = "1000 B", access: float = LINK) -> Plan:
    """Groups of flows over 25 Gb/s and 20 us: how many, and their congestion control."""
    return build_plan(
        Scenario.parse(
            {
                "topology": {
                    "kind": "dumbbell",
                    "bottleneck": LINK,
                    "access": access,
                    "rtt": "20 us",
                    "pairs": sum(count for count, _ in entries),
                },
                "switch": {"buffer": "64 MB"},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": count,
                        "start_jitter": "100 us",
                        "host": {"jitter": 0},
                        "congestion": {"kind": "powertcp", **law},
                    }
                    for count, law in entries
                ],
                "run": {"duration": "1 s", "warmup": "1 us", "mtu": mtu},
            }
        )
    )


def pipe(plan: Plan) -> float:
    return LINK / 8 * plan.stacks[0].base_rtt * 1e-12


def settled(plan: Plan, milliseconds: float = 8.0) -> tuple[float, np.ndarray]:
    """Mean queue [B], and windows [B] at the end."""
    simulation, queues = Simulation(plan), []
    for n in range(200):
        simulation.run_until(round((milliseconds + 0.02 * n) * 1e9))
        queues.append(float(simulation.tables.ports["bytes"][plan.watched[0]]))
    return float(np.mean(queues)), np.array([simulation.law_words(flow)[0] for flow in range(plan.flows)])


def test_windows_relax_at_the_rate_of_updates() -> None:
    """dw/dt = gamma_r (C T + beta - w), section 3: exactly exponential where many updates change little each.

    One flow starts with four times the pipe. After 4.5 / gamma_r, as after 5 T at gamma_r = 0.9/T, e^-4.5 of its
    distance is left.
    """
    weight, increase = 2e-5, 6250.0
    plan = plan_of(
        (1, {"weight": weight, "additive_increase": increase, "telemetry_header": 0}), mtu="302 B", access=4 * LINK
    )
    simulation = Simulation(plan)
    speed = weight * LINK / 8 / 302  # per second: one acknowledgement for every packet that the bottleneck sends
    rest, begin = pipe(plan) + increase, 400e-6
    simulation.run_until(round(begin * 1e12))
    first = simulation.law_words(0)[0] - rest
    assert first > 2 * pipe(plan)
    for age in (1.0, 3.0, 4.5):
        simulation.run_until(round((begin + age / speed) * 1e12))
        assert (simulation.law_words(0)[0] - rest) / first == pytest.approx(math.exp(-age), rel=0.05), age


@pytest.mark.parametrize("variant", ["powertcp", "theta"])
@pytest.mark.parametrize("flows", [4, 20])
def test_the_queue_at_rest_is_what_all_flows_add(variant: str, flows: int) -> None:
    plan = plan_of((flows, {"variant": variant}))
    queue, windows = settled(plan)
    assert queue == pytest.approx(flows * pipe(plan) / 10, rel=0.03)
    assert windows.sum() == pytest.approx(pipe(plan) + queue, rel=0.03)


def test_flows_share_in_proportion_to_what_they_add() -> None:
    """w_i = beta_i (C T + sum beta) / sum beta (section 3, theorem on fairness)."""
    plan = plan_of((4, {"additive_increase": "2 kB"}), (4, {"additive_increase": "6 kB"}))
    _, windows = settled(plan)
    assert windows[plan.flow_stack == 1].mean() / windows[plan.flow_stack == 0].mean() == pytest.approx(3.0, rel=0.05)


def test_theta_does_not_settle_without_a_floor_of_the_current() -> None:
    floored, _ = settled(plan_of((10, {"variant": "theta"})))
    bare, _ = settled(plan_of((10, {"variant": "theta", "current_floor": 0})))
    assert bare > 3 * floored


def test_theta_needs_no_telemetry() -> None:
    plan = plan_of((1, {"variant": "theta"}))
    assert plan.stacks[0].overhead == 0
    assert len(Simulation(plan).tables.telemetry) == 1
    assert plan_of((1, {})).stacks[0].overhead == 42
