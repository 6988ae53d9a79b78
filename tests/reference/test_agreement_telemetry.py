"""Both packet engines with controls that read telemetry or round trips, mixed with DCQCN, on random small fabrics."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

NUMBERS = range(16)


def hpcc(draw: random.Random) -> dict[str, Any]:
    return {
        "kind": "hpcc",
        "additive_increase": draw.choice([20, 80, 500]),
        "max_stage": draw.choice([0, 1, 5]),
        "fast_reaction": draw.random() < 0.8,
        "reference_window": draw.random() < 0.8,
        "base_rtt": draw.choice([None, "15 us"]),
    }


def powertcp(draw: random.Random) -> dict[str, Any]:
    return {
        "kind": "powertcp",
        "variant": draw.choice(["powertcp", "theta"]),
        "weight": draw.choice([0.9, 0.3]),
        "additive_increase": draw.choice([None, 200]),
        "current_floor": draw.choice([None, 0.2]),
        "target_utilisation": draw.choice([1, 0.95]),
        "base_rtt": draw.choice([None, "15 us"]),
        "update_interval": draw.choice([None, "3 us"]),
    }


def timely(draw: random.Random) -> dict[str, Any]:
    return {
        "kind": "timely",
        "variant": draw.choice(["patched", "original"]),
        "segment": draw.choice([None, "3 kB"]),
        "t_low": "5 us",
        "t_high": "30 us",
        "min_rtt": "10 us",
        "additive_increase": "50 Mb/s",
        "round_trip": draw.random() < 0.3,
        "start_rate": draw.choice([None, "2 Gb/s"]),
        "hyperactive_after": draw.choice([0, 5]),
    }


def swift(draw: random.Random) -> dict[str, Any]:
    return {
        "kind": "swift",
        "base_target": draw.choice([None, "12 us"]),
        "hop_target": draw.choice(["0 s", "3 us"]),
        "scaling_range": draw.choice(["0 s", "20 us"]),
        "initial_window": draw.choice([12, 0.5]),
        "additive_increase": draw.choice([1, 0.3]),
    }


LAWS = (hpcc, powertcp, timely, swift)


def scenario(number: int) -> dict[str, Any]:
    """Incasts or long flows over one switch or three, with buffers that drop or that do not."""
    draw = random.Random(number)
    laws = [draw.choice(LAWS)(draw) for _ in range(2)]
    host = {
        "recovery": ("go_back_n", "selective")[number % 2],
        "min_rto": "300 us",
        "low_rto": "60 us",
        "high_rto": "400 us",
        "nack_interval": draw.choice(["50 us", "500 us"]),
        "jitter": draw.choice([0, "1 us"]),
    }
    entry = draw.choice(
        [
            {"kind": "incast", "degree": 4, "size": "60 kB"},
            {"kind": "incast", "degree": 3, "size": "30 kB", "period": "300 us", "connections": "persistent"},
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
            "congestion": law,
            "priority": priority,
            "host": {"min_rto": "300 us"},
        }
        for priority, law in ((0, laws[1]), (1, {"kind": "dcqcn"}))
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
        "traffic": [{**entry, "congestion": laws[0], "host": host}, *others],
        "run": {
            "duration": "1 ms",
            "warmup": "50 us",
            "mtu": "1000 B",
            "seed": number + 1,
            "framing": draw.choice(["ip", "ethernet"]),
        },
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_mixed_controls_agree_to_the_picosecond(number: int) -> None:
    agree(build_plan(Scenario.parse(scenario(number))))


def test_all_that_matters_happens() -> None:
    """Retransmissions, timeouts and queues occur in these scenarios, or they would compare nothing."""
    found = [agree(build_plan(Scenario.parse(scenario(number)))) for number in (5, 6, 8)]
    assert sum(metrics["retransmissions"] for metrics in found) > 100
    assert sum(metrics["timeouts"] for metrics in found) > 0
    assert min(metrics["queue_mean"] for metrics in found) > 500
