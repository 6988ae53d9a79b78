"""Chances of pauses against SciPy's distributions, enumeration and draws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import betabinom, binom

from footroom.base.errors import InvalidInput
from footroom.calculators.pool.pauses import Demand, Paused


@given(st.integers(1, 600), st.floats(0.0, 1.0), st.integers(0, 600))
def test_independent_pauses_are_binomial(n: int, p: float, k: int) -> None:
    demand = Demand([Paused(n, 1000.0)], p)
    assert demand.exceeded(1000.0 * k) == pytest.approx(binom.sf(k, n, p), rel=1e-8, abs=1e-300)
    assert demand.mean == pytest.approx(1000.0 * n * p, abs=1e-6)


@given(st.integers(1, 300), st.floats(0.01, 0.99), st.floats(0.001, 0.95), st.integers(0, 300))
def test_correlated_pauses_are_beta_binomial(n: int, p: float, rho: float, k: int) -> None:
    a, b = p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho
    exact = 1.0 - betabinom.cdf(k, n, a, b)
    assert Demand([Paused(n, 1000.0)], p, rho).exceeded(1000.0 * k) == pytest.approx(exact, rel=1e-6, abs=1e-9)


@settings(max_examples=25)
@given(st.integers(0, 6), st.integers(1, 6), st.floats(0.05, 0.95), st.integers(0, 60))
def test_two_sizes_of_headroom_by_enumerating_who_pauses(small: int, large: int, p: float, pool: int) -> None:
    sizes = [300.0] * small + [700.0] * large
    exact = sum(
        p ** sum(who) * (1 - p) ** (len(sizes) - sum(who))
        for who in itertools.product((0, 1), repeat=len(sizes))
        if sum(size for size, on in zip(sizes, who, strict=True) if on) > 100 * pool
    )
    demand = Demand([Paused(small, 300.0), Paused(large, 700.0)], p)
    assert demand.exceeded(100.0 * pool) == pytest.approx(exact, abs=1e-12)


def test_two_sizes_with_one_common_cause_by_drawing_them() -> None:
    """The chance that a group pauses is itself drawn, which is what the correlation means."""
    p, rho, rng = 0.2, 0.3, np.random.default_rng(1)
    chance = rng.beta(p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho, size=200_000)
    small, large = rng.binomial(40, chance), rng.binomial(10, chance)
    drawn = float(np.mean(300.0 * small + 900.0 * large > 9000.0))
    assert Demand([Paused(40, 300.0), Paused(10, 900.0)], p, rho).exceeded(9000.0) == pytest.approx(drawn, abs=0.004)
    first, second = rng.random((2, 200_000)) < chance
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(rho, abs=0.01)


@given(st.integers(1, 200), st.floats(0.001, 0.999), st.floats(0.0, 0.9), st.floats(1e-12, 0.5))
def test_the_smallest_pool_is_enough_and_one_group_less_is_not(n: int, p: float, rho: float, target: float) -> None:
    demand = Demand([Paused(n, 1000.0)], p, rho)
    pool = demand.smallest_pool(target)
    assert demand.exceeded(pool) <= target
    assert pool == 0.0 or demand.exceeded(pool - 1000.0) > target


@pytest.mark.parametrize(("p", "exceeded"), [(0.0, 0.0), (1.0, 1.0)])
def test_never_and_always(p: float, exceeded: float) -> None:
    for rho in (0.0, 0.5):
        demand = Demand([Paused(10, 100.0)], p, rho)
        assert demand.exceeded(999.0) == exceeded
        assert demand.exceeded(1000.0) == 0.0
        assert demand.smallest_pool(1e-9) == 1000.0 * p


def test_far_in_the_tail_nothing_is_lost_to_rounding() -> None:
    assert Demand([Paused(512, 1.0)], 1e-3).exceeded(100.0) == pytest.approx(binom.sf(100, 512, 1e-3), rel=1e-9)
    assert binom.sf(100, 512, 1e-3) < 1e-150


def test_too_many_kinds_are_refused() -> None:
    with pytest.raises(InvalidInput, match="fewer kinds of port"):
        Demand([Paused(500, 1000.0 + i) for i in range(8)], 0.1)
    with pytest.raises(InvalidInput, match="fewer ports"):
        Demand([Paused(30_000, 1000.0), Paused(30_000, 2000.0)], 0.1)


def test_four_kinds_of_port_are_counted() -> None:
    p, rng = 0.1, np.random.default_rng(2)
    kinds = [Paused(64, 30e3), Paused(64, 80e3), Paused(16, 200e3), Paused(16, 900e3)]
    drawn = sum(kind.headroom * rng.binomial(kind.count, p, size=300_000) for kind in kinds)
    demand = Demand(kinds, p)
    for pool in (2e6, 3e6, 4e6, 6e6):
        assert demand.exceeded(pool) == pytest.approx(float(np.mean(drawn > pool)), abs=0.004)
    smallest = demand.smallest_pool(0.01)
    assert float(np.mean(drawn > smallest)) == pytest.approx(0.01, abs=0.001)
