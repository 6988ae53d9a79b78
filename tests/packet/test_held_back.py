"""Acknowledgements that only report segments beyond a gap: how many leave at once, and when the others do."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.packet.replay import LinesOf, both
from tests.packet.scenarios import dumbbell

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

MILLISECOND = 10**9


def reports(lines_of: LinesOf, **host: object) -> list[list[int]]:
    """When acknowledgements that repeat one number reached the sender [ps], by number, longest runs first.

    After slow start, whose overflow loses every other segment: each of the rest begins a block of its own.
    """
    traffic = {
        "kind": "long_lived",
        "flows": 1,
        "start_jitter": 0,
        "host": {"recovery": "prr", "jitter": 0, "ack_every": 1, **host},
    }
    run = {"duration": "3 s", "warmup": "0.5 s"}
    plan = build_plan(Scenario.parse(dumbbell(switch={"buffer": "40 packets"}, traffic=[traffic], run=run)))
    came: dict[int, list[int]] = {}
    for time, what, _, _, ack, number in lines_of(plan):
        if what == "delivery" and ack == 1 and time > plan.warmup:
            came.setdefault(number, []).append(time)
    return sorted((times[1:] for times in came.values()), key=len, reverse=True)


@both
def test_without_a_delay_every_segment_beyond_a_gap_is_reported_at_once(lines_of: LinesOf) -> None:
    slot = 120 * 10**6  # a full packet on 100 Mb/s
    longest = reports(lines_of)[0]
    assert len(longest) > 30
    assert min(b - a for a, b in pairwise(longest)) == pytest.approx(slot, rel=0.01)


@both
def test_after_three_reports_of_a_gap_the_others_wait_together(lines_of: LinesOf) -> None:
    """100 Mb/s and 10 ms: a twentieth of the round trip is at least half a millisecond, four packets' time."""
    longest = reports(lines_of, sack_delay="0.4 ms")[0]
    assert all(b - a == 120 * 10**6 for a, b in pairwise(longest[:3]))
    gaps = [b - a for a, b in pairwise(longest[3:])]
    assert len(gaps) > 5
    # The first of those that wait comes at most a packet's time after the last that left.
    assert all(0.4 * MILLISECOND <= gap <= 0.521 * MILLISECOND for gap in gaps)


@both
def test_no_report_waits_longer_than_a_twentieth_of_the_round_trip(lines_of: LinesOf) -> None:
    """With 40 packets in the queue the round trip is 15 ms at most."""
    longest = reports(lines_of, sack_delay="20 ms")[0]
    gaps = [b - a for a, b in pairwise(longest[3:])]
    assert len(gaps) > 3
    assert all(0.5 * MILLISECOND <= gap <= 0.87 * MILLISECOND for gap in gaps)


@both
def test_without_selective_acknowledgements_none_waits(lines_of: LinesOf) -> None:
    assert reports(lines_of, recovery="newreno", sack_delay="1 ms") == reports(lines_of, recovery="newreno")


@both
@pytest.mark.parametrize(("pushes", "singles"), [(False, False), (True, True)])
def test_the_end_of_a_burst_is_acknowledged_at_once(lines_of: LinesOf, pushes: bool, singles: bool) -> None:
    """Bursts of three, every second segment acknowledged: two at a time, or two and then the last one."""
    traffic = {
        "kind": "long_lived",
        "flows": 1,
        "start_jitter": 0,
        "host": {"jitter": 0, "burst": 3, "push_acks": pushes, "receive_window": "45 kB"},
    }
    run = {"duration": "1 s", "warmup": "0.5 s"}
    plan = build_plan(Scenario.parse(dumbbell(switch={"buffer": "400 packets"}, traffic=[traffic], run=run)))
    numbers = [
        number for time, what, _, _, ack, number in lines_of(plan) if what == "delivery" and ack == 1 and time > 5e11
    ]
    steps = [b - a for a, b in pairwise(numbers)]
    assert set(steps) == ({1, 2} if singles else {2})
    if singles:
        assert 0.8 < steps.count(1) / steps.count(2) <= 1.0  # now and then a burst is cut short by the window
