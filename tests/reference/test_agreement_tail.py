"""Both packet engines agree on probes of lost tails, and on how long a hole may stand, in all combinations."""

from __future__ import annotations

import random

import pytest
from tests.reference import test_agreement, test_agreement_switch
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

GENERATORS = {"hosts": test_agreement.scenario, "switches": test_agreement_switch.scenario}


def probing(generator: str, number: int) -> Scenario:
    """A random scenario of ``generator`` in which most hosts probe for lost tails."""
    draw = random.Random(f"{generator} {number}")
    document = GENERATORS[generator](number).to_dict()
    for entry in document["traffic"]:
        host = entry["host"]
        if host["recovery"] == "newreno" and draw.random() < 0.5:
            host["recovery"] = draw.choice(["sack", "prr"])
        host["tail_loss_probe"] = host["recovery"] != "newreno" and draw.random() < 0.9
        host["probe_margin"] = draw.choice([0, 1e-4, 0.002])
        host["initial_rto"] = draw.choice([None, None, 0.05, 2.0])
        if draw.random() < 0.3:  # little enough that probes repeat segments of flows that go on
            host["receive_window"] = draw.choice([1500, 3000, 4500])
        host["timer_tick"] = random.Random(f"tick {generator} {number}").choice([0, 0, 1e-4, 0.004])
    return Scenario.parse(document)


@pytest.mark.parametrize("number", range(24))
@pytest.mark.parametrize("generator", GENERATORS)
def test_same_packets_same_picoseconds_same_metrics(generator: str, number: int) -> None:
    agree(build_plan(probing(generator, number)))


def test_probes_are_among_what_is_compared() -> None:
    metrics = agree(build_plan(probing("hosts", 4)))
    assert metrics["tail_loss_probes"] > 100
