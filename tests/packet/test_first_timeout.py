"""The timeout before data has measured a round trip."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.engines.packet import Simulation, simulate
from footroom.engines.plan import SECOND, build_plan
from footroom.engines.reference import Network
from footroom.scenario import Scenario


@pytest.mark.parametrize(
    ("host", "seconds"),
    [
        # One sample of 20 ms: variation 10 ms, four of them 40 ms (RFC 6298 §2.2).
        ({"min_rto": "10 ms", "rto_floor": "total"}, 0.060),
        ({"min_rto": "10 ms"}, 0.060),
        ({"min_rto": "200 ms"}, 0.220),
        ({"min_rto": "200 ms", "rto_floor": "total"}, 0.200),
        ({"min_rto": "200 ms", "initial_rto": "1 s"}, 1.0),
    ],
)
def test_a_handshake_measures_the_idle_path(host: dict[str, Any], seconds: float) -> None:
    plan = build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "20 ms"},
                "switch": {"buffer": "250 kB"},
                "traffic": [{"kind": "long_lived", "flows": 2, "host": host}],
            }
        )
    )
    assert plan.flow_rto == pytest.approx([seconds * SECOND] * 2, rel=1e-6)


def over_a_standing_queue(first: str | None = None, klass: int = 0, scheduling: str = "fifo") -> Scenario:
    """A flow with a window of 100 packets of 1500 B fills 1 Mb/s, 12 ms a packet; another starts after 5 s.

    Windows are limited by the receiver, so data and acknowledgements take 100 x 12 ms = 1.2 s from then on.
    """
    host: dict[str, Any] = {"min_rto": "200 ms", "initial_window": 4, "recovery": "sack", "initial_rto": "60 s"}
    late = {**host, "initial_rto": first, "receive_window": "6 kB"}
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "1 Mb/s", "access": "1 Gb/s", "rtt": "20 ms"},
            "switch": {
                "buffer": "200 packets",
                "queues": 1 if scheduling == "fifo" else 8,
                "scheduling": {"kind": scheduling},
            },
            "traffic": [
                {"kind": "long_lived", "flows": 1, "start_jitter": "0 s", "host": {**host, "receive_window": "146 kB"}},
                {
                    "kind": "long_lived",
                    "flows": 1,
                    "start": "5 s",
                    "start_jitter": "0 s",
                    "priority": klass,
                    "host": late,
                },
            ],
            "run": {"duration": "9 s", "warmup": "5 s", "mtu": "1500 B"},
        }
    )


def timeout_at_start(scenario: Scenario) -> float:
    """Timeout [s] of the late flow when its first data has left, the same in both engines."""
    plan, now = build_plan(scenario), round(5.001 * SECOND)
    simulation, network = Simulation(plan), Network(plan)
    simulation.run_until(now)
    network.run(now)
    found = int(simulation.tables.flows["rto"][1])
    assert found == network.flows[1].sender.rtt.timeout
    return found / SECOND


@pytest.mark.parametrize(
    ("klass", "scheduling", "round_trip"),
    [
        (0, "fifo", 1.2),
        (7, "strict_priority", 0.02),  # overtakes the queue
        (0, "strict_priority", 1.2),
        (1, "drr", 1.2),
    ],
)  # takes turns with it: at most that long
def test_a_handshake_meets_the_queues_that_stand(klass: int, scheduling: str, round_trip: float) -> None:
    # Between a sample and the window's own round trip lie the packet being sent and those on the wires.
    expected = round_trip + max(2 * round_trip, 0.2)
    assert timeout_at_start(over_a_standing_queue(None, klass, scheduling)) == pytest.approx(expected, abs=3 * 0.036)


@pytest.mark.parametrize(("first", "spurious"), [(None, False), ("220 ms", True)])
def test_so_nothing_is_sent_again_that_is_only_late(first: str | None, spurious: bool) -> None:
    metrics = simulate(build_plan(over_a_standing_queue(first))).metrics
    assert (metrics["timeouts"] > 0) == (metrics["retransmissions"] > 0) == spurious
    assert metrics["drop_rate"] == 0
