"""The Reno fluid against published and independently integrated values (Hollot et al. 2001 example network)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.stability.systems import System as Linear
from tests.stability.systems import hollot

from footroom.base.errors import Infeasible, InvalidInput
from footroom.calculators.stability.judgement import judge
from footroom.engines.fluid import layout
from footroom.engines.fluid.equilibrium import fixed_point
from footroom.engines.fluid.laws import Group, Reno
from footroom.engines.fluid.link import Flow, Link, arrange, flow, simulate
from footroom.engines.fluid.markings import DropTail, Marking, Pi, Red, Step
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.sawtooth import cubic_ramp_utilisation, sawtooth_utilisation
from footroom.engines.fluid.system import System

CAPACITY, GROUP = 3750.0, Group(60, 0.2, Reno())
OPEN = Link(CAPACITY)
REFINED = Reno(12.0, refined=True)
GAIN, ZERO = 9.64e-6, 0.53


def ramp(slope: float) -> Red:
    """p = slope * q."""
    return Red(0.0, 1.0 / slope, 1.0)


def test_fixed_point_and_published_plant() -> None:
    point = fixed_point(Link(CAPACITY, 800), [GROUP], Pi(GAIN, ZERO, 175))
    trip = 0.2 + 175 / CAPACITY
    assert point.rests[0].states[0] == pytest.approx(15.4167, abs=5e-5)
    assert point.probability == pytest.approx(0.00841490, abs=5e-9)
    assert (2 * 60 / (trip**2 * CAPACITY), 1 / trip) == pytest.approx((0.525931, 4.05405), abs=5e-6)
    found = judge(hollot(CAPACITY, 60, trip, gain=GAIN, zero=ZERO))
    assert found.margins is not None
    assert found.gain is not None
    assert found.margins.crossover == pytest.approx(0.52347, abs=5e-5)
    assert found.margins.phase == pytest.approx(75.02, abs=0.01)
    assert 20 * math.log10(found.gain[0]) == pytest.approx(18.83, abs=0.01)
    assert found.gain[1] == pytest.approx(3.485, abs=1e-3)
    assert found.margins.delay == pytest.approx(math.radians(found.margins.phase) / found.margins.crossover)


@pytest.mark.parametrize("step", [0.01, 0.005])
def test_pi_settles_on_its_target(step: float) -> None:
    law = Pi(GAIN, ZERO, 200)
    got = simulate(arrange([Link(CAPACITY, 800)], [GROUP], law, step=step, duration=150, points=15_000))
    queue, probability, window = got.closed[0, :3]
    assert (queue, window) == pytest.approx((200, 15.83333), abs=1e-5)
    assert probability == pytest.approx(0.007977839, abs=1e-9)
    assert got.greatest[0, layout.QUEUE] == pytest.approx(349.91, abs=0.01)
    outside = np.flatnonzero(np.abs(got.trace[0, :, layout.QUEUE] - 200) > 10)
    assert (outside[-1] + 1) * got.trace_step[0] == pytest.approx(10.45, abs=0.015)


@pytest.mark.parametrize(
    ("slope", "queue", "window", "probability", "phase"),
    [(5e-5, 170.0966, 15.33494, 0.00850483, 77.7), (1.25e-4, 83.0087, None, None, 37.9)],
)
def test_red_settles_on_its_fixed_point(
    slope: float,
    queue: float,
    window: float | None,
    probability: float | None,
    phase: float,
) -> None:
    law = ramp(slope)
    got = simulate(arrange([OPEN], [GROUP], law, step=0.01, duration=100, ceiling=2000))
    point = fixed_point(OPEN, [GROUP], law)
    assert point.queue == pytest.approx(queue, abs=5e-5)
    assert got.closed[0, layout.QUEUE] == pytest.approx(point.queue, rel=1e-8)
    assert got.closed[0, layout.BLOCKS] == pytest.approx(point.rests[0].states[0], rel=1e-8)
    if window is not None and probability is not None:
        assert (point.rests[0].states[0], point.probability) == pytest.approx((window, probability), rel=1e-6)
    found = judge(_published(slope, point.queue)).margins
    assert found is not None
    assert found.phase == pytest.approx(phase, abs=0.05)


def test_start_at_the_fixed_point_stays_there() -> None:
    for law in (Pi(GAIN, ZERO, 200), ramp(1e-4)):
        point = fixed_point(OPEN, [GROUP], law)
        start = Pi(GAIN, ZERO, 200, point.probability) if isinstance(law, Pi) else law
        got = simulate(
            arrange(
                [OPEN],
                [Group(60, 0.2, Reno(point.rests[0].states[0]))],
                start,
                step=0.01,
                duration=50,
                queue=point.queue,
                ceiling=2000,
            )
        )
        rest = [point.queue, point.rests[0].states[0]]
        assert got.closed[0, [layout.QUEUE, layout.BLOCKS]] == pytest.approx(rest, rel=1e-9)
        assert got.greatest[0, layout.QUEUE] - got.least[0, layout.QUEUE] < 1e-6


def _growth(slope: float) -> float:
    system = System(OPEN, (GROUP,), ramp(slope))
    return rightmost(system.linearise(system.fixed_point())).real


def _published(slope: float, queue: float) -> Linear:
    return hollot(CAPACITY, 60, 0.2 + queue / CAPACITY, slope=slope)


def test_critical_slope() -> None:
    critical = brentq(_growth, 1e-4, 4e-4)
    assert critical == pytest.approx(2.4963e-4, rel=1e-4)
    assert fixed_point(OPEN, [GROUP], ramp(critical)).queue == pytest.approx(45.570, abs=5e-3)

    def published(slope: float) -> float:
        return rightmost(_published(slope, fixed_point(OPEN, [GROUP], ramp(slope)).queue)).real

    assert brentq(published, 1e-4, 4e-4) == pytest.approx(2.5655e-4, rel=1e-4)


def test_equation_decays_below_and_cycles_above_the_critical_slope() -> None:
    swings = []
    for slope in (2.47e-4, 2.52e-4):
        law = ramp(slope)
        got = simulate(arrange([OPEN], [GROUP], law, step=0.0025, duration=1000, warmup=900, ceiling=2000))
        swings.append(got.greatest[0, layout.QUEUE] - got.least[0, layout.QUEUE])
    assert swings[0] < 0.1
    assert swings[1] == pytest.approx(91.4, rel=5e-3)


@pytest.mark.parametrize(
    ("slope", "top", "utilisation"), [(3e-4, 86.319, 0.9939), (4e-4, 77.98, 0.9807), (1e-3, 58.65, 0.9145)]
)
def test_limit_cycle_that_empties_the_queue(slope: float, top: float, utilisation: float) -> None:
    law = ramp(slope)
    got = simulate(arrange([OPEN], [GROUP], law, step=0.0025, duration=1200, warmup=200, ceiling=2000))
    assert got.greatest[0, layout.QUEUE] == pytest.approx(top, rel=5e-3)
    assert flow(got, 0, CAPACITY).utilisation == pytest.approx(utilisation, rel=5e-3)
    assert got.least[0, layout.QUEUE] == 0.0


def test_limit_cycle_against_plain_python() -> None:
    """Mean queue over whole cycles from Heun's method with piecewise linear history, written independently."""
    slope, h, steps = 4e-4, 0.005, 16_000
    times = np.arange(-1, steps + 1) * h
    queue, window = np.zeros(steps + 2), np.ones(steps + 2)

    def slopes(now: int, w: float, q: float) -> tuple[float, float]:
        then = times[now] - 0.2
        recent = slice(max(0, now - 200), now + 1)
        for _ in range(6):
            then = times[now] - 0.2 - float(np.interp(then, times[recent], queue[recent])) / CAPACITY
        q_then = float(np.interp(then, times[recent], queue[recent]))
        w_then = float(np.interp(then, times[recent], window[recent]))
        p = slope * q_then if then > 0 else 0.0
        growth = 60 * w / (0.2 + q / CAPACITY) - CAPACITY
        cut = w * w_then * p / (2 * (0.2 + q_then / CAPACITY))
        return 1 / (0.2 + q / CAPACITY) - cut, max(growth, 0.0) if q <= 0 else growth

    for n in range(1, steps + 1):
        dw, dq = slopes(n, window[n], queue[n])
        window[n + 1], queue[n + 1] = window[n] + h * dw, max(0.0, queue[n] + h * dq)
        dw2, dq2 = slopes(n + 1, window[n + 1], queue[n + 1])
        window[n + 1] = max(1.0, window[n] + h * (dw + dw2) / 2)
        queue[n + 1] = max(0.0, queue[n] + h * (dq + dq2) / 2)
    rises = np.flatnonzero((queue[:-1] < 38) & (queue[1:] >= 38))
    rises = rises[rises > steps // 2]
    expected = queue[rises[0] : rises[-1]].mean()
    law = ramp(slope)
    got = simulate(arrange([OPEN], [GROUP], law, step=0.0025, duration=1200, warmup=200, ceiling=2000))
    assert got.mean[0, layout.QUEUE] == pytest.approx(expected, rel=2e-3)


DROP_TAIL = {
    1: ([0.7686, 0.875, 0.945, 0.9994], None),
    10: ([0.788, 0.888, 0.962, 0.9999], [3.3e-4, None, None, 9e-5]),
    50: ([0.855, 0.924, 0.980, 1.0], [0.0070, 0.0053, 0.0038, 0.0022]),
    100: ([0.913, 0.960, 0.997, 1.0], [0.0229, 0.0184, 0.0136, 0.0080]),
}


@pytest.mark.parametrize("count", sorted(DROP_TAIL))
def test_drop_tail_table(count: int) -> None:
    capacity, pipe, law = 10_000.0, 1000.0, DropTail()
    duration = 400.0 if count == 1 else 200.0
    links = [Link(capacity, share * pipe) for share in (0.05, 0.25, 0.5, 1.0)]
    groups = [Group(count, 0.1, Reno(0.6 * pipe / count, refined=True))]
    # The table's means are those of the second half of a run, whatever part of a cycle that ends in.
    batch = arrange(links, groups, law, step=1e-3, duration=duration, warmup=duration / 2)
    got = simulate(replace(batch, whole_cycles=False))
    found = [flow(got, lane, capacity) for lane in range(4)]
    utilisation, loss = DROP_TAIL[count]
    assert [x.utilisation for x in found] == pytest.approx(utilisation, abs=0.003)
    if loss is None:
        assert all(5e-7 < x.loss < 5e-6 for x in found)
    else:
        for measured, expected in zip(found, loss, strict=True):
            assert expected is None or measured.loss == pytest.approx(expected, rel=0.03)


def _balance(got: Flow, growth: float) -> float:
    return abs(got.offered - got.carried - got.lost - growth) / got.offered


@pytest.mark.parametrize(
    ("law", "drops"),
    [
        (DropTail(), False),
        (Red(20, 120, 0.05), True),
        (Red(20, 120, 0.05, weight=0.002), False),
        (Pi(1e-4, 2.0, 30), False),
        (Step(25.0), False),
    ],
)
def test_packets_balance(law: Marking, drops: bool) -> None:
    link = Link(8000.0, 40.0, background=1500.0, background_drops=drops)
    groups = [Group(20, 0.04, Reno(3.0, refined=True), drops), Group(10, 0.11, Reno(5.0, 2.0, refined=True), drops)]
    got = simulate(arrange([link], groups, law, step=4e-4, duration=40, warmup=3))
    found = flow(got, 0, link.capacity)
    assert _balance(found, got.closed[0, layout.QUEUE] - got.opened[0, layout.QUEUE]) < 1e-9
    assert found.lost > 0.0
    assert got.least[0, layout.QUEUE] >= 0.0
    assert got.greatest[0, layout.QUEUE] <= 40.0


def test_drop_tail_fixed_point_balances_its_equations() -> None:
    link, groups = (
        Link(10_000.0, 500.0, background=2000.0),
        [Group(50, 0.1, Reno(refined=True)), Group(20, 0.03, Reno(ack_every=2.0, refined=True))],
    )
    point = fixed_point(link, groups, DropTail())
    windows = [rest.states[0] for rest in point.rests]
    arrivals = 2000 + sum(g.count * w / (g.base + 0.05) for g, w in zip(groups, windows, strict=True))
    assert 1 - link.capacity / arrivals == pytest.approx(point.probability, rel=1e-9)
    for every, window in zip((1.0, 2.0), windows, strict=True):
        assert every * window**2 * point.probability == pytest.approx(2 * (1 - point.probability))


def test_flows_split_over_two_equal_groups_change_nothing() -> None:
    law, link = DropTail(), Link(10_000.0, 250.0)
    runs = [
        simulate(arrange([link], groups, law, step=1e-3, duration=50, warmup=10))
        for groups in ([Group(50, 0.1, REFINED)], [Group(20, 0.1, REFINED), Group(30, 0.1, REFINED)])
    ]
    # The order of summation differs, and a limit cycle that meets kinks amplifies rounding.
    assert runs[1].mean[0, :5] == pytest.approx(runs[0].mean[0, :5], rel=1e-3)


def test_spread_of_round_trips_raises_utilisation_under_drop_tail() -> None:
    law, link = DropTail(), Link(10_000.0, 100.0)
    spread = [Group(10, 0.1 * (1 + 0.6 * (i - 2) / 2), REFINED) for i in range(5)]
    together, apart = (
        flow(simulate(arrange([link], groups, law, step=4e-4, duration=100, warmup=30)), 0, 1e4)
        for groups in ([Group(50, 0.1, REFINED)], spread)
    )
    assert apart.utilisation > together.utilisation + 0.02


def test_sawtooth_of_one_flow() -> None:
    assert [sawtooth_utilisation(b) for b in (0, 0.1, 0.25, 0.5, 0.75, 1)] == pytest.approx(
        [0.75, 0.81757, 0.89286, 0.96429, 0.99324, 1], abs=5e-6
    )
    assert [sawtooth_utilisation(b, 0.7) for b in (0, 0.1, 0.25, 3 / 7)] == pytest.approx(
        [0.85, 0.92104, 0.98077, 1], abs=5e-6
    )
    assert [cubic_ramp_utilisation(b) for b in (0, 0.1, 0.25)] == pytest.approx([0.925, 0.96712, 0.99245], abs=5e-6)
    for bad in ((-0.1, 0.5), (1.0, 1.0)):
        with pytest.raises(InvalidInput):
            sawtooth_utilisation(*bad)


def test_no_fixed_point_is_said_so() -> None:
    with pytest.raises(Infeasible):
        fixed_point(OPEN, [GROUP], DropTail())
    with pytest.raises(Infeasible):
        fixed_point(OPEN, [GROUP], Red(10, 20, 1e-4))


def test_bad_arrangements_are_refused() -> None:
    with pytest.raises(InvalidInput):
        arrange([Link(CAPACITY, 100)], [GROUP], DropTail(), step=0.3, duration=10)
    with pytest.raises(InvalidInput):
        arrange([OPEN], [GROUP], DropTail(), step=0.01, duration=10)
