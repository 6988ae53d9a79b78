"""Swift in the packet engine: round trips at the target that its windows ask for, and windows of less than a packet."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import footroom as fr
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


def lossy(recovery: str, packets: int, size: str, **law: Any) -> Plan:
    """One sender of ``size`` at 100 Gb/s into a port of 10 Gb/s that has room for ``packets`` packets of 1000 B."""
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": 10e9, "access": 100e9, "rtt": "20 us", "pairs": 1},
                "switch": {"buffer": f"{packets} kB"},
                "traffic": [
                    {
                        "kind": "incast",
                        "degree": 1,
                        "size": size,
                        "congestion": {"kind": "swift", "scaling_range": 0, "hop_target": "1 ms", **law},
                        "host": {"recovery": recovery, "min_rto": "1 ms", "low_rto": "1 ms", "high_rto": "1 ms"},
                    }
                ],
                "run": {"duration": "20 ms", "warmup": "0 s", "mtu": "1000 B"},
            }
        )
    )


def windows(plan: Plan, end: float, step: float) -> list[float]:
    """Windows [packets] of flow 0, one after another without repetition, seen every ``step`` seconds."""
    simulation, seen = Simulation(plan), list[float]()
    for n in range(1, round(end / step)):
        simulation.run_until(round(n * step * 1e12))
        window = float(simulation.law_words(0)[0])
        if not seen or window != seen[-1]:
            seen.append(window)
    return seen


@pytest.mark.parametrize("recovery", ["go_back_n", "selective"])
def test_a_loss_cuts_the_window_once_a_round_trip(recovery: str) -> None:
    """The first 40 packets overflow a buffer of 10. The target is far away, so that nothing but the loss can cut."""
    plan = lossy(recovery, 10, "400 kB", initial_window=40, additive_increase=1e-6, largest_cut=0.25)
    seen = windows(plan, 60e-6, 0.5e-6)
    first = next(window for window in seen if window < 39)
    assert first == pytest.approx(30.0, rel=1e-4)
    # The gaps reported within 60 us allow two or three cuts at most, each by a quarter.
    assert all(30 * 0.75**2 * 0.999 < window <= 40.001 for window in seen)


def test_a_timeout_cuts_the_window_and_several_in_a_row_set_the_smallest() -> None:
    """A gap at 30 us halves the window of 40, and the timeout of a lost repair 1 ms later halves it again."""
    law = {"initial_window": 40, "additive_increase": 1e-6}
    plan = lossy("selective", 10, "36 kB", **law)
    assert windows(plan, 1.0e-3, 5e-6)[-1] == pytest.approx(20.0, rel=1e-4)
    assert windows(plan, 1.5e-3, 5e-6)[-1] == pytest.approx(10.0, rel=1e-4)
    plan = lossy("selective", 10, "36 kB", timeouts_to_minimum=1, **law)
    assert min(windows(plan, 1.5e-3, 5e-6)) == pytest.approx(0.001)


def test_losses_alone_keep_a_share_of_the_drops_bounded() -> None:
    """Eight flows with a target out of reach: only losses can cut, and the port must not drop half of what is sent."""
    drops = {}
    for cut in (0.5, 1e-9):
        document = {
            "topology": {"kind": "dumbbell", "bottleneck": 10e9, "access": 10e9, "rtt": "40 us", "pairs": 8},
            "switch": {"buffer": "30 kB"},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": 8,
                    "start_jitter": "100 us",
                    "congestion": {"kind": "swift", "hop_target": "10 ms", "largest_cut": cut, "maximum_window": 60},
                    "host": {"recovery": "selective"},
                }
            ],
            "run": {"duration": "20 ms", "warmup": "5 ms", "mtu": "1000 B"},
        }
        drops[cut] = fr.run(document, engine="packet").metrics["drop_rate"]
    assert drops[0.5] < 0.2 * drops[1e-9]
