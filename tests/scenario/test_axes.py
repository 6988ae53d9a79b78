from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footroom.base.errors import InvalidInput
from footroom.scenario import Scenario
from footroom.scenario.axes import parse_axis, scalar, spaced
from footroom.studies import Study


def values(raw: dict[str, Any], path: str, written: Any) -> list[Any]:
    return [point.at[path] for point in Study.of(raw, {path: written}).points]


def test_a_logarithmic_range_has_both_ends_and_equal_ratios(raw: dict[str, Any]) -> None:
    found = values(raw, "switch.buffer", "25kB:2.5MB:log9")
    assert found[0] == 25_000
    assert found[4] == 250_000
    assert found[-1] == 2_500_000
    assert [b / a for a, b in itertools.pairwise(found)] == pytest.approx([100 ** (1 / 8)] * 8, rel=1e-4)


@pytest.mark.parametrize(
    "written",
    ["0.1:0.9:lin5", "0.1:0.9:5", "0.1,0.3,0.5,0.7,0.9", [0.1, 0.3, 0.5, 0.7, 0.9], "[0.1, 0.3, 0.5, 0.7, 0.9]"],
)
def test_spellings_of_one_axis(raw: dict[str, Any], written: Any) -> None:
    raw["traffic"] = [{"kind": "poisson", "load": 0.5, "sizes": "10 kB"}]
    assert values(raw, "traffic.0.load", written) == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9], abs=1e-12)


def test_packets_become_bytes_of_the_points_own_mtu(raw: dict[str, Any]) -> None:
    assert values(raw, "switch.buffer", ["10 packets", "15 kB", 30000]) == [15_000, 30_000]  # the first two are equal
    study = Study.of(raw, {"switch.buffer": ["10 packets", "20 packets"], "run.mtu": [1000, 1500]})
    assert sorted((p.at["run.mtu"], p.at["switch.buffer"]) for p in study.points) == [
        (1000, 10_000),
        (1000, 20_000),
        (1500, 15_000),
        (1500, 30_000),
    ]


def test_a_range_in_packets_is_of_whole_packets(raw: dict[str, Any]) -> None:
    found = values(raw, "switch.buffer", "40 packets:20000 packets:log7")
    assert found[0] == 60_000
    assert found[-1] == 30_000_000
    assert len(found) == 7
    assert all(value % 1500 == 0 for value in found)


def test_a_range_over_whole_numbers_is_rounded_and_repeated_ones_go(raw: dict[str, Any]) -> None:
    found = values(raw, "traffic.0.flows", "1:8:log9")
    assert found == [1, 2, 3, 4, 5, 6, 8]
    assert all(isinstance(value, int) for value in found)


def test_several_axes_are_a_product_and_their_order_does_not_matter(raw: dict[str, Any]) -> None:
    over = {"switch.buffer": ["100 kB", "200 kB"], "traffic.0.flows": [1, 2, 3]}
    study = Study.of(raw, over)
    assert [tuple(p.at.values()) for p in study.points] == [(1e5, 1), (1e5, 2), (1e5, 3), (2e5, 1), (2e5, 2), (2e5, 3)]
    assert Study.of(raw, dict(reversed(over.items()))).points == study.points


def test_a_kind_brings_its_own_parameters_and_drops_the_others(raw: dict[str, Any]) -> None:
    raw["switch"]["sharing"] = {"kind": "dynamic_threshold", "alpha": 0.5}
    study = Study.of(raw, {"switch.sharing.kind": "dynamic_threshold,complete,static"})
    found = [p.scenario.switch.sharing.model_dump() for p in study.points]
    assert found == [
        {"kind": "dynamic_threshold", "alpha": 0.5, "alphas": None},
        {"kind": "complete"},
        {"kind": "static", "per_queue": None},
    ]


@pytest.mark.parametrize(
    ("path", "written", "word"),
    [
        ("switch.bufer", [1e5], "unknown key"),
        ("switch.buffer.deep", [1e5], "plain value"),
        ("traffic.7.flows", [1], "entries 0 to 0"),
        ("switch..buffer", [1e5], "dots"),
        ("switch.buffer", "25kb:2.5Mb:log9", "not a number with a known unit"),
        ("switch.buffer", "25kB:2.5MB:log1", "at least 2"),
        ("switch.buffer", "25kB:2.5MB:log", "not a number of points"),
        ("switch.buffer", "25kB:2.5MB", "two ends and a number"),
        ("switch.buffer", "25kB:2.5MB:cubic5", "not a number of points"),
        ("switch.buffer", "0:2.5MB:log9", "above 0"),
        ("switch.buffer", "-1kB:2.5MB:log9", "above 0"),
        ("switch.buffer", "25kB:25kB:lin3", "must differ"),
        ("switch.buffer", "25kB:20ms:log3", "one kind"),
        ("switch.buffer", "25 packets:2.5MB:log3", "one kind"),
        ("switch.buffer", "25 packets:100000:log3", "one kind"),
        ("switch.buffer", "1ms:20ms:log3", "unit of time"),
        ("run.duration", "1kB:2kB:log3", "unit of size"),
        ("switch.buffer", "25kB:2.5MB:log999999", "at most 10000"),
        ("switch.buffer", "1:1e999:lin3", "not finite"),
        ("switch.buffer", [], "at least one"),
        ("switch.buffer", "", "at least one"),
        ("switch.buffer", "1kB,,2kB", "none may be empty"),
        ("switch.buffer", 5, "list or a range"),
        ("switch.buffer", {"low": 1}, "list or a range"),
        ("switch.buffer", [1e5, float("nan")], "not finite"),
        ("switch.buffer", [True], "true or false"),
        ("traffic.0.flows", [1.5], "whole number"),
        ("run.replicas", [1, 2], "not an axis"),
        ("traffic.0.kind", ["long_lived", "bulk"], "must be one of"),
    ],
)
def test_a_wrong_axis_is_refused_at_its_path(raw: dict[str, Any], path: str, written: Any, word: str) -> None:
    with pytest.raises(InvalidInput, match=word):
        Study.of(raw, {path: written})


@pytest.mark.parametrize("written", ["1e-308:1e308:log9", "-1e308:1e308:lin3", "5e-324:1e308:log5", "-1e308:1e308:9"])
@pytest.mark.parametrize("path", ["switch.buffer", "topology.rtt", "traffic.0.flows", "topology.rtt_spread"])
def test_ends_far_apart_are_refused_not_a_crash(raw: dict[str, Any], path: str, written: str) -> None:
    with pytest.raises(InvalidInput):
        Study.of(raw, {path: written})


@given(
    low=st.floats(1e-300, 1e300),
    high=st.floats(1e-300, 1e300),
    count=st.integers(2, 50),
    scale=st.sampled_from(["log", "lin"]),
)
def test_any_range_runs_from_end_to_end_in_order(low: float, high: float, count: int, scale: str) -> None:
    found = spaced(low, high, count, scale == "log")
    assert (len(found), found[0], found[-1]) == (count, low, high)
    slack = [value * (1.0 + 1e-9) if high > low else value * (1.0 - 1e-9) for value in found]
    assert all((a <= b) if high > low else (a >= b) for a, b in zip(found, slack[1:], strict=False))


def test_too_many_points_are_refused_before_they_are_built(raw: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="10404 points"):
        Study.of(raw, {"switch.buffer": "25kB:2.5MB:log102", "topology.rtt": "1ms:9ms:lin102"})
    with pytest.raises(InvalidInput, match="9 axes"):
        Study.of(raw, {f"a{i}": [1] for i in range(9)})


def test_the_unit_of_a_range_stays_with_its_values(raw: dict[str, Any]) -> None:
    assert parse_axis("topology.rtt", "1ms:3ms:lin3", Scenario.parse(raw)) == ["0.001 s", "0.002 s", "0.003 s"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("0.5", 0.5),
        ("true", True),
        ("5s", "5s"),
        ("bbr", "bbr"),
        ('{"kind": "none"}', {"kind": "none"}),
        ("NaN", "NaN"),
        ("null", None),
    ],
)
def test_values_as_typed(text: str, value: Any) -> None:
    assert scalar(text) == value
    assert type(scalar(text)) is type(value)
