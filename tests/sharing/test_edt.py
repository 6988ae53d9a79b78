"""Every row of EDT's state machine."""

from __future__ import annotations

import pytest
from tests.sharing.bench import MS, US, Bench

from footroom.parts.sharing import Edt

C1, C2, FLAG = 0, 1, 2


def bench(**given: float) -> Bench:
    """3 net enqueues within 1 ms begin a burst, 2 dequeues in a row end it, as do 5 ms."""
    return Bench(
        Edt.model_validate(
            {"kind": "edt", "alpha": 0.5, "enqueues": 3, "dequeues": 2, "within": 1e-3, "longest": 5e-3, **given}
        )
    )


def bursting(now: int = 0) -> Bench:
    """A queue that has just become uncontrolled; the first packet restarts timer 1 and is not counted."""
    made = bench()
    for _ in range(4):
        made.enqueue(now=now)
    assert uncontrolled(made, now)
    return made


def uncontrolled(made: Bench, now: int, queue: int = 0) -> bool:
    """Controlled queues get less than half of the memory, one or two uncontrolled ones at least that."""
    return made.limit(queue, now=now) >= 500_000


def test_controlled_is_dynamic_threshold() -> None:
    made = bench()
    made.enqueue(size=100_000)
    assert made.limit() == 450_000


def test_enough_net_enqueues_begin_a_burst() -> None:
    made = bench()
    for _ in range(3):
        made.enqueue()
    assert made.state(C2) == 2
    assert made.limit() == int(0.5 * (1_000_000 - 4500))
    made.enqueue()
    assert made.limit() == 1_000_000


def test_a_dequeue_takes_one_enqueue_back() -> None:
    made = bench()
    for _ in range(3):
        made.enqueue()
    made.dequeue()
    assert made.state(C2) == 1
    made.enqueue()
    assert not uncontrolled(made, 0)
    made.enqueue()
    assert uncontrolled(made, 0)


def test_dequeues_in_a_row_end_it() -> None:
    made = bursting()
    made.dequeue(now=US)
    assert made.state(C1) == 1
    made.enqueue(now=2 * US)
    assert made.state(C1) == 0
    made.dequeue(now=3 * US)
    assert uncontrolled(made, 3 * US)
    made.dequeue(now=4 * US)
    assert not uncontrolled(made, 4 * US)
    assert (made.state(C1), made.state(C2), made.state(FLAG)) == (0, 0, 0)


def test_dequeues_are_counted_during_a_burst_only() -> None:
    made = bench()
    for _ in range(3):
        made.enqueue()
    made.dequeue()
    assert made.state(C1) == 0


def test_a_pause_of_timer_1_starts_counting_anew() -> None:
    made = bench()
    for _ in range(3):
        made.enqueue()
    made.enqueue(now=MS)  # the flag is up: counts for nothing, and timer 1 starts again
    assert (made.state(C2), made.state(FLAG)) == (0, 0)
    for _ in range(2):
        made.enqueue(now=MS + US)
    assert not uncontrolled(made, MS + US)
    made.enqueue(now=2 * MS - US)  # within 1 ms of the one that restarted the timer
    assert uncontrolled(made, 2 * MS - US)


def test_timer_2_ends_it_without_a_packet() -> None:
    made = bursting()
    assert uncontrolled(made, 5 * MS - 1)
    assert made.limit(now=5 * MS) == int(0.5 * (1_000_000 - 6000))
    made.enqueue(now=5 * MS)
    assert made.state(FLAG) == 0


def test_after_timer_2_a_new_burst_is_counted_from_nothing() -> None:
    made = bursting()
    for when in (5 * MS, 5 * MS + US):
        made.enqueue(now=when)
    assert not uncontrolled(made, 5 * MS + US)
    made.enqueue(now=5 * MS + 2 * US)  # timer 2 cleared the flag, so the first of them counted
    assert uncontrolled(made, 5 * MS + 2 * US)


def test_a_drop_starts_counting_anew() -> None:
    made = bench()
    for _ in range(3):
        made.enqueue()
    made.drop()
    assert made.state(C2) == 0


def test_a_drop_ends_a_burst_only_when_the_memory_is_full() -> None:
    made = bursting()
    made.drop()
    assert uncontrolled(made, 0)
    made.switch["shared"] = 999_000
    made.drop()
    assert not uncontrolled(made, 0)


def test_bursts_share_the_memory_and_those_timed_out_do_not() -> None:
    made = bursting()
    for _ in range(4):
        made.enqueue(1, now=2 * MS)
    assert made.limit(0, now=2 * MS) == made.limit(1, now=2 * MS) == 500_000
    assert made.limit(1, now=5 * MS) == 1_000_000  # the first one's timer 2 has run out, silently
    assert made.limit(2, now=2 * MS) == int(0.5 * (1_000_000 - 12_000))


@pytest.mark.parametrize(
    ("buffer", "queues", "begins", "over"),
    [
        (262_500, 16, 8, 3),  # 175 packets over 16 ports, as published
        (262_500, 4, 32, 12),  # 65 625 B a queue, four times as much
        (1_000_000, 4, 122, 46),  # 250 000 / 16 406.25 = 15.24: 121.9 and 45.7
        (4_000_000, 30, 65, 24),  # 89 packets a queue: 65.0 and 24.4
        (500_000_000, 32, 7619, 2857),
    ],
)
def test_packets_counted_follow_the_memory_per_queue(buffer: int, queues: int, begins: int, over: int) -> None:
    made = Bench(Edt(within=1.0, longest=1.0), buffer, queues=queues)
    for _ in range(begins):
        made.enqueue(size=1)
    assert not made.scratch.any()  # the first packet restarted the timer and was not counted
    made.enqueue(size=1)
    assert made.scratch[0] > 0
    for _ in range(over - 1):
        made.dequeue(size=1)
    assert made.scratch[0] > 0
    made.dequeue(size=1)
    assert not made.scratch.any()


def test_a_tiny_memory_counts_at_least_one_packet() -> None:
    made = Bench(Edt(), 9000, queues=12)
    made.enqueue(size=64)
    made.enqueue(size=64)
    assert made.scratch[0] > 0


@pytest.mark.parametrize(("queues", "within"), [(4, 5.56e9 / 8), (16, 2.1e9 / 8)])
def test_timers_by_ports_and_rate(queues: int, within: float) -> None:
    made = Bench(Edt(enqueues=1, dequeues=1), queues=queues)  # 8 Gb/s
    for _ in range(2):
        made.enqueue()
    assert made.scratch[0] == 10e9 / 8
    assert made.state(3) == within
    made.rate[0] = 8000 << 16  # the port is now at 1 Gb/s
    made.dequeue(now=1)
    for _ in range(2):
        made.enqueue(now=1)
    assert made.scratch[0] == 10e9 + 1
