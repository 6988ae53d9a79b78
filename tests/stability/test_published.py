"""Against published numbers, and why some of them differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.stability.systems import Dcqcn, Reno, System, Timely

from footroom.calculators.stability import published
from footroom.calculators.stability.judgement import judge
from footroom.engines.fluid.roots import rightmost


def margin(system: System) -> float:
    found = judge(system).margins
    assert found is not None
    return found.phase


@pytest.mark.parametrize(
    ("flows", "delay", "probability", "queue"),
    [
        (2, 85.57, 7.76989e-4, 20.1513),
        (4, 71.74, 0.00188767, 41.8095),
        (6, 64.68, None, None),
        (8, 62.17, 0.00455211, 93.7662),
        (9, 62.04, None, None),
        (10, 62.47, 0.00603196, 122.623),
        (12, 64.65, 0.00758566, 152.920),
        (14, 68.15, None, None),
    ],
)
def test_dcqcn_critical_delay(flows: int, delay: float, probability: float | None, queue: float | None) -> None:
    model = Dcqcn(flows=flows)
    if probability is not None:
        assert (model.probability, model.queue) == pytest.approx((probability, queue), rel=1e-5)
    critical = brentq(lambda tau: rightmost(replace(model, delay=tau).system()).real, 2e-5, 2e-4)
    assert critical == pytest.approx(delay * 1e-6, rel=1e-3)
    # Loop delay plus delay margin is the same, because nothing else depends on the delay.
    found = judge(model.system()).margins
    assert found is not None
    assert found.delay is not None
    assert model.delay + found.delay == pytest.approx(critical, rel=1e-6)


@pytest.mark.parametrize(
    ("delay", "margins"),
    [
        (50e-6, "2 8.49 4 4.16 6 2.50 8 1.92 10 1.85 20 4.18 30 7.66 64 19.5"),
        (100e-6, "2 -3.44 4 -5.41 6 -6.03 8 -5.97 10 -5.58 20 -2.03 30 2.05 64 14.8"),
    ],
)
def test_dcqcn_phase_margins(delay: float, margins: str) -> None:
    written = margins.split()
    for flows, expected in zip(written[::2], written[1::2], strict=True):
        digits = len(expected.partition(".")[2])
        got = margin(Dcqcn(flows=int(flows), delay=delay).system())
        assert got == pytest.approx(float(expected), abs=0.6 * 10.0**-digits), flows


def truncated(model: Dcqcn) -> System:
    """The linear equations behind the published curves, as their source expands them about p = 0.

    With A = 1/B + 1/(T R): a = tau R p, b + d = A - (1 + A/2) p, c + e = A - (1 + A/2 + 2F) p, A held constant. The
    rate inside R_T - R_C is taken as the delayed one, that in front as the present one. Read from appendix A and
    from the script that the figures were made with (fluidmodel/dcqcn/stability.m of the same repository).
    """
    rate = model.capacity / model.flows
    a = 1.0 / model.counter + 1.0 / (model.timer * rate)
    p = (model.increase / (model.alpha_timer * rate**2) * a**2) ** (1.0 / 3.0)
    slope = model.pmax / (model.kmax - model.kmin)
    cuts, _, late = model.rates(p, rate)
    target = rate * (1.0 + float(late) * model.interval * model.increase / float(cuts))
    alpha = 1.0 - (1.0 - p) ** (model.alpha_timer * rate)
    half = 0.5 + a / 4.0  # of b + d, halved
    rises = a - (1.0 + a / 2.0 + 2.0 * model.stages) * p
    present, delayed = np.zeros((4, 4)), np.zeros((4, 4))
    present[0, 3] = model.flows
    present[1, 1], delayed[1, 0] = -model.gain * rate, model.gain * rate * slope
    present[2, 2:] = -p * rate, p * rate + a * model.increase
    delayed[2, 3] = -p * (target - rate) + model.increase * rises
    delayed[2, 0] = -rate * (target - rate + model.increase * (1.0 + a / 2.0 + 2.0 * model.stages)) * slope
    grows = a / 2.0 - half * p
    present[3] = (
        0.0,
        -p * rate**2 / 2.0,
        grows * rate,
        -p * rate * alpha / 2.0 + grows * target - a / 2.0 * rate + half * p * rate,
    )
    delayed[3, 3] = -p * rate * alpha / 2.0 - grows * rate
    delayed[3, 0] = -rate * (rate * alpha / 2.0 + half * (target - rate)) * slope
    return System(("queue", "alpha", "rate_target", "rate"), present, ((delayed, model.delay),))


DCQCN = {
    "dcqcn-40g-rai40-1us": Dcqcn(delay=1e-6),
    "dcqcn-40g-rai40-50us": Dcqcn(),
    "dcqcn-40g-rai40-100us": Dcqcn(delay=100e-6),
    "dcqcn-40g-rai10-0us": Dcqcn(delay=1e-9, increase=1.25e3),
    "dcqcn-40g-rai10-50us": Dcqcn(increase=1.25e3),
    "dcqcn-40g-rai10-kmax1000-50us": Dcqcn(increase=1.25e3, kmax=1000.0),
}


@pytest.mark.parametrize("name", DCQCN)
def test_truncation_explains_the_published_dcqcn_curves(name: str) -> None:
    """Published margins were read off a frequency grid: most agree to all their digits, a few are off by up to 0.1."""
    curve = next(curve for curve in published.CURVES if curve.id == name)
    off = [margin(truncated(replace(DCQCN[name], flows=flows))) - expected for flows, expected in curve.margins.items()]
    assert np.abs(off).max() < (0.1 if "rai10-" in name else 0.05)
    assert np.median(np.abs(off)) < 0.01


@pytest.mark.parametrize(("name", "propagation"), [("timely-10g-0us", 0.0), ("timely-10g-100us", 100e-6)])
def test_slope_of_a_half_gives_the_published_timely_curves(name: str, propagation: float) -> None:
    curve = next(curve for curve in published.CURVES if curve.id == name)
    for flows, expected in curve.margins.items():
        got = margin(Timely(flows, 0.5, propagation=propagation).system())
        assert got == pytest.approx(expected, abs=0.05), flows


def test_timely_limits_of_both_slopes() -> None:
    assert [rightmost(Timely(n).system()).real < 0.0 for n in (18, 20)] == [True, False]
    assert brentq(lambda n: rightmost(Timely(n).system()).real, 17, 21) == pytest.approx(19.0, abs=0.05)
    half = brentq(lambda n: rightmost(Timely(n, 0.5).system()).real, 36, 42)
    assert half == pytest.approx(39.26, abs=0.05)
    assert [round(margin(Timely(n, 0.5).system()), 2) for n in (38, 40)] == [2.88, -1.65]


def test_reno_red_critical_slope() -> None:
    critical = brentq(lambda slope: rightmost(Reno(slope).system()).real, 1e-4, 4e-4)
    assert critical == pytest.approx(2.4963e-4, rel=1e-4)
    assert Reno(critical).at_rest()[0] == pytest.approx(45.570, abs=5e-3)


def test_every_published_curve_says_where_it_is_from_and_why_ours_differ() -> None:
    assert {curve.id for curve in published.CURVES} == {*DCQCN, "timely-10g-0us", "timely-10g-100us"}
    for curve in published.CURVES:
        assert "CoNEXT 2016" in curve.source
        assert curve.differs
        assert len(curve.margins) >= 20
