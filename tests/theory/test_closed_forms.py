"""Check values of the closed forms, at the precision their sources or derivations print."""

from __future__ import annotations

import math

import pytest

from footroom.engines.theory.equal_packets import md1b_loss
from footroom.engines.theory.incast import (
    first_window_buffer,
    first_window_senders,
    floor_senders,
    goodput_with_timeouts,
)
from footroom.engines.theory.loss_curves import diffusion_loss, large_buffer_loss, mm1b_loss, power_loss
from footroom.engines.theory.sawtooth import sawtooth
from footroom.engines.theory.short_flows import (
    BurstMoments,
    buffer_for_overflow,
    burst_moments,
    burst_phases,
    mixture_moments,
    overflow_probability,
)
from footroom.engines.theory.sizing import (
    bandwidth_delay_product,
    decrease_law,
    loss_bounded_buffer,
    root_n_buffer,
    root_n_utilisation,
    single_flow_buffer_ratio,
    single_flow_law,
    single_flow_utilisation,
)
from footroom.engines.theory.tiny import tiny_buffer
from footroom.formulas.transfer.completion import (
    completion_time,
    handshake_time,
    ideal_completion_time,
    slow_start_time,
)
from footroom.formulas.transfer.throughput import mathis, pftk, pftk_approximation


def to_digits(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")


@pytest.mark.parametrize(
    ("flows", "multiple", "shown"),
    [
        (10_000, 1.0, 0.989899),
        (10_000, 1.5, 0.9998767),
        (10_000, 2.0, 0.99999965),
        (100, 1.0, 0.981818),
        (100, 2.0, 0.9999851),
    ],
)
def test_root_n_utilisation(flows: int, multiple: float, shown: float) -> None:
    decimals = len(str(shown)) - 2
    assert round(root_n_utilisation(multiple / math.sqrt(flows), 1.0, flows), decimals) == shown


def test_products() -> None:
    assert bandwidth_delay_product(1e9, 0.02) == 2.5e6
    assert root_n_buffer(1e9, 0.02, 100) == pytest.approx(2.5e5)


def test_loss_bounded_buffer() -> None:
    # W(0.01) = 8.7 packets of 1500 B for 100 flows, minus a path of 1.25 MB.
    assert loss_bounded_buffer(1e8, 0.05, 100, 0.01, 1500) == pytest.approx(100 * 8.7 * 1500 - 625_000)
    assert loss_bounded_buffer(1e9, 0.1, 10, 0.01, 1500) == 0.0


@pytest.mark.parametrize(
    ("load", "window", "goodput", "packets"),
    [
        (0.8, 64, 0.9, 44.488),
        (0.9, 64, 0.9, 94.221),
        (0.75, 22, 0.98, 32.678),
        (0.8, 1000, 0.9, 69.126),
    ],
)
def test_tiny_buffer(load: float, window: float, goodput: float, packets: float) -> None:
    assert round(tiny_buffer(load, window, goodput), 3) == packets


def test_single_flow_laws() -> None:
    needed = {name: single_flow_buffer_ratio(single_flow_law(name)) for name in ("reno", "cubic", "scalable", "bbr")}
    assert {name: round(value, 3) for name, value in needed.items()} == {
        "reno": 1.0,
        "cubic": 0.428,
        "scalable": 0.143,
        "bbr": 0.25,
    }
    assert single_flow_utilisation(single_flow_law("reno"), 0.5) == 0.75
    assert single_flow_utilisation(single_flow_law("bbr"), 0.1) == pytest.approx(0.85)
    assert single_flow_buffer_ratio(decrease_law(0.7)) == pytest.approx(3 / 7)


def test_burst_sizes_of_slow_start() -> None:
    assert burst_phases(62, 2) == [(2, 1), (4, 1), (8, 1), (16, 1), (32, 1)]
    assert burst_phases(62, 10) == [(10, 1), (20, 1), (32, 1)]
    assert burst_phases(100, 10, 16) == [(10, 1), (16, 5), (10, 1)]
    moments = mixture_moments([62], [1.0], 2)
    assert (moments.mean, moments.square) == (12.4, 272.8)


@pytest.mark.parametrize(
    ("segments", "window", "buffer"),
    [
        (62, 2, 162.31),
        (62, 10, 181.35),
        (14, 2, 44.27),
        (100, 10, 221.33),
    ],
)
def test_short_flow_buffer(segments: float, window: float, buffer: float) -> None:
    assert round(buffer_for_overflow(0.025, 0.8, mixture_moments([segments], [1.0], window)), 2) == buffer


def test_short_flow_overflow() -> None:
    moments = burst_moments([2, 4, 8, 16, 32])
    assert round(overflow_probability(100, 0.8, moments), 5) == 0.10303
    assert round(buffer_for_overflow(0.025, 0.8, BurstMoments(1.0, 1.0)), 3) == 7.378


@pytest.mark.parametrize(
    ("load", "buffer", "shown", "digits"),
    [
        (0.9, 10, 0.0508137, 6),
        (0.9, 100, 2.6562e-6, 5),
        (1.1, 100, 0.0909151, 6),
    ],
)
def test_mm1b(load: float, buffer: float, shown: float, digits: int) -> None:
    assert to_digits(mm1b_loss(load, buffer), digits) == shown


@pytest.mark.parametrize(
    ("load", "buffer", "shown"),
    [
        (0.8, 10, 0.00363923),
        (0.8, 20, 4.82718e-5),
        (0.9, 10, 0.0166317),
        (0.9, 20, 0.00185318),
        (0.95, 50, 3.32847e-4),
        (1.1, 50, 0.0909149),
    ],
)
def test_md1b(load: float, buffer: float, shown: float) -> None:
    assert to_digits(md1b_loss(load, buffer), 6) == shown


def test_other_loss_curves() -> None:
    assert mm1b_loss(1.0, 9) == 0.1
    assert round(large_buffer_loss(1.1), 7) == 0.0909091
    assert power_loss(0.9, 2) == pytest.approx(0.81)
    assert power_loss(1.2, 50) == 1.0
    assert diffusion_loss(0.8, 10, 1.0) == pytest.approx(math.exp(-5.0))


def test_mathis() -> None:
    assert round(mathis(0.01, 0.1), 3) == 122.474
    assert round(mathis(0.01, 0.1, 2), 3) == 86.603


@pytest.mark.parametrize(
    ("loss", "approximate", "full"),
    [
        (1e-4, 864.08, 861.63),
        (1e-3, 267.835, 265.573),
        (0.01, 70.6544, 69.5245),
        (0.02, 42.0655, 41.7456),
        (0.05, 17.4853, 18.6029),
        (0.1, 6.89827, 9.10599),
    ],
)
def test_pftk(loss: float, approximate: float, full: float) -> None:
    digits = 5 if loss == 1e-4 else 6
    assert to_digits(pftk_approximation(loss, 0.1, 1.0, 2), digits) == approximate
    assert to_digits(pftk(loss, 0.1, 1.0, 2), digits) == full


def test_pftk_window_limit_and_goodput_form() -> None:
    assert round(pftk(1e-3, 0.1, 1.0, 2, 20), 3) == 174.240
    shown = {1e-3: 260.810, 0.01: 65.7254, 0.05: 16.4754}
    for loss, rate in shown.items():
        assert to_digits(pftk(loss, 0.1, 1.0, 2, delivered=True), 6) == rate


@pytest.mark.parametrize(
    ("segments", "window", "ack_every", "seconds"),
    [
        (10, 3, 2, 0.24190),
        (100, 3, 2, 0.70824),
        (100, 10, 2, 0.44190),
        (1000, 10, 2, 0.96971),
        (100, 10, 1, 0.345943),
    ],
)
def test_slow_start_without_loss(segments: float, window: float, ack_every: float, seconds: float) -> None:
    decimals = 6 if ack_every == 1 else 5
    got = completion_time(segments, 0.0, 0.1, 1.0, window, ack_every)
    assert round(got.total, decimals) == seconds
    assert got.slow_start == got.total


def test_completion_time_term_by_term() -> None:
    got = completion_time(100, 0.01, 0.1, 1.0, 10, 2, delayed_ack=0.1)
    assert [round(term, 5) for term in (got.slow_start, got.recovery, got.avoidance, got.delayed_ack, got.total)] == [
        0.35324,
        0.14945,
        0.55134,
        0.1,
        1.15403,
    ]
    assert round(completion_time(100, 0.001, 0.1, 1.0, 10, 2, delayed_ack=0.1).total, 5) == 0.56522
    assert round(completion_time(1000, 0.01, 0.1, 1.0, 10, 2, delayed_ack=0.1).total, 5) == 14.44275


def test_slow_start_against_a_window_limit() -> None:
    # By hand, growth 2 from 10 to 40: windows 10, 20, 40 take 3 rounds, the other 130 of 200 segments 130/40.
    seconds, window = slow_start_time(200, 0.1, 10, 2.0, 40)
    assert seconds == pytest.approx(0.1 * (3 + 130 / 40))
    assert window == 40


def test_handshake_and_ideal() -> None:
    assert handshake_time(0.1) == 0.1
    assert handshake_time(0.1, 3.0, 0.1, 0.0) == pytest.approx(0.1 + 3.0 * (0.9 / 0.8 - 1.0))
    assert ideal_completion_time(30, 0.1, 1000, 10) == pytest.approx(2 * 0.1 + 0.03)
    assert ideal_completion_time(31, 0.1, 1000, 10) == pytest.approx(3 * 0.1 + 0.031)


@pytest.mark.parametrize(
    ("beta", "ratio", "shown"),
    [
        (0.5, 0.0, 0.75),
        (0.5, 0.1, 0.81757),
        (0.5, 0.25, 0.89286),
        (0.5, 0.5, 0.96429),
        (0.5, 0.75, 0.99324),
        (0.5, 1.0, 1.0),
        (0.7, 0.0, 0.85),
        (0.7, 0.1, 0.92104),
        (0.7, 0.25, 0.98077),
        (0.7, 3 / 7, 1.0),
    ],
)
def test_sawtooth_utilisation(beta: float, ratio: float, shown: float) -> None:
    assert round(float(sawtooth(ratio, beta).utilisation), 5) == shown


def test_incast() -> None:
    def senders(buffer: float, window: float) -> float:
        return first_window_senders(buffer, 1e9, 1e-4, 1460, window)

    assert [round(senders(128e3, 10), 1), round(senders(128e3, 2), 1)] == [9.6, 48.1]
    assert [round(senders(64e3, 10), 2), round(senders(64e3, 2), 1)] == [5.24, 26.2]
    assert [round(senders(256e3, 10), 1), round(senders(256e3, 2))] == [18.4, 92]
    assert [round(floor_senders(buffer, 1e9, 1e-4, 1460), 1) for buffer in (128e3, 64e3)] == [96.2, 52.4]
    assert round(floor_senders(256e3, 1e9, 1e-4, 1460)) == 184
    assert first_window_senders(128e3, 1e9, 1e-4, 1460, 10, response=1405) == pytest.approx(100.0)
    assert first_window_buffer(100, 1e9, 1e-4, 1460, 10, response=1405) == pytest.approx(128e3)


@pytest.mark.parametrize(("rto", "shown"), [(0.2, 38.46), (0.01, 444.4), (0.002, 800.0), (0.001, 888.9)])
def test_goodput_with_timeouts(rto: float, shown: float) -> None:
    assert to_digits(goodput_with_timeouts(1e6, 1e9, 1, rto) / 1e6, 4) == shown
