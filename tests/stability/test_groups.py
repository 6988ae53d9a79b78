"""Flows that differ: fairness between equal ones, several round trips, groups that are one."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest
from tests.stability.documents import dcqcn, red, timely
from tests.stability.systems import Reno, System

from footroom.calculators.stability.analyse import analyse
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.roots import rightmost
from footroom.scenario import Scenario


def test_shares_become_fair_at_the_rate_of_the_difference_equation() -> None:
    """Reno's halves: d' = -a (d + d(t-R)), a = W p / (2 R); TIMELY's: d' = -delta/(2 Seg) d (Zhu et al. 2016)."""
    slope = 1.25e-4
    queue, window = Reno(slope).at_rest()
    trip = 0.2 + queue / 3750.0
    a = window * slope * queue / (2.0 * trip)
    alone = System(("d",), np.array([[-a]]), ((np.array([[-a]]), trip),))
    found = analyse(red(slope)).fairness
    assert found is not None
    assert found.fair is True
    assert found.rightmost.real == pytest.approx(rightmost(alone).real, rel=1e-6)
    found = analyse(timely(10)).fairness
    assert found is not None
    assert found.rightmost.real == pytest.approx(-10e6 / (2.0 * 16e3 * 8.0), rel=1e-6)


def test_shares_become_fair_as_fast_over_time() -> None:
    """Two DCQCN flows a hundredth apart: damping and frequency of their difference in the integrated equations."""
    system = system_of(Scenario.parse(dcqcn(2, 4e-6))).halved()
    point = system.fixed_point()
    states = list(point.states)
    states[system.names.index("0.rate")] *= 1.01
    course = system.course(start=replace(point, states=tuple(states)), push=0.0, duration=0.08, points=8000)
    between = (course.rates[0] - course.rates[1])[course.time >= 0.02][::50]
    step = 50.0 * (course.time[1] - course.time[0])
    # Equally spaced samples of a damped wave obey d[k+2] = p d[k+1] + q d[k] (Prony).
    fit = np.linalg.lstsq(np.stack([between[1:-1], between[:-2]], axis=1), between[2:], rcond=None)[0]
    root = np.log(np.roots([1.0, -fit[0], -fit[1]]).astype(complex)) / step
    found = analyse(dcqcn(2, 4e-6)).fairness
    assert found is not None
    assert (root.real[0], abs(root.imag[0])) == pytest.approx((found.rightmost.real, found.rightmost.imag), rel=0.01)


def test_one_flow_has_nobody_to_differ_from() -> None:
    assert analyse(red(1e-4, flows=1, start_jitter="0 s")).fairness is None


def test_several_round_trips_are_judged_by_characteristic_loci() -> None:
    document = red(1.25e-4 * 15, flows=4)
    document["topology"].update(rtt_spread=0.01, bottleneck="2 Mb/s")
    found, alone = analyse(document), analyse(red(1.25e-4))
    assert found.judgement is not None
    assert not found.judgement.scalar
    assert found.to_dict()["methods"]["loop_gain"]["loops"] == "characteristic loci"
    assert found.judgement.margins is not None
    assert found.cut.count("window") == 4
    # A fifteenth of the network with round trips about the same: nearly the same margin.
    assert alone.judgement is not None
    assert alone.judgement.margins is not None
    assert found.judgement.margins.phase == pytest.approx(alone.judgement.margins.phase, abs=0.5)


def test_round_trips_too_close_to_tell_apart_are_one() -> None:
    document = red(1.25e-4)
    document["topology"]["rtt_spread"] = 1e-7
    found, alone = analyse(document).judgement, analyse(red(1.25e-4)).judgement
    assert found is not None
    assert alone is not None
    assert found.margins is not None
    assert alone.margins is not None
    assert found.margins.phase == pytest.approx(alone.margins.phase, abs=1e-3)


def test_equal_groups_are_one_group() -> None:
    split = red(1.25e-4, flows=30)
    split["traffic"].append(copy.deepcopy(split["traffic"][0]))
    one, two = analyse(red(1.25e-4)), analyse(split)
    assert one.judgement is not None
    assert two.judgement is not None
    assert one.judgement.margins is not None
    assert two.judgement.margins is not None
    assert two.judgement.margins.phase == pytest.approx(one.judgement.margins.phase, abs=1e-3)
    # Two groups show the mode in which they differ among the roots themselves.
    assert one.fairness is not None
    slowest = max(one.judgement.rightmost.real, one.fairness.rightmost.real)
    assert two.judgement.rightmost.real == pytest.approx(slowest, rel=1e-5)
