"""HyStart and HyStart++ in the compiled engine and in the plain one, packet by packet."""

from __future__ import annotations

import random

import pytest
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def scenario(number: int, hystart: str) -> Scenario:
    """Transfers and long flows under CUBIC on paths of 10 to 60 ms, with timeouts and reused connections among them."""
    draw = random.Random(number)
    host = {
        "hystart": hystart,
        "pacing": draw.random() < 0.3,
        "ack_every": draw.choice([1, 2]),
        "quick_acks": draw.choice([0, 16]),
        "tail_loss_probe": draw.random() < 0.5,
        "ecn": draw.random() < 0.5,
        "recovery": draw.choice(["prr", "prr", "sack"]),
    }
    law = {"kind": "cubic", "first_growth": draw.choice([0, 0.05])}
    traffic = [
        {"kind": "poisson", "load": 0.4, "sizes": {"kind": "fixed", "size": 300_000}, "congestion": law, "host": host},
        {"kind": "long_lived", "flows": 2, "start_jitter": 0.5, "congestion": law, "host": host},
    ]
    if draw.random() < 0.4:
        traffic[0] = {
            "kind": "incast",
            "degree": 4,
            "size": 150_000,
            "period": 0.4,
            "connections": "persistent",
            "congestion": law,
            "host": host,
        }
    return Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": "30 Mb/s",
                "rtt": draw.choice([0.01, 0.03, 0.06]),
                "access": draw.choice(["40 Mb/s", "1 Gb/s"]),
            },
            "traffic": traffic,
            "switch": {
                "buffer": draw.choice([20_000, 60_000, 200_000]),
                "marking": draw.choice([{"kind": "none"}, {"kind": "step", "threshold": 30_000}]),
            },
            "run": {"duration": 2.0, "warmup": 0.1, "seed": number},
        }
    )


@pytest.mark.parametrize("hystart", ["linux", "rfc9406"])
@pytest.mark.parametrize("number", range(5))
def test_both_engines_leave_slow_start_alike(number: int, hystart: str) -> None:
    agree(build_plan(scenario(number, hystart)))
