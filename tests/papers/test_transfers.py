"""Measures of completion times and queues as results summarise them, on answers made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.papers.measures import NotMeasurableError
from footroom.papers.measures.answer import Answer
from footroom.papers.measures.transfers import by_entry, queue, sizes_upto, slowdown


def answer(**more: Any) -> Answer:
    scenario = {"traffic": [{"sizes": {"kind": "empirical", "name": "hpcc_fig3"}}]}
    return Answer.of("case", {"scenario": scenario, "metrics": {}, **more})


def size(above: float, upto: float, count: int, p99: float) -> dict[str, Any]:
    return {"above": above, "upto": upto, "count": count, "slowdown_p50": 1.0, "slowdown_p99": p99}


def test_an_entry_is_found_by_name_and_cases_are_averaged() -> None:
    cases = [
        answer(completions=[{"name": "victim", "rate": rate}, {"name": "flood", "rate": 9.0}]) for rate in (2.0, 4.0)
    ]
    assert by_entry(cases, "victim", "rate") == 3.0
    with pytest.raises(NotMeasurableError, match="nothing of nobody"):
        by_entry(cases, "nobody", "rate")


def test_classes_of_sizes_are_weighed_by_how_much_they_completed() -> None:
    one = answer(completions_by_size=[size(2000, 4000, 30, 5.0), size(4000, 8000, 10, 9.0), size(8000, 16000, 5, 50.0)])
    assert slowdown([one], "p99", 4000) == 5.0
    assert slowdown([one], "p99", 8000, above=0) == 6.0
    with pytest.raises(NotMeasurableError, match="2000 B"):
        slowdown([one], "p99", 2000)


def test_queues_are_read_at_the_shares_that_are_told() -> None:
    queues = {
        "share": [0.5, 1.0],
        "queues": [{"port": "all", "bytes": [1.0, 7.0]}, {"port": "a>b", "bytes": [4.0, 7.0]}],
    }
    assert queue([answer(queue_distribution=queues)], 0.5) == 1.0
    assert queue([answer(queue_distribution=queues)], 0.5, busiest=True) == 4.0
    with pytest.raises(NotMeasurableError, match="at a share of 0"):
        queue([answer(queue_distribution=queues)], 0.9)


def test_shares_of_sizes_are_those_of_the_published_figure() -> None:
    """22.9 % of the queries have 4 KB and 90.5 % less than 32 KB (Miao et al. 2019, section 2.3)."""
    assert sizes_upto([answer()], "traffic.0.sizes", 4000) == pytest.approx(0.229, abs=5e-4)
    assert sizes_upto([answer()], "traffic.0.sizes", 32_000, below=True) == pytest.approx(0.905, abs=5e-4)
    assert sizes_upto([answer()], "traffic.0.sizes", 4000, below=True) == 0.0
