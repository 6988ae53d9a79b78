"""Every rule passes what it should and fails what it should, and says by how much."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from footroom.papers.comparison import AnyRule, Kinds, Rule
from footroom.papers.verdict import doubt

RULES: TypeAdapter[Rule] = TypeAdapter(AnyRule)

CASES: list[tuple[dict[str, Any], Any, Any, Any]] = [
    # rule, published, ours that meets it, ours that misses it
    ({"type": "within", "relative": 0.05}, 30.0, 31.5, 31.6),
    ({"type": "within", "absolute": 0.05}, 0.9, 0.86, 0.84),
    ({"type": "within", "factor": 3}, 1e-3, 3.4e-4, 3.3e-4),
    ({"type": "within", "factor": 3}, 1e-3, 2.9e-3, 3.1e-3),
    ({"type": "exact", "tolerance": 0}, {"A": 5.0, "B": 2.0}, {"A": 5.0, "B": 2.0}, {"A": 5.0, "B": 2.1}),
    ({"type": "exact", "tolerance": 0.1}, 5.0, 5.05, 5.2),
    ({"type": "exact"}, {"A": 5.0, "B": 2.0}, {"A": 5.0, "B": 2.0}, {"A": 5.0}),
    ({"type": "equal", "value": 0.0}, None, 0.0, 1.0),
    ({"type": "arithmetic", "value": 44340, "tolerance": 0.5}, "formula only", 44340.4, 44341.0),
    ({"type": "at_most", "value": 0.02}, "none", 0.02, 0.021),
    ({"type": "at_least", "value": 0.99}, "100 %", 0.99, 0.98),
    ({"type": "between", "low": 1, "high": 7}, [3, 4], 7.0, 7.1),
    ({"type": "between", "low": 1, "high": 7}, [3, 4], 1.0, 0.9),
    ({"type": "ratio_at_least", "min_ratio": 3}, "significant", 3.0, 2.9),
    ({"type": "ratio_at_most", "max_ratio": 2}, 1.31, 2.0, 2.1),
    (
        {"type": "ordering", "assertion": "A > B > C"},
        "A > B > C",
        {"A": 3.0, "B": 2.0, "C": 1.0},
        {"A": 3.0, "B": 1.0, "C": 1.0},
    ),
    (
        {"type": "consistency", "assertion": "0.7 <= limit / bdp <= 1.3"},
        "one BDP",
        {"limit": 1.2, "bdp": 1.0},
        {"limit": 2.0, "bdp": 1.0},
    ),
    (
        {"type": "all_of", "of": ["a <= 15", "b <= 0.005"]},
        "no breakdown",
        {"a": 15.0, "b": 0.005},
        {"a": 1.0, "b": 0.006},
    ),
    ({"type": "trend", "direction": "increasing"}, "up", [1.0, 2.0, 3.0], [1.0, 2.0, 2.0]),
    ({"type": "trend", "direction": "decreasing"}, "down", [3.0, 2.0, 1.0], [1.0, 2.0, 3.0]),
    ({"type": "trend", "direction": "non_decreasing"}, "up", [1.0, 1.0, 3.0], [1.0, 0.9, 3.0]),
    ({"type": "trend", "direction": "non_increasing", "tolerance": 0.1}, "down", [3.0, 3.05, 1.0], [3.0, 3.2, 1.0]),
    ({"type": "correlation", "min_rho": 0.9}, "proportional", [1.0, 2.0, 5.0, 9.0], [1.0, 9.0, 2.0, 5.0]),
    ({"type": "correlation", "min_rho": -0.7}, "falls", [9.0, 5.0, 2.0, 1.0], [1.0, 9.0, 2.0, 5.0]),
    ({"type": "slope", "r2_min": 0.9}, "law", [1.0, 2.1, 2.9, 4.0], [1.0, 3.0, 1.5, 2.0]),
    ({"type": "slope", "r2_min": 0.999, "x": [1, 2, 10]}, "law", [2.0, 4.0, 20.0], [2.0, 4.0, 6.0]),
]


@pytest.mark.parametrize(("rule", "published", "good", "bad"), CASES, ids=[str(case[0]) for case in CASES])
def test_a_rule_tells_good_from_bad(rule: dict[str, Any], published: Any, good: Any, bad: Any) -> None:
    read = RULES.validate_python(rule)
    met, missed = read.judge(good, published), read.judge(bad, published)
    assert met.met, met.reason
    assert not missed.met, missed.reason
    assert met.reason
    assert missed.reason
    assert read.text()


def test_no_rule_is_left_out() -> None:
    written = {value for kind in get_args(Kinds) for value in get_args(kind.model_fields["type"].annotation)}
    assert {case[0]["type"] for case in CASES} == written


@pytest.mark.parametrize(
    "rule",
    [
        {"type": "within"},
        {"type": "within", "relative": 0.1, "factor": 2},
        {"type": "within", "factor": 0.5},
        {"type": "between", "low": 2, "high": 1},
        {"type": "ordering", "assertion": "A.x > 1"},
        {"type": "at_most"},
        {"type": "all_of", "of": []},
        {"type": "trend", "direction": "sideways"},
        {"type": "near", "value": 1},
    ],
)
def test_a_rule_that_says_nothing_is_refused(rule: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        RULES.validate_python(rule)


@pytest.mark.parametrize(
    ("rule", "ours", "text"),
    [
        ({"type": "at_most", "value": 1e-6}, 1e-3, "0.001 is a factor 1e+03 above 1e-06"),
        ({"type": "within", "absolute": 0.05}, 0.7, "0.7 is 0.15 below 0.85"),
        ({"type": "ordering", "assertion": "A > B"}, {"A": 1.0, "B": 2.0}, "does not hold: A > B: 1 against 2"),
        ({"type": "trend", "direction": "increasing"}, [1.0, 3.0, 2.0], "step 2 goes from 3 to 2 in 1, 3, 2"),
    ],
)
def test_a_miss_says_by_how_much(rule: dict[str, Any], ours: Any, text: str) -> None:
    assert RULES.validate_python(rule).judge(ours, 0.9).reason == text


@pytest.mark.parametrize(("rule", "published", "good", "bad"), CASES)
def test_the_accepted_range_holds_what_meets_the_rule_and_nothing_else(
    rule: dict[str, Any], published: Any, good: Any, bad: Any
) -> None:
    accepted = RULES.validate_python(rule).accepted(published)
    if accepted is None:
        assert isinstance(good, (dict, list, tuple))  # several numbers are no range
        return
    assert accepted[0] <= good <= accepted[1]
    assert not accepted[0] <= bad <= accepted[1]


def test_a_number_outside_its_own_interval_is_doubted() -> None:
    assert "outside the bootstrap interval" in doubt(0.98, (0.84, 0.968))
    assert doubt(1.0 + 1e-13, (1.0, 1.0)) == doubt(0.9, (0.8, 1.0)) == doubt(0.9, None) == doubt({"A": 2.0}, None) == ""
