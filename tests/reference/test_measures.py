"""Sharing policies and metrics against theory and against the packets' own record."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reference.small import MS, plan_of

from footroom.engines.plan import build_plan
from footroom.engines.reference import simulate
from footroom.engines.reference.memory import Memory
from footroom.engines.reference.metrics import quantile
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.queue import Queue
from footroom.engines.reference.splitmix import splitmix64
from footroom.parts.sharing import Complete, DynamicThreshold, Policy, Static
from footroom.scenario import Scenario

Trace = list[tuple[int, str, int, int, int, int]]


def filled(policy: Policy, reserved: int = 0) -> list[int]:
    """Bytes in each of two queues of a 10 kB memory after both were filled in turn with 100 B packets."""
    memory = Memory(10_000, reserved, 2, policy)
    queues = [Queue(reserved), Queue(reserved)]
    for queue in queues:
        while memory.admit(queue, Packet(0, False, 0, 100, 0, 0), 0):
            pass
    assert memory.shared == sum(queue.excess() for queue in queues) <= memory.pool
    held = [queue.bytes for queue in queues]
    for queue in queues:
        while queue.bytes:
            memory.release(queue, 0)
    assert memory.shared == 0
    return held


@pytest.mark.parametrize(
    ("policy", "reserved", "held"),
    [
        (Complete(), 0, [10_000, 0]),
        (Complete(), 1000, [9000, 1000]),
        (Static(), 0, [5000, 5000]),
        (Static(per_queue=3000), 0, [3000, 3000]),
        # A queue grows while it and the packet fit below 10000 − q: up to 5000. The other sees 5000 free: 2500.
        (DynamicThreshold(alpha=1.0), 0, [5000, 2500]),
        (DynamicThreshold(alpha=1.0), 2000, [5000, 3500]),
    ],
)
def test_what_a_queue_may_hold(policy: Policy, reserved: int, held: list[int]) -> None:
    assert filled(policy, reserved) == held


def test_splitmix64_gives_the_published_numbers() -> None:
    # First outputs for seed 1234567 of the generator's reference implementation (Vigna, public domain).
    numbers = splitmix64(1234567)
    assert [next(numbers) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_quantile_weighs_by_time() -> None:
    assert [quantile({0: 90, 1500: 9, 3000: 1}, share) for share in (0.5, 0.9, 0.901, 0.99, 1.0)] == [
        0,
        0,
        1500,
        1500,
        3000,
    ]


def test_littles_law_holds_to_the_picosecond() -> None:
    plan = plan_of(buffer="15 kB", flows=3, seconds=1.0, jitter=1e-3)
    trace: Trace = []
    result = simulate(plan, trace=trace)
    arrived: dict[tuple[int, ...], int] = {}
    area = 0
    for time, what, port, *whose in trace:
        if port != 0:
            continue
        if what == "arrival":
            arrived[tuple(whose)] = time
        elif what == "drop":
            del arrived[tuple(whose)]
        elif what == "departure":
            begins = time - 1500 * 10**6
            area += 1500 * (begins - arrived.pop(tuple(whose)))
    area += sum(1500 * (plan.duration - time) for time in arrived.values())
    assert result.metrics["queue_mean"] == area / plan.duration > 1000
    offered = [line for line in trace if line[1:3] == ("arrival", 0)]
    dropped = [line for line in trace if line[1:3] == ("drop", 0)]
    assert result.offered == len(offered)
    assert result.metrics["drop_rate"] == len(dropped) / len(offered) > 0


def test_a_known_queue_is_measured_exactly() -> None:
    # Ten packets arrive every 0.15 ms from 3.15 ms on and leave every 1.5 ms: nine wait at most, at 4.5 ms.
    plan = replace(plan_of(10), duration=20 * MS)
    metrics = simulate(plan).metrics
    waits = sum(round((1.5 - 0.15) * MS) * k for k in range(10))
    assert metrics["queue_mean"] == 1500 * waits / plan.duration
    assert metrics["queue_max"] == 9 * 1500
    # Transmission takes 15 ms of the 20, from 3.15 to 18.15 ms.
    assert metrics["utilisation"] == pytest.approx(0.75, rel=1e-12)
    assert metrics["throughput"] == pytest.approx(6e6, rel=1e-12)
    assert metrics["drop_rate"] == 0.0
    assert metrics["fct_unfinished"] == 1
    # Only the part of a transmission inside the window counts: 10 to 18.15 ms of 10 to 20.
    assert simulate(replace(plan, warmup=10 * MS)).metrics["utilisation"] == pytest.approx(0.815, rel=1e-12)


def test_metrics_of_flows() -> None:
    metrics = simulate(plan_of(10, flows=2, seconds=1.0)).metrics
    assert metrics["goodput"] == 8.0 * 2 * 10 * 1448
    assert metrics["fairness"] == 1.0
    assert metrics["fct_count"] == 2
    assert metrics["fct_unfinished"] == 0
    # Twenty packets share the bottleneck, which is idle for the first 3.15 ms.
    assert max(metrics["fct_p99"], metrics["fct_mean"]) <= 3.15e-3 + 30e-3 + 13.2268e-3 + 1e-9
    endless = simulate(plan_of(seconds=0.2)).metrics
    assert not [name for name in endless if name.startswith(("fct", "slowdown", "mark", "pause"))]


def test_poisson_packets_queue_as_in_m_d_1() -> None:
    # One-packet flows of 1448 B, 1500 B with headers, over access links so fast that they hardly queue.
    load = 0.6
    scenario = Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "10 Gb/s", "rtt": "1 ms", "pairs": 64},
            "switch": {"buffer": "10 MB"},
            "traffic": [
                {
                    "kind": "poisson",
                    "load": load * 1448 / 1500,
                    "sizes": {"kind": "fixed", "size": 1448},
                    "host": {"jitter": 0},
                }
            ],
            "run": {"duration": 6.0, "warmup": 0.1, "seed": 5},
        }
    )
    metrics = simulate(build_plan(scenario)).metrics
    assert metrics["utilisation"] == pytest.approx(load, rel=0.03)
    # Pollaczek-Khinchine with constant service: rho^2 / (2 (1 - rho)) packets wait on average.
    assert metrics["queue_mean"] / 1500 == pytest.approx(load**2 / (2 * (1 - load)), rel=0.1)
    assert metrics["queue_p50"] == 0
    assert metrics["drop_rate"] == 0
    assert metrics["timeouts"] == 0
