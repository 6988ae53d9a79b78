"""Cuts for marks over a round trip (``mark_cut``): both engines packet by packet."""

from __future__ import annotations

import random

import pytest
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def scenario(number: int) -> Scenario:
    """Flows that are marked and, in half of the cases, lose packets as well; timers and probes come in between."""
    draw = random.Random(f"cuts for marks {number}")
    entries = []
    for law in draw.sample(["newreno", "cubic", "dctcp", "newreno"], 2):
        host = {
            "recovery": "prr",
            "mark_cut": "round_trip",
            "ack_every": draw.choice([1, 2, 3]),
            "min_rto": draw.choice([0.002, 0.02]),
            "tail_loss_probe": draw.random() < 0.5,
            "autosize": draw.random() < 0.3,
            "pacing": draw.random() < 0.2,
            "ecn": draw.random() < 0.9,
        }
        size = {"kind": "fixed", "size": draw.choice([3000, 30_000, 200_000])}
        arrivals = {"kind": "poisson", "load": 0.4, "sizes": size}
        lasting = {"kind": "long_lived", "flows": draw.choice([1, 3]), "start_jitter": 0.002}
        entries.append({**draw.choice([lasting, lasting, arrivals]), "congestion": {"kind": law}, "host": host})
    step = draw.choice([0, 2, 10])
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "20 Mb/s", "access": "100 Mb/s", "rtt": "8 ms"},
            "switch": {
                "buffer": f"{draw.choice([step + 4, 200])} packets",
                "marking": {"kind": "step", "threshold": f"{step} packets"},
            },
            "traffic": entries,
            "run": {"duration": 1.0, "warmup": 0.1, "seed": number},
        }
    )


def over_one_connection(law: str) -> Scenario:
    """Answers of 40 kB, one after another over the same connections, in which reductions may be under way."""
    return Scenario.parse(
        {
            "topology": {"kind": "star", "hosts": 7, "rate": "1 Gb/s", "rtt": "100 us"},
            "switch": {"buffer": "60 kB", "marking": {"kind": "step", "threshold": "15 kB"}},
            "traffic": [
                {
                    "kind": "incast",
                    "degree": 6,
                    "size": "40 kB",
                    "period": "10 ms",
                    "connections": "persistent",
                    "congestion": {"kind": law},
                    "host": {"min_rto": "2 ms", "mark_cut": "round_trip", "tail_loss_probe": True},
                }
            ],
            "run": {"duration": "60 ms", "warmup": 0, "seed": 1},
        }
    )


@pytest.mark.parametrize("law", ["newreno", "cubic", "dctcp"])
def test_engines_agree_where_a_connection_carries_several_flows(law: str) -> None:
    assert agree(build_plan(over_one_connection(law)))["marks"] > 100


@pytest.mark.parametrize("number", range(24))
def test_engines_agree_on_cuts_over_a_round_trip(number: int) -> None:
    assert agree(build_plan(scenario(number)))["marks"] > 0
