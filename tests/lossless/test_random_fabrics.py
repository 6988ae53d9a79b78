"""Random lossless fabrics: nothing is lost where headroom suffices, and what is lost is counted and foretold."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lossless.adversarial import enlarged, with_cut
from tests.lossless.generator import random_fabric
from tests.lossless.meshed import meshed_fabric
from tests.lossless.varied import varied_fabric
from tests.reference.agreement import agree

from footroom.base.errors import InvalidInput
from footroom.engines.packet import simulate
from footroom.engines.plan import Plan, build_plan
from footroom.result import Result
from footroom.scenario import Scenario

#: Beginnings of the notes that say that packets of lossless classes may be dropped.
WARNINGS = ("Headroom may not suffice", "The headroom pool", "Switch")


def plan_of(seed: int, cut: float | None = None) -> Plan:
    return build_plan(Scenario.parse(random_fabric(seed, cut)))


def check_drops(plan: Plan, found: Result) -> None:
    """Every drop belongs to a priority group, and none comes without a warning."""
    drops = found.metrics["lossless_drops"]
    assert found.priority_groups is not None
    assert sum(row["drops"] for row in found.priority_groups) == drops
    warned = any(note.startswith(WARNINGS) for note in plan.notes)
    assert warned or drops == 0, plan.scenario.to_dict()
    assert any(" dropped " in note and "packets of lossless classes;" in note for note in found.notes) == (drops > 0)


def test_where_headroom_suffices_nothing_is_lost() -> None:
    paused = suffices = 0
    for seed in range(40):
        plan = plan_of(seed)
        found = simulate(plan)  # which also counts every packet and every byte of memory
        check_drops(plan, found)
        paused += found.metrics["headroom_max"] > 0
        suffices += not any(note.startswith(WARNINGS) for note in plan.notes)
    assert paused > 8
    assert suffices > 20


def test_where_it_is_cut_every_drop_is_foretold() -> None:
    lost = 0
    for seed in range(40):
        try:
            plan = plan_of(seed, 0.4)
        except InvalidInput:
            continue  # the pool does not hold one group
        found = simulate(plan)
        check_drops(plan, found)
        lost += found.metrics["lossless_drops"] > 0
    assert lost > 2


@pytest.mark.parametrize("cut", [None, 0.3])
def test_usual_fabrics_of_every_control_and_topology(cut: float | None) -> None:
    paused = lost = mixed = 0
    for seed in range(12):
        plan = build_plan(Scenario.parse(varied_fabric(seed, cut)))
        mixed += len({entry.congestion.kind for entry in plan.scenario.traffic}) > 1
        found = simulate(plan)
        check_drops(plan, found)
        paused += found.metrics["pause_frames"] > 0
        lost += found.metrics["lossless_drops"] > 0
    assert paused > 6
    assert mixed > 4
    assert lost == 0 if cut is None else lost > 2


@pytest.mark.parametrize("seed", [8, 11])
def test_both_engines_agree_on_usual_fabrics(seed: int) -> None:
    raw = varied_fabric(seed)
    raw["run"]["duration"] /= 8
    agree(build_plan(Scenario.parse(raw)))


@pytest.mark.parametrize("cut", [None, 0.3])
def test_fabrics_of_unlike_links_and_shapes(cut: float | None) -> None:
    """As large as their own warnings ask for they lose nothing; with a third of that every loss is foretold."""
    paused = lost = 0
    for seed in range(30):
        raw = meshed_fabric(seed)
        plan = enlarged(raw)
        if plan is None:
            continue  # no size is enough: a warning stays
        if cut is not None:
            plan = build_plan(Scenario.parse(with_cut(raw, cut)))
        found = simulate(plan)
        check_drops(plan, found)
        paused += found.metrics["pause_frames"] > 0
        lost += found.metrics["lossless_drops"] > 0
    assert paused > 5
    assert lost == 0 if cut is None else lost > 1


@pytest.mark.parametrize("seed", [1, 108, 604])
def test_both_engines_agree_on_small_ones_of_them(seed: int) -> None:
    """Each of the last two has an instant that the plan decides.

    In 108 lossy packets have a pool of their own: when they leave, no pause of the others may end, even one of a group
    that holds just its threshold. In 604 neighbours stop without delay: packets that arrive at the picosecond at which
    a pause frame does come first.
    """
    raw = meshed_fabric(seed, small=True)
    if seed != 108:
        enlarged(raw)
    agree(build_plan(Scenario.parse(raw)))


@pytest.mark.parametrize("seed", [3, 8, 14])
def test_the_same_seed_gives_the_same_result(seed: int) -> None:
    def numbers() -> dict[str, Any]:
        return {name: value for name, value in simulate(plan_of(seed)).to_dict().items() if name != "wall_s"}

    assert numbers() == numbers()
