"""A change against the same arrivals: differences seed by seed, worked out by hand where they can be."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lossless.small import star

from footroom.base.errors import InvalidInput
from footroom.scenario import Scenario, presets
from footroom.studies import Study
from footroom.studies.alternatives import alternatives, apply
from footroom.studies.what_if import compare, request, what_if

#: A seed and a result with one metric.
Pair = tuple[int, float]


def points(*pairs: Pair, **more: Any) -> list[dict[str, Any]]:
    scenario = Scenario.parse(star(3)).to_dict()
    return [
        {
            "at": {"run.seed": seed},
            "result": {"metrics": {"fct_mean": value}, "scenario": scenario, "seed": seed, **more},
        }
        for seed, value in pairs
    ]


def test_the_interval_is_that_of_the_differences_of_pairs() -> None:
    """Differences 1, 2, 3: mean 2, standard error 1/sqrt(3), t(0.975, 2) = 4.302653; runs themselves differ by 100."""
    found = compare(points((1, 100.0), (2, 200.0), (3, 300.0)), points((3, 303.0), (1, 101.0), (2, 202.0)))
    (one,) = found.differences
    assert (one.a, one.b, one.difference, one.pairs) == (200.0, 202.0, 2.0, 3)
    assert one.interval == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))
    assert one.verdict == "unclear"
    assert found.same_arrivals
    closer = compare(points((1, 100.0), (2, 200.0), (3, 300.0)), points((1, 101.9), (2, 202.0), (3, 302.1)))
    assert closer.differences[0].verdict == "higher"
    less = compare(points((1, 100.0), (2, 200.0)), points((1, 100.0), (2, 200.0)))
    assert (less.differences[0].verdict, less.differences[0].interval) == ("same", (0.0, 0.0))


def test_a_single_pair_has_no_interval_and_says_so() -> None:
    found = compare(points((1, 5.0)), points((1, 4.0), (2, 9.0)))
    assert (found.seeds, found.differences[0].interval, found.differences[0].verdict) == ((1,), None, "unclear")
    assert any("single pair" in note for note in found.notes)


def test_studies_without_a_common_seed_are_refused() -> None:
    with pytest.raises(InvalidInput, match="no seed in common"):
        compare(points((1, 5.0)), points((2, 4.0)))
    swept = [point | {"at": {"run.seed": 1, "switch.buffer": 2}} for point in points((1, 5.0))]
    with pytest.raises(InvalidInput, match="only axis"):
        compare(swept, points((1, 4.0)))


def raw() -> dict[str, Any]:
    made = star(5, buffer="3 MB")
    made["traffic"] = [
        {
            "kind": "poisson",
            "load": 0.3,
            "sizes": {"kind": "fixed", "size": "64 kB"},
            "priority": 3,
            "congestion": {"kind": "dcqcn"},
        }
    ]
    made["run"] |= {"duration": "200 us"}
    return made


def test_nothing_changed_is_the_same_and_more_memory_is_left_over() -> None:
    base = raw()
    same = what_if(base, {"name": "other"}, replicas=2)
    assert same.same_arrivals
    assert {one.verdict for one in same.differences} == {"same"}
    more = {one.name: one for one in what_if(base, {"switch.buffer": "4 MB"}, replicas=2).differences}
    assert more["memory left over at the fullest switch"].verdict == "higher"
    assert more["memory left over at the fullest switch"].difference == pytest.approx(1e6)
    dsh = {one.name: one for one in what_if(base, "scheme", replicas=2).differences}
    assert dsh["headroom reserved"].a == pytest.approx(7 * dsh["headroom reserved"].b)  # seven classes, one insurance


def test_a_change_of_arrivals_is_told() -> None:
    found = what_if(raw(), {"traffic.0.load": 0.2}, replicas=1)
    assert not found.same_arrivals
    assert any("arrivals" in note for note in found.notes)


def test_bad_changes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="there are: scheme"):
        what_if(raw(), "nonsense")
    with pytest.raises(InvalidInput, match="at least one field"):
        what_if(raw(), {})
    with pytest.raises(InvalidInput, match=r"switch\.nothing"):
        what_if(raw(), {"switch.nothing": 1}, replicas=1)
    with pytest.raises(InvalidInput, match="same seeds"):
        what_if(raw(), {"run.seed": 2})
    with pytest.raises(InvalidInput, match="from 1 to 100"):
        what_if(raw(), "scheme", replicas=0)


@pytest.mark.parametrize(
    "preset",
    [one.id for one in presets.PRESETS if one.scenario["switch"].get("headroom", {}).get("kind", "none") != "none"],
)
def test_ready_changes_of_presets_make_valid_scenarios(preset: str) -> None:
    base = presets.load(preset).scenario
    ready = alternatives(Scenario.parse(base))
    assert len({one.id for one in ready}) == len(ready) > 2
    for one in ready:
        changed = apply(base, one.changes)
        assert Scenario.parse(changed).to_dict() != Scenario.parse(base).to_dict(), one.id
        Study.from_request(request(changed, 2))


def test_a_scenario_without_lossless_classes_has_no_ready_change() -> None:
    assert alternatives(Scenario.parse(presets.load("wan-bottleneck").scenario)) == []
