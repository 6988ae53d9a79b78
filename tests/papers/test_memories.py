"""Measures of policies side by side, of memories, and of queries drawn again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.papers.made_up import answer

from footroom.base.rng import stream
from footroom.papers.figures.plots import measure_by_case
from footroom.papers.measures import Answer, Flows, Leaf, NotMeasurableError, estimate
from footroom.papers.measures.completion import largest_flow, smallest_flow
from footroom.papers.measures.memory import fullest, held_share, observed
from footroom.papers.measures.policies import lead, rank


def side_by_side() -> list[Answer]:
    """Two loads: a takes 1 and 2 s, b 2 and 1 s, c 8 and 4 s."""
    times = {"a/0.3": 1.0, "b/0.3": 2.0, "c/0.3": 8.0, "a/0.9": 2.0, "b/0.9": 1.0, "c/0.9": 4.0}
    return [answer(case, fct=[time] * 3) for case, time in times.items()]


def memory(switch: str, most: int, held: list[float], **counts: float) -> dict[str, Any]:
    return {
        "switch": switch,
        "card": 0,
        "policy": "smartbuf",
        "buffer": 1000,
        "most": most,
        "held": held,
        "observed": counts,
    }


def test_a_lead_is_told_by_its_distribution() -> None:
    runs = side_by_side()
    ratios = [0.5, 2.0, 2.0, 8.0]  # of b and c over a at both loads
    for at in (0.0, 0.25, 0.5, 1.0):
        assert lead(runs, "a", 0.99, at) == pytest.approx(np.quantile(ratios, at))
    assert lead(runs[:3], "a", 0.99) == 2.0
    with pytest.raises(NotMeasurableError, match="'d'"):
        lead(runs, "d", 0.99)


def test_a_rank_counts_who_is_quicker() -> None:
    runs = side_by_side()
    assert [rank(runs[:3], one, 0.99) for one in "abc"] == [1.0, 2.0, 3.0]
    assert [rank(runs, one, 0.99) for one in "abc"] == [1.5, 1.5, 3.0]


def test_policies_within_a_tie_share_a_place() -> None:
    runs = side_by_side()[:3]  # b takes twice as long as a
    assert rank(runs, "b", 0.99, tie=0.99) == 2.0
    assert rank(runs, "b", 0.99, tie=1.01) == 1.0


def test_memories_are_chosen_by_their_switch() -> None:
    runs = [
        replace(
            answer(),
            memories=(
                memory("leaf0", 500, [3.0, 1.0], entries=4.0),
                memory("leaf1", 900, [1.0, 1.0], entries=8.0),
                memory("spine0", 999, [0.0, 10.0]),
            ),
        )
    ]
    assert observed(runs, "entries") == 6.0
    assert [observed(runs, "entries", over) for over in ("min", "max", "sum")] == [4.0, 8.0, 12.0]
    assert held_share(runs, 0, "leaf") == pytest.approx(4 / 6)  # a share of bytes, not a mean of shares
    assert held_share(runs, 0) == pytest.approx(4 / 16)
    assert (fullest(runs), fullest(runs, "leaf")) == (0.999, 0.9)
    for name, switches in (("entries", "spine"), ("bursts", ""), ("entries", "core")):
        with pytest.raises(NotMeasurableError):
            observed(runs, name, switches=switches)
    with pytest.raises(NotMeasurableError, match="nothing was recorded"):
        held_share([answer()], 0)


def test_what_cannot_be_drawn_again_has_no_interval() -> None:
    runs = [[replace(answer("A"), memories=(memory("leaf0", 500, [1.0]),))]]
    found = estimate(Leaf(measure="fullest", cases=("A",)), lambda leaf: runs)
    assert (found.value, found.interval, found.draws) == (0.5, None, ())


def test_flows_of_one_query_are_drawn_together() -> None:
    start = np.repeat([0.0, 1.0, 2.0, 2.0], [3, 2, 1, 4])
    entry = np.repeat([1, 1, 0, 1], [3, 2, 1, 4])
    flows = Flows(np.arange(10.0), np.arange(10.0), start, entry)
    often = []
    for seed in range(400):
        again = flows.again(stream(seed, "test"))
        counts = np.bincount(again.whole.size.astype(int), minlength=10)
        # All flows of a query appear as often as each other.
        groups = [counts[0:3], counts[3:5], counts[5:6], counts[6:10]]
        assert all(len(set(group.tolist())) == 1 for group in groups)
        often.append([int(group[0]) for group in groups])
    # A Poisson number of mean 1, given that of the n queries of its entry some are drawn: n is 3, 3, 1, 3.
    some = 1.0 - np.exp(-np.array([3.0, 3.0, 1.0, 3.0]))
    assert np.mean(often, axis=0) == pytest.approx(1.0 / some, abs=0.2)
    assert np.var(often, axis=0) == pytest.approx(2.0 / some - 1.0 / some**2, abs=0.35)
    assert np.abs(np.corrcoef(np.transpose(often)) - np.eye(4)).max() < 0.2


def test_a_flow_that_one_case_lacks_shifts_no_other() -> None:
    # Two cases with the same 2000 arrivals over a thousandfold range of sizes; in the second all flows take 5 % longer,
    # and the first of them does not complete. Their ratio is known better than what one case's quantile is.
    rng = np.random.default_rng(1)
    time, start = 10.0 ** rng.uniform(-3.0, 0.0, 2000), np.sort(rng.uniform(0.0, 20.0, 2000))
    entry = np.zeros(2000, dtype=np.int64)
    quick = replace(answer("A/1"), flows=Flows(time, time, start, entry))
    slow = replace(answer("B/1"), flows=Flows(time[1:], 1.05 * time[1:], start[1:], entry[1:]))
    leaf = Leaf(measure="quantile_ratio", cases=("A/1", "B/1"), given={"subject": "B", "low": 0.85, "high": 0.99})
    found = estimate(leaf, lambda leaf: [[quick, slow]])
    assert found.interval is not None
    assert found.interval == pytest.approx((1.05, 1.05), abs=0.01)


def test_sizes_of_completed_flows() -> None:
    runs = [answer(fct=[1.0, 2.0])]
    assert smallest_flow(runs) == largest_flow(runs) == 1e7


def test_a_measure_is_drawn_over_the_number_that_ends_a_name() -> None:
    plot = measure_by_case({"A": side_by_side()[0::3]}, "fct_mean", "time", "s", "memory in B", factor=1e6)
    assert (plot.x.title, plot.x.unit, plot.y.unit) == ("memory", "B", "s")
    (series,) = plot.series
    assert (series.x, series.y) == ([0.3e6, 0.9e6], [1.0, 2.0])
