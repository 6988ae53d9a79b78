"""Trees of measures, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError
from tests.papers.made_up import answer

from footroom.papers.measures import Answer, Leaf, NotMeasurableError, Spec, estimate, leaves

SPEC: TypeAdapter[Spec] = TypeAdapter(Spec)


def spec(raw: Any) -> Spec:
    return SPEC.validate_python(raw)


def of(*replicas: Sequence[Answer]) -> Any:
    def runs(leaf: Leaf) -> list[list[Answer]]:
        return [[one for one in answers if one.case in leaf.cases] for answers in replicas]

    return runs


def test_a_tree_of_named_parts() -> None:
    runs = of([answer("A", utilisation=[0.99] * 10), answer("C", utilisation=[0.89] * 10)])
    tree = spec(
        {
            "formula": "100 * (A - C)",
            "of": {"A": {"measure": "utilisation", "cases": ["A"]}, "C": {"measure": "utilisation", "cases": ["C"]}},
        }
    )
    found = estimate(tree, runs)
    assert found.value == pytest.approx(10.0)
    assert found.interval == pytest.approx((10.0, 10.0))
    assert found.samples == 20
    assert [leaf.cases for leaf in leaves(tree)] == [("A",), ("C",)]


def test_names_order_and_constants() -> None:
    runs = of([answer("A", utilisation=[0.5])])
    leaf = {"measure": "utilisation", "cases": ["A"]}
    assert estimate(spec({"each": {"a": leaf, "b": 2}}), runs, draws=0).value == {"a": 0.5, "b": 2.0}
    assert estimate(spec({"order": [leaf, 1.0]}), runs, draws=0).value == [0.5, 1.0]


def test_the_bootstrap_interval_of_a_mean_is_about_two_standard_errors() -> None:
    fct = np.random.default_rng(1).normal(1.0, 0.2, 400)
    found = estimate(spec({"measure": "fct_mean", "cases": ["A"]}), of([answer("A", fct=list(fct))]), draws=400)
    assert found.interval is not None
    low, high = found.interval
    assert low < fct.mean() < high
    assert (high - low) / 2 == pytest.approx(1.96 * 0.2 / 20, rel=0.2)
    assert len(found.draws) == 400


def test_a_difference_of_a_case_with_itself_has_no_width() -> None:
    leaf = {"measure": "fct_mean", "cases": ["A"]}
    tree = spec({"formula": "a - b", "of": {"a": leaf, "b": leaf}})
    fct = list(np.random.default_rng(1).exponential(1.0, 100))
    assert estimate(tree, of([answer("A", fct=fct)])).interval == (0.0, 0.0)


def test_replicas_are_pooled_and_drawn_again() -> None:
    runs = of(*([answer("A", utilisation=[u] * 10)] for u in (0.8, 0.9, 1.0)))
    found = estimate(spec({"measure": "utilisation", "cases": ["A"]}), runs, 3)
    assert found.value == pytest.approx(0.9)
    # Windows of a run agree, so a draw is the mean of three runs drawn from three: its deviation is 0.0816/√3.
    assert np.std(np.asarray(found.draws, dtype=float)) == pytest.approx(0.0816 / 3**0.5, rel=0.15)
    assert found.interval is not None
    assert 0.8 <= found.interval[0] < 0.85 < 0.95 < found.interval[1] <= 1.0
    assert (found.replicas, found.samples) == (3, 30)


def test_replicas_of_one_case_make_no_gap_and_one_quantile() -> None:
    runs = of(
        *(
            [answer("A/1", utilisation=[u], fct=fct), answer("B/1", utilisation=[u + 0.1], fct=[2.0] * 2)]
            for u, fct in ((0.5, [1.0, 3.0]), (0.7, [1.0, 3.0]))
        )
    )
    cases = ["A/1", "B/1"]
    assert estimate(spec({"measure": "utilisation_gap", "cases": cases}), runs, 2).value == pytest.approx(0.1)
    lead = {"measure": "lead", "cases": cases, "with": {"subject": "A", "level": 1.0}}
    assert estimate(spec(lead), runs, 2).value == pytest.approx(2 / 3)


@pytest.mark.parametrize(("busy", "untold"), [(1, True), (5, False)])
def test_a_number_that_hangs_on_one_window_is_untold(busy: int, untold: bool) -> None:
    # A draw of blocks of two windows leaves the last one out more often than not.
    utilisation = [0.5] * (20 - busy) + [0.9] * busy
    runs = of([answer("A", utilisation=utilisation, dropped=[0.0] * (20 - busy) + [5.0] * busy)])
    tree = spec({"measure": "drop_rate_at", "cases": ["A"], "with": {"utilisation": 0.9, "window": 1.0}})
    found = estimate(tree, runs)
    assert found.value == pytest.approx(0.005)
    assert found.untold is untold


def test_metrics_are_drawn_again_only_by_replica() -> None:
    tree = spec({"measure": "metric", "cases": ["A"], "with": {"name": "utilisation"}})
    assert estimate(tree, of([answer("A")])).draws == ()
    assert len(estimate(tree, of([answer("A")], [answer("A")]), 2).draws) == 200


def test_a_formula_without_a_value_is_not_measurable() -> None:
    leaf = {"measure": "drop_rate", "cases": ["A"]}
    tree = spec({"formula": "a / b", "of": {"a": leaf, "b": leaf}})
    with pytest.raises(NotMeasurableError, match="no value"):
        estimate(tree, of([answer("A")]))


@pytest.mark.parametrize(
    "raw",
    [
        {"measure": "nothing", "cases": ["A"]},
        {"measure": "drop_rate_at", "cases": ["A"]},
        {"measure": "drop_rate", "cases": ["A"], "with": {"colour": 1}},
        {"measure": "drop_rate", "cases": []},
        {"formula": "a + b", "of": {"a": 1.0}},
        {"each": {}},
        {"order": [1.0]},
    ],
)
def test_a_tree_that_cannot_be_evaluated_is_refused(raw: Any) -> None:
    with pytest.raises(ValidationError):
        spec(raw)
