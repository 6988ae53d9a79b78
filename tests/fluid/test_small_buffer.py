"""Loss curves and the small-buffer fluid (Raina, Towsley, Wischik 2005)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from footroom.base.errors import NotConverged
from footroom.engines.fluid import small_buffer
from footroom.engines.fluid.integrator import integrate
from footroom.engines.fluid.laws import Group, Reno
from footroom.engines.fluid.link import Link, flow
from footroom.engines.fluid.loss_curves import (
    deterministic_chain,
    deterministic_loss,
    diffusion_loss,
    markov_loss,
    overload_loss,
    power_loss,
)

CAP = 10.0  # window at which the load is 1


def setting(cap: float = CAP, window: float = 1.0) -> tuple[Link, Group]:
    """100 flows, 0.1 s, capacity ``cap`` packets per flow and round trip."""
    return Link(100 * cap / 0.1), Group(100, 0.1, Reno(window))


def test_loss_curve_values() -> None:
    assert markov_loss(0.9, 10) == pytest.approx(0.0508137, abs=5e-8)
    assert markov_loss(0.9, 100) == pytest.approx(2.6562e-6, rel=1e-5)
    assert markov_loss(1.1, 100) == pytest.approx(0.0909151, abs=5e-8)
    assert markov_loss(1.0, 10) == pytest.approx(1 / 11)
    assert overload_loss(1.1) == pytest.approx(1 / 11)
    assert overload_loss(0.9) == 0.0
    assert power_loss(0.9, 10) == pytest.approx(0.9**10)
    assert power_loss(1.3, 10) == 1.0
    assert diffusion_loss(0.9, 10, 2.0) == pytest.approx(math.exp(-10 * 0.1 / 0.9))


@pytest.mark.parametrize(
    ("load", "places", "loss"),
    [
        (0.8, 10, 0.00363923),
        (0.8, 20, 4.82718e-5),
        (0.9, 10, 0.0166317),
        (0.9, 20, 0.00185318),
        (0.95, 50, 3.32847e-4),
        (1.1, 50, 0.0909149),
    ],
)
def test_deterministic_service_values(load: float, places: int, loss: float) -> None:
    assert deterministic_loss(load, places)[0] == pytest.approx(loss, rel=5e-6)


def test_deterministic_chain_against_its_transition_matrix() -> None:
    # Independent: stationary vector of the dense chain of customers left behind.
    load, places = 1.7, 30
    arrivals = np.array([math.exp(-load) * load**k / math.factorial(k) for k in range(places)])
    step = np.zeros((places, places))
    for i in range(places):
        for k in range(places):
            step[i, min(places - 1, max(i, 1) - 1 + k)] += arrivals[k]
        step[i, -1] += 1 - step[i].sum()
    system = np.vstack([step.T - np.eye(places), np.ones(places)])
    stationary = np.linalg.lstsq(system, np.append(np.zeros(places), 1.0), rcond=None)[0]
    queue, loss = deterministic_chain(load, places)
    assert loss[0] == pytest.approx(1 - 1 / (stationary[0] + load), rel=1e-10)
    assert queue[0, :-1] == pytest.approx(stationary / (stationary[0] + load), rel=1e-8, abs=1e-15)
    assert queue[0].sum() == pytest.approx(1.0)


def test_tiny_losses_keep_their_relative_accuracy() -> None:
    # Where the loss would cancel to nothing it still falls geometrically from one place to the next.
    losses = [deterministic_loss(0.5, places)[0] for places in (10, 12, 20, 22, 30, 32)]
    ratios = [losses[i + 1] / losses[i] for i in (0, 2, 4)]
    assert ratios == pytest.approx([ratios[0]] * 3, rel=1e-3)
    assert 0 < losses[-1] < 1e-17
    assert np.all(np.isfinite(deterministic_loss(np.array([1e-3, 30.0, 100.0]), 200)))


CURVES: list[tuple[Callable[..., Any], list[float]]] = [
    (power_loss, [7.004, 13.424, 27.527, 72.662, 149.783]),
    (markov_loss, [23.78, 28.47, 45.63, 100.84, 192.90]),
]


@pytest.mark.parametrize(("curve", "critical"), CURVES)
def test_critical_buffers(curve: Callable[..., Any], critical: list[float]) -> None:
    def margin(buffer: float, cap: float) -> float:
        link, group = setting(cap)
        point = small_buffer.fixed_point(link, [group], lambda load: curve(load, buffer))
        return small_buffer.critical_delay_ratio(link, group, lambda load: curve(load, buffer), point) - 1

    found = [brentq(margin, 3, 400, args=(cap,), rtol=1e-6) for cap in (5, 10, 20, 50, 100)]
    assert found == pytest.approx(critical, rel=2e-4)


@pytest.mark.parametrize(
    ("curve", "buffer", "window", "ratio", "swing"),
    [
        (power_loss, 10, 7.1953, None, 0.0),
        (power_loss, 15, 7.9298, 0.907, 0.112),
        (markov_loss, 25, 9.5788, None, 0.0),
        (markov_loss, 30, None, 0.96, 0.0636),
    ],
)
def test_stable_and_cycling_buffers(
    curve: Callable[..., Any],
    buffer: int,
    window: float | None,
    ratio: float | None,
    swing: float,
) -> None:
    link, group = setting()

    def own(load: Any) -> Any:
        return curve(load, buffer)

    point = small_buffer.fixed_point(link, [group], own)
    start = Group(100, 0.1, Reno(0.95 * point.windows[0]))
    got = integrate(
        small_buffer.SMALL_BUFFER,
        small_buffer.arrange(
            [link], [small_buffer.tabulate(own, buffer)], [start], step=1e-3, duration=400, warmup=300
        ),
    )
    if window is not None:
        assert point.windows[0] == pytest.approx(window, abs=5e-5)
    margin = small_buffer.critical_delay_ratio(link, group, own, point)
    if ratio is None:
        assert margin > 1
        assert got.closed[0, small_buffer.WINDOWS] == pytest.approx(point.windows[0], rel=1e-5)
    else:
        assert margin == pytest.approx(ratio, abs=5e-4)
    measured = (got.greatest[0, small_buffer.WINDOW] - got.least[0, small_buffer.WINDOW]) / point.windows[0]
    assert measured == pytest.approx(swing, abs=5e-4)
    if buffer == 15:
        assert got.mean[0, small_buffer.LOAD] == pytest.approx(0.786, abs=0.002)
    found = flow(got, 0, link.capacity)
    assert abs(found.offered - found.carried - found.lost) < 1e-6 * found.offered


def test_start_at_the_rest_point_stays_there() -> None:
    link, _ = setting()
    table = small_buffer.tabulate(lambda load: power_loss(load, 8), 8)
    groups = [Group(60, 0.1, Reno()), Group(40, 0.07, Reno(ack_every=2.0))]
    point = small_buffer.fixed_point(link, groups, lambda load: power_loss(load, 8))
    start = [Group(60, 0.1, Reno(point.windows[0])), Group(40, 0.07, Reno(point.windows[1], 2.0))]
    got = integrate(small_buffer.SMALL_BUFFER, small_buffer.arrange([link], [table], start, step=2e-3, duration=50))
    assert got.mean[0, small_buffer.LOAD] == pytest.approx(point.load, rel=1e-9)
    assert got.greatest[0, 0] - got.least[0, 0] < 1e-9


def test_fourth_order() -> None:
    link, group = setting(window=5.0)
    table = small_buffer.tabulate(lambda load: power_loss(load, 10), 10)

    def end(per_delay: int) -> float:
        return float(
            integrate(
                small_buffer.SMALL_BUFFER,
                small_buffer.arrange([link], [table], [group], step=0.1 / per_delay, duration=3.0),
            ).closed[0, small_buffer.WINDOWS]
        )

    exact = end(256)
    errors = [abs(end(n) - exact) / exact for n in (4, 8, 16)]
    assert errors[0] < 1e-5
    assert np.log2(errors[0] / errors[2]) / 2 == pytest.approx(4, abs=0.6)


def test_table_reproduces_its_curve() -> None:
    # Through the compiled look-up: a lane held at a load reports the loss the curve has there.
    places, loads = 40, np.array([0.4, 0.7, 0.93, 0.999, 1.02, 1.4, 3.5])
    table = small_buffer.tabulate(lambda load: deterministic_loss(load, places), places)
    links = [Link(1000.0 / load, math.inf) for load in loads]
    got = integrate(
        small_buffer.SMALL_BUFFER,
        small_buffer.arrange(
            links, [table] * loads.size, [Group(100, 1.0, Reno(10.0))], step=1e-3, duration=1e-3, points=1
        ),
    )
    assert got.trace[:, 0, small_buffer.LOAD] == pytest.approx(loads)
    assert got.trace[:, 0, small_buffer.PROBABILITY] == pytest.approx(deterministic_loss(loads, places), rel=3e-4)


def test_overload_by_one_packet_per_flow_is_said_so() -> None:
    with pytest.raises(NotConverged):
        small_buffer.fixed_point(Link(1.0), [Group(1000, 1.0, Reno())], lambda load: markov_loss(load, 10))
