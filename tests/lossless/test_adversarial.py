"""A fixed part of ``tests.validation.tools.lossless_fabrics``, which runs as many fabrics as one asks for."""

from __future__ import annotations

from collections import Counter

from tests.lossless.adversarial import WARNINGS, adversarial_fabric, enlarged, with_cut
from tests.validation.tools.lossless_fabrics import examine, faults

from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def failed(sums: Counter[str]) -> list[str]:
    return [name for name in sums if name.startswith("FAILED")]


def test_nothing_is_lost_and_the_same_seed_gives_the_same_bytes() -> None:
    sums = examine(12, 300, None, 2)
    assert failed(sums) == []
    assert sums["run adversarial"] >= 2
    assert sums["sufficient"] > 6
    assert sums["twice"] >= 4


def test_what_a_cut_loses_has_a_place_a_cause_and_a_warning() -> None:
    sums = examine(12, 300, 0.2, 0)
    assert failed(sums) == []
    assert sums["with drops"] >= 2


def test_the_size_that_a_warning_asks_for_loses_nothing_and_a_fifth_of_it_does() -> None:
    lost = 0
    for seed in (2, 5, 8, 11):
        raw = adversarial_fabric(seed)
        plan = enlarged(raw)
        if plan is None:
            continue
        assert simulate(plan).metrics["lossless_drops"] == 0
        cut = build_plan(Scenario.parse(with_cut(raw, 0.2)))
        assert any(note.startswith(WARNINGS) for note in cut.notes)
        found = simulate(cut)
        assert faults(cut, found) == []
        lost += found.metrics["lossless_drops"] > 0
    assert lost > 0
