"""What results tell of every switch's memory."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import InvalidInput


def fabric(policy: dict[str, Any], **run: Any) -> Any:
    """Two racks whose hosts answer each other in bursts beside one long flow per pair."""
    return fr.run(
        fr.Scenario.parse(
            {
                "topology": {"kind": "leaf_spine", "leaves": 2, "spines": 2, "hosts_per_leaf": 4, "watched": "all"},
                "switch": {"buffer": "600 kB", "sharing": policy, "marking": {"kind": "step", "threshold": "97.5 kB"}},
                "switches": {"spine": {"buffer": "300 kB", "sharing": {"kind": "complete"}}},
                "traffic": [
                    {"kind": "long_lived", "flows": 4, "start_jitter": "1 ms", "congestion": {"kind": "dctcp"}},
                    {"kind": "incast", "degree": 14, "size": "20 kB", "load": 0.2, "congestion": {"kind": "dctcp"}},
                ],
                "run": {"duration": "30 ms", "warmup": "5 ms", "seed": 3, **run},
            }
        )
    )


def test_what_each_entry_holds_adds_up_to_the_queues() -> None:
    found = fabric({"kind": "smartbuf"}, memories="7 us")
    assert [memory["switch"] for memory in found.memories] == ["leaf0", "leaf1", "spine0", "spine1"]
    assert [memory["policy"] for memory in found.memories] == ["smartbuf"] * 2 + ["complete"] * 2
    held = [sum(memory["held"]) for memory in found.memories]
    # The engine integrates every queue over time by itself: 8 ports of leaves to hosts, 8 between switches.
    assert sum(held) == pytest.approx(found.metrics["queue_mean"] * 16, rel=0.02)
    for share, memory in zip(held, found.memories, strict=True):
        assert 0 < share < memory["most"] <= memory["buffer"]
    assert all(len(memory["held"]) == 2 and min(memory["held"]) > 0 for memory in found.memories)


def test_policies_count_from_the_end_of_the_warm_up_and_keep_what_they_learnt() -> None:
    from footroom.engines.packet.memories import Memories
    from footroom.engines.packet.simulation import Simulation
    from footroom.engines.plan import build_plan

    scenario = fr.Scenario.parse(fabric({"kind": "smartbuf", "sigma": 50}).scenario)
    simulation = Simulation(build_plan(scenario))
    simulation.run_until(10**10)
    policy = scenario.switch.sharing
    before = policy.observe(simulation.scratch(0))
    Memories(simulation, None)
    after = policy.observe(simulation.scratch(0))
    assert before["bursts"] > 0 == after["bursts"]
    assert after["predictions"] == after["error_max"] == 0
    assert after["entries"] == after["entries_max"] == before["entries"] > 0


def test_there_is_nothing_to_tell_unless_somebody_asks_or_counts() -> None:
    assert fabric({"kind": "edt"}).memories is None
    assert "memories" not in fabric({"kind": "edt"}).to_dict()
    counted = fabric({"kind": "smartbuf"}).memories
    assert counted[0]["held"] == []
    assert counted[0]["observed"]["bursts"] > 0
    with pytest.raises(InvalidInput, match="looks"):
        fabric({"kind": "edt"}, memories="1 ns")
