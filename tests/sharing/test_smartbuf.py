"""Smartbuf's gradient, map and predictions worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sharing.bench import MS, Bench

from footroom.parts.sharing import Smartbuf

#: A packet of 1500 B on a port of 8 Gb/s [ps].
PACKET = 1_500_000
BUFFER = 1_000_000
THEN, GRADIENT, LARGEST, KEY, HELD = 1, 2, 3, 4, 5


def bench(**given: Any) -> Bench:
    return Bench(Smartbuf.model_validate({"kind": "smartbuf", "key_width": 0.1, **given}), BUFFER)


def burst(made: Bench, senders: int, rounds: int, start: int, lost: int = 0, queue: int = 0) -> int:
    """``senders`` packets arrive and one leaves, ``rounds`` times, at the start ``lost`` more are dropped; then it
    drains. Returns when it is empty."""
    now = start
    for _ in range(lost):
        made.drop(queue, now=now)
    for _ in range(rounds):
        for _ in range(senders):
            made.enqueue(queue, now=now)
        now += PACKET
        made.dequeue(queue, now=now)
    for _ in range((senders - 1) * rounds):
        now += PACKET
        made.dequeue(queue, now=now)
    return now


@pytest.mark.parametrize("senders", [2, 3, 5, 9])
def test_the_gradient_is_the_senders_less_one(senders: int) -> None:
    made = bench(weight=1)
    for number in range(4):
        for _ in range(senders):
            made.enqueue(now=number * PACKET)
        made.dequeue(now=(number + 1) * PACKET)
        assert made.state(GRADIENT) == senders - 1
    assert made.state(LARGEST) == (4 * (senders - 1) + 1) * 1500  # with the packet that leaves
    assert made.state(KEY) == 10 * (senders - 1)


def test_the_gradient_is_smoothed_with_a_quarter() -> None:
    made = bench()
    for number, smooth in enumerate((0.5, 0.875, 1.15625)):  # 2·(1 − 0.75^k)
        for _ in range(3):
            made.enqueue(now=number * PACKET)
        made.dequeue(now=(number + 1) * PACKET)
        assert made.state(GRADIENT) == smooth
    assert made.state(KEY) == 12


def test_packets_that_leave_at_once_change_no_gradient() -> None:
    made = bench(weight=1)
    made.enqueue(now=PACKET)
    made.enqueue(now=PACKET)
    made.dequeue(now=PACKET)
    assert (made.state(GRADIENT), made.state(LARGEST)) == (0, 3000)


def test_an_idle_port_starts_from_an_empty_queue() -> None:
    made = bench(weight=1)
    end = burst(made, 3, 10, 0)
    later = end + 7 * MS
    for _ in range(3):
        made.enqueue(now=later)
    made.dequeue(now=later + PACKET)
    assert made.state(GRADIENT) == 2


def entries(made: Bench) -> dict[int, int]:
    count = int(made.scratch[0])
    return {
        int(key): int(value)
        for key, value in zip(made.scratch[16 : 16 + count], made.scratch[528 : 528 + count], strict=True)
    }


def test_a_burst_is_learnt_when_the_queue_has_fallen() -> None:
    made = bench(weight=1, sigma=16)
    burst(made, 3, 30, 0)  # 61 packets: more than 62.5 kB
    assert entries(made) == {20: 91_500}
    burst(made, 3, 20, 5 * MS)  # 41 packets: no burst
    assert entries(made) == {20: 91_500}
    burst(made, 5, 20, 10 * MS, lost=4)  # 81 packets and 4
    assert entries(made) == {20: 91_500, 40: 127_500}
    burst(made, 3, 25, 15 * MS)  # 51 packets: values only rise
    assert entries(made)[20] == 91_500


def test_nothing_is_known_at_first_and_the_limit_is_dynamic_threshold() -> None:
    made = bench()
    made.enqueue(size=200_000)
    assert made.limit() == 800_000


def taught(**given: Any) -> Bench:
    """Known: 3, 4, 5 and 6 senders need 61, 91, 121 and 151 packets."""
    made = bench(weight=1, alpha=0.05, **given)
    now = 0
    for senders in (3, 4, 5, 6):
        now = burst(made, senders, 30, now) + MS
    assert entries(made) == {20: 91_500, 30: 136_500, 40: 181_500, 50: 226_500}
    return made


def predicted(made: Bench, senders: int) -> float:
    """The prediction for a burst of so many senders on another queue, once it is known for one."""
    now = 20 * MS
    while made.state(LARGEST, 1) <= BUFFER / 16:
        for _ in range(senders):
            made.enqueue(1, now=now)
        now += PACKET
        made.dequeue(1, now=now)
    return made.state(HELD, 1)


@pytest.mark.parametrize(
    ("nearest", "senders", "expected"),
    [
        (1, 2, 91_500),
        (1, 3, 91_500),
        (1, 6, 226_500),
        (3, 2, 136_500),
        (3, 3, 136_500),
        (3, 4, 181_500),
        (3, 5, 204_000),
        (3, 6, 226_500),
        (3, 9, 226_500),
    ],
)
def test_the_prediction_is_the_mean_of_the_nearest_that_are_as_steep(
    nearest: int, senders: int, expected: float
) -> None:
    made = taught(nearest=nearest)
    assert predicted(made, senders) == expected
    assert made.limit(1) == expected


@pytest.mark.parametrize("strict", [{"or_equal": False}, {"faithful": True}])
@pytest.mark.parametrize(
    ("nearest", "senders", "expected"),
    [
        (1, 2, 91_500),
        (1, 3, 136_500),
        (3, 2, 136_500),
        (3, 3, 181_500),
        (3, 4, 204_000),
        (3, 5, 226_500),
        (3, 6, 226_500),
        (3, 9, 226_500),
    ],
)
def test_as_listed_only_steeper_ones_count(
    nearest: int, senders: int, expected: float, strict: dict[str, bool]
) -> None:
    assert predicted(taught(nearest=nearest, **strict), senders) == expected


def grow(made: Bench, senders: int, now: int) -> int:
    """Another packet of each sender arrives at queue 1 and one leaves."""
    for _ in range(senders):
        made.enqueue(1, now=now)
    made.dequeue(1, now=now + PACKET)
    return now + PACKET


def test_a_burst_is_looked_up_by_its_gradient_at_its_largest_length_and_keeps_the_largest_prediction() -> None:
    made = taught(nearest=1)
    assert predicted(made, 4) == 136_500
    now = grow(made, 3, int(made.state(THEN, 1)))  # it flattens, and what it would get now is less
    assert (made.state(KEY, 1), made.state(HELD, 1)) == (20, 136_500)
    now = grow(made, 5, now)
    assert (made.state(KEY, 1), made.state(HELD, 1)) == (40, 181_500)
    while made.queues["bytes"][1] - 1500 >= made.state(LARGEST, 1) / 2:
        now += PACKET
        made.dequeue(1, now=now)
        assert made.state(GRADIENT, 1) == -1
        assert (made.state(KEY, 1), made.state(HELD, 1)) == (40, 181_500)
    made.dequeue(1, now=now + PACKET)
    assert made.state(HELD, 1) == 0
    assert made.limit(1) == int(0.05 * (BUFFER - made.switch["shared"][0]))


def test_as_listed_the_prediction_is_that_for_the_gradient_at_every_departure() -> None:
    made = taught(nearest=1, faithful=True)
    assert predicted(made, 4) == 181_500
    now = grow(made, 3, int(made.state(THEN, 1)))
    assert made.state(HELD, 1) == 136_500
    now = grow(made, 5, now)
    assert made.state(HELD, 1) == 226_500
    made.dequeue(1, now=now + PACKET)  # it falls: the burst that rose least is the nearest steeper one
    assert (made.state(GRADIENT, 1), made.state(KEY, 1), made.state(HELD, 1)) == (-1, 40, 91_500)


@pytest.mark.parametrize("faithful", [False, True])
def test_corrected_it_never_gives_less_than_dynamic_threshold(faithful: bool) -> None:
    made = taught(faithful=faithful)
    made.kept[0][0] = 0.8  # alpha, for the burst to come
    known = 181_500 if faithful else 136_500
    assert predicted(made, 3) == known
    free = BUFFER - int(made.switch["shared"][0])
    assert int(0.8 * free) > known
    assert made.limit(1) == (known if faithful else int(0.8 * free))


def test_faithfully_drops_are_not_learnt() -> None:
    for faithful, value in ((False, 121_500), (True, 91_500)):
        made = bench(weight=1, faithful=faithful)
        burst(made, 3, 30, 0, lost=20)
        assert entries(made) == {20: value}


def test_old_entries_are_forgotten() -> None:
    made = taught(ageing="30 ms")
    burst(made, 3, 30, 45 * MS)
    assert entries(made) == {20: 91_500}
    assert made.policy.observe(made.scratch)["entries_max"] == 4


def test_while_learning_nothing_is_predicted() -> None:
    made = taught(learning_time="1 s")
    assert predicted(made, 3) == 0
    assert made.policy.observe(made.scratch)["predictions"] == 0


def test_the_error_is_against_what_would_have_been_needed() -> None:
    made = bench(weight=1)
    end = burst(made, 3, 30, 0)
    burst(made, 3, 30, end, lost=61)  # predicted 61 packets, needed 122
    seen = made.policy.observe(made.scratch)
    assert (seen["bursts"], seen["predictions"]) == (2, 1)
    assert seen["error_mean"] == seen["error_max"] == 0.5
    assert (seen["predicted_bytes"], seen["demand_bytes"]) == (91_500, 183_000)


def test_the_map_has_room_for_512_bursts() -> None:
    made = bench(weight=1, key_width=0.0005, sigma=1000, ageing="100 s")
    now, count = 0, 600
    for number in range(count):  # the wait before the one departure makes the gradient, and with it the key
        for _ in range(3):
            made.enqueue(now=now)
        wait = PACKET + 2000 * number
        made.dequeue(now=now + wait)
        for late in (1, 2):
            made.dequeue(now=now + wait + late * 10 * PACKET)
        now += 100 * PACKET
    keys = list(entries(made))
    assert len(keys) == 512
    assert keys == sorted(keys)
    assert made.policy.observe(made.scratch)["evictions"] == count - 512
    # Those that came first had to go, and they were the steepest.
    assert max(keys) == int(2 * PACKET / (PACKET + 2000 * (count - 512)) / 0.0005 + 0.5)
