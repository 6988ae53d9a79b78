"""Dynamic thresholds against published fixed points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footroom.calculators.pool.thresholds import Queues, free_at_ingress, free_memory

ALPHAS = st.floats(2.0**-8, 2.0**7)


@pytest.mark.parametrize(
    ("alpha", "shares"),
    [
        (1.0, (0.5, 0.3333, 0.2, 0.1111)),
        (8.0, (0.8889, 0.4706, 0.2424, 0.1231)),
        (1 / 16, (0.0588, 0.0556, 0.05, 0.0417)),
    ],
)
def test_fixed_points_of_choudhury_and_hahne(alpha: float, shares: tuple[float, ...]) -> None:
    for n, share in zip((1, 2, 4, 8), shares, strict=True):
        assert alpha * free_memory(1.0, [Queues("", n, alpha)]) == pytest.approx(share, abs=5e-5)


@given(st.lists(st.tuples(st.integers(0, 64), ALPHAS), min_size=1, max_size=4))
def test_what_queues_hold_and_what_is_free_is_the_memory(kinds: list[tuple[int, float]]) -> None:
    queues = [Queues("", count, alpha) for count, alpha in kinds]
    free = free_memory(1e7, queues)
    assert free + sum(kind.count * kind.alpha * free for kind in queues) == pytest.approx(1e7)


@given(st.integers(0, 64), st.integers(0, 64), ALPHAS, ALPHAS, st.floats(0.0, 1.0))
def test_the_pause_threshold_of_reverie(n_in: int, n_out: int, a_in: float, a_out: float, part: float) -> None:
    """Reverie (NSDI 2024) writes it as a_i (B_i + n_e a_e (B_i − B_e)) / ((1 + n_i a_i)(1 + n_e a_e))."""
    pool = 1e7
    egress = part * pool
    free = free_at_ingress(pool, Queues("lossless", n_in, a_in), Queues("lossy", n_out, a_out), egress)
    published = a_in * (pool + n_out * a_out * (pool - egress)) / ((1 + n_in * a_in) * (1 + n_out * a_out))
    assert a_in * free == pytest.approx(published, rel=1e-9)
    together = free_memory(pool, [Queues("", n_in, a_in), Queues("", n_out, a_out)])
    if part == 1.0:
        assert free <= together * (1 + 1e-12), "one pool for all leaves lossless queues more than two"
