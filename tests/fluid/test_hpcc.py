"""HPCC's fluid against sum W = eta BDP + sum W_AI, an independent integration, and its divergence without reference."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.fluid.fabric import hurried, imbalance, scenario

import footroom as fr
from footroom.base.errors import Infeasible, InvalidInput, NotConverged, Unsupported
from footroom.engines.fluid import layout
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.laws import Group, Hpcc
from footroom.engines.fluid.link import Link, arrange, flow, simulate
from footroom.engines.fluid.markings import DropTail
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.system import System
from footroom.parts.congestion import REGISTRY

PACKET, TRIP = 1000.0, 13e-6
CAPACITY = 100e9 / 8 / PACKET
PIPE = CAPACITY * TRIP
OPEN = Link(CAPACITY, math.inf, packet=PACKET)
#: Flows, sum of the windows over the pipe, queue in bytes: 100 Gb/s, 13 us, W_AI = 80 B.
KNOWN = [(16, 0.957877, 0.0), (100, 0.999231, 0.0), (200, 1.048462, 7875.0), (400, 1.146923, 23_875.0)]


def integrated(count: int, *, reference: bool, trips: float = 100.0, steps: int = 50) -> tuple[Any, Any]:
    """Sum of windows and queue, in pipes, by Heun's method with straight lines between steps: time in T, C = 1."""
    h, total = 1.0 / steps, round(trips * steps)
    window, queue, rate = (np.zeros(total + 1) for _ in range(3))
    window[0] = rate[0] = 16.0
    increase = count * 80.0 / (PIPE * PACKET)

    def past(values: Any, at: float, now: int) -> float:
        place = min(max(at / h, 0.0), float(now))
        left = min(int(place), max(now - 1, 0))
        return float(values[left] + (place - left) * (values[min(left + 1, now)] - values[left]))

    def slopes(now: int, w: float, q: float) -> tuple[float, float]:
        low, then = now * h - 1.0 - queue.max(), now * h - 1.0
        for _ in range(40):
            middle = 0.5 * (low + then)
            low, then = (middle, then) if middle + 1.0 + past(queue, middle, now) < now * h else (low, middle)
        q_then = past(queue, then, now)
        load = q_then + (1.0 if q_then > 0.0 else min(1.0, past(rate, then, now)))
        scaled = past(window, then, now) if reference else w
        return 0.95 * scaled / load + increase - w, w / (1.0 + q) - 1.0

    for n in range(total):
        dw, dq = slopes(n, window[n], queue[n])
        w, q = window[n] + h * dw, max(0.0, queue[n] + h * dq)
        window[n + 1], queue[n + 1], rate[n + 1] = w, q, w / (1.0 + q)
        dw2, dq2 = slopes(n + 1, w, q)
        window[n + 1] = max(0.0, window[n] + 0.5 * h * (dw + dw2))
        queue[n + 1] = max(0.0, queue[n] + 0.5 * h * (dq + dq2))
        rate[n + 1] = window[n + 1] / (1.0 + queue[n + 1])
        if window[n + 1] > 1e3:
            return window[: n + 2], queue[: n + 2]
    return window, queue


def group(count: int, *, reference: bool = True) -> Group:
    """Flows that start with 16 pipes among them."""
    return Group(count, TRIP, Hpcc(0.08, window=16.0 * PIPE / count, reference=reference))


@pytest.mark.parametrize(("count", "total", "queue"), KNOWN)
def test_windows_add_up_to_what_the_formula_says(count: int, total: float, queue: float) -> None:
    exact = 0.95 + count * 0.08 / PIPE
    assert exact == pytest.approx(total, abs=5e-7)
    point = System(OPEN, (group(count),), DropTail()).fixed_point()
    assert point.states[2] * count / PIPE == pytest.approx(exact, rel=1e-12)
    assert point.values["queue"] == pytest.approx(queue, abs=1e-6)
    assert point.values["load"] == pytest.approx(min(1.0, exact), rel=1e-12)
    got = simulate(arrange([OPEN], [group(count)], DropTail(), step=TRIP / 25, duration=400 * TRIP, ceiling=100 * PIPE))
    assert got.closed[0, layout.BLOCKS] * count / PIPE == pytest.approx(exact, rel=1e-10)
    assert got.closed[0, layout.QUEUE] * PACKET == pytest.approx(queue, abs=1e-6)


@pytest.mark.parametrize("count", [16, 200])
def test_course_against_plain_python(count: int) -> None:
    window, queue = integrated(count, reference=True)
    got = simulate(
        arrange(
            [OPEN], [group(count)], DropTail(), step=TRIP / 100, duration=100 * TRIP, ceiling=100 * PIPE, points=10_000
        )
    )
    rows = slice(0, 10_001, 200)
    assert got.trace[0, rows, layout.QUEUE] / PIPE == pytest.approx(queue[::100], abs=0.02)
    first = got.trace[0, 100:2000:100, layout.RATES] * count / CAPACITY
    assert first == pytest.approx((window / (1.0 + queue))[50:1000:50], abs=0.02)
    assert queue.max() > 5.0


@pytest.mark.parametrize("count", [16, 100, 200])
def test_the_present_window_instead_of_the_reference_diverges(count: int) -> None:
    window, queue = integrated(count, reference=False)
    assert max(window.max(), queue.max()) > 100.0
    batch = arrange(
        [OPEN], [group(count, reference=False)], DropTail(), step=TRIP / 50, duration=400 * TRIP, ceiling=500 * PIPE
    )
    try:
        assert simulate(batch).greatest[0, layout.QUEUE] > 50.0 * PIPE
    except NotConverged as broke_off:
        assert "longest delay" in str(broke_off)  # noqa: PT017


def test_without_the_reference_it_swings_for_ever_within_its_bounds() -> None:
    course = system_of(scenario({"kind": "hpcc", "reference_window": False})).course()
    assert course.greatest - course.least > 4 * PIPE
    settled = system_of(scenario({"kind": "hpcc"})).course()
    assert settled.greatest == settled.least == 0.0


def test_a_small_disturbance_of_an_unfilled_link_is_gone_after_one_round_trip() -> None:
    # Deadbeat: what a window was does not matter, as it is scaled by the load it made itself. Only 1/T remains.
    system = System(OPEN, (group(16),), DropTail())
    linear = system.linearise(system.fixed_point())
    assert linear.delayed == ()
    assert linear.present == pytest.approx(np.array([[-1.0 / TRIP]]))
    # A queue answers: (s T + 1)(s (T + q/C) + 1) = eta s T exp(-s (T + q/C)).
    system = System(OPEN, (group(200),), DropTail())
    point = system.fixed_point()
    root = rightmost(system.linearise(point))
    trip = point.values["round_trip"]
    miss = (root * TRIP + 1) * (root * trip + 1) - 0.95 * root * TRIP * np.exp(-root * trip)
    assert abs(miss) < 1e-6
    assert root.real < 0


def test_shares_follow_the_additive_increase_and_differences_die_out_slowly() -> None:
    groups = (Group(40, TRIP, Hpcc(0.08, window=0.1)), Group(20, TRIP, Hpcc(0.24, window=20.0)))
    system = System(OPEN, groups, DropTail())
    point = system.fixed_point()
    total = 0.95 + (40 * 0.08 + 20 * 0.24) / PIPE
    assert (point.states[2], point.states[3]) == pytest.approx(
        (0.08 / (1 - 0.95 / total), 0.24 / (1 - 0.95 / total)), rel=1e-12
    )
    course = system.course()
    assert course.rates[:, -1] * TRIP == pytest.approx(point.states[2:], rel=1e-4)
    # Difference mode: s T = -1 + k exp(-s T), k = eta/U.
    halved = System(OPEN, (group(16),), DropTail()).halved()
    root = rightmost(halved.linearise(halved.fixed_point())) * TRIP
    share = 0.95 / (0.95 + 16 * 0.08 / PIPE)
    assert root == pytest.approx(share * np.exp(-root) - 1.0, abs=1e-9)
    assert -0.01 < root.real < 0.0


def test_a_background_leaves_what_is_left() -> None:
    link = Link(CAPACITY, 2000.0, background=0.3 * CAPACITY, packet=PACKET)
    system = System(link, (Group(16, TRIP, Hpcc(0.08, line=CAPACITY)),), DropTail())
    point, course = system.fixed_point(), system.course()
    # 1 - eta/U of the window is W_AI, U the load with the background.
    window, load = point.states[2], point.values["load"]
    assert window * (1 - 0.95 / load) == pytest.approx(0.08, rel=1e-9)
    assert load == pytest.approx(0.3 + 16 * window / PIPE, rel=1e-9)
    assert course.utilisation == pytest.approx(load, rel=1e-6)


def test_starts_at_the_lines_rate_and_never_exceeds_it() -> None:
    system = system_of(scenario({"kind": "hpcc"}, access="25 Gb/s", flows=8))
    course = system.course()
    line = 25e9 / 8 / PACKET
    assert course.rates.max() == pytest.approx(line)
    assert course.rates[0, 0] == pytest.approx(line)
    # Windows of a faster line than the reference round trip allows are cut off at line * T.
    held = system_of(scenario({"kind": "hpcc", "base_rtt": "2 us"}, flows=8, rtt="40 us"))
    slow = held.fixed_point()
    assert slow.states[2] == pytest.approx(CAPACITY * 2e-6)
    assert slow.values["load"] == pytest.approx(8 * 2 / 40)
    with pytest.raises(Infeasible, match="every flow sends at the lowest or highest rate"):
        held.linearise(slow)


def test_one_reference_round_trip_for_all_makes_windows_equal() -> None:
    system = system_of(scenario({"kind": "hpcc"}, flows=400, spread=0.3))
    point, course = system.fixed_point(), system.course()
    assert point.states[2:] == pytest.approx([point.states[2]] * 8)
    assert course.rates[:, -1] * PACKET * 8 == pytest.approx(
        [point.values[f"{g}.rate"] for g in range(len(system.groups))], rel=1e-3
    )


@pytest.mark.parametrize("start", [True, False])
def test_packets_balance_and_rest_stays(start: bool) -> None:
    system = system_of(scenario({"kind": "hpcc"}, flows=200, buffer="300 kB"))
    if start:
        course = system.course(start=system.fixed_point(), push=0.0)
        assert course.greatest - course.least < 1e-9 * course.mean
        return
    batch = arrange([system.link], system.groups, system.marking, step=TRIP / 40, duration=100 * TRIP, warmup=0.0)
    got = simulate(batch)
    found = flow(got, 0, system.link.capacity)
    assert found.lost > 0.0
    assert imbalance(found, got.closed[0, layout.QUEUE]) < 1e-12


@pytest.mark.parametrize("rate", ["10 Gb/s", "400 Gb/s"])
@pytest.mark.parametrize("rtt", ["4 us", "100 us"])
@pytest.mark.parametrize("flows", [2, 40, 400])
def test_half_the_step_and_twice_the_time_change_nothing(
    monkeypatch: pytest.MonkeyPatch, rate: str, rtt: str, flows: int
) -> None:
    system = system_of(scenario({"kind": "hpcc"}, bottleneck=rate, rtt=rtt, flows=flows))
    point, own = system.fixed_point(), system.course()
    assert own.mean == pytest.approx(point.queue, rel=1e-6, abs=1e-9)
    assert own.utilisation == pytest.approx(point.values["load"], rel=1e-6)
    pace = Hpcc.pace
    for step, cycle in ((0.5, 1.0), (1.0, 2.0)):
        monkeypatch.setattr(Hpcc, "pace", hurried(pace, step, cycle))
        other = system.course()
        assert (other.mean, other.utilisation) == pytest.approx((own.mean, own.utilisation), rel=1e-6, abs=1e-9)


def test_the_engine_answers_the_scenario() -> None:
    result = fr.run(scenario({"kind": "hpcc"}, flows=100), engine="fluid")
    assert result.metrics["utilisation"] == pytest.approx(0.999231, abs=1e-6)
    assert result.metrics["drop_rate"] == 0.0
    assert result.metrics["fairness"] == pytest.approx(1.0)
    assert any("not to marks or losses" in note for note in result.notes)
    assert not any("time out" in note or "same loss" in note for note in result.notes)
    told = {item.name: item.value for item in result.explanations}
    assert told["fluid_window_0"] == pytest.approx(0.999231 * PIPE * PACKET / 100, rel=1e-6)


def test_engines_without_it_say_who_knows_it() -> None:
    with pytest.raises(Unsupported) as refusal:
        fr.run(scenario({"kind": "hpcc"}), engine="theory")
    assert refusal.value.engines == ("fluid", "packet", "reference")
    assert refusal.value.path == "traffic.0.congestion.kind"


def test_profiles_are_sets_of_parameters_that_stand() -> None:
    kind = REGISTRY.get("hpcc")
    default, *others = [
        system_of(scenario({"kind": "hpcc", **profile.values})).groups[0].flows for profile in kind.profiles
    ]
    assert default == system_of(scenario({"kind": "hpcc"})).groups[0].flows
    assert all(other != default for other in others)


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"target_utilisation": 1.0}, "target_utilisation"),
        ({"additive_increase": 0}, "additive_increase"),
        ({"base_rtt": "13 m"}, "base_rtt"),
        ({"max_stage": -1}, "max_stage"),
    ],
)
def test_what_is_wrong_is_named(wrong: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        scenario({"kind": "hpcc", **wrong})
    assert [problem.path for problem in refusal.value.problems] == [f"traffic.0.congestion.{path}"]
