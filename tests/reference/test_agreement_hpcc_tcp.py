"""Both packet engines with HPCC over TCP, by probes and by data, beside other controls, on random small fabrics."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

NUMBERS = range(14)


def hpcc(draw: random.Random, number: int) -> dict[str, Any]:
    return {
        "kind": "hpcc",
        "telemetry_by": ("probe", "data")[number % 2],
        "minimum_window": draw.choice([1, 2, 3.5]),
        "line_start": draw.random() < 0.3,
        "loss_response": draw.choice(["halve", "halve", "none"]),
        "additive_increase": draw.choice([20, 80, 500]),
        "max_stage": draw.choice([0, 1, 5]),
        "fast_reaction": draw.random() < 0.8,
        "reference_window": draw.random() < 0.8,
        "telemetry_header": draw.choice([0, 42]),
        "base_rtt": draw.choice([None, "15 us"]),
    }


def host(draw: random.Random, number: int) -> dict[str, Any]:
    recovery = ("prr", "sack", "newreno")[number % 3]
    return {
        "recovery": recovery,
        "ack_every": draw.choice([1, 2, 8]),
        "ack_delay": draw.choice(["10 us", "100 us"]),
        "min_rto": draw.choice(["100 us", "500 us"]),
        "initial_window": draw.choice([2, 10]),
        "quick_acks": draw.choice([0, 4]),
        "jitter": draw.choice([0, "1 us"]),
        "pacing": draw.random() < 0.2,
        "burst": draw.choice([1, 1, 4]),
        "small_queue": draw.choice([None, "1 ms"]),
        "idle_restart": draw.choice(["linux", "rfc5681", "none"]),
        "tail_loss_probe": recovery != "newreno" and draw.random() < 0.3,
    }


def scenario(number: int) -> dict[str, Any]:
    """Incasts, streams of queries or long flows over one switch or three, with buffers that drop or that do not."""
    draw = random.Random(1000 + number)
    law, stack = hpcc(draw, number), host(draw, number)
    entry = draw.choice(
        [
            {"kind": "incast", "degree": 4, "size": "60 kB"},
            {"kind": "incast", "degree": 3, "size": "30 kB", "period": "300 us", "connections": "persistent"},
            {"kind": "rpc", "pairs": 3, "size": "4096 B", "outstanding": 4},
            {"kind": "long_lived", "flows": 6, "start_jitter": "20 us"},
        ]
    )
    topology = draw.choice(
        [
            {"kind": "star", "hosts": 6, "rate": "10 Gb/s", "rtt": "8 us"},
            {
                "kind": "leaf_spine",
                "leaves": 2,
                "spines": 2,
                "hosts_per_leaf": 3,
                "host_rate": "10 Gb/s",
                "fabric_rate": "10 Gb/s",
                "link_delay": "1 us",
            },
        ]
    )
    others = [
        {
            "kind": "long_lived",
            "flows": 2,
            "start_jitter": "10 us",
            "congestion": {"kind": "hpcc"},
            "host": {"min_rto": "300 us"},
        },
        {
            "kind": "long_lived",
            "flows": 2,
            "start_jitter": "10 us",
            "priority": 1,
            "host": {"min_rto": "500 us"},
            "congestion": {"kind": "newreno"},
        },
    ]
    return {
        "topology": topology,
        "switch": {
            "buffer": draw.choice(["10 kB", "40 kB", "1 MB"]),
            "queues": 2,
            "scheduling": {"kind": "drr"},
            "release": draw.choice(["start", "end"]),
            "cell_size": draw.choice([None, "208 B"]),
        },
        "traffic": [{**entry, "congestion": law, "host": stack}, *others[: draw.choice([0, 1, 2])]],
        "run": {
            "duration": "1 ms",
            "warmup": "50 us",
            "mtu": "1000 B",
            "seed": number + 1,
            "framing": draw.choice(["ip", "ethernet"]),
        },
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_hpcc_over_tcp_agrees_to_the_picosecond(number: int) -> None:
    agree(build_plan(Scenario.parse(scenario(number))))


def test_all_that_matters_happens() -> None:
    """Retransmissions and timeouts occur in these scenarios, or repairs beside telemetry would not be compared."""
    found = [agree(build_plan(Scenario.parse(scenario(number)))) for number in (2, 11, 13)]
    assert sum(metrics["retransmissions"] for metrics in found) > 50
    assert sum(metrics["timeouts"] for metrics in found) > 0
