"""TIMELY's fluid, patched and original, against published and independently integrated values (CoNEXT 2016, section 4).

10 Gb/s, 4 us of propagation, packets of 1 kB, D = 20 us, thresholds of 50 and 500 us, delta = 10 Mb/s.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.fluid.fabric import hurried, imbalance, scenario

import footroom as fr
from footroom.base.errors import Infeasible, InvalidInput, Unsupported
from footroom.engines.fluid import layout
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.batch import Outcome
from footroom.engines.fluid.laws import Group, Timely
from footroom.engines.fluid.link import Link, arrange, flow, simulate
from footroom.engines.fluid.markings import DropTail
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.system import Linearised, System
from footroom.parts.congestion import REGISTRY

PACKET, BITS, TRIP = 1000.0, 8000.0, 4e-6
CAPACITY = 10e9 / BITS
LOW, DELTA, SPACING = 50e-6, 10e6 / BITS, 20e-6
OPEN = Link(CAPACITY, math.inf, packet=PACKET)


def law(**changes: Any) -> Timely:
    """The patched law with its published parameters, some changed."""
    return Timely(**{"delta": DELTA, "segment": 16.0, "line": CAPACITY, "least": 10e6 / BITS, **changes})


def original(gigabits: float) -> Group:
    """One flow of the original law that starts at this rate."""
    return Group(1, TRIP, law(patched=False, beta=0.8, segment=64.0, rate=gigabits * 1e9 / BITS))


def system(count: int, **changes: Any) -> System:
    """Patched flows."""
    return System(OPEN, (Group(count, TRIP, law(**changes)),), DropTail())


def followed(*groups: Group, duration: float, warmup: float = 0.0, points: int = 0) -> Outcome:
    """From their own start, in steps of 2 us."""
    return simulate(
        arrange([OPEN], groups, DropTail(), step=2e-6, duration=duration, warmup=warmup, ceiling=4000, points=points)
    )


@pytest.mark.parametrize(("count", "queue"), [(2, 78_125), (10, 140_625), (40, 375_000)])
def test_fixed_point(count: int, queue: float) -> None:
    point = system(count).fixed_point()
    assert point.values["queue"] == pytest.approx(queue, rel=1e-12)
    assert point.values["rate"] == pytest.approx(10e9 / count, rel=1e-12)
    assert point.states[2:] == pytest.approx((CAPACITY / count, 0.0))


def test_two_flows_converge_to_equal_shares() -> None:
    groups = [Group(1, TRIP, law(rate=share * CAPACITY)) for share in (0.7, 0.3)]
    got = followed(*groups, duration=0.3, points=150_000)
    assert got.closed[0, layout.QUEUE] * PACKET == pytest.approx(78_125, rel=1e-9)
    apart = np.abs(got.trace[0, :, layout.RATES] - got.trace[0, :, layout.RATES + 1])
    outside = np.flatnonzero(apart > 0.1 * CAPACITY / 2)
    assert (outside[-1] + 1) * got.trace_step[0] == pytest.approx(53.9e-3, abs=5e-5)
    # delta / (2 R tau*) per second: 39.06, in the halved system's eigenvalue and in the course.
    halved = system(2).halved()
    roots = rightmost(halved.linearise(halved.fixed_point()))
    assert roots == pytest.approx(-DELTA / (2 * 16.0), rel=1e-6)
    late = apart[[50_000, 75_000]]
    assert math.log(late[0] / late[1]) / 0.05 == pytest.approx(39.0625, rel=1e-3)


def test_the_original_keeps_unequal_shares() -> None:
    even = followed(original(5.0), original(5.0), duration=0.2, warmup=0.1)
    rates = even.mean[0, layout.RATES : layout.RATES + 2] * BITS / 1e9
    assert rates == pytest.approx([4.70, 4.70], abs=0.01)
    assert even.greatest[0, layout.QUEUE] * PACKET == pytest.approx(66.6e3, rel=2e-3)
    uneven = followed(original(7.0), original(3.0), duration=0.2, warmup=0.1)
    assert uneven.mean[0, layout.RATES : layout.RATES + 2] * BITS / 1e9 == pytest.approx([6.46, 3.01], rel=0.015)


@pytest.mark.parametrize(("slope", "critical"), [(2.0, 19.0), (0.5, 39.26)])
def test_critical_number_of_flows(slope: float, critical: float) -> None:
    def growth(count: float) -> float:
        many = System(OPEN, (Group(count, TRIP, law(slope=slope)),), DropTail())
        return rightmost(many.linearise(many.fixed_point())).real

    assert brentq(growth, 10.0, 60.0) == pytest.approx(critical, abs=0.01)


@pytest.mark.parametrize(
    ("slope", "count", "swing"), [(2.0, 18, 0.0), (2.0, 20, None), (0.5, 36, 0.0), (0.5, 40, 48e3)]
)
def test_queue_rests_below_and_cycles_above_it(slope: float, count: int, swing: float | None) -> None:
    got = followed(Group(count, TRIP, law(slope=slope)), duration=1.0, warmup=0.9)
    found = float(got.greatest[0, layout.QUEUE] - got.least[0, layout.QUEUE]) * PACKET
    if swing is None:
        assert found > 20e3
    else:
        assert found == pytest.approx(swing, rel=5e-3, abs=1.0)


def loop_gain(linear: Linearised, frequency: float) -> complex:
    """L(j w), cut where the queue is delayed: nothing else is."""
    queue, s = 0, 1j * frequency
    fed = sum((matrix[:, queue] * np.exp(-s * delay) for matrix, delay in linear.delayed), np.zeros(3, complex))
    return complex(-np.linalg.solve(s * np.eye(3) - linear.present, fed)[queue])


@pytest.mark.parametrize(("count", "margin", "published"), [(38, 2.88, 3.22), (40, -1.65, -1.31)])
def test_phase_margin_with_the_slope_of_the_published_curve(count: int, margin: float, published: float) -> None:
    half = system(count, slope=0.5)
    linear = half.linearise(half.fixed_point())
    assert all(not matrix[:, 1:].any() for matrix, _ in linear.delayed)
    crossing = brentq(lambda w: abs(loop_gain(linear, w)) - 1.0, 1000.0, 3000.0)
    found = math.degrees(np.angle(loop_gain(linear, crossing))) % 360.0 - 180.0
    assert found == pytest.approx(margin, abs=0.005)
    assert found == pytest.approx(published, abs=0.35)


def test_linear_equations_against_derivatives_by_hand() -> None:
    count = 10
    rest = system(count)
    linear = rest.linearise(rest.fixed_point())
    rate, queue, low = CAPACITY / count, 140.625, CAPACITY * LOW
    between = 16.0 / rate
    assert between > SPACING
    # d/dt (q, R, g); cuts and growth both are delta/2 per tau* in equilibrium.
    present = [[0, count, 0], [0, -DELTA / (2 * rate * between), -2 * 2.0 * DELTA / between], [0, 0, -0.875 / between]]
    assert linear.present == pytest.approx(np.array(present), rel=1e-6)
    (recent, age), (before, longer) = linear.delayed
    assert age == pytest.approx(TRIP + (queue + 1) / CAPACITY)
    assert longer == pytest.approx(age + between)
    per_queue = 0.875 / (between * CAPACITY * SPACING)
    assert recent[:, 0] == pytest.approx([0, -0.008 * rate / (2 * low * between), per_queue], rel=1e-6)
    assert before[:, 0] == pytest.approx([0, 0, -per_queue], rel=1e-6)


@cache
def by_hand(count: int, duration: float, h: float) -> Any:
    """Queue in packets of identical patched flows by Heun's method, straight lines between steps, plain Python."""
    total = round(duration / h)
    queue, rate, gradient = [0.0] * (total + 1), CAPACITY / count, 0.0
    low = CAPACITY * LOW

    def past(at: float) -> float:
        place = max(at / h, 0.0)
        left = int(place)
        return queue[left] + (place - left) * (queue[left + 1] - queue[left])

    def slopes(now: float, q: float, r: float, g: float) -> tuple[float, float, float]:
        between = max(16.0 / r, SPACING)
        age = TRIP + (q + 1.0) / CAPACITY
        met, before = past(now - age), past(now - age - between)
        weight = min(1.0, max(0.0, 2.0 * g + 0.5))
        change = DELTA if met < low else (1 - weight) * DELTA - weight * 0.008 * r * (met - low) / low
        filling = count * r - CAPACITY
        turning = 0.875 / between * ((met - before) / (CAPACITY * SPACING) - g)
        return max(0.0, filling) if q <= 0.0 else filling, change / between, turning

    for n in range(total):
        first = slopes(n * h, queue[n], rate, gradient)
        guess = (max(0.0, queue[n] + h * first[0]), rate + h * first[1], gradient + h * first[2])
        second = slopes((n + 1) * h, *guess)
        queue[n + 1] = max(0.0, queue[n] + 0.5 * h * (first[0] + second[0]))
        rate += 0.5 * h * (first[1] + second[1])
        gradient += 0.5 * h * (first[2] + second[2])
    return np.array(queue)


def test_course_and_cycle_against_plain_python() -> None:
    expected = by_hand(20, 0.2, 4e-6)
    got = followed(Group(20, TRIP, law()), duration=0.2, warmup=0.15, points=100_000)
    course = got.trace[0, ::2, layout.QUEUE]
    assert course[:5000:100] == pytest.approx(expected[:5000:100], abs=0.3)
    assert expected[37_500:].max() == pytest.approx(float(got.greatest[0, layout.QUEUE]), rel=1e-3)
    assert np.ptp(expected[37_500:]) == pytest.approx(
        float(got.greatest[0, layout.QUEUE] - got.least[0, layout.QUEUE]), rel=5e-3
    )


def test_start_at_the_fixed_point_stays_there() -> None:
    rest = system(10)
    point = rest.fixed_point()
    course = rest.course(start=point, push=0.0, duration=0.05)
    assert course.greatest == pytest.approx(point.queue, rel=1e-9)
    assert course.least == pytest.approx(point.queue, rel=1e-9)


def test_packets_balance_at_a_small_buffer() -> None:
    link = Link(CAPACITY, 40.0, packet=PACKET)
    got = simulate(arrange([link], [Group(8, TRIP, law())], DropTail(), step=4e-6, duration=0.05))
    found = flow(got, 0, CAPACITY)
    assert found.lost > 0.0
    assert imbalance(found, got.closed[0, layout.QUEUE]) < 1e-12
    # Below T_low rates grow up to the line whatever is lost.
    point = System(link, (Group(8, TRIP, law()),), DropTail()).fixed_point()
    assert point.full
    assert point.probability == pytest.approx(1 - 1 / 8)
    later = simulate(arrange([link], [Group(8, TRIP, law())], DropTail(), step=4e-6, duration=0.4, warmup=0.3))
    assert flow(later, 0, CAPACITY).loss == pytest.approx(7 / 8, rel=1e-6)


def test_a_buffer_overrun_within_a_step_is_looked_up_within_memory() -> None:
    asked = scenario(
        {"kind": "timely", "multiplicative_decrease": 0.0156, "segment": 1232},
        bottleneck="24 Gb/s",
        access="44 Gb/s",
        rtt="120 us",
        flows=847,
        buffer="18 kB",
        run={"mtu": 576},
    )
    metrics = fr.run(asked, engine="fluid").metrics
    assert metrics["queue_max"] == pytest.approx(18e3)
    assert metrics["utilisation"] == pytest.approx(1.0)


def test_the_original_has_no_state_of_rest_and_says_why() -> None:
    asked = system_of(scenario({"kind": "timely", "variant": "original"}, bottleneck="10 Gb/s", rtt="4 us", flows=2))
    with pytest.raises(Infeasible, match=r"every rate still grows.*any queue between the thresholds.*patched"):
        asked.fixed_point()


def test_more_flows_than_the_thresholds_hold_chatter_at_the_upper_one() -> None:
    # q = q' (1 + N delta / (beta C)) reaches C T_high = 10 q' at N = 72.
    assert system(71).fixed_point().values["queue"] == pytest.approx(617_187.5)
    with pytest.raises(Infeasible, match="below 625000 B"):
        system(73).fixed_point()


def test_round_trips_do_not_change_shares() -> None:
    groups = (Group(3, 4e-6, law()), Group(2, 60e-6, law()))
    mixed = System(OPEN, groups, DropTail())
    point, course = mixed.fixed_point(), mixed.course()
    assert point.values["queue"] == pytest.approx(62_500 * (1 + 5 * 10e6 / (0.008 * 10e9)))
    assert point.values["0.rate"] == pytest.approx(point.values["1.rate"])
    assert course.rates[:, -1] == pytest.approx([CAPACITY / 5] * 2, rel=1e-3)


def test_senders_keep_to_their_line_and_start_where_they_are_told() -> None:
    asked = scenario(
        {"kind": "timely", "start_rate": "9 Gb/s"}, bottleneck="10 Gb/s", access="4 Gb/s", rtt="4 us", flows=3
    )
    course = system_of(asked).course()
    assert course.rates[0, 0] == pytest.approx(4e9 / BITS)
    assert course.rates.max() <= 4e9 / BITS * (1 + 1e-12)
    fair = system_of(scenario({"kind": "timely"}, bottleneck="10 Gb/s", rtt="4 us", flows=5)).course()
    assert fair.rates[0, 0] == pytest.approx(2e9 / BITS)


@pytest.mark.parametrize(
    "congestion", [{"kind": "timely"}, {"kind": "timely", "variant": "original"}], ids=["patched", "original"]
)
@pytest.mark.parametrize(
    ("rate", "rtt", "flows"),
    [
        ("10 Gb/s", "4 us", 40),
        ("10 Gb/s", "100 us", 2),
        ("100 Gb/s", "20 us", 10),
        ("400 Gb/s", "100 us", 40),
        ("400 Gb/s", "4 us", 2),
        ("100 Gb/s", "4 us", 400),
    ],
)
def test_half_the_step_and_twice_the_time_change_no_swing(
    monkeypatch: pytest.MonkeyPatch, congestion: dict[str, Any], rate: str, rtt: str, flows: int
) -> None:
    asked = system_of(scenario(congestion, bottleneck=rate, rtt=rtt, flows=flows))
    own = asked.course()
    assert own.greatest - own.least > 1.0
    pace = Timely.pace
    for step, cycle in ((0.5, 0.5), (1.0, 2.0)):
        monkeypatch.setattr(Timely, "pace", hurried(pace, step, cycle))
        other = asked.course()
        assert other.greatest - other.least == pytest.approx(own.greatest - own.least, rel=0.01)
        assert other.mean == pytest.approx(own.mean, rel=0.05)


def test_the_engine_answers_the_scenario() -> None:
    asked = scenario({"kind": "timely"}, bottleneck="10 Gb/s", rtt="4 us", flows=10, run={"duration": "1 s"})
    result = fr.run(asked, engine="fluid")
    assert result.metrics["queue_mean"] == pytest.approx(140_625, rel=1e-4)
    assert result.metrics["utilisation"] == pytest.approx(1.0)
    told = {item.name: item for item in result.explanations}
    assert told["fluid_rate_0"].value == pytest.approx(1e9)
    assert told["fluid_rate_0"].unit == "bit/s"
    assert told["fluid_growth"].value < 0
    with pytest.raises(Unsupported) as refusal:
        fr.run(asked, engine="theory")
    assert refusal.value.engines == ("fluid", "packet", "reference")


def test_variants_come_with_their_published_constants() -> None:
    def made(**own: Any) -> Any:
        return system_of(scenario({"kind": "timely", **own}, flows=2)).groups[0].flows

    assert (made().beta, made().segment) == (0.008, 16.0)
    assert (made(variant="original").beta, made(variant="original").segment) == (0.8, 64.0)
    assert (made(multiplicative_decrease=0.1, segment="32 kB").beta, made(segment="32 kB").segment) == (0.1, 32.0)


def test_profiles_are_sets_of_parameters_that_stand() -> None:
    kind = REGISTRY.get("timely")
    default, *others = [
        system_of(scenario({"kind": "timely", **profile.values})).groups[0].flows for profile in kind.profiles
    ]
    assert default == system_of(scenario({"kind": "timely"})).groups[0].flows
    assert all(other != default for other in others)


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"t_low": "600 us"}, "t_high"),
        ({"variant": "fixed"}, "variant"),
        ({"slope": 0}, "slope"),
        ({"additive_increase": "10 MB"}, "additive_increase"),
        ({"delta": 1}, "delta"),
    ],
)
def test_what_is_wrong_is_named(wrong: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        scenario({"kind": "timely", **wrong})
    assert [problem.path for problem in refusal.value.problems] == [f"traffic.0.congestion.{path}"]
