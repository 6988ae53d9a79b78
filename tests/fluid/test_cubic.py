"""CUBIC in the fluid: published equations, RFC 9438's sawtooth, and an independent integration of each."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import Infeasible, InvalidInput
from footroom.engines.fluid import layout
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.laws import Cubic, CubicEvents, Group, Pressure, cubic_events
from footroom.engines.fluid.link import Link, arrange, flow, path_of, simulate
from footroom.engines.fluid.markings import DropTail, Marking, Red
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.sawtooth import cubic_ramp_utilisation, sawtooth_utilisation
from footroom.engines.fluid.system import System
from footroom.scenario import Scenario

PLAIN = Cubic(friendly=False)
LOOP = System(Link(10_000.0), (Group(20, 0.1, PLAIN),), Red(0.0, 1e5, 1.0))  # p = 1e-5 q


def scenario(
    kind: str = "cubic",
    *,
    flows: int = 10,
    rate: str = "1 Gb/s",
    rtt: str = "20 ms",
    buffer: str = "250 kB",
    marking: dict[str, Any] | None = None,
    **congestion: Any,
) -> Scenario:
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": rate, "access": "100 Gb/s", "rtt": rtt},
            "switch": {"buffer": buffer, "marking": marking or {"kind": "none"}},
            "traffic": [{"kind": "long_lived", "flows": flows, "congestion": {"kind": kind, **congestion}}],
            "run": {"duration": "30 s", "warmup": "10 s"},
        }
    )


def test_window_and_time_to_the_plateau() -> None:
    window = PLAIN.steady_window(1e-4, 0.1)
    assert window == pytest.approx(191.0886, abs=5e-5)
    assert PLAIN.epoch(window) == pytest.approx(5.23318, abs=5e-6)
    # RFC 9438, eq. 5 averages a cycle of one loss per 1/p packets; the fluid is (4/(3+beta))^(1/4) of that.
    assert window / 187.400 == pytest.approx(1.0197, abs=5e-5)
    assert math.isinf(PLAIN.steady_window(0.0, 0.1))


@pytest.mark.parametrize("notice", [1e-6, 1e-4, 3e-3, 0.05, 0.6, 1.0])
@pytest.mark.parametrize("trip", [1e-4, 0.02, 0.3])
@pytest.mark.parametrize("friendly", [False, True])
def test_rest_solves_the_equations(notice: float, trip: float, friendly: bool) -> None:
    law = Cubic(friendly=friendly)
    link = Link(1e9, 1e6)
    path = path_of(link, [Group(1, trip, law)], 0, DropTail())
    rest = law.rest(path, Pressure(0.0, notice))
    top, age, grown = rest.states
    window = max(1.0, 0.4 * (age - (0.3 * top / 0.4) ** (1 / 3)) ** 3 + top, 0.7 * top + grown)
    assert window == pytest.approx(top, rel=1e-9)
    losses = min(notice * window, 1.0) / trip
    assert losses * age == pytest.approx(1.0)
    assert grown == pytest.approx((9 / 17 if friendly else 0.0) / trip / losses)
    assert rest.rate == pytest.approx(window / trip)
    back = law.notice_for(path, rest.rate, 0.0)
    assert back is None or back == pytest.approx(notice)
    # At its least window a flow does not say how high the pressure is.
    assert (back is None) == (window <= 1.0 or notice * window >= 1.0 - 1e-9)


def test_closed_loop_of_a_ramp() -> None:
    point = LOOP.fixed_point()
    window = point.values["window_packets"]
    assert (window, point.queue) == pytest.approx((52.9314, 58.6280), abs=5e-5)
    assert point.probability == pytest.approx(5.86280e-4, abs=5e-10)
    with_line = replace(LOOP, groups=(Group(20, 0.1, Cubic()),)).fixed_point()
    # Here the line is the faster one: W^2 p = a/(1-beta) = 3/(1+beta).
    assert with_line.values["window_packets"] ** 2 * with_line.probability == pytest.approx(3 / 1.7)
    assert with_line.values["window_packets"] > window


def test_linear_equations_at_rest_have_a_root_at_zero() -> None:
    linear = LOOP.linearise(LOOP.fixed_point())
    top = linear.names.index("0.window_max")
    assert np.abs(linear.present[top]).max() < 1e-6
    assert all(np.abs(matrix[top]).max() < 1e-6 for matrix, _ in linear.delayed)
    assert abs(rightmost(linear)) < 1e-6


def test_start_at_the_fixed_point_stays_there() -> None:
    for flows in (PLAIN, Cubic()):
        system = replace(LOOP, groups=(Group(20, 0.1, flows),))
        point = system.fixed_point()
        course = system.course(duration=60.0, start=point, push=0.0)
        assert np.abs(course.queue / point.queue - 1.0).max() < 1e-9


def _constant(queue: float, state: float, params: Any) -> float:
    return params[layout.MARKING]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Constant(Marking):
    """One probability for all packets."""

    share: float = 1e-4
    probability: ClassVar = _constant

    def parameters(self, capacity: float, buffer: float) -> tuple[float, ...]:
        return (self.share,)

    def at_rest(self, queue: float) -> float:
        return self.share


@dataclass(frozen=True)
class Displaced(Cubic):
    """Starts a fifth above its window in equilibrium, a second after a loss."""

    def start(self, path: Any) -> tuple[float, ...]:
        return 1.2 * self.steady_window(1e-4, path.base), 1.0, 0.0


def test_way_back_to_rest_is_slow() -> None:
    batch = arrange(
        [Link(1e9)],
        [Group(1, 0.1, Displaced(friendly=False))],
        Constant(),
        step=0.1,
        duration=20_001.0,
        ceiling=10.0,
        points=20_001,
    )
    got = simulate(batch)
    windows = got.trace[0, :, layout.RATES] * 0.1 / PLAIN.steady_window(1e-4, 0.1)
    rows = [round(t / float(got.trace_step[0])) for t in (100, 1000, 5000, 20_000)]
    assert windows[rows] == pytest.approx([1.1044, 1.0566, 1.0273, 1.0137], abs=6e-5)


def test_mean_equations_against_plain_python() -> None:
    """Twenty flows from a far start under a ramp, by Euler's method with its own past."""
    capacity, base, count, slope, h, steps = 10_000.0, 0.1, 20, 1e-5, 5e-4, 24_000
    law = Cubic(window=70.0)
    queue, top, age, grown = 0.0, 70.0, (0.3 * 70.0 / 0.4) ** (1 / 3), 0.3 * 70.0
    windows, queues = [], []
    for n in range(steps):
        window = max(1.0, 0.4 * (age - (0.3 * top / 0.4) ** (1 / 3)) ** 3 + top, 0.7 * top + grown)
        windows.append(window)
        queues.append(queue)
        trip = base + queue / capacity
        for _ in range(4):
            then = max(0, n - round(trip / h))
            trip = base + queues[then] / capacity
        losses = min(slope * queues[then] * windows[then], 1.0) / trip
        top += h * (window - top) * losses
        age += h * (1.0 - age * losses)
        now = base + queue / capacity
        grown += h * (9 / 17 / now - grown * losses)
        queue = max(0.0, queue + h * (count * window / now - capacity))
    system = System(Link(capacity), (Group(count, base, law),), Red(0.0, 1.0 / slope, 1.0))
    course = system.course(duration=steps * h, points=1200)
    assert course.queue[-1] == pytest.approx(queue, rel=5e-3)
    assert course.greatest == pytest.approx(max(queues[steps // 2 :]), rel=5e-3)


@pytest.mark.parametrize(("ratio", "shown"), [(0.05, 0.951), (0.1, 0.96712), (0.25, 0.99245), (0.5, 1.0)])
def test_one_flow_is_the_event_sawtooth(ratio: float, shown: float) -> None:
    # 8333 packets at 100 ms: far from the Reno-friendly region, so the closed form is that of the cubic ramp. It takes
    # the round trip as constant and cuts at once; the fluid's notice is one round trip late.
    capacity, base = 83_333.0, 0.1
    links = [Link(capacity, ratio * capacity * base)]
    got = simulate(arrange(links, [Group(1, base, CubicEvents())], DropTail(), step=2e-3, duration=600, warmup=150))
    found = flow(got, 0, capacity)
    assert cubic_ramp_utilisation(ratio) == pytest.approx(shown, abs=5e-4)
    assert found.utilisation == pytest.approx(shown, abs=0.01)
    # One loss or a few per cycle of K seconds.
    epoch = PLAIN.epoch((1 + ratio) * capacity * base)
    assert 1 / (capacity * epoch) < found.loss < 20 / (capacity * epoch)


@pytest.mark.parametrize("ratio", [0.0625, 0.1, 0.25])
def test_one_flow_on_a_short_path_is_as_reno_friendly(ratio: float) -> None:
    capacity, base = 83_333.0, 0.005
    links = [Link(capacity, ratio * capacity * base)]
    got = simulate(arrange(links, [Group(1, base, CubicEvents())], DropTail(), step=5e-5, duration=30, warmup=10))
    assert flow(got, 0, capacity).utilisation == pytest.approx(sawtooth_utilisation(ratio, 0.7), abs=0.01)


def test_one_flow_against_plain_python() -> None:
    """One flow, packet losses counted one by one, by Euler's method written independently."""
    capacity, base, buffer, h = 10_000.0, 0.1, 100.0, 1e-3
    queue, top, since, grown, told = 0.0, 1000.0, (0.3 * 1000 / 0.4) ** (1 / 3), 300.0, 0.0
    epoch = since
    lost_rate, queues, carried = [], [], 0.0
    steps = 120_000
    for n in range(steps):
        window = max(0.4 * (since - epoch) ** 3 + top, 0.7 * top + grown)
        trip = base + queue / capacity
        arrivals = window / trip
        full = queue >= buffer and arrivals > capacity
        lost_rate.append(arrivals - capacity if full else 0.0)
        queues.append(queue)
        delay = trip
        for _ in range(4):
            then = max(0, n - round(delay / h))
            delay = base + queues[then] / capacity
        if since >= delay:
            told += h * lost_rate[then]
        if told >= 1.0:
            top, epoch, since, grown, told = window, (0.3 * window / 0.4) ** (1 / 3), 0.0, 0.0, told % 1.0
        since += h
        grown += h * 9 / 17 / trip
        if n >= steps // 4:
            carried += min(1.0, arrivals / capacity) if queue <= 0.0 else 1.0
        queue = min(buffer, max(0.0, queue + h * (arrivals - capacity)))
    got = simulate(
        arrange(
            [Link(capacity, buffer)],
            [Group(1, base, CubicEvents())],
            DropTail(),
            step=h,
            duration=steps * h,
            warmup=steps * h / 4,
        )
    )
    assert flow(got, 0, capacity).utilisation == pytest.approx(carried / (0.75 * steps), abs=2e-3)
    assert got.mean[0, layout.QUEUE] == pytest.approx(np.mean(queues[steps // 4 :]), rel=0.03)


def test_half_the_step_changes_nothing() -> None:
    links = [Link(83_333.0, 400.0), Link(83_333.0, 1666.0)]
    for law, marking in ((CubicEvents(), DropTail()), (Cubic(), Red(20, 800, 0.1))):
        runs = [
            simulate(arrange(links, [Group(20, 0.02, law)], marking, step=step, duration=20, warmup=5))
            for step in (2e-4, 1e-4)
        ]
        for lane in (0, 1):
            coarse, fine = (flow(run, lane, 83_333.0) for run in runs)
            assert coarse.utilisation == pytest.approx(fine.utilisation, abs=1e-3)
            assert coarse.loss == pytest.approx(fine.loss, rel=0.03)
            assert runs[0].mean[lane, 0] == pytest.approx(runs[1].mean[lane, 0], rel=0.01)


@pytest.mark.parametrize("law", [CubicEvents(), Cubic()])
def test_packets_balance(law: Cubic) -> None:
    link = Link(8000.0, 40.0, background=1500.0)
    groups = [Group(20, 0.04, law), Group(10, 0.11, replace(law, beta=0.5))]
    marking = DropTail() if isinstance(law, CubicEvents) else Red(5, 60, 0.01)
    got = simulate(arrange([link], groups, marking, step=4e-4, duration=40, warmup=3))
    found = flow(got, 0, link.capacity)
    growth = got.closed[0, layout.QUEUE] - got.opened[0, layout.QUEUE]
    assert abs(found.offered - found.carried - found.lost - growth) / found.offered < 1e-9
    assert found.lost > 0.0
    assert 0.0 <= got.least[0, layout.QUEUE] <= got.greatest[0, layout.QUEUE] <= 40.0


def test_losses_strike_at_random() -> None:
    levels = np.array([cubic_events._level((i + 0.5) / 1000, 20.0) for i in range(1000)])
    for lost in (1, 10, 20, 60):
        # So many packets lost among twenty flows spare (1 - 1/20)^L of them.
        assert (levels * 20 > lost + 0.5).mean() == pytest.approx((1 - 1 / 20) ** lost, abs=1e-3)
    assert {cubic_events._level(u, 1.0) for u in (0.1, 0.5, 0.99)} == {1.0}
    got = simulate(
        arrange(
            [Link(83_333.0, 166.0)],
            [Group(50, 0.02, CubicEvents())],
            DropTail(),
            step=2e-4,
            duration=40,
            warmup=20,
            points=5000,
        )
    )
    ages = got.trace[0, :, layout.RATES + 1 :].reshape(got.trace.shape[1], 6, 6)[:, :, 2]
    spread = ages[2500:].max(axis=1) - ages[2500:].min(axis=1)
    assert np.median(spread) > 5 * 0.02
    # Out of step, fifty flows use more of a small buffer than one does.
    alone = sawtooth_utilisation(0.1, 0.7)
    assert alone + 0.03 < flow(got, 0, 83_333.0).utilisation < 1.0


def test_equal_split_and_order_of_groups_change_nothing() -> None:
    link = Link(83_333.0, 300.0)

    def run(*groups: Group) -> np.ndarray[Any, Any]:
        got = simulate(arrange([link], groups, DropTail(), step=2e-4, duration=20, warmup=5))
        return np.array([flow(got, 0, link.capacity).utilisation, got.mean[0, layout.QUEUE]])

    law, far = CubicEvents(), CubicEvents(beta=0.6)
    assert run(Group(8, 0.02, law), Group(12, 0.02, law)) == pytest.approx(run(Group(20, 0.02, law)), rel=1e-3)
    first = run(Group(8, 0.02, law), Group(12, 0.03, law), Group(5, 0.02, far))
    assert run(Group(5, 0.02, far), Group(12, 0.03, law), Group(8, 0.02, law)) == pytest.approx(first, rel=1e-3)


def test_scenario_route_picks_the_law_that_fits_the_switch() -> None:
    red = {"kind": "red", "kmin": "30 kB", "kmax": "2 MB", "pmax": 0.1}
    assert isinstance(system_of(scenario()).groups[0].flows, CubicEvents)
    assert not isinstance(system_of(scenario(marking=red)).groups[0].flows, CubicEvents)
    law = system_of(scenario(growth=1.0, beta=0.8, reno_friendly=False)).groups[0].flows
    assert isinstance(law, Cubic)
    assert (law.growth, law.beta, law.line) == (1.0, 0.8, 0.0)
    result = fr.run(scenario(), engine="fluid")
    assert 0.9 < result.metrics["utilisation"] < 1.0
    assert {"fluid_window_packets_0", "fluid_loss"} <= {e.name for e in result.explanations}
    assert any("own window" in note for note in result.notes)
    for rtt, fast, form in (
        ("20 ms", False, cubic_ramp_utilisation(0.1)),
        ("1 ms", False, sawtooth_utilisation(2.0, 0.7)),
        ("20 ms", True, cubic_ramp_utilisation(0.1, converges=True)),
    ):
        told = fr.run(scenario(flows=1, rtt=rtt, fast_convergence=fast), engine="fluid")
        assert {e.name: e.value for e in told.explanations}["sawtooth_utilisation"] == pytest.approx(form)
        assert told.metrics["utilisation"] == pytest.approx(form, abs=0.01)
    with pytest.raises(Infeasible, match="full buffer"):
        system_of(scenario()).linearise(system_of(scenario()).fixed_point())


def test_a_share_of_the_path_is_where_it_starts() -> None:
    course = system_of(scenario(flows=10)).course(duration=0.1)
    assert course.rates[0, 0] * 1500 * 8 * 10 == pytest.approx(1e9, rel=1e-9)


@pytest.mark.parametrize("bad", [{"beta": 1.0}, {"beta": 0.0}, {"growth": 0.0}, {"reno_friendly": 2}, {"c": 0.4}])
def test_bad_parameters_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as caught:
        scenario(**bad)
    assert caught.value.problems[0].path.startswith("traffic.0.congestion")
