"""Completion times as a distribution: against transfers played out one by one, and the closed form for the mean."""

from __future__ import annotations

import math

import numpy as np
import pytest

import footroom as fr
from footroom.formulas.transfer.completion import pipelined_time
from footroom.formulas.transfer.spread import Transfers, first_losses, spread_of
from footroom.formulas.transfer.throughput import backoff_factor, pftk, timeout_share


def one(segments: int, **changes: float) -> Transfers:
    return Transfers(np.array([segments * 1448.0]), np.array([1.0]), 1448.0, **changes)


def test_first_loss_against_draws() -> None:
    rng = np.random.default_rng(1)
    for d, p in ((8, 0.2), (100, 0.01), (1000, 0.01)):
        places = rng.geometric(p, 400_000)
        met = places[places <= d]
        for share in (0.1, 0.5, 0.9):
            place = first_losses(np.array([float(d)]), p, share)[0]
            assert abs(place - np.quantile(met, share)) <= 1 + 0.01 * d
    assert first_losses(np.array([1.0]), 1e-9, 0.5)[0] == 1.0


def test_without_loss_it_is_the_pipelined_time() -> None:
    got = spread_of(one(200), np.array([0.03]), base=0.02, rate=5000.0, alone=80_000.0, loss=0.0)
    expected = pipelined_time(200.0, 0.03, 5000.0, 10.0)
    assert got.mean == pytest.approx(expected)
    assert got.quantile(0.01) == got.quantile(0.99) == pytest.approx(expected)
    alone = pipelined_time(200.0, 0.02, 80_000.0, 10.0)
    assert got.quantile(0.5, of_slowdown=True) == pytest.approx(expected / alone)


def test_mixture_against_transfers_played_out() -> None:
    """Draw the place of the first loss and its repair for each of many transfers, with the same three parts."""
    d, p, trip, rate, rto = 60, 0.01, 0.05, 3000.0, 0.2
    rng = np.random.default_rng(7)
    reached = min(rate, pftk(p, trip, rto, 1.0, math.inf, delivered=True))
    totals = []
    for place in rng.geometric(p, 20_000):
        if place > d:
            totals.append(pipelined_time(float(d), trip, rate, 10.0))
            continue
        window = place * 0.5 + 5.0
        repair = backoff_factor(p) * rto / (1 - p) if rng.random() < timeout_share(p, window) else trip
        totals.append(pipelined_time(float(place), trip, rate, 10.0) + (d - place) / reached + repair)
    got = spread_of(one(d), np.array([trip]), base=trip, rate=rate, alone=rate, loss=p)
    assert got.shares.sum() == pytest.approx(1.0)
    # Six places stand for sixty, so means and tails differ a little.
    assert got.mean == pytest.approx(np.mean(totals), rel=0.03)
    assert got.quantile(0.25) == pytest.approx(np.quantile(totals, 0.25), rel=1e-9)
    assert got.quantile(0.95) == pytest.approx(np.quantile(totals, 0.95), rel=0.08)


def test_more_of_anything_bad_takes_longer() -> None:
    base = {"base": 0.02, "rate": 3000.0, "alone": 9000.0, "loss": 0.001}
    trips = np.linspace(0.02, 0.04, 12)
    usual = spread_of(one(300), trips, **base).mean
    assert spread_of(one(300), trips + 0.01, **base).mean > usual
    assert spread_of(one(300), trips, **{**base, "loss": 0.01}).mean > usual
    assert spread_of(one(300), trips, **{**base, "rate": 1000.0}).mean > usual
    assert spread_of(one(600), trips, **base).mean > usual


def test_fluid_gives_completion_times_beside_theory() -> None:
    scenario = fr.load("facebook-ebb")
    fluid, theory = (fr.run(scenario, engine=name).metrics for name in ("fluid", "theory"))
    # Another queue and loss lie under the same formulas.
    assert fluid["fct_mean"] == pytest.approx(theory["fct_mean"], rel=0.15)
    assert fluid["fct_p50"] <= fluid["fct_p95"] <= fluid["fct_p99"]
    assert 1.0 <= fluid["slowdown_p50"] <= fluid["slowdown_p99"]
    told = {item.name: item for item in fr.run("wan-bottleneck", engine="fluid").explanations}
    assert told["fct_10kB"].value < told["fct_1MB"].value < told["fct_100MB"].value
    assert "fct_mean" not in fr.run("wan-bottleneck", engine="fluid").metrics
