"""CUBIC's closed forms against published values and direct sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from footroom.engines.theory.cubic import average_window, cubic_sawtooth, epoch, linear_equivalent, overshoots


@pytest.mark.parametrize(("ratio", "shown"), [(0.0, 0.925), (0.1, 0.96712), (0.25, 0.99245)])
def test_utilisation_of_one_flow(ratio: float, shown: float) -> None:
    assert round(cubic_sawtooth(ratio).utilisation, 5) == shown


@pytest.mark.parametrize("ratio", [0.0, 0.2, 3 / 7, 1.5])
def test_cycle_against_a_direct_sum(ratio: float) -> None:
    u = (np.arange(200_000) + 0.5) / 200_000
    window = (1 + ratio) * (1 - 0.3 * u**3)
    cycle = cubic_sawtooth(ratio)
    assert cycle.utilisation == pytest.approx(np.minimum(window, 1.0).mean(), rel=1e-8)
    assert cycle.queue_mean == pytest.approx(np.maximum(window - 1.0, 0.0).mean(), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.25, 3 / 7, 1.5])
def test_two_climbs_of_fast_convergence_against_a_direct_sum(ratio: float) -> None:
    """Every other climb goes over a plateau at 0.85 of the peak; K is the cube root of what is missing to it."""
    u = (np.arange(200_000) + 0.5) / 200_000
    low = (1 + ratio) * (1 - 0.3 * u**3)
    steep = (1 + ratio) * (0.85 + 0.15 * (2.0 * u - 1.0) ** 3)
    share = 2.0 * epoch(0.5) / epoch(1.0)

    def both(values: Any) -> float:
        return float((values(low).mean() + share * values(steep).mean()) / (1.0 + share))

    cycle = cubic_sawtooth(ratio, converges=True)
    assert cycle.duration == pytest.approx(1.0 + share)
    assert cycle.utilisation == pytest.approx(both(lambda w: np.minimum(w, 1.0)), rel=1e-8)
    assert cycle.queue_mean == pytest.approx(both(lambda w: np.maximum(w - 1.0, 0.0)), rel=1e-8, abs=1e-12)


def test_growth_between_an_overflow_and_its_notice() -> None:
    """By stepping the window's curve: 500 packets at the overflow, a round trip of 0.2 s."""
    late = 0.2 / epoch(500.0)
    assert overshoots(500.0, late)[0] == pytest.approx(0.4 * 0.2**3)  # in equilibrium it peaks when the notice comes
    concave, steep = overshoots(500.0, late, converges=True)
    half = epoch(250.0)
    assert steep == pytest.approx(0.4 * (half + 0.2) ** 3 - 75.0)
    plateau = 500.0 + steep  # the window when the steep overflow was noticed
    crossing = np.cbrt(-steep / 0.4)
    assert concave == pytest.approx(plateau + 0.4 * (crossing + 0.2) ** 3 - 500.0)


def test_rfc_values() -> None:
    assert round(epoch(100), 4) == 4.2172
    assert round(epoch(1000), 4) == 9.0856
    assert [round(average_window(loss, 0.1)) for loss in (1e-4, 1e-5, 1e-6)] == [187, 1054, 5926]


def test_linear_equivalent_is_reno_friendly_where_cubic_is() -> None:
    # 33 packets at 20 ms: the Reno-friendly ramp, 0.529 packets per round trip.
    assert 1 / linear_equivalent(50, 1667, 0.02, 0.1).ack_every == pytest.approx(3 * 0.3 / 1.7)
    # 10 000 packets at 100 ms: K = 19.6 s regains 3000 packets.
    far = linear_equivalent(1, 10_000, 0.1, 0.0)
    assert 1 / far.ack_every == pytest.approx(3000 * 0.1 / epoch(10_000))
    assert far.beta == 0.7
