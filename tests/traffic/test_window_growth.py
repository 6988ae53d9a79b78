"""How fast a window grows that limits its flow, and when it stops, however packets are bunched."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.engines.packet import Simulation
from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.engines.reference import Network
from footroom.scenario import Scenario

ROUND_TRIP, WIRE, FLOWS = 0.05, 1500, 4


#: CUBIC by the cubic of its source from the start: growth by 5 % a round trip counts round trips, as Reno's does.
BY_TIME = {"cubic": {"first_growth": 0}}


def plan_of(law: str, **host: Any) -> Plan:
    """Flows that begin in congestion avoidance with 50 to 100 segments on an idle link of 1 Gb/s: no queue, no loss."""
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "1 Gb/s", "rtt": ROUND_TRIP},
                "switch": {"buffer": "10 MB"},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": FLOWS,
                        "window": 100,
                        "start_jitter": "10 ms",
                        "congestion": {"kind": law, **BY_TIME.get(law, {})},
                        "host": {"recovery": "sack", "ack_every": 1, **host},
                    }
                ],
                "run": {"duration": "4 s", "warmup": "1 s", "mtu": "1500 B"},
            }
        )
    )


def windows(plan: Plan, *times: float) -> list[list[float]]:
    """Windows of all flows [segments] at these times [s], the same in both engines."""
    simulation, network, found = Simulation(plan), Network(plan), []
    for time in times:
        simulation.run_until(round(time * SECOND))
        network.run(round(time * SECOND))
        found.append([float(window) for window in simulation.tables.flows["cwnd"]])
        assert found[-1] == [flow.sender.law.cwnd for flow in network.flows]
    return found


@pytest.mark.parametrize("shaped", [False, True])
@pytest.mark.parametrize("burst", [1, 8, 32, 44])
def test_reno_grows_by_a_segment_per_round_trip(burst: int, shaped: bool) -> None:
    # RFC 5681 §3.1. 80 Mb/s would let 333 packets be outstanding: the window is what limits.
    limit = {"rate_limit": "80 Mb/s"} if shaped else {}
    before, after = windows(plan_of("newreno", burst=burst, **limit), 0.5, 2.0)
    rounds = 1.5 / ROUND_TRIP
    for early, late in zip(before, after, strict=True):
        assert 0.9 * rounds - 1 <= late - early <= rounds + 1


@pytest.mark.parametrize("burst", [8, 32])
def test_cubic_grows_as_without_bursts(burst: int) -> None:
    (plain,) = windows(plan_of("cubic", burst=1), 3.0)
    (bunched,) = windows(plan_of("cubic", burst=burst), 3.0)
    assert bunched == pytest.approx(plain, rel=0.05)


@pytest.mark.parametrize("burst", [1, 32])
def test_a_window_that_a_shaper_leaves_unused_does_not_grow(burst: int) -> None:
    # 4 Mb/s let 17 packets be outstanding; every window begins with 50 or more, and a third of it may wait for a burst.
    plan = plan_of("newreno", burst=burst, rate_limit="4 Mb/s")
    (after,) = windows(plan, 3.5)
    assert after == plan.flow_window.tolist()
