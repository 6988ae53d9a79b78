"""The compiled policies and those in plain Python, written apart, agree on every packet of both packet engines."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def policy(draw: random.Random, kind: str) -> dict[str, Any]:
    """``kind`` with parameters that matter in a small memory."""
    own: dict[str, dict[str, Any]] = {
        "edt": {
            "enqueues": draw.choice([None, 1, 3, 5]),
            "dequeues": draw.choice([None, 1, 2, 4]),
            "within": draw.choice([None, 2e-4, 5e-3]),
            "longest": draw.choice([None, 1e-3, 2e-2]),
        },
        "fab": {
            "recent": draw.choice([3000, 22_500]),
            "idle": draw.choice([1e-3, 5e-3, 0.1]),
            "small_alpha": draw.choice([2, 1024]),
        },
        "abm": {
            "unscheduled": draw.choice([0, 3000, 15_000]),
            "window": draw.choice([3e-5, 5e-3]),
            "alphas": draw.choice([None, [0.5, 2.0]]),
            "near": draw.choice([0.5, 0.9]),
            "least": 0.25,
        },
        "smartbuf": {
            "sigma": draw.choice([2, 4, 16]),
            "beta": draw.choice([0.2, 0.5]),
            "nearest": draw.choice([1, 3]),
            "ageing": draw.choice([0.02, 0.1]),
            "learning_time": draw.choice([0, 0.1]),
            "key_width": draw.choice([0.001, 0.5]),
            "faithful": draw.random() < 0.3,
            "or_equal": draw.random() < 0.3,
            "count_drops": draw.random() < 0.8,
            "at_least_dynamic": draw.random() < 0.8,
        },
    }
    return {"kind": kind, "alpha": draw.choice([0.25, 1, 4]), **own[kind]}


def scenario(number: int, kind: str) -> Scenario:
    """Bursts of short flows and long ones over one or two classes, in memories that are too small for them."""
    draw = random.Random(f"{kind} {number}")
    queues = draw.choice([1, 2])
    switch: dict[str, Any] = {
        "buffer": draw.choice([9000, 30_000, 90_000]),
        "reserved": draw.choice([0, 60]),
        "sharing": policy(draw, kind),
        "queues": queues,
    }
    if queues > 1:
        switch["scheduling"] = {"kind": draw.choice(["strict_priority", "drr"])}
    topology = draw.choice(
        [
            {"kind": "star", "hosts": 5, "rate": "20 Mb/s", "rtt": 4e-4},
            {"kind": "dumbbell", "bottleneck": "20 Mb/s", "access": "100 Mb/s", "rtt": 2e-3},
        ]
    )
    return Scenario.parse(
        {
            "topology": topology,
            "switch": switch,
            "traffic": [
                {"kind": "long_lived", "flows": draw.randint(2, 6), "start_jitter": 0.02, "priority": queues - 1},
                {"kind": "poisson", "load": 0.5, "sizes": draw.choice(["6 kB", "40 kB"]), "host": {"min_rto": 0.02}},
            ],
            "run": {"duration": 0.4, "warmup": 0, "seed": number},
        }
    )


@pytest.mark.parametrize("kind", ["edt", "fab", "abm", "smartbuf"])
@pytest.mark.parametrize("number", range(5))
def test_both_engines_treat_every_packet_alike(kind: str, number: int) -> None:
    assert agree(build_plan(scenario(number, kind)))["drop_rate"] > 0.0
