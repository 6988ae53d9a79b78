"""The integrator by itself: exact solutions, order, guards, and lanes that do not disturb one another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from footroom.base.errors import InvalidInput, NotConverged
from footroom.engines.fluid.batch import Batch, Outcome
from footroom.engines.fluid.history import locate, smooth, straight
from footroom.engines.fluid.integrator import Enough, integrate
from footroom.engines.fluid.model import Model


def _hermite_delayed(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    out[0] = smooth(past, locate(past, time - params[0]), 0)[0]


def _linear_delayed(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    out[0] = straight(past, locate(past, time - params[0]), 0)[0]


def _decay(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    out[0] = -params[1] * seen[0]


def _bent(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    out[0] = -seen[0] * seen[0] / (1.0 + state[0] * state[0])


def _free(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    pass


def _copy(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    out[0] = state[0]


LINEAR = Model("linear", _hermite_delayed, _decay, _free, _copy)
BENT = Model("bent", _hermite_delayed, _bent, _free, _copy)
BENT_LINEAR_HISTORY = Model("bent, linear history", _linear_delayed, _bent, _free, _copy)


def solve(
    model: Model,
    per_delay: int,
    end: int = 3,
    delays: Any = (1.0,),
    gain: float = 1.0,
    threads: int | None = None,
    enough: Enough | None = None,
    **changes: Any,
) -> Outcome:
    """x = 1 before t = 0; one lane per delay; step 1/per_delay."""
    lanes = len(delays)
    settings: dict[str, Any] = {
        "params": np.array([[delay, gain] for delay in delays]),
        "initial": np.ones((lanes, 1)),
        "remembered": 1,
        "delays": 1,
        "signals": 1,
        "remembered_signals": 0,
        "step": np.full(lanes, 1.0 / per_delay),
        "steps": np.full(lanes, end * per_delay),
        "warmup": np.zeros(lanes, np.int64),
        "longest_delay": np.array(delays, float),
        "levels": np.tile([-2.0, 2.0], (lanes, 1)),
        "points": end * per_delay,
    }
    return integrate(model, Batch(**(settings | changes)), threads=threads, enough=enough)


def test_linear_equation_follows_the_method_of_steps() -> None:
    # x' = -x(t-1): 1-t on [0,1]; then 1-t+(t-1)^2/2; then - (t-2)^3/6 more. Cubics are exact for RK4 and Hermite.
    course = solve(LINEAR, 8).trace[0, :, 0]
    t = np.arange(25) / 8.0
    exact = 1.0 - t + np.where(t > 1, (t - 1) ** 2 / 2, 0.0) - np.where(t > 2, (t - 2) ** 3 / 6, 0.0)
    assert np.abs(course - exact).max() < 1e-14


@pytest.mark.parametrize(("model", "order"), [(BENT, 4.0), (BENT_LINEAR_HISTORY, 2.0)])
def test_order_of_convergence(model: Model, order: float) -> None:
    exact = solve(BENT, 512).closed[0, 0]
    errors = [abs(solve(model, n).closed[0, 0] - exact) for n in (8, 16, 32)]
    observed = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert observed == pytest.approx(order, abs=0.3)


def test_delay_that_the_step_does_not_divide() -> None:
    # The kink of the start comes back inside a step, so the order drops to two; the error stays small.
    exact = solve(BENT, 8192, delays=(0.73,)).closed[0, 0]
    coarse, fine = (abs(solve(BENT, n, delays=(0.73,)).closed[0, 0] - exact) for n in (32, 512))
    assert coarse < 1e-4
    assert fine < coarse / 50


def test_critical_gain_separates_decay_from_growth() -> None:
    # x' = -k x(t-1) is stable exactly for k < pi/2.
    calm, wild = (solve(LINEAR, 40, end=200, gain=factor * np.pi / 2).trace[0, -400:, 0] for factor in (0.93, 1.07))
    assert np.abs(calm).max() < 1e-3
    assert np.abs(wild).max() > 1e3


def test_lanes_give_the_same_bits_in_any_company() -> None:
    delays = (0.5, 0.73, 1.0, 1.9, 2.5)
    together = solve(BENT, 32, delays=delays)
    for lane, delay in enumerate(delays):
        alone = solve(BENT, 32, delays=(delay,))
        assert np.array_equal(together.trace[lane], alone.trace[0])
        assert np.array_equal(together.histogram[lane], alone.histogram[0])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_lanes_up_to_one_that_is_enough_are_the_same_bits(threads: int) -> None:
    delays = (0.5, 0.73, 1.0, 1.9, 2.5, 2.6)
    every = solve(BENT, 32, delays=delays)
    some = solve(BENT, 32, delays=delays, threads=threads, enough=lambda lane, _: lane == 1)
    assert np.array_equal(some.trace[:2], every.trace[:2])
    assert np.array_equal(some.mean[:2], every.mean[:2])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_lanes_behind_one_that_is_enough_are_not_begun(threads: int) -> None:
    # Each thread finds its first lane enough and ends with it, whichever of them runs first.
    found = solve(BENT, 32, delays=(0.5, 0.73, 1.0, 1.9, 2.5, 2.6), threads=threads, enough=lambda _lane, _peak: True)
    assert found.window[0] > 0.0
    assert not found.window[threads:].any()


def test_a_lane_that_breaks_off_behind_one_that_is_enough_does_not_count() -> None:
    starts = np.array([[1.0], [1.0], [np.inf]])
    with pytest.raises(NotConverged, match="lane 2"):
        solve(BENT, 32, delays=(0.5, 0.73, 1.0), initial=starts)
    for threads in (1, 2, 3):
        found = solve(
            BENT, 32, delays=(0.5, 0.73, 1.0), initial=starts, threads=threads, enough=lambda lane, _: lane == 1
        )
        assert found.window[1] > 0.0


def test_statistics_cover_the_measured_window_only() -> None:
    got = solve(LINEAR, 100, end=2, warmup=np.array([100]))
    # On [1,2]: x = 1-t+(t-1)^2/2, from 0 down to -1/2; mean -1/2 + 1/6.
    assert got.mean[0, 0] == pytest.approx(-1 / 3, abs=1e-5)
    assert (got.least[0, 0], got.greatest[0, 0]) == pytest.approx((-0.5, -0.00995), abs=1e-6)
    assert got.opened[0, 0] == pytest.approx(0.0, abs=1e-12)
    assert got.closed[0, 0] == pytest.approx(-0.5)
    # Median of the window is the value at t = 1.5, -0.375; a bin is 4/512 wide.
    assert got.quantile(0, 0.5) == pytest.approx(-0.375, abs=0.008)
    assert got.histogram.sum() == pytest.approx(1.0)


def test_recorded_rows_are_evenly_spaced() -> None:
    got = solve(LINEAR, 8, points=6)
    assert got.trace_step[0] == 0.5
    assert got.rows[0] == 7
    assert got.trace[0, :3, 0] == pytest.approx([1.0, 0.5, 0.0], abs=1e-14)


def test_step_longer_than_the_delay_is_refused() -> None:
    with pytest.raises(NotConverged, match="shorter step"):
        solve(LINEAR, 4, delays=(0.1,))


def test_delay_beyond_the_announced_one_is_refused() -> None:
    with pytest.raises(NotConverged, match="longest delay"):
        solve(LINEAR, 64, delays=(2.9,), longest_delay=np.array([0.2]))


def test_runaway_state_is_refused() -> None:
    with pytest.raises(NotConverged, match="finite"):
        solve(LINEAR, 8, end=4000, gain=-50.0)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("step", np.array([0.0])),
        ("warmup", np.array([24])),
        ("levels", np.array([[1.0, 1.0]])),
        ("initial", np.ones((2, 1))),
    ],
)
def test_bad_batches_are_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        solve(LINEAR, 8, **{field: value})
    assert caught.value.problems[0].path == field


def test_a_solution_at_rest_is_not_computed_further() -> None:
    """x' = -x(t - 1), in equilibrium at 0, and a sum that is not remembered."""

    def slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
        out[0] = -params[1] * (seen[0] - 3.0)
        out[1] = 7.0 * state[0]

    model = Model("settling", _hermite_delayed, slope, _free, _copy)
    changes: dict[str, Any] = {
        "initial": np.array([[1.0, 0.0]]),
        "end": 400,
        "warmup": np.array([3000]),
        "gain": 0.3,
        "levels": np.array([[0.0, 5.0]]),
    }
    whole, early = (solve(model, 20, rests=rests, **changes) for rests in (False, True))
    assert early.mean[0, 0] == pytest.approx(3.0, abs=1e-8)
    assert early.mean[0, 0] == pytest.approx(whole.mean[0, 0], rel=1e-8)
    assert early.closed[0, 1] - early.opened[0, 1] == pytest.approx(whole.closed[0, 1] - whole.opened[0, 1], rel=1e-8)
    assert early.trace[0, -1, 0] == pytest.approx(3.0, abs=1e-8)
    assert early.histogram.sum() == pytest.approx(1.0)


def test_a_solution_that_cycles_is_never_at_rest() -> None:
    """Beyond pi/2 the linear equation's oscillation grows; it is computed to the end, to the last bit."""
    whole, watched = (
        solve(LINEAR, 20, end=40, gain=1.6, rests=rests, levels=np.array([[-50.0, 50.0]])) for rests in (False, True)
    )
    assert np.array_equal(whole.trace, watched.trace)
