"""Limits of FAB and ABM worked out by hand."""

from __future__ import annotations

import pytest
from tests.sharing.bench import MS, US, Bench

from footroom.sharing import Abm, Fab


def test_fab_favours_the_first_fourteen_packets_of_a_flow() -> None:
    made = Bench(Fab())
    made.enqueue(size=1500)
    free = 998_500
    assert made.limit(seq=13) == 1024 * free  # 14 packets, 21 kB, are less than 22.5 kB
    assert made.limit(seq=14) == free // 2
    assert made.limit(seq=200, size=64) == 1024 * free  # 201 small packets are 12.9 kB


def test_fab_forgets_a_flow_that_was_silent() -> None:
    made = Bench(Fab())
    for seq in range(20):
        made.enqueue(seq=seq)
    assert made.limit(seq=20, now=5 * MS) == (1_000_000 - 30_000) // 2
    assert made.limit(seq=20, now=5 * MS + 1) == 1024 * 970_000
    made.drop(seq=20, now=6 * MS)  # seen, though dropped
    assert made.limit(seq=33, now=6 * MS) == 1024 * 970_000
    assert made.limit(seq=34, now=6 * MS) == 970_000 // 2


def test_fab_tells_flows_apart() -> None:
    made = Bench(Fab())
    made.enqueue(flow=1, seq=0, now=MS)
    made.drop(flow=2, seq=100, now=7 * MS)
    assert made.limit(flow=1, seq=50, now=5 * MS) < made.limit(flow=2, seq=101, now=8 * MS)


def abm(**given: float) -> Bench:
    return Bench(Abm.model_validate({"kind": "abm", "alpha": 1.0, "unscheduled": 3000, "window": 1e-5, **given}))


def test_abm_alone_is_dynamic_threshold() -> None:
    made = abm()
    made.enqueue(size=400_000)
    assert made.limit(seq=2) == 600_000
    assert made.limit(seq=1) == 1024 * 600_000  # the second packet still lies in the first 3000 B
    made.enqueue(size=100_000)
    assert made.limit(seq=2) == 500_000  # now at its threshold, and the only one


def test_abm_divides_among_congested_queues() -> None:
    made = abm()
    made.enqueue(0, size=460_000)  # above 0.9 · 540 000 it would be congested: it is not
    assert made.limit(1, seq=9) == 540_000
    made.enqueue(0, size=40_000)  # 500 000 > 0.9 · 500 000
    assert made.scratch[0] == 1
    made.enqueue(1, size=250_000)  # threshold 250 000: congested as well
    assert made.scratch[0] == 2
    assert made.limit(2, seq=9) == 125_000
    made.dequeue(0, size=490_000)  # 10 000 < 0.9 · 740 000 / 2
    assert made.scratch[0] == 1
    assert made.limit(2, seq=9) == 740_000


def test_abm_counts_each_class_by_itself() -> None:
    made = Bench(Abm(alphas=(1.0, 0.5), unscheduled=0))
    made.queues["klass"][1] = 1
    made.enqueue(0, size=500_000)
    assert made.limit(1) == 250_000
    assert made.limit(0) == 500_000
    made.enqueue(1, size=300_000)
    assert list(made.scratch[:2]) == [1, 1]
    assert made.limit(0) == 200_000


@pytest.mark.parametrize(("spacing", "share"), [(1, 1.0), (2, 0.5), (4, 0.25), (100, 0.125)])
def test_abm_measures_how_fast_a_queue_drains(spacing: int, share: float) -> None:
    made = abm(unscheduled=0)
    for _ in range(100):
        made.enqueue()
    # A packet takes 1.5 us; the queue gets every ``spacing``-th turn, so in whole windows its share is exact.
    for number in range(60):
        made.dequeue(now=number * spacing * 3 * US // 2)
    assert made.limit(seq=9) == int((1_000_000 - 40 * 1500) * share)
    for _ in range(40):
        made.dequeue(now=10**9)
    assert made.limit(seq=9) == 1_000_000  # an empty queue has no drain rate
