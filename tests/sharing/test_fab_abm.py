"""Limits of FAB and ABM worked out by hand."""

from __future__ import annotations

import pytest
from tests.sharing.bench import MS, US, Bench

from footroom.parts.sharing import Abm, Fab


def test_fab_favours_the_first_fourteen_packets_of_a_flow() -> None:
    made = Bench(Fab())
    for _ in range(13):
        made.enqueue()
    free = 1_000_000 - 13 * 1500
    assert made.limit() == 1024 * free  # 14 packets, 21 kB, are less than 22.5 kB
    made.enqueue()
    assert made.limit() == (free - 1500) // 2


def test_fab_adds_up_the_sizes_that_packets_have() -> None:
    made = Bench(Fab())
    for size in (1500, 9000, 64, 11_935):
        made.enqueue(size=size)  # 22 499 B
    free = 1_000_000 - 22_499
    assert made.limit(size=1) == free // 2
    assert made.limit(size=64) == free // 2  # a short last segment does not make a large flow small
    small = Bench(Fab())
    for _ in range(300):
        small.passed(size=64)
    assert small.limit(size=64) == 1024 * 1_000_000  # 301 small packets are 19.3 kB


def test_fab_counts_what_it_drops_and_what_finds_the_port_idle() -> None:
    made = Bench(Fab())
    made.passed(size=7500)
    made.drop(size=7500)
    assert made.limit(size=7499) == 1024 * 1_000_000
    assert made.limit(size=7500) == 500_000


def test_fab_counts_acknowledgements_apart() -> None:
    made = Bench(Fab())
    made.passed(size=30_000)
    made.packet["sort"] = 1
    assert made.limit(size=64) == 1024 * 1_000_000


def test_fab_forgets_a_flow_that_was_silent() -> None:
    made = Bench(Fab())
    for _ in range(20):
        made.enqueue()
    assert made.limit(now=5 * MS) == (1_000_000 - 30_000) // 2
    assert made.limit(now=5 * MS + 1) == 1024 * 970_000
    made.drop(now=6 * MS)  # seen, though dropped
    for _ in range(12):
        made.drop(now=6 * MS)
    assert made.limit(now=6 * MS) == 1024 * 970_000  # the 14th of the new beginning
    made.drop(now=6 * MS)
    assert made.limit(now=6 * MS) == 970_000 // 2


def test_fab_tells_flows_apart() -> None:
    made = Bench(Fab())
    made.passed(flow=1, size=30_000)
    assert made.limit(flow=1) == 500_000
    assert made.limit(flow=2) == 1024 * 1_000_000
    assert made.limit(flow=8) == 1024 * 1_000_000  # stands for a flow nothing is known of


def abm(**given: float) -> Bench:
    return Bench(Abm.model_validate({"kind": "abm", "alpha": 1.0, "unscheduled": 3000, "window": 1e-5, **given}))


def test_abm_alone_is_dynamic_threshold() -> None:
    made = abm()
    made.enqueue(size=400_000)
    assert made.limit() == 600_000
    assert made.limit(flow=1) == 1024 * 600_000
    made.enqueue(size=100_000)
    assert made.limit() == 500_000  # now at its threshold, and the only one


def test_abm_adds_up_the_sizes_of_unscheduled_packets() -> None:
    made = abm()
    made.passed(size=1000)
    made.drop(size=1000)
    made.enqueue(size=999)
    assert made.limit(size=1) == 1024 * 999_001  # 3000 B
    assert made.limit(size=2) == 999_001
    made.packet["sort"] = 1  # of the same flow, counted apart
    assert made.limit(size=64) == 1024 * 999_001


def test_abm_divides_among_congested_queues() -> None:
    made = abm(unscheduled=0)
    made.enqueue(0, size=460_000)  # above 0.9 · 540 000 it would be congested: it is not
    assert made.limit(1) == 540_000
    made.enqueue(0, size=40_000)  # 500 000 > 0.9 · 500 000
    assert made.scratch[0] == 1
    made.enqueue(1, size=250_000)  # threshold 250 000: congested as well
    assert made.scratch[0] == 2
    assert made.limit(2) == 125_000
    made.dequeue(0, size=490_000)  # 10 000 < 0.9 · 740 000 / 2
    assert made.scratch[0] == 1
    assert made.limit(2) == 740_000


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
    assert made.limit() == int((1_000_000 - 40 * 1500) * share)
    for _ in range(40):
        made.dequeue(now=10**9)
    assert made.limit() == 1_000_000  # an empty queue has no drain rate
