"""Memory of connections at both ends (``receive_buffer``, ``write_buffer``): both engines, packet by packet."""

from __future__ import annotations

import random

import pytest
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def scenario(number: int) -> Scenario:
    draw = random.Random(f"memory {number}")
    law = ["bbr", "cubic", "newreno"][number % 3]
    host = {
        "profile": "linux",
        "receive_buffer": draw.choice([16_384, 131_072, 1_000_000]),
        "write_buffer": draw.choice([65_536, 200_000, 4_194_304]),
        "autosize": draw.random() < 0.5,
        "quick_acks": draw.choice([0, 16]),
    }
    traffic: list[dict[str, object]] = [
        {"kind": "long_lived", "flows": 3, "start_jitter": 0.1, "congestion": {"kind": law}, "host": host},
        {
            "kind": "incast",
            "degree": 3,
            "size": 150_000,
            "period": 0.4,
            "connections": draw.choice(["new", "persistent"]),
            "congestion": {"kind": law},
            "host": host,
        },
    ]
    return Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": "30 Mb/s",
                "rtt": draw.choice([0.01, 0.03, 0.06]),
                "access": draw.choice(["40 Mb/s", "1 Gb/s"]),
            },
            "traffic": traffic,
            "switch": {"buffer": draw.choice([20_000, 60_000, 200_000])},
            "run": {"duration": 2.0, "warmup": 0.1, "seed": number},
        }
    )


@pytest.mark.parametrize("number", range(9))
def test_both_engines_acknowledge_and_write_alike(number: int) -> None:
    agree(build_plan(scenario(number)))
