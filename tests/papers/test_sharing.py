"""Measures of queries and of flows over time, on made-up results with known answers."""

from __future__ import annotations

import numpy as np
import pytest

import footroom as fr
from footroom.base.rng import stream
from footroom.papers.measures import NotMeasurableError, queries, sharing
from footroom.papers.measures.answer import Answer, Rates
from footroom.papers.measures.flows import Flows


def staircase(*goodput: list[float], step: float = 3.0) -> Answer:
    """Flows that join every ``step`` s and last twice as long; windows of 1 s."""
    traffic = [{"start": k * step, "stop": (k + 2) * step} for k in range(len(goodput))]
    rates = Rates(1.0, np.array(goodput), np.arange(len(goodput)))
    run = {"warmup": 0.0, "duration": (len(goodput) + 1) * step}
    return Answer("A", {"traffic": traffic, "run": run}, {}, rates=rates)


def test_fairness_is_of_the_active_flows_after_the_first_third_of_a_step() -> None:
    alike = staircase([9, 9, 9, 0, 5, 5, 0, 0, 0], [0, 0, 0, 7, 5, 5, 9, 9, 9])
    assert sharing.jain_mean([alike], least=2) == pytest.approx(1.0)
    assert sharing.jain_worst_step([alike]) == pytest.approx(1.0)
    one_sided = staircase([9, 9, 9, 5, 8, 0, 0, 0, 0], [0, 0, 0, 5, 0, 8, 9, 9, 9])
    assert sharing.jain_mean([one_sided], least=2) == pytest.approx(0.5)  # one of two has everything
    assert sharing.starved_share([one_sided], below=1.0, least=2) == pytest.approx(0.5)
    # The step with two flows has 1 and 0.5 in two runs; in one of them it is not the worst step of both.
    assert sharing.jain_worst_step([alike, one_sided]) == pytest.approx(0.75)


def test_a_staircase_of_one_entry_has_the_same_steps() -> None:
    goodput = np.array([[9, 9, 9, 5, 8, 0, 0, 0, 0], [0, 0, 0, 5, 0, 8, 9, 9, 9]], np.float64)
    apart = staircase(*goodput.tolist())
    for length in (6.0, None):
        entry = {"kind": "staircase", "flows": 2, "interval": 3.0, "length": length, "start": 0.0}
        rates = Rates(1.0, goodput, np.zeros(2, np.int64))
        together = Answer("A", {"traffic": [entry], "run": apart.scenario["run"]}, {}, rates=rates)
        assert sharing.jain_mean([together], least=2) == sharing.jain_mean([apart], least=2) == pytest.approx(0.5)
        assert sharing.starved_share([together], 1.0, 2) == sharing.starved_share([apart], 1.0, 2)


def test_a_staircase_that_runs_is_measured_step_by_step() -> None:
    star = {"kind": "star", "hosts": 4, "rate": "10 Mb/s", "rtt": "1 ms"}
    flows = {"kind": "staircase", "flows": 3, "interval": "0.5 s", "destinations": ["h0"]}
    run = {"duration": "2.5 s", "warmup": 0, "series": "50 ms"}
    raw = {"topology": star, "switch": {"buffer": "50 kB"}, "traffic": [flows], "run": run}
    found = Answer.of("A", fr.run(raw, engine="packet").to_dict())
    # One, two, three, two and one flow under way: two steps have two of them.
    assert [len(step[0]) for step in sharing._steps(found)] == [1, 2, 3, 2, 1]


def test_a_program_that_waits_for_its_last_receiver_reports_less_than_the_link_carried() -> None:
    """Two flows of 10 s; the second has nothing from 9.5 s until its timeout brings one window in the 12th second."""
    full = [100.0] * 9 + [50.0]
    rates = Rates(1.0, np.array([[*full, 50.0, 0.0], [*full[:9], 0.0, 0.0, 50.0]]), np.zeros(2, np.int64))
    run = Answer("A", {}, {}, rates=rates)
    # The first returns after 11 s with 1000 bits, the second after 12 s with 950: 83.3 and 79.2 bit/s.
    assert sharing.truncated_throughput([run], span=10, step=8) == 80 + 72
    assert sharing.starvation_stretch([run], span=10) == pytest.approx(1.2)
    assert sharing.truncated_reach([run], span=10, step=8, rate=150) == 1.0
    at_once = Answer("A", {}, {}, rates=Rates(1.0, np.array([[100.0] * 10 + [0.0] * 2]), np.zeros(1, np.int64)))
    assert sharing.truncated_throughput([at_once], span=10, step=8) == 96


def test_a_query_takes_as_long_as_its_last_answer() -> None:
    flows = Flows(
        size=np.full(5, 1e3),
        fct=np.array([1.0, 3.0, 2.0, 5.0, 4.0]),
        start=np.array([0.0, 0.0, 9.0, 9.0, 9.0]),
        entry=np.array([1, 1, 1, 1, 0]),
    )
    run = Answer("A", {}, {}, flows=flows)
    assert sorted(queries.latencies([run], entry=1).tolist()) == [3.0, 5.0]
    assert queries.query_mean([run], entry=1) == 4.0
    assert queries.query_share_below([run], time=4.0, entry=1) == 0.5
    drawn = queries.latencies([run.resampled(stream(1, "queries"))], entry=1)
    assert set(drawn.tolist()) <= {3.0, 5.0}  # queries are drawn whole
    with pytest.raises(NotMeasurableError, match="not kept"):
        queries.latencies([Answer("A", {}, {})], entry=1)


def test_a_run_that_ends_before_its_program_says_so() -> None:
    short = Answer("A", {}, {}, rates=Rates(1.0, np.full((1, 10), 100.0), np.zeros(1, np.int64)))
    with pytest.raises(NotMeasurableError, match="recorded for 10 s"):
        sharing.truncated_throughput([short], span=10, step=8)


def test_rates_that_were_not_recorded_are_named() -> None:
    with pytest.raises(NotMeasurableError, match="goodput"):
        sharing.jain_mean([Answer("A", {}, {})], least=2)
