"""Reports of gaps that are held back (``sack_delay``) and bursts acknowledged at their end (``push_acks``)."""

from __future__ import annotations

import random

import pytest
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def scenario(number: int) -> Scenario:
    """Flows that lose many packets, with all that may send an acknowledgement before its time."""
    draw = random.Random(f"held back {number}")
    entries = []
    for law in draw.sample(["newreno", "cubic", "dctcp", "bbr", "newreno"], 2):
        memory = draw.choice([None, 16384])
        host = {
            "recovery": draw.choice(["prr", "prr", "sack", "newreno"]),
            "sack_delay": draw.choice([0, 0.0003, 0.001, 0.02]),
            "push_acks": draw.random() < 0.6,
            **draw.choice([{}, {"autosize": True}, {"burst": 3}]),
            "ack_every": draw.choice([1, 2, 3]),
            "quick_acks": draw.choice([0, 16]),
            "receive_buffer": memory,
            "min_rto": draw.choice([0.002, 0.02]),
            "ecn": draw.random() < 0.5,
        }
        host["tail_loss_probe"] = host["recovery"] != "newreno" and draw.random() < 0.5
        if law == "bbr":
            host["recovery"] = "prr"
        size = {"kind": "fixed", "size": draw.choice([30_000, 200_000])}
        arrivals = {"kind": "poisson", "load": 0.4, "sizes": size}
        lasting = {"kind": "long_lived", "flows": draw.choice([1, 3]), "start_jitter": 0.002}
        entries.append({**draw.choice([lasting, lasting, arrivals]), "congestion": {"kind": law}, "host": host})
    marking = draw.choice([{"kind": "none"}, {"kind": "step", "threshold": "4 packets"}])
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "20 Mb/s", "access": "100 Mb/s", "rtt": "8 ms"},
            "switch": {"buffer": f"{draw.choice([5, 8])} packets", "marking": marking},
            "traffic": entries,
            "run": {"duration": 1.0, "warmup": 0.1, "seed": number},
        }
    )


@pytest.mark.parametrize("number", range(20))
def test_engines_agree_on_when_receivers_acknowledge(number: int) -> None:
    assert agree(build_plan(scenario(number)))["drop_rate"] > 0.0
