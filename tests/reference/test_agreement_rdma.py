"""Both packet engines on RDMA hosts: DCQCN in all its forms, go-back-N and selective recovery, in small buffers."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

NUMBERS = range(10)


def scenario(number: int) -> dict[str, Any]:
    """Flows that start at line rate and lose much of it, or are marked; all parameters drawn at random."""
    draw = random.Random(number)
    congestion = {
        "kind": "dcqcn",
        "rate_timer": draw.choice(["55 us", "20 us"]),
        "byte_counter": draw.choice([None, "30 kB"]),
        "hyper_increase": draw.choice([None, "1 Gb/s"]),
        "hyper_grows": draw.random() < 0.5,
        "target_follows": draw.random() < 0.5,
        "fast_recovery": draw.choice([1, 2, 5]),
        "cnp_interval": draw.choice(["50 us", "4 us"]),
        "alpha_timer": draw.choice(["55 us", "1 us"]),
    }
    host = {
        "recovery": ("go_back_n", "selective")[number % 2],
        "min_rto": "200 us",
        "low_rto": "50 us",
        "nack_interval": draw.choice(["50 us", "500 us"]),
        "ack_every": draw.choice([1, 4]),
        "ack_delay": "30 us",
        "jitter": draw.choice([0, "1 us"]),
    }
    degree = draw.randint(2, 6)
    size = f"{draw.choice([5, 30, 60])} kB"
    entry = draw.choice(
        [
            {"kind": "incast", "degree": degree, "size": size},
            {"kind": "incast", "degree": degree, "size": size, "period": "400 us", "connections": "persistent"},
            {"kind": "long_lived", "flows": degree, "start_jitter": "20 us"},
        ]
    )
    return {
        "topology": {"kind": "star", "hosts": degree + 1, "rate": "10 Gb/s", "rtt": "8 us"},
        "switch": {
            "buffer": f"{draw.choice([5, 10, 30])} kB",
            "queues": 2,
            "scheduling": {"kind": "drr"},
            "release": draw.choice(["start", "end"]),
            "marking": draw.choice(
                [{"kind": "red", "kmin": "2 kB", "kmax": "8 kB", "pmax": 0.2}, {"kind": "step", "threshold": "3 kB"}]
            ),
        },
        "traffic": [{**entry, "congestion": congestion, "host": host}],
        "run": {
            "duration": "1 ms",
            "warmup": "50 us",
            "mtu": "1000 B",
            "seed": number,
            "framing": draw.choice(["ip", "ethernet"]),
        },
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_rdma_hosts_agree_to_the_picosecond(number: int) -> None:
    agree(build_plan(Scenario.parse(scenario(number))))


def test_all_that_matters_happens() -> None:
    """Retransmissions, timeouts and marks occur in these scenarios, or they would compare nothing."""
    seen = {"retransmissions": 0.0, "timeouts": 0.0, "marks": 0.0}
    for number in (0, 1, 2, 3):
        metrics = agree(build_plan(Scenario.parse(scenario(number))))
        seen = {name: count + metrics[name] for name, count in seen.items()}
    assert seen["retransmissions"] > 100, seen
    assert seen["timeouts"] > 0, seen
    assert seen["marks"] > 100, seen
