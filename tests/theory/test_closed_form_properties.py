"""What the closed forms promise whatever the numbers: order, limits, inverses, finiteness."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footroom.base.errors import Infeasible, InvalidInput
from footroom.engines.theory.equal_packets import CHAIN_LENGTH, md1b_loss, md1b_losses, tail_root
from footroom.engines.theory.loss_curves import (
    diffusion_loss,
    large_buffer_loss,
    mm1b_loss,
    power_loss,
    reflected_mean_queue,
)
from footroom.engines.theory.sawtooth import sawtooth, sawtooth_drop_rate
from footroom.engines.theory.short_flows import buffer_for_overflow, burst_phases, mixture_moments, overflow_probability
from footroom.engines.theory.sizing import (
    SINGLE_FLOW_LAWS,
    root_n_buffer_for,
    root_n_utilisation,
    single_flow_buffer_ratio,
    single_flow_utilisation,
)
from footroom.engines.theory.tiny import tiny_buffer, tiny_goodput
from footroom.formulas.transfer.completion import completion_time, handshake_time
from footroom.formulas.transfer.throughput import expected_window, mathis, pftk, pftk_approximation, timeout_share

ratios = st.floats(0.0, 1e6)
loads = st.floats(0.01, 5.0)
flow_counts = st.integers(4, 100_000)


@given(ratios, ratios, flow_counts)
def test_more_buffer_never_lowers_root_n_utilisation(first: float, second: float, flows: int) -> None:
    low, high = sorted((first, second))
    assert 0.0 <= root_n_utilisation(low, 1.0, flows) <= root_n_utilisation(high, 1.0, flows) <= 1.0


@given(st.floats(0.0, 0.9999), st.floats(1e3, 1e12), st.integers(16, 100_000))
def test_root_n_round_trip(utilisation: float, bdp: float, flows: int) -> None:
    buffer = root_n_buffer_for(utilisation, bdp, flows)
    assert root_n_utilisation(buffer, bdp, flows) == pytest.approx(utilisation, abs=1e-12)


def test_root_n_target_beyond_any_buffer() -> None:
    with pytest.raises(Infeasible):
        root_n_buffer_for(0.9999, 1.0, 1)
    with pytest.raises(InvalidInput):
        root_n_buffer_for(1.0, 1.0, 100)


@given(st.sampled_from(sorted(SINGLE_FLOW_LAWS)), st.floats(0.0, 1.0))
def test_single_flow_round_trip(name: str, utilisation: float) -> None:
    law = SINGLE_FLOW_LAWS[name]
    reached = single_flow_utilisation(law, single_flow_buffer_ratio(law, utilisation))
    assert reached == pytest.approx(max(utilisation, law.floor))


@given(st.floats(0.01, 0.999), st.floats(2.0, 1e200), st.floats(0.0, 0.999999))
def test_tiny_round_trip(load: float, window: float, goodput: float) -> None:
    buffer = tiny_buffer(load, window, goodput)
    assert math.isfinite(buffer)
    assert tiny_goodput(load, window, buffer) == pytest.approx(goodput, abs=1e-9)


@pytest.mark.parametrize("load", [1.0 - 1e-12, 1e-300])
def test_tiny_buffer_stays_finite_at_the_ends(load: float) -> None:
    assert math.isfinite(tiny_buffer(load, 64, 0.9))
    assert tiny_goodput(load, 64, 1e9) <= 1.0


@given(st.floats(1e-12, 1.0), st.floats(0.01, 0.99), st.floats(1.0, 1e6), st.floats(1.0, 100.0))
def test_short_flow_round_trip(probability: float, load: float, segments: float, window: float) -> None:
    moments = mixture_moments([segments], [1.0], window)
    buffer = buffer_for_overflow(probability, load, moments)
    assert overflow_probability(buffer, load, moments) == pytest.approx(probability, rel=1e-9)


@given(st.floats(0.5, 1e9), st.floats(1.0, 100.0), st.floats(1.0, 1e4))
def test_bursts_add_up_to_the_flow(segments: float, window: float, limit: float) -> None:
    phases = burst_phases(segments, window, limit)
    assert math.fsum(size * times for size, times in phases) == pytest.approx(segments, rel=1e-9)
    assert all(0.0 < size <= limit for size, _ in phases)


@given(
    st.lists(st.tuples(st.floats(0.5, 1e7), st.floats(0.1, 9.0)), min_size=1, max_size=5),
    st.floats(1.0, 50.0),
    st.floats(50.0, 1e4) | st.just(math.inf),
)
def test_mixture_is_the_sum_over_flows(flows: list[tuple[float, float]], window: float, limit: float) -> None:
    got = mixture_moments([size for size, _ in flows], [weight for _, weight in flows], window, limit)
    bursts = [(weight * times, burst) for size, weight in flows for burst, times in burst_phases(size, window, limit)]
    count = math.fsum(times for times, _ in bursts)
    assert got.mean == pytest.approx(math.fsum(times * burst for times, burst in bursts) / count, rel=1e-6)
    assert got.square == pytest.approx(math.fsum(times * burst**2 for times, burst in bursts) / count, rel=1e-6)


def test_burst_size_enters_linearly() -> None:
    one = mixture_moments([62], [1.0], 2)
    eight = mixture_moments([62 * 8], [1.0], 16)
    assert buffer_for_overflow(0.025, 0.8, eight) == pytest.approx(8 * buffer_for_overflow(0.025, 0.8, one))


@given(loads, st.floats(0.0, 3000.0), st.floats(0.0, 3000.0))
@settings(max_examples=60)
def test_loss_falls_with_the_buffer(load: float, first: float, second: float) -> None:
    small, large = sorted((first, second))
    for curve in (mm1b_loss, md1b_loss):
        assert 0.0 <= curve(load, large) <= curve(load, small) * (1 + 1e-9) <= 1.0 + 1e-9


@given(loads, loads, st.integers(0, 500))
@settings(max_examples=60)
def test_loss_grows_with_the_load(first: float, second: float, buffer: int) -> None:
    low, high = sorted((first, second))
    for curve in (mm1b_loss, md1b_loss):
        assert curve(low, buffer) <= curve(high, buffer) * (1 + 1e-9)


@pytest.mark.parametrize("curve", [mm1b_loss, md1b_loss])
@pytest.mark.parametrize("buffer", [1, 7, 300, CHAIN_LENGTH + 1, 1_000_000])
def test_continuous_at_full_load(curve, buffer: int) -> None:  # type: ignore[no-untyped-def]
    step = 1e-9 / buffer
    at_one = curve(1.0, buffer)
    assert curve(1.0 - step, buffer) == pytest.approx(at_one, rel=1e-6)
    assert curve(1.0 + step, buffer) == pytest.approx(at_one, rel=1e-6)


@pytest.mark.parametrize("load", [0.0, 1e-6, 0.5, 0.999999, 1.0, 1.000001, 1.5, 29.9, 31.0, 1e6])
@pytest.mark.parametrize("buffer", [0.0, 1.0, 2.5, 1e3, 1e6, 1e12])
def test_loss_curves_are_finite_everywhere(load: float, buffer: float) -> None:
    for curve in (mm1b_loss, md1b_loss, power_loss):
        value = curve(load, buffer)
        assert math.isfinite(value)
        assert 0.0 <= value <= 1.0
        if buffer >= 1e6:
            assert value >= large_buffer_loss(load) - 1e-12
    assert math.isfinite(reflected_mean_queue(load, buffer, 3.0))
    if 0.0 < load < 1.0:
        assert 0.0 <= diffusion_loss(load, buffer) <= 1.0


@pytest.mark.parametrize("load", [0.3, 0.8, 0.99999, 1.0, 1.00001, 1.5, 5.0])
def test_equal_packet_chain_against_linear_algebra(load: float) -> None:
    """The transition matrix of the queue at departures, solved as it stands."""
    from math import exp, factorial

    for places in (2, 3, 10, 25):
        arrivals = [exp(-load) * load**k / factorial(k) for k in range(places)]
        matrix = np.zeros((places, places))
        for left in range(places):
            start = max(left - 1, 0)
            for end in range(start, places - 1):
                matrix[left, end] = arrivals[end - start]
            matrix[left, places - 1] = 1.0 - matrix[left].sum()
        system = np.vstack([matrix.T - np.eye(places), np.ones(places)])
        stationary = np.linalg.lstsq(system, np.append(np.zeros(places), 1.0), rcond=None)[0]
        expected = 1.0 - 1.0 / (stationary[0] + load)
        assert md1b_loss(load, places) == pytest.approx(expected, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("load", [0.97, 0.9999, 1.0, 1.0001, 1.2])
def test_equal_packet_hand_over_to_the_constant_tail(load: float) -> None:
    """Past the chain the loss must go on as before: 1/P is α + β·z^B on both sides of the hand-over."""
    around = np.arange(CHAIN_LENGTH - 3, CHAIN_LENGTH + 4, dtype=np.float64)
    inverse = 1.0 / md1b_losses(load, around)
    steps = np.diff(inverse)
    growth = 1.0 + tail_root(load)
    if load > 1.1:
        assert np.ptp(inverse) < 1e-12  # saturated: only 1 - 1/ρ is left
    else:
        assert steps[1:] == pytest.approx(growth * steps[:-1], rel=1e-6)


def test_equal_packet_tail_follows_its_root() -> None:
    load = 0.9
    decay = md1b_loss(load, 201) / md1b_loss(load, 200)
    assert decay == pytest.approx(1.0 / (1.0 + tail_root(load)), rel=1e-9)
    assert md1b_loss(load, 200.5) == pytest.approx(math.sqrt(md1b_loss(load, 200) * md1b_loss(load, 201)))


def test_many_buffers_equal_one_by_one() -> None:
    buffers = np.array([0.0, 1.0, 1.5, 20.0, 777.25, 1e5])
    for load in (0.7, 1.0, 1.3):
        assert md1b_losses(load, buffers) == pytest.approx([md1b_loss(load, float(b)) for b in buffers], rel=1e-12)


@given(st.floats(0.05, 3.0), st.floats(0.5, 500.0), st.floats(1.0, 50.0))
def test_reflected_queue_stays_inside_and_grows_with_load(load: float, buffer: float, burst: float) -> None:
    here = reflected_mean_queue(load, buffer, burst)
    assert 0.0 <= here <= buffer
    assert here <= reflected_mean_queue(load * 1.01, buffer, burst) + 1e-9 * buffer


def test_reflected_queue_limits() -> None:
    assert reflected_mean_queue(1.0, 40.0, 5.0) == pytest.approx(20.0)
    assert reflected_mean_queue(1.0 + 1e-9, 40.0, 5.0) == pytest.approx(20.0)
    # Pollaczek-Khinchine for batches: ρ/(2(1-ρ))·E[X²]/E[X].
    assert reflected_mean_queue(0.8, 1e9, 5.0) == pytest.approx(0.8 * 5.0 / 0.4)


@given(st.floats(1e-9, 0.5), st.floats(1e-9, 0.5), st.floats(1.0, 2.0))
def test_throughput_falls_with_loss(first: float, second: float, ack_every: float) -> None:
    low, high = sorted((first, second))
    for formula in (pftk, pftk_approximation):
        assert formula(low, 0.1, 1.0, ack_every) >= formula(high, 0.1, 1.0, ack_every) * (1 - 1e-9)
    assert mathis(low, 0.1, ack_every) >= mathis(high, 0.1, ack_every)


def test_throughput_limits() -> None:
    assert pftk(1e-12, 0.1, 1.0, 1) == pytest.approx(mathis(1e-12, 0.1), rel=1e-4)
    assert math.isfinite(pftk(1e-300, 0.1, 1.0))
    assert math.isfinite(expected_window(1e-300))
    assert pftk(0.0, 0.1, 1.0, max_window=50) == 500.0
    assert pftk(1e-15, 0.1, 1.0, max_window=50) == pytest.approx(500.0)
    assert timeout_share(0.0, 30.0) == pytest.approx(timeout_share(1e-9, 30.0), rel=1e-6)
    assert timeout_share(0.01, 3.0) == pytest.approx(timeout_share(0.01, 3.0 + 1e-9), rel=1e-6)
    with pytest.raises(InvalidInput, match="max_window"):
        pftk(0.0, 0.1, 1.0)


@given(st.floats(1.0, 1e6), st.floats(0.0, 0.3), st.floats(0.0, 0.3))
def test_completion_grows_with_loss_and_terms_add_up(segments: float, first: float, second: float) -> None:
    low, high = sorted((first, second))
    better, worse = (completion_time(segments, loss, 0.1, 0.3, 10, 1) for loss in (low, high))
    assert better.total == better.slow_start + better.recovery + better.avoidance + better.delayed_ack
    assert 0.0 <= better.slow_start_segments <= segments
    assert math.isfinite(worse.total)


def test_completion_is_continuous_at_no_loss() -> None:
    assert completion_time(1000, 1e-13, 0.1, 1.0).total == pytest.approx(completion_time(1000, 0.0, 0.1, 1.0).total)
    with pytest.raises(InvalidInput):
        handshake_time(0.1, 1.0, 0.5)


@given(st.floats(0.0, 50.0), st.floats(0.0, 50.0), st.floats(0.05, 0.95))
def test_sawtooth_order_and_bounds(first: float, second: float, beta: float) -> None:
    low, high = sorted((first, second))
    cycle = sawtooth(np.array([low, high]), beta)
    assert beta < cycle.utilisation[0] <= cycle.utilisation[1] + 1e-12 <= 1.0 + 1e-12
    assert cycle.queue_mean[0] <= cycle.queue_mean[1] + 1e-12
    assert np.all(cycle.queue_min <= cycle.queue_mean + 1e-12)
    assert np.all(cycle.queue_mean <= cycle.queue_max + 1e-12)


def test_sawtooth_limits() -> None:
    assert float(sawtooth(0.0, 0.5).queue_mean) == 0.0
    # Never empty: w from 1 to 2, mean of w-1 weighted by w: (7/3 - 3/2)/(3/2) = 5/9.
    assert float(sawtooth(1.0, 0.5).queue_mean) == pytest.approx(5 / 9)
    # Without buffer the window is 3/4 of BDP on average: p = 8/(3 W²).
    assert float(sawtooth_drop_rate(0.0, 1000.0)) == pytest.approx(8 / 3 / 1e6, rel=1e-5)
    assert float(sawtooth_drop_rate(0.0, 1000.0, 0.5, 2.0)) == pytest.approx(4 / 3 / 1e6, rel=1e-5)


def test_sawtooth_against_a_direct_sum() -> None:
    """Step the window packet by packet and add up time, volume and queue."""
    bdp, ratio, beta = 4000, 0.3, 0.5
    top = round(bdp * (1 + ratio))
    window = np.arange(round(beta * top), top) + 0.5
    duration = np.maximum(window / bdp, 1.0)
    queue = np.maximum(window - bdp, 0.0)
    cycle = sawtooth(ratio, beta)
    assert float(cycle.utilisation) == pytest.approx((window / bdp).sum() / duration.sum(), rel=1e-6)
    assert float(cycle.queue_mean) * bdp == pytest.approx((queue * duration).sum() / duration.sum(), rel=1e-5)
    assert float(cycle.duration) * bdp == pytest.approx(duration.sum(), rel=1e-6)


@pytest.mark.parametrize(
    ("call", "path"),
    [
        (lambda: root_n_utilisation(-1.0, 1.0, 10), "buffer"),
        (lambda: root_n_utilisation(1.0, math.nan, 10), "bdp"),
        (lambda: tiny_buffer(1.0, 64, 0.9), "load"),
        (lambda: tiny_buffer(0.8, 64, 1.0), "goodput"),
        (lambda: diffusion_loss(1.0, 10), "load"),
        (lambda: md1b_loss(0.5, math.inf), "buffer"),
        (lambda: mm1b_loss(-0.1, 3), "load"),
        (lambda: mathis(0.0, 0.1), "loss"),
        (lambda: sawtooth(0.5, 1.0), "beta"),
    ],
)
def test_refusals_name_the_argument(call, path: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput) as caught:
        call()
    assert caught.value.problems[0].path == path
