"""From a scenario to an answer: compiled laws against the same laws written from their papers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.stability.documents import dcqcn, red, timely
from tests.stability.systems import Dcqcn, Reno, Timely

import footroom as fr
from footroom.base.errors import Infeasible, InvalidInput, Unsupported
from footroom.calculators.stability.analyse import analyse
from footroom.calculators.stability.critical import critical
from footroom.calculators.stability.cycle import period_of
from footroom.calculators.stability.judgement import judge
from footroom.calculators.stability.published import CURVES
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.roots import rightmost
from footroom.scenario import Scenario
from footroom.scenario import replace as lift


@pytest.mark.parametrize("slope", [5e-5, 1.25e-4, 4e-4])
def test_compiled_reno_is_the_reno_of_the_paper(slope: float) -> None:
    found, model = analyse(red(slope)), Reno(slope)
    queue, window = model.at_rest()
    assert found.fixed_point["queue"] == pytest.approx(1000.0 * queue, rel=1e-9)
    assert found.fixed_point["window"] == pytest.approx(1000.0 * window, rel=1e-9)
    expected = judge(model.system())
    assert found.judgement is not None
    assert found.judgement.rightmost == pytest.approx(expected.rightmost, rel=1e-6)
    assert found.judgement.margins is not None
    assert expected.margins is not None
    assert found.judgement.margins.phase == pytest.approx(expected.margins.phase, abs=1e-4)
    assert found.stable is (slope < 2.4963e-4)


@pytest.mark.parametrize(("flows", "slope"), [(2, 2.0), (18, 2.0), (20, 2.0), (38, 0.5), (40, 0.5)])
def test_compiled_timely_is_the_timely_of_the_paper(flows: int, slope: float) -> None:
    found, model = analyse(timely(flows, slope=slope)), Timely(flows, slope)
    assert found.fixed_point["queue"] == pytest.approx(model.queue / 8.0, rel=1e-9)
    expected = judge(model.system())
    assert found.judgement is not None
    assert found.judgement.rightmost == pytest.approx(expected.rightmost, rel=1e-6)
    assert found.stable is expected.stable


@pytest.mark.parametrize(("flows", "delay"), [(2, 50e-6), (10, 4e-6), (10, 100e-6), (14, 85e-6)])
def test_compiled_dcqcn_is_the_dcqcn_of_the_paper(flows: int, delay: float) -> None:
    found, model = analyse(dcqcn(flows, delay)), Dcqcn(flows, delay)
    queue, alpha, target, _ = model.at_rest()
    at_rest = [found.fixed_point[name] for name in ("queue", "alpha", "rate_target", "probability")]
    assert at_rest == pytest.approx([1000.0 * queue, alpha, 8000.0 * target, model.probability], rel=1e-7)
    expected = judge(model.system())
    assert found.judgement is not None
    assert found.judgement.rightmost == pytest.approx(expected.rightmost, rel=1e-5)
    assert found.judgement.margins is not None
    assert expected.margins is not None
    assert found.judgement.margins.phase == pytest.approx(expected.margins.phase, abs=1e-4)
    assert found.cut == "rate"
    assert found.critical_delay is not None
    assert found.critical_delay.direct


def test_equations_over_time_decide_between_the_published_margin_and_ours() -> None:
    """10 flows at 50 us: published -6.6 degrees, unstable; ours 1.9, and a pushed queue comes back at our rate."""
    found = analyse(dcqcn(10, 50e-6), trajectory=True).to_dict()
    (told,) = found["published"]
    assert (told["id"], told["published"]) == ("dcqcn-40g-rai40-50us", -6.5844)
    assert told["ours"] == found["phase_margin_deg"] > 0.0
    time, queue = (np.array(found["trajectory"][name]) for name in ("time", "queue"))
    swing = np.abs(queue / found["fixed_point"]["queue"] - 1.0)
    ends = [swing[(time >= low) & (time < low + 5e-3)].max() for low in (5e-3, 25e-3)]
    assert math.log(ends[1] / ends[0]) / 20e-3 == pytest.approx(found["rightmost"][0], rel=0.1)


@pytest.mark.parametrize(
    ("name", "flows"),
    [("dcqcn-40g-rai40-50us", 10), ("dcqcn-40g-rai10-50us", 10), ("dcqcn-40g-rai10-kmax1000-50us", 2)],
)
def test_a_push_dies_out_below_the_critical_delay_and_grows_above(name: str, flows: int) -> None:
    """Where the published margins are tens of degrees from ours, the equations over time agree with ours."""
    document = next(curve for curve in CURVES if curve.id == name).at(flows)
    critical_delay = analyse(document).critical_delay
    assert critical_delay is not None
    for factor, grows in ((0.93, False), (1.07, True)):
        system = system_of(Scenario.parse(lift(document, "topology.rtt", critical_delay.seconds * factor)))
        point = system.fixed_point()
        course = system.course(start=point, duration=0.15, points=6000)
        swing = np.abs(course.queue / point.queue - 1.0)
        early, late = (swing[(course.time >= t) & (course.time < t + 0.02)].max() for t in (0.02, 0.12))
        assert bool(late > 2.0 * early) is grows
        assert bool(late < early / 2.0) is not grows


def test_dcqcn_beyond_its_ramp_has_no_fixed_point() -> None:
    """Independently integrated, 64 flows at 4 us: the queue oscillates between 122 and 227 kB, mean 167."""
    found = analyse(dcqcn(64, 4e-6)).to_dict()
    assert (found["stable"], found["fixed_point"]) == (False, {})
    assert "no fixed point" in found["reason"]
    cycle = found["cycle"]
    assert [cycle["queue_min"], cycle["queue_max"], cycle["mean"]] == pytest.approx([122e3, 227e3, 167e3], rel=0.01)


def test_an_unstable_dcqcn_swings_as_integrated_independently() -> None:
    """10 flows at 100 us: 0 to 241.2 kB, utilisation 0.936; 2 flows: 0 to 40.15 kB, 0.9995."""
    for flows, top, used in ((10, 241.2e3, 0.936), (2, 40.15e3, 0.9995)):
        cycle = analyse(dcqcn(flows, 100e-6)).cycle
        assert cycle is not None
        assert cycle.queue_min == 0.0
        assert cycle.queue_max == pytest.approx(top, rel=5e-3)
        assert cycle.utilisation == pytest.approx(used, abs=1e-3)


def test_the_critical_delay_of_hpcc_moves_the_round_trip_it_reckons_with() -> None:
    """(s T + 1)(s R + 1) = eta s T exp(-s R) has no root on the right for any T; a T that is kept is another matter."""
    document: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "10 Gb/s", "rtt": "31.5 us"},
        "switch": {"buffer": "10 MB"},
        "traffic": [{"kind": "long_lived", "flows": 200, "congestion": {"kind": "hpcc", "additive_increase": "200 B"}}],
        "run": {"mtu": "1500 B"},
    }
    found = analyse(document)
    assert (found.stable, found.critical_delay) == (True, None)
    document["traffic"][0]["congestion"]["base_rtt"] = "31.5 us"
    kept = analyse(document)
    assert kept.judgement is not None
    assert found.judgement is not None
    assert kept.judgement.rightmost == pytest.approx(found.judgement.rightmost)
    assert kept.critical_delay is not None
    document["topology"]["rtt"] = 1.01 * kept.critical_delay.seconds
    assert analyse(document).stable is False


def test_a_cycle_is_measured_once_the_start_is_forgotten() -> None:
    """Shortly beyond the border the start fades slowly. Swings integrated independently, means over whole cycles."""
    reno = analyse(red(2.52e-4)).cycle
    assert reno is not None
    assert reno.peak_to_peak == pytest.approx(91.4e3, rel=0.01)
    clipped = analyse(red(3e-4)).cycle
    assert clipped is not None
    assert (clipped.queue_max, clipped.mean) == pytest.approx((86.318e3, 39.011e3), rel=1e-3)
    assert clipped.utilisation == pytest.approx(0.99394, abs=1e-4)
    document = dcqcn(8, 12.636323731814507e-6)
    document["topology"].update(bottleneck="25 Gb/s", access="25 Gb/s")
    document["switch"]["marking"].update(kmin=38582.196612, kmax=112956.637248, pmax=1)
    document["traffic"][0]["congestion"].update(
        additive_increase="10 Mb/s", cnp_interval="30 us", alpha_timer="20 us", fast_recovery=1
    )
    found = analyse(document).cycle
    assert found is not None
    assert (found.queue_min, found.queue_max) == pytest.approx((35195.1, 41471.4), rel=1e-3)
    assert found.mean == pytest.approx(37834.0, rel=2e-3)


def test_a_course_too_short_to_show_the_cycle_says_so() -> None:
    document = timely(2, slope=0.5)
    document["topology"]["rtt"] = "1 ns"
    found = analyse(document)
    assert (found.stable, found.cycle) == (False, None)
    assert any("too short" in note for note in found.notes)


def test_the_answer_has_the_public_shape_and_its_numbers_hang_together() -> None:
    found: Any = analyse(red(1.25e-4), trajectory=True, curve=True).to_dict()
    assert found["stable"] is True
    assert len(found["rightmost"]) == 2
    assert math.radians(found["phase_margin_deg"]) / found["crossover_rad_s"] == pytest.approx(found["delay_margin_s"])
    assert found["methods"]["agree"] is True
    assert found["methods"]["loop_gain"]["roots_on_the_right"] == 0
    assert found["methods"]["loop_gain"]["cut"] == "window"
    assert abs(found["methods"]["loop_gain"]["growth_at_delay_margin"]) < 1e-6
    assert found["loop_delay_s"] == 0.2
    assert "cycle" not in found
    told = {explanation["name"]: explanation for explanation in found["explanations"]}
    assert set(told) == {"rightmost", "phase_margin", "delay_margin", "gain_margin", "critical_delay", "fairness"}
    terms = {term["symbol"]: term["value"] for term in told["phase_margin"]["terms"]}
    assert 180.0 + terms["arg L"] == pytest.approx(told["phase_margin"]["value"])
    # The loop gain that is drawn passes through the point the phase margin is told of.
    curve = found["nyquist"]
    gain = np.array(curve["real"]) + 1j * np.array(curve["imaginary"])
    at = np.interp(math.log(found["crossover_rad_s"]), np.log(curve["frequency"]), np.abs(gain))
    assert at == pytest.approx(1.0, abs=1e-3)
    # Pushed by a hundredth, the queue comes back.
    queue = np.array(found["trajectory"]["queue"])
    assert queue[0] == pytest.approx(1.01 * found["fixed_point"]["queue"])
    assert queue[-1] == pytest.approx(found["fixed_point"]["queue"], rel=1e-4)


def test_critical_delay_moves_the_fixed_point_along() -> None:
    """Reno's fixed point depends on the round trip, so that the delay margin does not say where stability ends."""
    found = analyse(red(5e-5))
    assert found.critical_delay is not None
    assert not found.critical_delay.direct
    assert found.judgement is not None
    assert found.judgement.margins is not None
    edge = found.critical_delay.seconds
    assert found.judgement.margins.delay is not None
    assert abs(edge - 0.2 - found.judgement.margins.delay) > 0.1
    assert rightmost(Reno(5e-5, base=edge).system()).real == pytest.approx(0.0, abs=1e-6)
    assert critical(red(5e-5), "topology.rtt", ["100 ms", "2 s"]).value == pytest.approx(edge, rel=1e-6)


def test_critical_delay_is_loop_delay_plus_margin_where_nothing_else_depends_on_it() -> None:
    found = analyse(timely(10))
    assert found.critical_delay is not None
    assert found.critical_delay.direct
    assert rightmost(Timely(10, propagation=found.critical_delay.seconds).system()).real == pytest.approx(0.0, abs=1e-3)


def test_no_round_trip_is_short_enough_when_the_queue_alone_is_too_long() -> None:
    found = analyse(timely(20))
    assert (found.stable, found.critical_delay) == (False, None)
    assert any("No round trip" in note for note in found.notes)
    assert rightmost(Timely(20, propagation=0.0).system()).real > 0.0


def test_an_unstable_rest_point_has_the_cycle_of_the_equations() -> None:
    """Independently integrated: p = 4e-4 q swings between 0 and 77.98 packets, mean 30.26, utilisation 0.9807."""
    found = analyse(red(4e-4))
    assert found.stable is False
    cycle = found.to_dict()["cycle"]
    assert cycle["queue_min"] == 0.0
    assert cycle["queue_max"] == pytest.approx(77_980, rel=5e-3)
    assert cycle["peak_to_peak"] == cycle["queue_max"]
    assert cycle["mean"] == pytest.approx(30_260, rel=5e-3)
    assert cycle["utilisation"] == pytest.approx(0.9807, rel=5e-3)
    assert found.judgement is not None
    # Clipped at an empty queue the cycle is slower than the growing oscillation, but not by much.
    assert cycle["period"] == pytest.approx(2.0 * math.pi / found.judgement.rightmost.imag, rel=0.2)


def test_without_a_linear_answer_margins_are_absent() -> None:
    for document in (timely(2, variant="original"), {**red(1e-4), "switch": {"buffer": "300 kB"}}):
        found = analyse(document).to_dict()
        assert found["stable"] is False
        assert found["reason"]
        assert found["cycle"]["peak_to_peak"] > 0.0
        assert not {"rightmost", "phase_margin_deg", "delay_margin_s", "gain_margin_db", "methods"} & set(found)
    assert analyse(timely(2, variant="original")).fixed_point == {}


def test_critical_values_of_whole_and_of_other_numbers() -> None:
    edges = critical(red(1e-4), "switch.marking.kmax", ["2 MB", "20 MB"])
    assert edges.to_dict()["changes"][0]["before"] == "unstable"
    assert edges.value == pytest.approx(1000.0 / 2.4963e-4, rel=1e-4)
    flows = critical(timely(2), "traffic.0.flows", [2, 40]).changes
    assert [(change.low, change.high, change.before, change.after) for change in flows] == [
        (18.0, 19.0, "stable", "unstable")
    ] or flows[0].low == 19.0
    assert critical(timely(2), "traffic.0.flows").value == flows[0].value


def test_a_critical_value_may_be_where_the_rest_point_ends() -> None:
    """60 flows need p = 0.0085 to 0.02 at full queues: a ramp up to less has no rest point."""
    edges = critical(
        {
            **red(1e-4),
            "switch": {"buffer": "1 GB", "marking": {"kind": "red", "kmin": "10 kB", "kmax": "100 kB", "pmax": 0.1}},
        },
        "switch.marking.pmax",
        [1e-3, 0.9],
    )
    assert {"no fixed point"} <= {edge for change in edges.changes for edge in (change.before, change.after)}


def test_nothing_changes_where_nothing_changes() -> None:
    with pytest.raises(Infeasible, match="stable throughout"):
        critical(red(5e-5), "topology.rtt", ["200 ms", "210 ms"])


@pytest.mark.parametrize(
    ("path", "between", "words"),
    [
        ("switch.bufer", None, "no such field"),
        ("switch.sharing.kind", ["complete", "static"], "numeric"),
        ("topology.rtt", ["1 s"], "two values"),
        ("topology.rtt", ["1 s", "1 ms"], "lower value"),
        ("topology.rtt", ["1 MB", "2 MB"], "a size|unit of size"),
        ("switch.marking.kmin", None, "name the lowest"),
    ],
)
def test_bad_critical_questions_are_refused(path: str, between: Any, words: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        critical(red(1e-4), path, between)
    assert any(word in str(raised.value) for word in words.split("|")), raised.value


def test_what_the_fluid_does_not_know_is_unsupported() -> None:
    with pytest.raises(Unsupported):
        analyse(
            {**red(1e-4), "traffic": [{"kind": "poisson", "load": 0.5, "sizes": {"kind": "fixed", "size": "10 kB"}}]}
        )


def test_period_of_a_known_wave() -> None:
    time = np.linspace(0.0, 10.0, 4001)
    assert period_of(time, np.sin(2.0 * np.pi * time / 0.7)) == pytest.approx(0.7, rel=1e-4)
    assert period_of(time, np.maximum(0.0, np.sin(2.0 * np.pi * time / 1.3))) == pytest.approx(1.3, rel=1e-3)
    assert period_of(time, time) is None


def test_linearisation_is_about_the_fixed_point_that_is_told() -> None:
    system = system_of(Scenario.parse(red(1e-4)))
    point = system.fixed_point()
    assert point.values["queue"] == pytest.approx(1000.0 * Reno(1e-4).at_rest()[0], rel=1e-9)


def test_the_package_is_a_function_too() -> None:
    found = fr.stability(red(1.25e-4))
    assert found.stable is True
    frame = found.to_frame()
    assert frame.loc["phase_margin_deg", "unit"] == "deg"
    assert frame.loc["phase_margin_deg", "value"] == found.to_dict()["phase_margin_deg"]
    assert {trace.name for trace in found.figure().data} == {"L(jω)", "−1"}
    drawn = fr.stability(red(1.25e-4), trajectory=True).figure()
    assert len(drawn.data) == 3
    assert fr.stability.critical_value(red(1e-4), "switch.marking.kmax", ["3 MB", "5 MB"]).value > 4e6
    with pytest.raises(InvalidInput, match="trajectory"):
        fr.stability(timely(2, variant="original")).figure()
