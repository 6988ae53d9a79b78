from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from footroom.base.rng import stream
from footroom.parts.sizes import BoundedPareto, Fixed, FlowSizes, Sizes, index
from footroom.parts.sizes.empirical import Empirical, table

EVERY = [Empirical(name=name) for name in index()] + [Fixed(size=1e4), BoundedPareto(), BoundedPareto(shape=1.0)]


@pytest.mark.parametrize("sizes", EVERY, ids=lambda s: getattr(s, "name", s.kind))
def test_the_mean_is_the_integral_of_the_quantiles(sizes: FlowSizes) -> None:
    levels = (np.arange(2_000_000) + 0.5) / 2_000_000
    assert float(np.mean(sizes.quantile(levels))) == pytest.approx(sizes.mean(), rel=2e-3)


@pytest.mark.parametrize("name", list(index()))
def test_a_table_is_a_distribution_with_the_mean_its_index_states(name: str) -> None:
    found, entry = table(name), index()[name]
    assert np.all(np.diff(found.size) >= 0)
    assert np.all(np.diff(found.cumulative) >= 0)
    assert found.cumulative[0] >= 0.0
    assert found.cumulative[-1] == pytest.approx(1.0, abs=1e-6)
    assert Empirical(name=name).mean() == pytest.approx(entry["mean"], rel=1e-3)
    assert entry["source"]


@pytest.mark.parametrize("sizes", EVERY, ids=lambda s: getattr(s, "name", s.kind))
def test_draws_are_whole_repeatable_and_within_the_table(sizes: FlowSizes) -> None:
    drawn = sizes.draw(10_000, stream(1, "sizes"))
    assert drawn.dtype == np.int64
    assert drawn.min() >= 1
    assert np.array_equal(drawn, sizes.draw(10_000, stream(1, "sizes")))
    ends = sizes.quantile(np.array([0.0, 1.0 - 1e-12]))
    assert max(1, round(ends[0])) <= drawn.min()
    assert drawn.max() <= round(ends[1]) + 1


def test_draws_follow_the_table() -> None:
    drawn = Empirical(name="websearch_dctcp").draw(200_000, stream(2, "sizes"))
    below = float(np.mean(drawn <= 10_000))
    assert below == pytest.approx(0.15, abs=4 * np.sqrt(0.15 * 0.85 / 200_000))


def test_the_bounded_pareto_has_its_tail() -> None:
    # P(S > s) = ((l/s)^a - (l/h)^a) / (1 - (l/h)^a)
    sizes = BoundedPareto(shape=1.2, minimum=1e6, maximum=1e8)
    level = 1.0 - (0.1**1.2 - 0.01**1.2) / (1.0 - 0.01**1.2)
    assert float(sizes.quantile(np.array([level]))[0]) == pytest.approx(1e7, rel=1e-9)
    assert sizes.mean() == pytest.approx(3.6e6, rel=0.02)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "nonsense",
        "10 Mb",
        "0 B",
        -5,
        None,
        {"kind": "bounded_pareto", "minimum": 5, "maximum": 5},
        {"kind": "fixed"},
        {"kind": "empirical", "name": "x"},
    ],
)
def test_what_is_no_distribution(value: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Sizes).validate_python(value)
