"""TIMELY in the packet engine against its own algorithm over a fluid queue, and the fixed point of the patched form."""

from __future__ import annotations

import heapq
import random
from statistics import fmean, pstdev
from typing import Any

import numpy as np
import pytest

from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

LINK = 10e9


def queue_of(flows: int, seconds: float = 0.2, **law: Any) -> np.ndarray:
    """The queue [B] every 50 us of the second half: 10 Gb/s, 4 us, packets of 1000 B."""
    plan = build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": LINK, "access": LINK, "rtt": "4 us", "pairs": flows},
                "switch": {"buffer": "64 MB"},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": flows,
                        "start_jitter": "1 ms",
                        "host": {"jitter": 0},
                        "congestion": {"kind": "timely", "start_rate": LINK / flows, "min_rate": "1 Mb/s", **law},
                    }
                ],
                "run": {"duration": "1 s", "warmup": "1 us", "mtu": "1000 B"},
            }
        )
    )
    simulation, found = Simulation(plan), []
    for n in range(round(seconds / 2 / 50e-6)):
        simulation.run_until(round((seconds / 2 + n * 50e-6) * 1e12))
        found.append(float(simulation.tables.ports["bytes"][plan.watched[0]]))
    return np.array(found)


def algorithm(flows: int, slope: float, seconds: float = 0.2, step: float = 2e-6) -> tuple[float, float]:
    """Mean [B] and relative deviation of a fluid queue under the patched algorithm (CoNEXT 2016), update by update."""
    draw = random.Random(1)
    segment, shortest, low, beta, delta, weight, trip = 128e3, 20e-6, 50e-6, 0.008, 10e6, 0.875, 4.8e-6
    rates, before, smooth = [LINK / flows] * flows, [-1.0] * flows, [0.0] * flows
    due = [(segment * draw.random() / LINK * flows, flow) for flow in range(flows)]
    heapq.heapify(due)
    total, queue, delays = LINK, 0.0, [0.0]
    for n in range(1, round(seconds / step)):
        while due[0][0] <= n * step:
            flow = heapq.heappop(due)[1]
            # What is acknowledged now met the queue one propagation and that queue's delay ago.
            at = n - 1
            for _ in range(3):
                at = max(0, min(n - 1, int(n - (trip + delays[at]) / step)))
            delay = delays[at]
            if before[flow] >= 0.0:
                smooth[flow] = (1 - weight) * smooth[flow] + weight * (delay - before[flow])
                old = rates[flow]
                share = min(1.0, max(0.0, slope * smooth[flow] / shortest + 0.5))
                rates[flow] = (
                    old + delta if delay < low else delta * (1 - share) + old * (1 - beta * share * (delay - low) / low)
                )
                total += rates[flow] - old
            before[flow] = delay
            heapq.heappush(due, (n * step + max(segment / rates[flow], shortest), flow))
        queue = max(0.0, queue + (total - LINK) * step)
        delays.append(queue / LINK)
    later = [delay * LINK / 8 for delay in delays[len(delays) // 2 :]]
    return fmean(later), pstdev(later) / fmean(later)


@pytest.mark.parametrize("flows", [2, 10, 18])
def test_the_patched_form_settles_where_it_must(flows: int) -> None:
    """q = q' + N delta q' / (beta C), CoNEXT 2016, section 4; stable up to 19 flows by the linear equations."""
    low = 50e-6 * LINK / 8
    queue = queue_of(flows)
    assert queue.mean() == pytest.approx(low * (1 + flows * 10e6 / (0.008 * LINK)), rel=0.01)
    assert queue.std() / queue.mean() < 0.01


@pytest.mark.parametrize(("flows", "slope", "cycles"), [(36, 2.0, True), (36, 0.5, False), (60, 0.5, True)])
def test_it_cycles_with_as_many_flows_as_its_algorithm_does(flows: int, slope: float, cycles: bool) -> None:
    mean, deviation = algorithm(flows, slope)
    queue = queue_of(flows, slope=slope)
    assert (deviation > 0.02) is cycles
    assert bool(queue.std() / queue.mean() > 0.02) is cycles
    assert queue.mean() == pytest.approx(mean, rel=0.02)


def test_the_original_keeps_the_shares_it_began_with() -> None:
    """No fixed point (CoNEXT 2016, section 4): how unequal flows are depends on how they began."""

    def shares(second: str) -> float:
        plan = build_plan(
            Scenario.parse(
                {
                    "topology": {"kind": "dumbbell", "bottleneck": LINK, "access": LINK, "rtt": "4 us", "pairs": 2},
                    "switch": {"buffer": "64 MB"},
                    "traffic": [
                        {
                            "kind": "long_lived",
                            "flows": 1,
                            "start_jitter": 0,
                            "host": {"jitter": 0},
                            "congestion": {
                                "kind": "timely",
                                "variant": "original",
                                "start_rate": rate,
                                "hyperactive_after": 0,
                            },
                        }
                        for rate in ("5 Gb/s", second)
                    ],
                    "run": {"duration": "100 ms", "warmup": "50 ms", "mtu": "1000 B"},
                }
            )
        )
        simulation = Simulation(plan)
        simulation.run_until(plan.duration)
        rates = [float(simulation.tables.flows["delivered"][flow]) for flow in range(2)]
        return max(rates) / min(rates)

    assert shares("5 Gb/s") < 1.2
    assert shares("1 Gb/s") > 1.5
