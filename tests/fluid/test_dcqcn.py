"""The DCQCN fluid against independently computed rests, critical delays and courses (40 Gb/s, 1 kB packets)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from footroom.errors import Infeasible
from footroom.fluid.laws import Dcqcn, Group
from footroom.fluid.link import Link
from footroom.fluid.markings import Red
from footroom.fluid.roots import rightmost
from footroom.fluid.system import System

LINE = 40e9 / 8000.0


def system(flows: int, delay: float = 50e-6, pmax: float = 0.01, line: float = LINE) -> System:
    law = Dcqcn(40e6 / 8000.0, line)
    return System(Link(LINE, packet=1000.0), (Group(flows, delay, law),), Red(5.0, 200.0, pmax))


@pytest.mark.parametrize(("flows", "probability", "queue", "alpha", "ratio"), [
    (1, 3.18228e-4, 11.2054, .083806, 1.00734), (2, 7.76989e-4, 20.1513, .101364, 1.01090),
    (4, .00188767, 41.8095, .121816, 1.01595), (8, .00455211, 93.7662, .145156, 1.02302),
    (10, .00603196, 122.623, .153276, 1.02583), (12, .00758566, 152.920, .160124, 1.02834)])
def test_state_of_rest(flows: int, probability: float, queue: float, alpha: float, ratio: float) -> None:
    # A lone flow fills the link only if its own line is faster.
    point = system(flows, line=LINE * (2.0 if flows == 1 else 1.0)).fixed_point()
    assert point.probability == pytest.approx(probability, rel=4e-6)
    assert point.queue == pytest.approx(queue, rel=6e-6)
    assert point.values["alpha"] == pytest.approx(alpha, rel=6e-6)
    assert point.values["target_over_rate"] == pytest.approx(ratio, abs=6e-6)
    # The state satisfies the published equations, written out plainly.
    p, rate = point.probability, LINE / flows
    a, b = 1 - (1 - p) ** (50e-6 * rate), p / ((1 - p) ** -1e4 - 1)
    d = p / ((1 - p) ** (-55e-6 * rate) - 1)
    c, e = b * (1 - p) ** 5e4, d * (1 - p) ** (5 * 55e-6 * rate)
    share = 1 - (1 - p) ** (55e-6 * rate)
    assert a**2 * share / ((b + d) * (c + e)) == pytest.approx(50e-6**2 * 40e6 / 8000 * rate, rel=1e-7)


def test_ends_of_the_ramp() -> None:
    assert system(64, pmax=0.1).fixed_point().values["queue"] == pytest.approx(120155, abs=1.0)
    assert system(14).fixed_point().queue < 200.0
    with pytest.raises(Infeasible, match="chatters"):
        system(15).fixed_point()


@pytest.mark.parametrize(("flows", "delay"), [
    (2, 85.57), (4, 71.74), (6, 64.68), (8, 62.17), (9, 62.04), (10, 62.47), (12, 64.65), (14, 68.15)])
def test_critical_delay(flows: int, delay: float) -> None:
    def growth(microseconds: float) -> float:
        own = system(flows, microseconds * 1e-6)
        return rightmost(own.linearise(own.fixed_point())).real

    assert brentq(growth, 30.0, 130.0, xtol=1e-3) == pytest.approx(delay, rel=2e-4)


@pytest.mark.parametrize("flows", [4, 10])
def test_course_settles_below_and_swings_above_the_critical_delay(flows: int) -> None:
    critical = {4: 71.74e-6, 10: 62.47e-6}[flows]
    swings = []
    for factor in (0.93, 1.07):
        own = system(flows, factor * critical)
        course = own.course(start=own.fixed_point(), duration=0.2)
        early, late = (course.queue[(course.time > t) & (course.time < t + 0.02)] for t in (0.02, 0.18))
        swings.append((early.max() - early.min(), late.max() - late.min()))
    assert swings[0][1] < 0.3 * swings[0][0]
    assert swings[1][1] > 50.0


@pytest.mark.parametrize(("flows", "delay", "lowest", "highest", "mean", "utilisation"), [
    (10, 85e-6, 0.0, 233.8, 55.7, .9495), (10, 100e-6, 0.0, 241.2, None, .936), (2, 100e-6, 0.0, 40.15, None, .9995)])
def test_swings(
    flows: int, delay: float, lowest: float, highest: float, mean: float | None, utilisation: float) -> None:
    course = system(flows, delay).course()
    assert course.least == pytest.approx(lowest, abs=1e-9)
    assert course.greatest == pytest.approx(highest, rel=5e-3)
    assert course.utilisation == pytest.approx(utilisation, abs=1.5e-3)
    if mean is not None:
        assert course.mean == pytest.approx(mean, rel=0.02)


@pytest.mark.parametrize(("flows", "delay", "peak"), [
    (2, 4e-6, 258.0), (2, 50e-6, 478.0), (10, 4e-6, 3605.0), (10, 50e-6, 5686.0), (10, 100e-6, 7948.0)])
def test_overshoot_of_flows_that_start_together(flows: int, delay: float, peak: float) -> None:
    assert system(flows, delay).course(duration=0.02, points=20_000).queue.max() == pytest.approx(peak, rel=0.015)


def test_settles_on_its_state_of_rest_from_a_cold_start() -> None:
    for flows, delay in ((2, 4e-6), (10, 50e-6)):
        own = system(flows, delay)
        course = own.course(duration=0.39)
        assert course.queue[-1] == pytest.approx(own.fixed_point().queue, rel=2e-4)


def test_unequal_flows_meet() -> None:
    slow, fast = (Dcqcn(40e6 / 8000.0, LINE, start_rate=share * LINE) for share in (0.1, 1.0))
    own = System(Link(LINE, packet=1000.0), (Group(1, 4e-6, slow), Group(1, 4e-6, fast)), Red(5.0, 200.0, 0.01))
    course = own.course(duration=0.12, points=12_000)
    apart = abs(course.rates[1] - course.rates[0])
    met = course.time[(apart > 0.1 * LINE / 2).nonzero()[0][-1] + 1]
    assert met == pytest.approx(41.6e-3, rel=0.02)
    # Late, the difference follows the slowest mode in which two equal flows differ; it turns as it decays.
    halves = system(2, 4e-6).halved()
    root = rightmost(halves.linearise(halves.fixed_point()))
    assert root.real == pytest.approx(-65, abs=10)
    late = course.time > 0.07
    time, difference = course.time[late] - 0.07, (course.rates[1] - course.rates[0])[late]
    modes = np.exp(root.real * time)[:, None] * np.stack([np.cos(root.imag * time), np.sin(root.imag * time)], axis=1)
    fitted = modes @ np.linalg.lstsq(modes, difference, rcond=None)[0]
    assert np.abs(fitted - difference).max() < 0.02 * np.abs(difference).max()


def test_stays_where_it_rests() -> None:
    own = system(10)
    point = own.fixed_point()
    course = own.course(start=point, push=0.0, duration=0.05)
    assert course.greatest - course.least < 1e-6 * point.queue
