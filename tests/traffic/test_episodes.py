"""Episodes of another load: how many flows arrive in them and beside them, and what the scenario makes of the mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.traffic.drawing import document, drawn

import footroom as fr
from footroom.base.errors import InvalidInput, Unsupported
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

EPISODES = {"load": 1.2, "length": "2 s", "every": "10 s", "begin": "3 s"}


def poisson(**more: Any) -> dict[str, Any]:
    return {"kind": "poisson", "load": 0.5, "sizes": "20 kB", "episodes": EPISODES, **more}


@pytest.mark.parametrize("modulation", [None, {"cv": 0.05, "correlation_time": "10 ms"}])
@pytest.mark.parametrize("start", ["0 s", "1 s"])
def test_flows_arrive_at_the_rate_of_their_time(modulation: Any, start: str) -> None:
    raw = document([poisson(modulation=modulation, start=start)], duration="20 s")
    times = drawn(raw).start / 1e12
    per_second = 1e9 / 8.0 / 20e3
    inside = (times % 10.0 >= 3.0) & (times % 10.0 < 5.0)
    # Counts of a Poisson process of mean m are spread by √m; a fast factor adds 0.05·√(2·0.01 s/T) of m.
    for found, seconds, load in ((inside.sum(), 4.0, 1.2), ((~inside).sum(), 16.0 - float(start[0]), 0.5)):
        mean = load * per_second * seconds
        spread = np.hypot(np.sqrt(mean), 0.05 * mean * np.sqrt(0.02 / seconds) if modulation else 0.0)
        assert abs(found - mean) < 4.0 * spread


def test_an_episode_of_the_same_load_changes_nothing() -> None:
    alike = document([poisson(episodes={**EPISODES, "load": 0.5})], duration="10 s")
    plain = document([poisson(episodes=None)], duration="10 s")
    assert np.abs(drawn(alike).start - drawn(plain).start).max() < 1000  # ps


def test_the_mean_must_stay_below_one_and_an_episode_need_not() -> None:
    entry = Scenario.parse(document([poisson()])).traffic[0]
    assert entry.offered_load() == pytest.approx(0.64)  # 2 of 10 s at 1.2, 8 at 0.5
    with pytest.raises(InvalidInput, match="no steady state"):
        Scenario.parse(document([poisson(episodes={**EPISODES, "load": 3.1})]))
    with pytest.raises(InvalidInput, match=r"traffic.0.episodes.length.*shorter than every"):
        Scenario.parse(document([poisson(episodes={**EPISODES, "every": "2 s"})]))


@pytest.mark.parametrize(("duration", "seconds"), [(2.0, 0.0), (4.0, 1.0), (12.0, 2.0), (14.5, 3.5)])
def test_work_counts_the_episodes_of_the_run(duration: float, seconds: float) -> None:
    entry = Scenario.parse(document([poisson()])).traffic[0]
    _, payload = entry.work(1e9, 0.01, duration)
    assert payload == pytest.approx((0.5 * duration + 0.7 * seconds) * 1e9 / 8.0)


def test_the_reader_learns_how_long_the_load_exceeds_one() -> None:
    (note,) = build_plan(Scenario.parse(document([poisson()], duration="10 s"))).notes
    assert "averages 0.64" in note
    assert "reaches 1.2" in note
    assert "exceeds 1 for 20.00% of the time" in note


def test_engines_of_a_constant_load_refuse_them() -> None:
    raw = document([{"kind": "long_lived", "flows": 20, "start_jitter": 0}, poisson(load=0.1)])
    with pytest.raises(Unsupported) as refusal:
        fr.run(raw, engine="fluid")
    assert refusal.value.path == "traffic.1.episodes"
