"""The Smartbuf experiments: what their sizes keep, and what can be told exactly."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.papers import runner
from footroom.papers.cases import document
from footroom.papers.catalogue import paper_named
from footroom.scenario import Scenario, switch_for

PAPER = paper_named("smartbuf")
EXPERIMENTS = {experiment.id: experiment for experiment in PAPER.experiments}


def scenario_of(experiment: str, case: str, tier: Any) -> Any:
    return Scenario.parse(document(EXPERIMENTS[experiment], case, tier))


def leaf_and_spine(scenario: Any) -> dict[str, Any]:
    return {"leaf": switch_for(scenario, "leaf0", "leaf"), "spine": switch_for(scenario, "spine0", "spine")}


@pytest.mark.parametrize("tier", ["smoke", "laptop"])
def test_smaller_tiers_keep_what_policies_go_by(tier: Any) -> None:
    full, small = (scenario_of("SB", "edt/0.8", t) for t in ("full", tier))
    shares, bursts, ports = [], [], []
    for scenario in (full, small):
        fabric, memory = scenario.topology, leaf_and_spine(scenario)["leaf"].buffer
        ports.append(memory / (fabric.hosts_per_leaf + fabric.spines))
        shares.append(fabric.hosts_per_leaf * fabric.host_rate / (fabric.spines * fabric.fabric_rate))
        bursts.append(scenario.traffic[1].degree * scenario.traffic[1].size.mean() / memory)
        assert scenario.topology.link_delay * 8 == pytest.approx(80e-6)
        assert scenario.traffic[0].load == pytest.approx(4 * scenario.traffic[1].load)
    assert ports[0] == pytest.approx(ports[1], rel=1e-9)
    assert shares[0] == shares[1] == 2.0
    assert bursts == pytest.approx([0.4125, 0.4125], rel=1e-3)
    spine = leaf_and_spine(small)["spine"].buffer / small.topology.leaves
    assert spine == leaf_and_spine(full)["spine"].buffer / full.topology.leaves == 200_000


def test_policies_differ_in_nothing_else() -> None:
    cases = [document(EXPERIMENTS["SB"], f"{policy}/0.8", "laptop") for policy in ("static", "edt", "faithful")]
    for case in cases:
        case["switch"].pop("sharing")
        case["switches"]["spine"].pop("sharing", None)
        case.pop("name")
    assert cases[0] == cases[1] == cases[2]


@pytest.mark.parametrize("tier", ["smoke", "laptop", "full"])
@pytest.mark.parametrize(
    ("experiment", "case"),
    [("SB", "smartbuf/0.8"), ("SB", "faithful/0.8"), ("SB-K", "3"), ("SB-BUFFER", "smartbuf/4"), ("SB-ENDLESS", "0.8")],
)
def test_queues_that_dctcp_keeps_are_no_bursts_on_any_tier(experiment: str, case: str, tier: Any) -> None:
    scenario = scenario_of(experiment, case, tier)
    for switch in leaf_and_spine(scenario).values():
        least = switch.buffer / switch.sharing.sigma
        assert least == pytest.approx(200e3)
        assert least > 2 * switch.marking.threshold
        assert scenario.traffic[1].degree * scenario.traffic[1].size.mean() > 3 * least


def test_experiments_share_the_cases_in_which_they_meet() -> None:
    for experiment, case in (("SB-K", "3"), ("SB-SIGMA", "20"), ("SB-BUFFER", "smartbuf/4")):
        one, other = (
            Scenario.parse({**document(EXPERIMENTS[name], which, "laptop"), "name": ""})
            for name, which in ((experiment, case), ("SB", "smartbuf/0.8"))
        )
        assert one.digest == other.digest


@pytest.mark.parametrize(("sigma", "least"), [("5", 800e3), ("10", 400e3), ("20", 200e3), ("50", 80e3)])
def test_sigma_keeps_the_length_of_a_burst_on_smaller_tiers(sigma: str, least: float) -> None:
    for tier in ("smoke", "laptop", "full"):
        for switch in leaf_and_spine(scenario_of("SB-SIGMA", sigma, tier)).values():
            assert switch.buffer / switch.sharing.sigma == pytest.approx(least, rel=2e-3)


def test_the_same_queues_count_as_bursts_in_memory_without_end() -> None:
    for tier in ("laptop", "full"):
        least = []
        for experiment, case in (("SB", "smartbuf/0.8"), ("SB-ENDLESS", "0.8")):
            switches = leaf_and_spine(scenario_of(experiment, case, tier))
            least.append({role: switch.buffer / switch.sharing.sigma for role, switch in switches.items()})
        assert least[0] == pytest.approx(least[1], rel=1e-9)


def test_gradient_and_demand_are_those_of_the_first_windows() -> None:
    """n senders put ten packets each into a port that sends ten: (n - 1)·15 kB remain, and rise at n - 1 port rates."""
    found = {judgement.target.id: judgement for judgement in runner.run(["SB-12", "SB-13"], "laptop").judgements}
    degrees = (5, 10, 20, 40, 60, 80, 100)
    assert found["SB-13"].ours == pytest.approx([(n - 1) * 15_000 for n in degrees], rel=1e-12)
    # Smoothed over ten departures with 3/4 of the past, and kept to a tenth.
    assert found["SB-12"].ours == pytest.approx([(n - 1) * (1 - 0.75**10) for n in degrees], abs=0.1)
    assert {judgement.verdict for judgement in found.values()} == {"met"}


def test_what_is_missed_is_explained() -> None:
    for target in PAPER.targets:
        if target.kind == "outcome" and target.if_missed is not None:
            assert len(target.if_missed.why) > 80
            assert target.if_missed.sensitivity
