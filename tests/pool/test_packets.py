"""The packet scenario that goes with a question about marking and pauses."""

from __future__ import annotations

from typing import Any

import pytest
from tests.pool.plain import plain

import footroom as fr
from footroom.calculators.pool.compute import pool

ASKED = {
    "buffer": "16 MB",
    "ports": "32x100G@300m",
    "lossless_classes": 2,
    "alpha_lossless": 0.125,
    "marking": {"kmin": "400 kB", "kmax": "1600 kB", "sources": 4},
}


def scenario_of(**changed: Any) -> tuple[dict[str, Any], list[str], Any]:
    answer = pool(**{**ASKED, **changed})
    found = plain(answer)["marking"]
    return found["scenario"], found["differs"], answer


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"scheme": "dsh"},
        {"scheme": "dsh", "lossless_classes": 7, "reserved_pg": "3 KiB"},
        {"over_subscribe_ratio": 2},
        {"reserved_queue": 1664, "cell_size": 208},
        {"asic": "tomahawk", "ports": ()},
        {"scheme": "sonic", "asic": "spectrum-3"},
    ],
)
def test_the_switch_shares_what_the_division_leaves(changed: dict[str, Any]) -> None:
    scenario, _, answer = scenario_of(**changed)
    (memory,) = fr.memory(scenario)
    shared = next(line.size for line in memory.lines if line.name == "shared")
    assert shared == pytest.approx(answer.division.footroom, abs=300)
    headroom = next(line for line in memory.lines if line.name == "headroom")
    group = answer.division.groups[0]
    assert memory.ports == answer.division.ports
    if not answer.division.pooled:
        assert headroom.most >= (group.insurance or group.headroom)


def test_marking_first_on_paper_is_marking_first_in_the_scenario() -> None:
    """α = 1/8, two sources of which each holds half: Xoff of each is α·S/(1 + 2α) = S/10 of about 13 MB."""
    scenario, _, _ = scenario_of(marking={"kmin": "400 kB", "kmax": "1600 kB", "sources": 2})
    (memory,) = fr.memory(scenario)
    race = next(race for race in memory.races if race.sources == 2)
    shared = next(line.size for line in memory.lines if line.name == "shared")
    assert race.queue == pytest.approx(2 * shared / 10, abs=4)
    assert race.first == "marking"
    scenario["switch"]["marking"] = {"kind": "step", "threshold": race.queue}
    assert fr.memory(scenario)[0].races[0].first == "pause"


def test_what_differs_from_the_question_is_said() -> None:
    scenario, differs, _ = scenario_of(marking={"kmin": "150 kB", "kmax": "150 kB", "feeds": 2, "queues": 2})
    assert scenario["switch"]["marking"] == {"kind": "step", "threshold": 150_000}
    assert scenario["traffic"][0]["flows"] == 2
    assert "2 ports fill the queue, 1 were asked for" in differs
    assert "each port fills one queue" in differs
