"""The DCQCN fluid against independently computed rests, critical delays and courses (40 Gb/s, 1 kB packets)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import footroom as fr
from footroom.base.errors import Infeasible, InvalidInput, Unsupported
from footroom.engines.fluid import layout
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.dcqcn_rest import first_order
from footroom.engines.fluid.laws import Dcqcn, Group
from footroom.engines.fluid.laws.flows import Path, Pressure
from footroom.engines.fluid.link import Link, arrange, flow, simulate
from footroom.engines.fluid.markings import DropTail, Marking, Red, Step
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.system import System
from footroom.parts import congestion
from footroom.scenario import Scenario

LINE = 40e9 / 8000.0


def system(flows: int, delay: float = 50e-6, pmax: float = 0.01, line: float = LINE) -> System:
    law = Dcqcn(40e6 / 8000.0, line)
    return System(Link(LINE, packet=1000.0), (Group(flows, delay, law),), Red(5.0, 200.0, pmax))


@pytest.mark.parametrize(
    ("flows", "probability", "queue", "alpha", "ratio"),
    [
        (1, 3.18228e-4, 11.2054, 0.083806, 1.00734),
        (2, 7.76989e-4, 20.1513, 0.101364, 1.01090),
        (4, 0.00188767, 41.8095, 0.121816, 1.01595),
        (8, 0.00455211, 93.7662, 0.145156, 1.02302),
        (10, 0.00603196, 122.623, 0.153276, 1.02583),
        (12, 0.00758566, 152.920, 0.160124, 1.02834),
    ],
)
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
    with pytest.raises(Infeasible, match="oscillates"):
        system(15).fixed_point()


@pytest.mark.parametrize(
    ("flows", "delay"),
    [(2, 85.57), (4, 71.74), (6, 64.68), (8, 62.17), (9, 62.04), (10, 62.47), (12, 64.65), (14, 68.15)],
)
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


@pytest.mark.parametrize(
    ("flows", "delay", "lowest", "highest", "mean", "utilisation"),
    [
        (10, 85e-6, 0.0, 233.8, 55.7, 0.9495),
        (10, 100e-6, 0.0, 241.2, None, 0.936),
        (2, 100e-6, 0.0, 40.15, None, 0.9995),
    ],
)
def test_swings(
    flows: int, delay: float, lowest: float, highest: float, mean: float | None, utilisation: float
) -> None:
    course = system(flows, delay).course()
    assert course.least == pytest.approx(lowest, abs=1e-9)
    assert course.greatest == pytest.approx(highest, rel=5e-3)
    assert course.utilisation == pytest.approx(utilisation, abs=1.5e-3)
    if mean is not None:
        assert course.mean == pytest.approx(mean, rel=0.02)


@pytest.mark.parametrize(
    ("flows", "delay", "peak"),
    [(2, 4e-6, 258.0), (2, 50e-6, 478.0), (10, 4e-6, 3605.0), (10, 50e-6, 5686.0), (10, 100e-6, 7948.0)],
)
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


def integrated(own: System, duration: float, *, finer: float = 1.0, warmup: float = 0.5) -> Any:
    step = own.groups[0].flows.pace(own.path(0)).step / finer
    return simulate(
        arrange(
            [own.link], own.groups, own.marking, step=step, duration=duration, warmup=warmup * duration, ceiling=1e5
        )
    )


def test_beyond_the_ramp_the_queue_oscillates_around_its_end() -> None:
    got = integrated(system(64, 4e-6), 0.2)
    assert (got.least[0, 0], got.greatest[0, 0], got.mean[0, 0]) == pytest.approx((122.0, 227.0, 167.0), rel=0.01)


def test_a_slow_decay_just_below_the_critical_delay() -> None:
    """N = 2 at 85 us, critical at 85.57: the swing is still there after seconds, but smaller, and about q*."""
    own = system(2, 85e-6)
    early, late = (integrated(own, length, warmup=0.9) for length in (0.5, 1.5))
    swings = [got.greatest[0, 0] - got.least[0, 0] for got in (early, late)]
    assert 0.0 < swings[1] < 0.5 * swings[0]
    assert late.mean[0, 0] == pytest.approx(own.fixed_point().queue, rel=1e-3)


@pytest.mark.parametrize(("flows", "delay"), [(2, 4e-6), (10, 50e-6), (10, 85e-6)])
def test_half_the_step_changes_nothing(flows: int, delay: float) -> None:
    coarse, fine = (integrated(system(flows, delay), 0.4, finer=finer) for finer in (1.0, 2.0))
    assert coarse.mean[0, 0] == pytest.approx(fine.mean[0, 0], rel=5e-3)
    assert coarse.greatest[0, 0] == pytest.approx(fine.greatest[0, 0], rel=1e-3)


def test_course_against_plain_python() -> None:
    """The equations as printed, by Euler with a tenth of a microsecond and the past by index: N = 2, 10 us."""
    flows, h, late = 2, 1e-7, 100
    steps = 60_000
    queues, rates = np.zeros(steps + 1), np.full(steps + 1, LINE)
    alpha, target, rate, queue = 1.0, LINE, LINE, 0.0
    for n in range(steps):
        queues[n], rates[n] = queue, rate
        then, seen = (rates[n - late], queues[n - late]) if n >= late else (LINE, 0.0)
        p = 0.0 if seen <= 5 else (seen - 5) / 195 * 0.01 if seen <= 200 else 1.0
        a, wanted, b, d, c, e = 0.0, 0.0, 1e-4, 1 / (55e-6 * then), 1e-4, 1 / (55e-6 * then)
        if p >= 1.0:
            a, wanted, b, c, d, e = 1.0, 1.0, 0.0, 0.0, 0.0, 0.0
        elif p > 0.0:
            a, wanted = 1 - (1 - p) ** (50e-6 * then), 1 - (1 - p) ** (55e-6 * then)
            b, d = p / ((1 - p) ** -1e4 - 1), p / ((1 - p) ** (-55e-6 * then) - 1)
            c, e = b * (1 - p) ** 5e4, d * (1 - p) ** (5 * 55e-6 * then)
        growth = flows * rate - LINE
        alpha += h * (wanted - alpha) / 256 / 55e-6
        lower = -rate * alpha / 100e-6 * a + (target - rate) / 2 * then * (b + d)
        target = min(LINE, target + h * (-(target - rate) / 50e-6 * a + 5000 * then * (c + e)))
        rate = min(LINE, rate + h * lower)
        queue = max(0.0, queue + h * growth)
    got = system(flows, 10e-6).course(duration=steps * h, points=600)
    expected = np.interp(got.time, np.arange(steps) * h, queues[:-1])
    assert np.abs(got.queue - expected).max() < 0.01 * expected.max()
    assert got.rates[0] == pytest.approx(np.interp(got.time, np.arange(steps) * h, rates[:-1]), rel=0.02)


def test_taylor_overstates_the_marks() -> None:
    published = {1: 3.70273e-4, 2: 9.24687e-4, 4: 0.00231952, 8: 0.00583151, 10: 0.00784866, 12: 0.0100055}
    law = Dcqcn(5000.0, 2 * LINE)
    path = Path(LINE, 50e-6, 1000.0, 1.0, 1.0, math.inf)
    for flows, expected in published.items():
        assert first_order(law, LINE / flows) == pytest.approx(expected, rel=3e-6)
        exact = law.notice_for(path, LINE / flows, 0.0)
        assert exact is not None
        assert 1.16 < expected / exact < 1.33


@pytest.mark.parametrize(
    "law",
    [
        Dcqcn(5000.0, LINE),
        Dcqcn(5000.0, LINE, counter=math.inf),
        Dcqcn(625.0, 1.25e7, 5 / 1024, 4e-6, 1e-6, 3e-4, 2097.1, 1.0),
        Dcqcn(5000.0, LINE, counter=1.0),
        Dcqcn(1e6, LINE, recovery=1000.0),
        Dcqcn(5000.0, LINE, least=2 * LINE),
    ],
)
def test_rest_and_notice_undo_one_another_and_more_marks_mean_less(law: Dcqcn) -> None:
    path = Path(LINE, 50e-6, 1000.0, 1.0, 1.0, math.inf)
    marks = np.geomspace(1e-17, 0.99, 60)
    rests = [law.rest(path, Pressure(0.0, p)) for p in marks]
    rates = np.array([rest.rate for rest in rests])
    assert (np.diff(rates) <= 1e-9 * law.line).all()
    assert rates[0] == pytest.approx(law.line, rel=1e-2)
    for p, rest in zip(marks, rests, strict=True):
        assert all(math.isfinite(x) for x in rest.states)
        if 1.001 * law.least < rest.rate < 0.999 * law.line:
            assert law.notice_for(path, rest.rate, 0.0) == pytest.approx(p, rel=1e-6)
    assert law.rest(path, Pressure(0.0, 0.0)).rate == law.line
    assert law.rest(path, Pressure(0.0, 1.0)).rate == min(law.least, law.line)


def test_the_line_rate_holds_at_rest_too() -> None:
    """Two flows that can hardly send more than their share: the target stands at the line rate, less is marked."""
    free, tight = system(2), system(2, line=LINE / 2 * 1.005)
    points = free.fixed_point(), tight.fixed_point()
    assert points[0].values["target_over_rate"] > 1.01
    assert points[1].values["rate_target"] == pytest.approx(1.005 * 20e9)
    assert points[1].probability < points[0].probability
    stays = tight.course(start=points[1], push=0.0, duration=0.05)
    assert (stays.least, stays.greatest) == pytest.approx((points[1].queue, points[1].queue), rel=1e-6)
    with pytest.raises(Infeasible):
        replace(free, marking=Red(5.0, 200.0, 1e-4)).fixed_point()


def test_a_lone_flow_at_line_rate_builds_no_queue() -> None:
    point = system(1).fixed_point()
    assert (point.queue, point.values["load"]) == pytest.approx((0.0, 1.0))


@pytest.mark.parametrize("counter", [10_000.0, math.inf])
def test_unmarked_rates_are_won_back(counter: float) -> None:
    """Without marks R_T' = R_AI (1/T + R/B) and R' = (R_T - R)(1/T + R/B)/2, in plain steps: counter and none."""
    law = Dcqcn(5000.0, LINE, timer=300e-6, counter=counter, start_rate=500.0)
    own = System(Link(LINE, packet=1000.0), (Group(1, 50e-6, law),), Red(5.0, 200.0, 0.01))
    course = own.course(duration=0.02)
    rate = target = 500.0
    for _ in range(20_000):
        often = 1.0 / 300e-6 + rate / counter
        target, rate = target + 1e-6 * 5000.0 * often, rate + 1e-6 * 0.5 * (target - rate) * often
    assert course.rates[0, -1] == pytest.approx(rate, rel=1e-3)


@pytest.mark.parametrize("marking", [Red(5.0, 200.0, 0.01), Step(50.0), DropTail()])
def test_packets_balance(marking: Marking) -> None:
    link = Link(LINE, 300.0, background=0.1 * LINE, packet=1000.0)
    groups = [Group(12, 20e-6, Dcqcn(5000.0, LINE)), Group(3, 60e-6, Dcqcn(5000.0, LINE, counter=math.inf))]
    got = simulate(arrange([link], groups, marking, step=1e-6, duration=0.05))
    found = flow(got, 0, link.capacity)
    growth = got.closed[0, layout.QUEUE] - got.opened[0, layout.QUEUE]
    assert abs(found.offered - found.carried - found.lost - growth) / found.offered < 1e-9
    assert found.lost > 0.0
    assert got.least[0, layout.RATES : layout.RATES + 2].min() > 0.0


def scenario(flows: int = 10, **changed: Any) -> Scenario:
    raw: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "40 Gb/s", "access": "40 Gb/s", "rtt": "50 us"},
        "switch": {"buffer": "12 MB", "marking": {"kind": "red", "kmin": "5 kB", "kmax": "200 kB", "pmax": 0.01}},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": 0, "congestion": {"kind": "dcqcn"}}],
        "run": {"duration": "1 s", "warmup": "500 ms", "mtu": "1000 B"},
    }
    raw["traffic"][0] |= changed
    return Scenario.parse(raw)


def test_a_scenario_gets_the_same_and_says_what_it_rests_at() -> None:
    result = fr.run(scenario(), engine="fluid")
    assert result.metrics["queue_mean"] == pytest.approx(122_623, rel=1e-3)
    assert result.metrics["utilisation"] == pytest.approx(1.0)
    assert result.metrics["drop_rate"] == 0.0
    told = {item.name: item for item in result.explanations}
    assert told["dcqcn_marks"].value == pytest.approx(0.00603196, rel=4e-6)
    assert told["dcqcn_marks"].valid
    assert told["dcqcn_marks_first_order"].value == pytest.approx(0.00784866, rel=3e-6)
    assert not told["dcqcn_marks_first_order"].valid
    point = system_of(scenario()).fixed_point()
    assert point.values["rate"] == pytest.approx(4e9)
    beyond = fr.run(scenario(20), engine="fluid")
    assert not {item.name: item for item in beyond.explanations}["dcqcn_marks"].valid


def test_profiles_are_sets_of_parameters_that_stand() -> None:
    kind = congestion.REGISTRY.get("dcqcn")
    assert [profile.id for profile in kind.profiles] == ["paper", "connectx", "hpcc"]
    assert kind.model_validate({"kind": "dcqcn", **kind.profiles[0].values}) == kind.model_validate({"kind": "dcqcn"})
    for profile in kind.profiles:
        assert profile.source
        assert set(profile.values) <= set(kind.model_fields)
        shipped = scenario(congestion={"kind": "dcqcn", **profile.values})
        assert system_of(shipped).fixed_point().values["rate"] == pytest.approx(4e9)


@pytest.mark.parametrize(
    "bad",
    [
        {"additive_increase": 0},
        {"g": 2},
        {"cnp_interval": "50 kB"},
        {"byte_counter": "10 Mb"},
        {"fast_recovery": 0},
        {"profile": "paper"},
    ],
)
def test_nonsense_is_refused_by_name(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refusal:
        scenario(congestion={"kind": "dcqcn", **bad})
    assert refusal.value.problems[0].path == f"traffic.0.congestion.{next(iter(bad))}"


def test_hosts_without_ecn_are_refused() -> None:
    with pytest.raises(Unsupported, match="marks"):
        system_of(scenario(host={"ecn": False}))
