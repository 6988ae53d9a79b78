"""PowerTCP's fluid against its exact solution, its eigenvalues, shares by beta, and theta-PowerTCP beside it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.fluid.fabric import hurried, imbalance, scenario

import footroom as fr
from footroom.base.errors import InvalidInput, Unsupported
from footroom.engines.fluid import layout
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.laws import Group, PowerTcp
from footroom.engines.fluid.link import Link, arrange, flow, simulate
from footroom.engines.fluid.markings import DropTail
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.system import System

PACKET, TRIP = 1000.0, 20e-6
CAPACITY = 25e9 / 8 / PACKET
PIPE = CAPACITY * TRIP
OPEN = Link(CAPACITY, math.inf, packet=PACKET)
KINDS = [{"kind": "powertcp"}, {"kind": "powertcp", "variant": "theta"}]


def flows(count: int = 1, *, start: float = 4.0, total: float = 0.1, **law: Any) -> Group:
    """Flows with ``start`` pipes of windows and ``total`` pipes of beta among them."""
    return Group(count, TRIP, PowerTcp(total * PIPE / count, window=start * PIPE / count, **law))


@pytest.mark.parametrize("theta", [False, True])
@pytest.mark.parametrize("count", [1, 10])
def test_the_unreduced_law_decays_as_its_reduction_does(count: int, theta: bool) -> None:
    # dw/dt = gamma_r (C T + sum beta - w): an exponential whatever the delay, here from 4 pipes with 2 pipes queued.
    batch = arrange(
        [OPEN],
        [flows(count, theta=theta)],
        DropTail(),
        step=TRIP / 400,
        duration=5 * TRIP,
        queue=2 * PIPE,
        ceiling=100 * PIPE,
        points=2000,
    )
    got = simulate(batch)
    left = (got.closed[0, layout.BLOCKS] * count / PIPE - 1.1) / 2.9
    assert left == pytest.approx(0.0111090, abs=5e-8)
    assert left == pytest.approx(math.exp(-4.5), rel=1e-5)
    time = np.arange(0, 2001, 200) / 400
    rate, queue = got.trace[0, ::200, layout.RATES] * count / CAPACITY, got.trace[0, ::200, layout.QUEUE] / PIPE
    assert rate * (1 + queue) == pytest.approx(1.1 + 2.9 * np.exp(-0.9 * time), rel=1e-6)
    end = simulate(
        arrange(
            [OPEN],
            [flows(count, theta=theta)],
            DropTail(),
            step=TRIP / 50,
            duration=60 * TRIP,
            queue=2 * PIPE,
            ceiling=100 * PIPE,
        )
    )
    assert end.closed[0, [layout.BLOCKS, layout.QUEUE]] * [count, 1] / PIPE == pytest.approx([1.1, 0.1], rel=1e-10)


def test_queue_follows_the_window_by_its_own_equation() -> None:
    """dq/dt = w/(T + q) - 1 with the exact w(t), integrated here by Heun's method: time in T, C = 1."""
    h, queue, values = 1e-3, 2.0, [2.0]
    for n in range(5000):
        first = (1.1 + 2.9 * math.exp(-0.9 * n * h)) / (1 + queue) - 1
        second = (1.1 + 2.9 * math.exp(-0.9 * (n + 1) * h)) / (1 + queue + h * first) - 1
        queue += 0.5 * h * (first + second)
        values.append(queue)
    got = simulate(
        arrange(
            [OPEN],
            [flows()],
            DropTail(),
            step=TRIP / 400,
            duration=5 * TRIP,
            queue=2 * PIPE,
            ceiling=100 * PIPE,
            points=2000,
        )
    )
    assert got.trace[0, ::400, layout.QUEUE] / PIPE == pytest.approx(values[::1000], rel=1e-5)


@pytest.mark.parametrize("theta", [False, True])
@pytest.mark.parametrize("total", [0.01, 0.1, 2.0])
def test_eigenvalues_do_not_know_the_delay(total: float, theta: bool) -> None:
    # -gamma_r, and minus one over the round trip with the queue in equilibrium: -1/T in the limit of a small beta.
    system = System(OPEN, (flows(10, total=total, theta=theta),), DropTail())
    point = system.fixed_point()
    linear = system.linearise(point)
    assert point.queue == pytest.approx(total * PIPE, rel=1e-12)
    assert point.states[2] * 10 == pytest.approx((1 + total) * PIPE, rel=1e-12)
    assert linear.delayed == ()
    assert sorted(np.linalg.eigvals(linear.present) * TRIP) == pytest.approx(
        sorted([-0.9, -1.0 / (1.0 + total)]), rel=1e-8
    )
    # Differences between flows do see the delay, and only slow down: s T = 0.9 (-1 + exp(-s R) / (1 + total)).
    halved = system.halved()
    root = rightmost(halved.linearise(halved.fixed_point())) * TRIP
    assert root == pytest.approx(0.9 * (np.exp(-root * (1 + total)) / (1 + total) - 1), abs=1e-8)
    assert root.real < 0


def test_flows_share_in_proportion_to_their_beta() -> None:
    groups = (Group(3, TRIP, PowerTcp(0.5, window=20.0)), Group(2, TRIP, PowerTcp(2.0, window=1.0)))
    system = System(OPEN, groups, DropTail())
    point, course = system.fixed_point(), system.course()
    total = 3 * 0.5 + 2 * 2.0
    assert point.queue == pytest.approx(total, rel=1e-12)
    assert point.states[2:] == pytest.approx([0.5 * (1 + PIPE / total), 2.0 * (1 + PIPE / total)], rel=1e-12)
    rates = [window * CAPACITY / (PIPE + total) for window in point.states[2:]]
    assert course.rates[:, -1] == pytest.approx(rates, rel=1e-4)
    assert course.queue[-1] == pytest.approx(total, rel=1e-4)


def test_round_trips_alone_do_not_show_an_idle_link() -> None:
    # From a fifth of the pipe: telemetry fills it as the reduction says, round trips grow by beta per update only.
    ends = []
    for theta in (False, True):
        got = simulate(
            arrange(
                [OPEN],
                [flows(10, start=0.2, theta=theta)],
                DropTail(),
                step=TRIP / 100,
                duration=4 * TRIP,
                ceiling=100 * PIPE,
            )
        )
        ends.append(got.closed[0, layout.BLOCKS] * 10 / PIPE)
    assert ends[0] == pytest.approx(1.1 - 0.9 * math.exp(-3.6), rel=1e-4)
    assert ends[1] < 0.5
    # Both rest at the same place.
    rests = [System(OPEN, (flows(10, theta=theta),), DropTail()).fixed_point() for theta in (False, True)]
    assert rests[0].states == pytest.approx(rests[1].states)
    settled = simulate(
        arrange(
            [OPEN],
            [flows(10, start=0.2, theta=True)],
            DropTail(),
            step=TRIP / 50,
            duration=100 * TRIP,
            ceiling=100 * PIPE,
        )
    )
    assert settled.closed[0, layout.QUEUE] == pytest.approx(0.1 * PIPE, rel=1e-9)


def test_weight_and_interval_set_the_speed() -> None:
    for weight, interval in ((0.5, None), (0.9, 4e-6)):
        system = System(OPEN, (flows(weight=weight, interval=interval),), DropTail())
        linear = system.linearise(system.fixed_point())
        speed = weight / (TRIP if interval is None else interval)
        assert np.min(np.abs(np.linalg.eigvals(linear.present) + speed)) < 1e-6 * speed


@pytest.mark.parametrize("kind", KINDS, ids=["powertcp", "theta"])
def test_defaults_are_the_papers(kind: dict[str, Any]) -> None:
    # beta = line * T / 10, shared by 30 flows: a queue of three pipes of the line.
    system = system_of(scenario(kind, bottleneck="25 Gb/s", access="25 Gb/s", rtt="20 us", flows=30))
    point, course = system.fixed_point(), system.course()
    assert point.queue == pytest.approx(3 * PIPE, rel=1e-9)
    assert course.mean == pytest.approx(3 * PIPE, rel=1e-6)
    assert course.rates.max() <= CAPACITY * (1 + 1e-12)
    given = system_of(scenario({**kind, "additive_increase": "2 kB"}, flows=30)).fixed_point()
    assert given.values["queue"] == pytest.approx(60e3, rel=1e-9)


def test_a_slow_line_is_all_a_sender_sends() -> None:
    system = system_of(scenario({"kind": "powertcp"}, access="9 Gb/s", flows=12))
    line = 9e9 / 8 / PACKET
    course = system.course()
    assert course.rates.max() <= line * (1 + 1e-12)
    # Twelve lines of 9 Gb/s reach 108 Gb/s: flows rest below their line, with their queue.
    point = system.fixed_point()
    assert point.values["rate"] == pytest.approx(100e9 / 12, rel=1e-9)
    assert course.mean == pytest.approx(point.queue, rel=1e-6)


@pytest.mark.parametrize("kind", KINDS, ids=["powertcp", "theta"])
def test_a_buffer_shorter_than_the_queue_at_rest_stays_full(kind: dict[str, Any]) -> None:
    system = system_of(scenario({**kind, "additive_increase": "2 kB"}, flows=30, buffer="30 kB"))
    point, course = system.fixed_point(), system.course()
    assert point.full
    # w = beta (1 + C T / B), and what C does not carry is lost.
    rate = 30 * 2.0 * (1 + 162.5 / 30) / (13e-6 * (1 + 30 / 162.5))
    assert point.probability == pytest.approx(1 - 12.5e6 / rate, rel=1e-9)
    # Measured from six settling times on, each of two time constants.
    assert course.loss == pytest.approx(point.probability, rel=math.exp(-12))
    assert course.least == pytest.approx(30.0)


def test_a_fast_sender_over_a_long_path_is_followed_in_short_enough_steps() -> None:
    # 400 updates per round trip: steps of a 25th of it would blow up.
    system = system_of(scenario({"kind": "powertcp", "update_interval": "1 us"}, rtt="400 us", flows=4))
    assert system.course().mean == pytest.approx(system.fixed_point().queue, rel=1e-6)


def test_a_queue_that_moves_at_full_speed_is_looked_up_within_memory() -> None:
    # Newton for the implicit round trip takes its longest steps there.
    asked = scenario(
        {
            "kind": "powertcp",
            "variant": "theta",
            "update_interval": "1.4 us",
            "expected_flows": 4960,
            "base_rtt": "54 us",
        },
        bottleneck="427 Gb/s",
        access="3.8 Tb/s",
        rtt="69 us",
        flows=14,
        buffer="16 kB",
        run={"mtu": 9000, "duration": "340 ms", "warmup": "100 ms"},
    )
    result = fr.run(asked, engine="fluid")
    assert result.metrics["utilisation"] == pytest.approx(1.0)
    assert 0.5 < result.metrics["drop_rate"] < 1.0


def test_a_round_trip_computed_much_too_short_makes_it_unstable() -> None:
    # The reduction needs windows computed with the flows' own round trip.
    system = system_of(
        scenario(
            {"kind": "powertcp", "base_rtt": "9 us"},
            rtt="400 us",
            flows=800,
            buffer="64 MB",
            bottleneck="135 Gb/s",
            access="43 Gb/s",
        )
    )
    assert rightmost(system.linearise(system.fixed_point())).real > 0
    course = system.course()
    assert course.greatest - course.least > course.mean


def test_windows_held_at_the_lines_are_no_part_of_the_linear_equations() -> None:
    # beta exceeds what the line carries in T: every sender stays at line rate, and the queue alone answers.
    system = system_of(scenario({"kind": "powertcp", "additive_increase": "50 kB"}, access="8 Gb/s", flows=20))
    point = system.fixed_point()
    linear = system.linearise(point)
    assert point.states[2] == pytest.approx(8e9 / 8 / PACKET * 13e-6)
    assert point.values["queue"] == pytest.approx((20 * 8 / 100 - 1) * 162_500, rel=1e-9)
    assert linear.names == ("queue",)
    assert linear.present == pytest.approx(np.array([[-1 / point.values["round_trip"]]]), rel=1e-6)
    assert system.course().mean == pytest.approx(point.queue, rel=1e-6)


def test_packets_balance_and_rest_stays() -> None:
    system = system_of(scenario({"kind": "powertcp"}, flows=64, buffer="400 kB"))
    got = simulate(arrange([system.link], system.groups, system.marking, step=13e-6 / 40, duration=1e-3))
    found = flow(got, 0, system.link.capacity)
    assert found.lost > 0.0
    assert imbalance(found, got.closed[0, layout.QUEUE]) < 1e-12
    roomy = system_of(scenario({"kind": "powertcp"}, flows=64))
    course = roomy.course(start=roomy.fixed_point(), push=0.0)
    assert course.greatest - course.least < 1e-9 * course.mean


@pytest.mark.parametrize("kind", KINDS, ids=["powertcp", "theta"])
@pytest.mark.parametrize("rate", ["10 Gb/s", "400 Gb/s"])
@pytest.mark.parametrize("rtt", ["4 us", "100 us"])
@pytest.mark.parametrize("count", [2, 40])
def test_half_the_step_and_twice_the_time_change_nothing(
    monkeypatch: pytest.MonkeyPatch, kind: dict[str, Any], rate: str, rtt: str, count: int
) -> None:
    system = system_of(scenario(kind, bottleneck=rate, rtt=rtt, flows=count, buffer="64 MB", spread=0.2))
    point, own = system.fixed_point(), system.course()
    assert own.mean == pytest.approx(point.queue, rel=1e-6)
    pace = PowerTcp.pace
    for step, cycle in ((0.5, 1.0), (1.0, 2.0)):
        monkeypatch.setattr(PowerTcp, "pace", hurried(pace, step, cycle))
        other = system.course()
        assert (other.mean, other.utilisation) == pytest.approx((own.mean, own.utilisation), rel=1e-6)


@pytest.mark.parametrize("kind", KINDS, ids=["powertcp", "theta"])
def test_the_engine_answers_the_scenario(kind: dict[str, Any]) -> None:
    result = fr.run(scenario(kind, flows=30), engine="fluid")
    assert result.metrics["queue_mean"] == pytest.approx(3 * 162_500, rel=1e-6)
    assert result.metrics["utilisation"] == pytest.approx(1.0)
    assert result.metrics["drop_rate"] == 0.0
    with pytest.raises(Unsupported) as refusal:
        fr.run(scenario(kind), engine="theory")
    assert refusal.value.engines == ("fluid", "packet", "reference")


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"weight": 1.5}, "weight"),
        ({"variant": "delta"}, "variant"),
        ({"expected_flows": 0}, "expected_flows"),
        ({"update_interval": "2 m"}, "update_interval"),
        ({"gamma": 0.9}, "gamma"),
    ],
)
def test_what_is_wrong_is_named(wrong: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        scenario({"kind": "powertcp", **wrong})
    assert [problem.path for problem in refusal.value.problems] == [f"traffic.0.congestion.{path}"]
