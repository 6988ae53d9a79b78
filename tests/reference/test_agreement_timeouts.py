"""What a timeout takes for lost (``timeout_losses``): by hand, and both engines packet by packet.

The rule is that of Linux tcp_timeout_mark_lost: the oldest segment is lost, and what has been out for as long as the
latest round trip (RFC 8985 §6.3); the rest stays in flight, and the window is one segment more (tcp_enter_loss).
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.reference.agreement import agree

from footroom.engines import packet
from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.engines.reference import Network
from footroom.scenario import Scenario


def late(timeout_losses: str) -> Plan:
    """A flow that sends a segment every 10 ms over 50 ms, until a burst of 100 packets stands before it for 100 ms."""
    host = {"ack_every": 1, "jitter": 0, "min_rto": 0.02, "rate_limit": "1.2 Mb/s", "timeout_losses": timeout_losses}
    burst = {"jitter": 0, "initial_window": 100, "initial_rto": 60, "small_queue": None}
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "12 Mb/s", "access": "1.2 Gb/s", "rtt": "50 ms"},
                "switch": {"buffer": "1 MB"},
                "traffic": [
                    {"kind": "long_lived", "flows": 1, "host": host, "congestion": {"kind": "newreno"}},
                    {
                        "kind": "arrivals",
                        "flows": [{"time": 0.955, "size": 144_800}],
                        "host": burst,
                        "congestion": {"kind": "newreno"},
                    },
                ],
                "run": {"duration": 2.0, "warmup": 0.1},
            }
        )
    )


#: When the timer expires: the last acknowledgement that the burst lets through comes at 1005.2 ms, the round trip is
#: 51.06 ms (path, 1 ms on the bottleneck, 0.01 ms at hosts), and min_rto adds 20 ms: 1076.3 ms. Segments left at
#: 964.1, 974.1, ... 1074.1 ms; the five since 1076.3 - 51.06 = 1025.2 ms may still come.
EXPIRES, OUTSTANDING, YOUNG = 1.0763, 12, 5


@pytest.mark.parametrize(("timeout_losses", "spared"), [("all", 0), ("overdue", YOUNG)])
def test_a_timeout_spares_what_left_within_the_latest_round_trip(timeout_losses: str, spared: int) -> None:
    plan = late(timeout_losses)
    after = round((EXPIRES + 0.0005) * SECOND)  # the repair itself waits for the rate limit, until 1084.1 ms
    network = Network(plan)
    network.run(after)
    sender = network.flows[0].sender
    assert sender.timeouts == 1
    assert sorted(sender.lost) == list(range(sender.una, sender.una + OUTSTANDING - spared))
    assert sender.nxt - sender.una == OUTSTANDING
    assert sender.law.cwnd == 1.0 + spared
    simulation = packet.Simulation(plan)
    simulation.run_until(after)
    flow = simulation.tables.flows[0]
    assert flow["timeouts"] == 1
    assert flow["lost"] == OUTSTANDING - spared
    assert flow["cwnd"] == 1.0 + spared
    assert flow["mark"] == flow["nxt"] - spared


def scenario(number: int) -> Scenario:
    """Timers that expire early, over queues that rise and fall: timeouts come while much is under way."""
    draw = random.Random(f"timeouts {number}")
    law: dict[str, Any] = draw.choice(
        [{"kind": "newreno"}, {"kind": "cubic"}, {"kind": "bbr", "policer": True}, {"kind": "bbr", "version": 3}]
    )
    recovery = "prr" if law["kind"] == "bbr" else draw.choice(["prr", "prr", "sack"])
    host = {
        "recovery": recovery,
        "timeout_losses": "overdue",
        "min_rto": draw.choice([0.0002, 0.001, 0.01]),
        "tail_loss_probe": draw.random() < 0.7,
        "ack_every": draw.choice([1, 2]),
        "rate_limit": draw.choice([None, "3 Mb/s"]),
        "timer_tick": draw.choice([0, 0, 0.001]),
    }
    return Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": "20 Mb/s",
                "rtt": draw.choice([0.005, 0.02]),
                "rtt_spread": 0.3,
                "access": "100 Mb/s",
            },
            "traffic": [
                {"kind": "long_lived", "flows": 3, "start_jitter": 0.1, "congestion": law, "host": host},
                {
                    "kind": "incast",
                    "degree": 6,
                    "size": 60_000,
                    "period": 0.3,
                    "connections": draw.choice(["new", "persistent"]),
                    "congestion": law,
                    "host": host,
                },
            ],
            "switch": {"buffer": draw.choice([15_000, 60_000, 200_000])},
            "run": {"duration": 1.5, "warmup": 0.1, "seed": number},
        }
    )


@pytest.mark.parametrize("number", range(16))
def test_both_engines_spare_the_same(number: int) -> None:
    agree(build_plan(scenario(number)))


def test_timeouts_that_spare_are_among_what_is_compared() -> None:
    spared = 0
    for number in range(16):
        network = Network(build_plan(scenario(number)))
        for flow in network.flows:
            forget = flow.sender.forget

            def counted(forget: Any = forget, sender: Any = flow.sender) -> None:
                nonlocal spared
                forget()
                spared += sender.in_flight() > 0

            flow.sender.forget = counted  # type: ignore[method-assign]
        network.run(network.plan.duration)
    assert spared > 100
