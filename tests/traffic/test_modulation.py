"""Load that varies: the factor against its definition, and arrivals against the counts of a Cox process."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from tests.traffic.drawing import document, drawn

import footroom as fr
from footroom.base.errors import InvalidInput, Unsupported
from footroom.base.rng import stream
from footroom.engines.plan import build_plan
from footroom.parts.traffic.modulation import Modulation
from footroom.scenario import Scenario


def poisson(modulation: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    return {"kind": "poisson", "load": 0.5, "sizes": "1 MB", "modulation": modulation, **more}


@pytest.fixture(scope="module")
def series() -> tuple[Modulation, float, np.ndarray]:
    """A factor of CV 0.5 over 20000 correlation times of 2 s."""
    modulation = Modulation(cv=0.5, correlation_time=2.0)
    width, factor = modulation.factor(40_000.0, np.random.default_rng(7))
    return modulation, width, factor


def test_the_factor_has_mean_one_and_the_spread_asked_for(series: tuple[Modulation, float, np.ndarray]) -> None:
    _, width, factor = series
    assert len(factor) * width == pytest.approx(40_000.0, rel=1e-3)
    # The mean of T = 20000 correlation times is itself spread by about cv·√(2/20000) = 0.5 %, the spread by some 2 %.
    assert factor.mean() == pytest.approx(1.0, abs=0.02)
    assert factor.std() / factor.mean() == pytest.approx(0.5, rel=0.05)
    assert factor.min() > 0.0


@pytest.mark.parametrize("times", [0.3, 1.0, 2.0])
def test_its_logarithm_forgets_exponentially(series: tuple[Modulation, float, np.ndarray], times: float) -> None:
    modulation, width, factor = series
    log = np.log(factor) - np.log(factor).mean()
    lag = round(times * modulation.correlation_time / width)
    found = float(np.mean(log[:-lag] * log[lag:]) / np.mean(log**2))
    assert found == pytest.approx(np.exp(-times), abs=0.03)


def test_it_is_lognormal(series: tuple[Modulation, float, np.ndarray]) -> None:
    log = np.log(series[2])
    variance = np.log(1.25)
    assert log.mean() == pytest.approx(-variance / 2.0, abs=0.02)
    assert log.var() == pytest.approx(variance, rel=0.05)


def _dispersion(starts: np.ndarray, span: float, window: float) -> float:
    counts = np.histogram(starts, bins=np.arange(0.0, span + window / 2, window))[0]
    return float(counts.var() / counts.mean())


def test_arrivals_are_dispersed_as_the_factor_says() -> None:
    # Index of dispersion of counts N of a Cox process over a time t: 1 + λ·(2/t)∫(t - s)·R(s) ds, R the factor's
    # autocovariance (Cox and Isham, Point Processes, 1980, §3.3).
    tau, cv, window, span = 0.05, 0.3, 0.025, 60.0
    per_second = 0.5 * 1e9 / 8.0 / 20_000.0

    def covariance(lag: float) -> float:
        return float(np.exp(np.log1p(cv**2) * np.exp(-lag / tau)) - 1.0)

    area = quad(lambda lag: (window - lag) * covariance(lag), 0.0, window)[0]
    expected = 1.0 + per_second * 2.0 / window * area
    varying = drawn(document([poisson({"cv": cv, "correlation_time": tau}, sizes="20 kB")], duration=span))
    steady = drawn(document([poisson(None, sizes="20 kB")], duration=span))
    assert expected > 6.0
    assert _dispersion(varying.start / 1e12, span, window) == pytest.approx(expected, rel=0.1)
    assert _dispersion(steady.start / 1e12, span, window) == pytest.approx(1.0, abs=0.1)
    assert len(varying.start) == pytest.approx(per_second * span, rel=0.05)


def test_without_modulation_arrivals_are_the_plain_process() -> None:
    per_second = 0.5 * 1e9 / 8.0 / 1e6
    times = np.cumsum(stream(1, "traffic", 0).exponential(1.0 / per_second, 200))
    assert np.array_equal(drawn(document([poisson(None)])).start, np.rint(times[times < 1.0] * 1e12).astype(np.int64))


def test_a_faint_modulation_hardly_moves_the_same_arrivals() -> None:
    plain = drawn(document([poisson(None)], duration="3 s")).start
    faint = drawn(document([poisson({"cv": 1e-6, "correlation_time": "100 ms"})], duration="3 s")).start
    assert len(plain) == len(faint)
    shift = np.abs(plain - faint).max() / 1e12
    assert 0.0 < shift < 3e-6


def test_modulation_has_a_stream_of_its_own() -> None:
    def starts(seed: int, *more: dict[str, Any]) -> list[int]:
        flows = drawn(document([poisson({"cv": 0.3, "correlation_time": "100 ms"}), *more]), seed)
        return [int(start) for start in flows.start[flows.stack == 0]]

    assert starts(1) == starts(1, poisson({"cv": 0.9, "correlation_time": "50 ms"}, load=0.2))
    assert starts(1) != starts(2)


def test_the_reader_learns_of_overload() -> None:
    raw = document([poisson({"cv": 0.5, "correlation_time": "20 ms"}, load=0.9)], duration="2 s")
    (note,) = build_plan(Scenario.parse(raw)).notes
    assert note.startswith("traffic.0: the varying load averages")
    assert "exceeds 1 for" in note


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_engines_of_a_constant_load_refuse_it(engine: str) -> None:
    raw = document(
        [
            {"kind": "long_lived", "flows": 20, "start_jitter": 0},
            poisson({"cv": 0.1, "correlation_time": "1 s"}, load=0.1),
        ]
    )
    with pytest.raises(Unsupported) as refusal:
        fr.run(raw, engine=engine)
    assert refusal.value.path == "traffic.1.modulation"
    assert refusal.value.engines == ("packet", "reference")


def test_a_factor_that_changes_too_often_is_refused() -> None:
    with pytest.raises(InvalidInput) as refusal:
        drawn(document([poisson({"cv": 0.1, "correlation_time": "1 ns"})]))
    assert refusal.value.problems[0].path == "traffic.0.modulation.correlation_time"
