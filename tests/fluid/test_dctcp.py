"""DCTCP's fluid against independently integrated cycles, the paper's closed forms and Reno where nothing is marked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import Infeasible, InvalidInput
from footroom.engines.fluid import layout
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.batch import Outcome
from footroom.engines.fluid.laws import Dctcp, Group, Reno
from footroom.engines.fluid.link import Link, arrange, flow, simulate
from footroom.engines.fluid.markings import DropTail, Marking, Red, Step
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.system import System
from footroom.formulas.transfer.dctcp_sawtooth import Sawtooth, share_of_marks
from footroom.scenario import Scenario

#: 10 Gb/s of 1500 B packets, 100 us.
CAPACITY, TRIP, K = 1e10 / 12_000.0, 1e-4, 40.0
ALPHA = layout.RATES + 2
#: q_min, q_max, peak to peak, mean q, mean alpha, period / R*: fixed-step RK4 of 0.5 to 1 us, the last half of 0.4 s.
CYCLES = {
    1: (30.66, 41.10, 10.44, 35.53, 0.1256, 14.70),
    2: (27.98, 42.24, 14.25, 34.68, 0.1808, 11.26),
    5: (24.17, 45.73, 21.56, 34.65, 0.2892, 8.47),
    10: (22.44, 51.43, 28.99, 37.17, 0.4079, 7.35),
    20: (24.08, 61.69, 37.61, 44.12, 0.5653, 7.10),
    40: (32.33, 76.51, 44.18, 55.77, 0.7682, 8.49),
}


def system(
    flows: int, threshold: float = K, law: Dctcp | None = None, trip: float = TRIP, capacity: float = CAPACITY
) -> System:
    return System(Link(capacity), (Group(flows, trip, law or Dctcp()),), Step(threshold))


def integrated(about: System, duration: float, *, finer: float = 1.0, points: int = 0) -> Outcome:
    pace = about.groups[0].flows.pace(about.path(0))
    return simulate(
        arrange(
            [about.link],
            about.groups,
            about.marking,
            step=pace.step / finer,
            duration=duration,
            warmup=duration / 2,
            ceiling=1e4,
            points=points,
        )
    )


def period(got: Outcome, threshold: float) -> float:
    """Mean time between rises of the queue above a threshold, second half of the trace, s."""
    queue = got.trace[0, : int(got.rows[0]), layout.QUEUE]
    queue = queue[queue.size // 2 :]
    rises = np.flatnonzero((queue[:-1] <= threshold) & (queue[1:] > threshold))
    exact = rises + (threshold - queue[rises]) / (queue[rises + 1] - queue[rises])
    return float(np.diff(exact).mean() * got.trace_step[0])


@pytest.mark.parametrize("flows", sorted(CYCLES))
def test_limit_cycles(flows: int) -> None:
    # From half the pipe and alpha = 1, as the table was made, with the step the law asks for.
    about = system(flows, law=Dctcp(window=CAPACITY * TRIP / (2 * flows) + 1, alpha=1.0))
    got = integrated(about, 0.4, points=200_000)
    least, greatest = float(got.least[0, 0]), float(got.greatest[0, 0])
    found = (
        least,
        greatest,
        greatest - least,
        float(got.mean[0, 0]),
        float(got.mean[0, ALPHA]),
        period(got, K) / (TRIP + K / CAPACITY),
    )
    assert found == pytest.approx(CYCLES[flows], rel=3e-3)


@pytest.mark.parametrize("flows", sorted(CYCLES))
def test_a_course_shows_the_cycle_without_being_told_a_step(flows: int) -> None:
    course = system(flows).course()
    least, greatest, swing, mean, _, _ = CYCLES[flows]
    assert (course.least, course.greatest, course.greatest - course.least, course.mean) == pytest.approx(
        (least, greatest, swing, mean), rel=0.01
    )


@pytest.mark.parametrize(("gain", "swing"), [(1 / 4, 24.11), (1 / 16, 14.26), (1 / 64, 13.03), (1 / 256, 12.82)])
def test_smaller_gains_swing_less(gain: float, swing: float) -> None:
    course = system(2, law=Dctcp(gain)).course()
    assert course.greatest - course.least == pytest.approx(swing, rel=0.01)


@pytest.mark.parametrize(("threshold", "utilisation"), [(5.0, 0.978), (20.0, 0.997), (40.0, 1.0)])
def test_a_low_threshold_on_a_longer_path_costs_utilisation(threshold: float, utilisation: float) -> None:
    assert system(2, threshold, trip=5e-4).course().utilisation == pytest.approx(utilisation, abs=1e-3)


def test_without_a_queue_it_still_gets_94_percent() -> None:
    """The worst case of Alizadeh et al., SIGMETRICS 2011: K -> 0 keeps at least 94 %."""
    found = [system(n, 0.0).course().utilisation for n in (1, 2, 4, 8, 16, 32)]
    assert found == pytest.approx([0.960, 0.950, 0.942, 0.942, 0.959, 0.993], abs=2e-3)
    assert min(found) > 0.94


def test_closed_forms() -> None:
    saw = Sawtooth(CAPACITY * TRIP, K, 1.0, TRIP)
    assert (saw.pipe, saw.least_threshold, saw.largest_gain) == pytest.approx((83.3333, 11.9048, 0.0882486), rel=1e-5)
    of = [Sawtooth(CAPACITY * TRIP, K, n, TRIP) for n in (1, 2, 10, 40)]
    assert [s.alpha for s in of] == pytest.approx([0.1287, 0.1821, 0.4006, 0.7245], abs=5e-5)
    assert [s.amplitude for s in of] == pytest.approx([7.853, 11.106, 24.833, 49.666], abs=5e-4)
    assert [s.top for s in of] == [41, 42, 50, 80]
    # What is cut once per period is what grows in it: A/N packets at a packet a round trip.
    assert [s.period / TRIP for s in of] == pytest.approx([s.amplitude / s.flows for s in of])
    for s in of:
        assert s.alpha**2 * (1 - s.alpha / 4) == pytest.approx((2 * s.brim + 1) / (s.brim + 1) ** 2, rel=1e-12)
    assert share_of_marks(1e6) == pytest.approx(math.sqrt(2e-6), rel=1e-3)
    assert share_of_marks(0.9) == 1.0
    for bad in ({"pipe": 0.0}, {"threshold": -1.0}, {"flows": 0.0}, {"trip": 0.0}):
        with pytest.raises(InvalidInput):
            Sawtooth(**{"pipe": 1.0, "threshold": 1.0, "flows": 1.0, "trip": 1.0, **bad})


def test_marks_last_longer_than_the_closed_form_thinks() -> None:
    """Why the fluid swings wider than A: it is marked for two to three R*, not for one round trip."""
    for flows, (_, _, swing, _, alpha, length) in CYCLES.items():
        wider = swing / Sawtooth(CAPACITY * TRIP, K, flows, TRIP).amplitude
        if flows <= 10:
            assert 1.16 < wider < 1.34
            assert 1.8 < alpha * length < 3.05  # the mean of alpha is the share of time with marks


@pytest.mark.parametrize(
    ("rate", "trip", "flows", "threshold", "gain"),
    [
        (1e9, 2e-5, 3, 5.0, 1 / 16),
        (1e9, 1e-3, 20, 60.0, 1 / 256),
        (40e9, 2e-5, 100, 400.0, 1 / 4),
        (100e9, 1e-4, 20, 60.0, 1 / 16),
        (100e9, 1e-4, 1, 200.0, 1 / 256),
        (25e9, 5e-5, 8, 5.0, 1 / 4),
    ],
)
def test_the_step_it_asks_for_resolves_the_cycle(
    rate: float,
    trip: float,
    flows: int,
    threshold: float,
    gain: float,
) -> None:
    about = system(flows, threshold, Dctcp(gain), trip, rate / 12_000.0)
    length = 12 * about.groups[0].flows.pace(about.path(0)).cycle
    runs = [integrated(about, length, finer=finer) for finer in (0.25, 1.0, 4.0)]
    for coarse in runs[:2]:
        for name in ("greatest", "mean"):
            found, exact = getattr(coarse, name)[0, 0], getattr(runs[2], name)[0, 0]
            assert found == pytest.approx(exact, rel=0.01)
        swing = runs[2].greatest[0, 0] - runs[2].least[0, 0]
        assert coarse.least[0, 0] == pytest.approx(runs[2].least[0, 0], abs=0.01 * swing)


def test_cycle_against_plain_python() -> None:
    """Euler with a tenth of the step and the past by index, written independently: mean queue, swing, alpha."""
    flows, h = 5, 1e-7
    late = round((TRIP + K / CAPACITY) / h)
    steps = 200_000
    queues = np.zeros(steps)
    window, alpha, queue, alphas = 16.0, 0.3, 0.0, 0.0
    for n in range(steps):
        queues[n] = queue
        mark = 1.0 if n >= late and queues[n - late] > K else 0.0
        trip = TRIP + queue / CAPACITY
        growth = flows * window / trip - CAPACITY
        window += h * (1.0 - 0.5 * window * alpha * mark) / trip
        alpha += h * (mark - alpha) / (16.0 * trip)
        queue = max(0.0, queue + h * growth)
        alphas += alpha * (n >= steps // 2)
    tail = queues[steps // 2 :]
    got = integrated(system(flows), 0.4)
    assert got.mean[0, 0] == pytest.approx(tail.mean(), rel=0.02)
    assert got.greatest[0, 0] - got.least[0, 0] == pytest.approx(np.ptp(tail), rel=0.01)
    assert got.mean[0, ALPHA] == pytest.approx(alphas / tail.size, rel=0.02)


def test_flows_at_the_floor_hold_a_queue_of_their_own() -> None:
    about = system(80)
    point = about.fixed_point()
    assert point.queue == pytest.approx(2 * 80 - CAPACITY * TRIP, rel=1e-12)
    assert point.states[2:] == (2.0, 1.0)
    stays = about.course(start=point, push=0.0)
    assert (stays.least, stays.greatest) == pytest.approx((point.queue, point.queue), rel=1e-9)
    assert about.course().queue[-1] == pytest.approx(point.queue, rel=1e-5)
    with pytest.raises(Infeasible, match="oscillates"):
        system(40).fixed_point()


def test_under_red_it_rests_where_cuts_balance_growth() -> None:
    link, group = Link(CAPACITY), Group(10, TRIP, Dctcp())
    about = System(link, (group,), Red(10.0, 200.0, 1.0))
    point = about.fixed_point()
    window, alpha = point.states[2:]
    assert window == pytest.approx(2 / alpha**2)
    assert alpha == pytest.approx((point.queue - 10) / 190)
    assert 10 * window == pytest.approx(CAPACITY * TRIP + point.queue)
    linear = about.linearise(point)
    assert rightmost(linear).real < 0.0
    stays = about.course(start=point, push=0.0)
    assert (stays.least, stays.greatest) == pytest.approx((point.queue, point.queue), rel=1e-9)
    assert about.course().mean == pytest.approx(point.queue, rel=1e-4)


def test_where_nothing_is_marked_it_is_reno() -> None:
    """Two laws, one equation: with no marks only losses are left, and the floors are not reached."""
    runs = [
        simulate(arrange([Link(10_000.0, 300.0)], [Group(10, 0.1, law)], DropTail(), step=1e-3, duration=60, warmup=10))
        for law in (Dctcp(window=50.0), Reno(50.0))
    ]
    assert runs[0].mean[0, :6] == pytest.approx(runs[1].mean[0, :6], rel=1e-6)
    point, other = (
        System(Link(10_000.0, 300.0), (Group(10, 0.1, law),), DropTail()).fixed_point() for law in (Dctcp(), Reno())
    )
    assert (point.probability, point.states[2]) == pytest.approx((other.probability, other.states[2]))


@pytest.mark.parametrize("marking", [Step(40.0), Step(80.0), Red(20.0, 100.0, 0.5)])
def test_packets_balance(marking: Marking) -> None:
    link = Link(CAPACITY, 60.0, background=0.2 * CAPACITY)
    groups = [Group(12, TRIP, Dctcp()), Group(3, 3 * TRIP, Dctcp(1 / 64)), Group(4, TRIP, Reno(refined=True), True)]
    got = simulate(arrange([link], groups, marking, step=TRIP / 50, duration=0.1, warmup=0.02))
    found = flow(got, 0, link.capacity)
    growth = got.closed[0, layout.QUEUE] - got.opened[0, layout.QUEUE]
    assert abs(found.offered - found.carried - found.lost - growth) / found.offered < 1e-9
    assert found.lost > 0.0
    assert got.least[0, 0] >= 0.0
    assert got.greatest[0, 0] <= 60.0


def scenario(flows: int = 2, **changed: Any) -> Scenario:
    raw: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "10 Gb/s", "rtt": "100 us"},
        "switch": {"buffer": "1 MB", "marking": {"kind": "step", "threshold": "60 kB"}},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": "1 ms", "congestion": {"kind": "dctcp"}}],
        "run": {"duration": "400 ms", "warmup": "100 ms", "mtu": "1500 B"},
    }
    raw["switch"] |= changed.get("switch", {})
    raw["traffic"][0] |= changed.get("traffic", {})
    return Scenario.parse(raw)


@pytest.mark.parametrize("flows", [2, 20])
def test_a_scenario_gets_the_cycle_and_the_closed_forms_beside_it(flows: int) -> None:
    result = fr.run(scenario(flows), engine="fluid")
    _, greatest, swing, mean, alpha, _ = CYCLES[flows]
    assert result.metrics["queue_max"] / 1500 == pytest.approx(greatest, rel=0.01)
    assert result.metrics["queue_mean"] / 1500 == pytest.approx(mean, rel=0.01)
    assert result.metrics["drop_rate"] == 0.0
    told = {item.name: item for item in result.explanations}
    assert told["fluid_peak_to_peak"].value == pytest.approx(swing, rel=0.01)
    assert told["fluid_mean_alpha"].value == pytest.approx(alpha, rel=0.01)
    saw = Sawtooth(CAPACITY * TRIP, K, flows, TRIP)
    assert [told[f"dctcp_{name}"].value for name in ("alpha", "amplitude", "queue_max", "period")] == pytest.approx(
        [saw.alpha, saw.amplitude, saw.top, saw.period]
    )
    assert "R*" in told["fluid_peak_to_peak"].holds
    assert told["dctcp_least_threshold"].valid


def test_a_buffer_below_the_threshold_never_marks() -> None:
    result = fr.run(scenario(switch={"buffer": "30 kB"}), engine="fluid")
    assert result.metrics["drop_rate"] > 0.0
    assert result.metrics["utilisation"] < 0.95
    assert not [item for item in result.explanations if item.name.startswith("dctcp")]


def test_hosts_without_ecn_are_renos() -> None:
    deaf = system_of(scenario(traffic={"host": {"ecn": False}}))
    assert isinstance(deaf.groups[0].flows, Reno)
    assert deaf.groups[0].drops


@pytest.mark.parametrize("bad", [{"g": 0}, {"g": 1.5}, {"g": "high"}, {"minimum_window": 0.5}, {"gain": 0.1}])
def test_nonsense_is_refused_by_name(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refusal:
        scenario(traffic={"congestion": {"kind": "dctcp", **bad}})
    assert refusal.value.problems[0].path == f"traffic.0.congestion.{next(iter(bad))}"


def _marked_at(flows: int, threshold: float, *, spread: float = 0.0, buffer: float = 1000.0) -> dict[str, object]:
    """``flows`` DCTCP flows at 10 Gb/s and 100 us; threshold and buffer in packets."""
    path = {"kind": "dumbbell", "bottleneck": 1e10, "access": 4e10, "rtt": 1e-4, "rtt_spread": spread}
    return {
        "topology": path,
        "switch": {"buffer": 1500 * buffer, "marking": {"kind": "step", "threshold": 1500 * threshold}},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": 1e-3, "congestion": {"kind": "dctcp"}}],
        "run": {"duration": 0.15, "warmup": 0.05},
    }


@pytest.mark.parametrize(("flows", "threshold", "spread"), [(2, 65, 0.2), (10, 20, 0.2), (10, 20, 0.0), (5, 150, 0.2)])
def test_packets_agree_where_step_marking_is_inside_its_bounds(flows: int, threshold: float, spread: float) -> None:
    asked = _marked_at(flows, threshold, spread=spread)
    found, packets = fr.run(asked, engine="fluid"), fr.run(asked)
    assert found.outside.keys() <= {"transfer_p50", "transfer_p99"}
    assert found.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.03)
    assert found.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], rel=0.2)


def test_packets_disagree_where_step_marking_is_marked() -> None:
    collides = _marked_at(10, 5, spread=0.2)
    found, packets = fr.run(collides, engine="fluid"), fr.run(collides)
    assert found.metrics["utilisation"] > packets.metrics["utilisation"] + 0.05
    assert "collide" in found.outside["utilisation"]
    shallow = _marked_at(2, 65, buffer=20)
    found, packets = fr.run(shallow, engine="fluid"), fr.run(shallow)
    assert found.metrics["utilisation"] < packets.metrics["utilisation"] - 0.05
    assert {"utilisation", "drop_rate", "queue_mean"} <= found.outside.keys()
    few = fr.run(_marked_at(40, 65), engine="fluid")
    assert "queue_mean" in few.outside
    assert "utilisation" not in few.outside
