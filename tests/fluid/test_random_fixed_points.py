"""States of rest under parameters that nobody has chosen: closed forms and published equations over their range."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as draw
from scipy.optimize import brentq

from footroom.base.errors import Infeasible
from footroom.engines.fluid import layout
from footroom.engines.fluid.laws import Dcqcn, Group, Hpcc, PowerTcp, Timely
from footroom.engines.fluid.link import Link, arrange, simulate
from footroom.engines.fluid.markings import DropTail, Red
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.system import System

PACKET = 1000.0
RATES = draw.floats(10e9, 400e9)  # bit/s
few = settings(max_examples=25, deadline=None, derandomize=True)


@given(RATES, draw.floats(4e-6, 50e-6), draw.integers(2, 300), draw.floats(0.85, 0.98), draw.floats(0.02, 0.6))
@few
def test_hpccs_windows_add_up(rate: float, trip: float, count: int, target: float, added: float) -> None:
    """Sum of windows over the pipe: eta and the sum of the increases, in the equations and where the course ends.

    added: the sum of the increases over the pipe. Near 1 in sum the queue comes and goes within a packet.
    """
    capacity = rate / 8 / PACKET
    pipe = capacity * trip
    own = Group(count, trip, Hpcc(added * pipe / count, target=target, window=4.0 * pipe / count))
    link = Link(capacity, math.inf, packet=PACKET)
    exact = target + added
    point = System(link, (own,), DropTail()).fixed_point()
    assert point.states[2] * count / pipe == pytest.approx(exact, rel=1e-9)
    assert point.values["queue"] == pytest.approx(max(exact - 1.0, 0.0) * pipe * PACKET, rel=1e-6, abs=1e-3)
    got = simulate(arrange([link], [own], DropTail(), step=trip / 25, duration=400 * trip, ceiling=100 * pipe))
    assert got.closed[0, layout.BLOCKS] * count / pipe == pytest.approx(exact, rel=1e-3)


@given(
    RATES,
    draw.floats(4e-6, 50e-6),
    draw.integers(1, 300),
    draw.floats(0.3, 1.0),
    draw.floats(0.02, 0.6),
    draw.booleans(),
)
@few
def test_powertcp_decays_by_its_weight(
    rate: float, trip: float, count: int, weight: float, added: float, theta: bool
) -> None:
    """Of a disturbance e^(-5 gamma) is left after five round trips, e^-4.5 at the paper's 0.9; one update in each."""
    capacity = rate / 8 / PACKET
    pipe = capacity * trip
    law = PowerTcp(added * pipe / count, window=4.0 * pipe / count, weight=weight, theta=theta)
    link = Link(capacity, math.inf, packet=PACKET)
    batch = arrange(
        [link],
        [Group(count, trip, law)],
        DropTail(),
        step=trip / 200,
        duration=5 * trip,
        queue=2 * pipe,
        ceiling=100 * pipe,
    )
    rest = 1.0 + added
    left = (simulate(batch).closed[0, layout.BLOCKS] * count / pipe - rest) / (4.0 - rest)
    assert left == pytest.approx(math.exp(-5.0 * weight), rel=1e-3)


def timely(rate: float, count: float, delta: float, slope: float, low: float, high: float) -> System:
    """Flows of the patched law; delta: what an update adds, as a share of the line."""
    capacity = rate / 8 / PACKET
    law = Timely(delta * capacity, 16.0, line=capacity, least=delta * capacity, slope=slope, low=low, high=high)
    return System(Link(capacity, math.inf, packet=PACKET), (Group(count, 4e-6, law),), DropTail())


TIMELYS = (draw.floats(10e9, 100e9), draw.floats(0.0005, 0.003), draw.floats(0.5, 3.0), draw.floats(30e-6, 80e-6))


@given(*TIMELYS, draw.integers(2, 30))
@few
def test_timelys_queue_grows_with_its_flows(rate: float, delta: float, slope: float, low: float, count: int) -> None:
    """Patched TIMELY: q/C = T_low (1 + N delta / (beta C)), where that is below T_high (CoNEXT 2016, §4.3)."""
    high = 12.0 * low
    delay = low * (1.0 + count * delta / 0.008)
    if delay >= high:
        with pytest.raises(Infeasible):
            timely(rate, count, delta, slope, low, high).fixed_point()
        return
    point = timely(rate, count, delta, slope, low, high).fixed_point()
    assert point.values["queue"] == pytest.approx(delay * rate / 8, rel=1e-6)


@given(*TIMELYS)
@settings(max_examples=6, deadline=None, derandomize=True)
def test_timely_settles_below_its_critical_number_and_oscillates_above_it(
    rate: float, delta: float, slope: float, low: float
) -> None:
    """The courses, which know nothing of roots, change between 0.85 and 1.2 of the number that the roots say."""
    high = 30.0 * low

    def growth(count: float) -> float:
        many = timely(rate, count, delta, slope, low, high)
        return rightmost(many.linearise(many.fixed_point())).real

    most = 0.95 * (high / low - 1.0) * 0.008 / delta
    assume(most > 3.0 and growth(2.0) < 0.0 < growth(most))
    critical = brentq(growth, 2.0, most)
    ranges = []
    for factor in (0.85, 1.2):
        own = timely(rate, factor * critical, delta, slope, low, high)
        course = own.course(start=own.fixed_point(), duration=0.4)
        early, late = (course.queue[(course.time > t) & (course.time < t + 0.04)] for t in (0.04, 0.36))
        ranges.append((early.max() - early.min(), late.max() - late.min()))
    assert ranges[0][1] < 0.5 * ranges[0][0] or ranges[0][1] < 0.1
    assert ranges[1][1] > ranges[1][0] or ranges[1][1] > 10.0


@given(
    RATES,
    draw.floats(10e-6, 100e-6),  # between notifications
    draw.floats(30e-6, 300e-6),  # timer
    draw.floats(1e3, 3e4),  # packets of the byte counter
    draw.floats(2e-4, 3e-3),  # increase over the line
    draw.floats(2.0, 8.0),  # expiries of fast recovery
    draw.integers(2, 16),
)
@few
def test_dcqcns_rest_satisfies_the_published_equations(
    line: float, interval: float, timer: float, counter: float, increase: float, recovery: float, flows: int
) -> None:
    """Zhu et al. 2015, section 5: the equation of the rest, written out plainly."""
    capacity = line / 8 / PACKET
    law = Dcqcn(
        increase * capacity,
        capacity,
        interval=interval,
        alpha_timer=55e-6,
        timer=timer,
        counter=counter,
        recovery=recovery,
        least=1.0,
    )
    link = Link(capacity, packet=PACKET)
    point = System(link, (Group(flows, 20e-6, law),), Red(5.0, 4000.0, 0.9)).fixed_point()
    p, rate = point.probability, capacity / flows
    # x / (1 - x) is 1 / (1/x - 1), which overflows.
    by_count, by_time = (1 - p) ** counter, (1 - p) ** (timer * rate)
    a, b, d = 1 - (1 - p) ** (interval * rate), p * by_count / (1 - by_count), p * by_time / (1 - by_time)
    c, e = b * (1 - p) ** (recovery * counter), d * (1 - p) ** (recovery * timer * rate)
    share = 1 - (1 - p) ** (55e-6 * rate)
    assert a**2 * share / ((b + d) * (c + e)) == pytest.approx(interval**2 * increase * capacity * rate, rel=1e-6)
