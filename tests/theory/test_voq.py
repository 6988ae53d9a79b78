"""Waits behind virtual output queues, against a router that serves them packet by packet."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footroom.base.errors import Infeasible, InvalidInput
from footroom.calculators.voq import VoqQuestion, answer, voq_delay, voq_limit


def served_in_turn(packets: int, line_cards: int, rate: float, packet: float) -> float:
    """When the last of ``packets`` on each card has been sent by an output that takes one from each in turn."""
    queues = [deque(range(packets)) for _ in range(line_cards)]
    now = 0.0
    while any(queues):
        for queue in queues:
            if queue:
                queue.popleft()
                now += 8.0 * packet / rate
    return now


@given(packets=st.integers(1, 60), cards=st.integers(1, 9), rate=st.sampled_from([1e9, 1e10, 4e11]))
def test_the_last_packet_leaves_when_the_formula_says(packets: int, cards: int, rate: float) -> None:
    assert voq_delay(packets * 1500.0, cards, rate) == pytest.approx(served_in_turn(packets, cards, rate, 1500.0))


def test_the_default_limit_of_a_published_router() -> None:
    # 500 MB at 100 Gb/s; one card alone waits 40 ms, four of them 160 ms.
    assert voq_delay(500e6, 1, 100e9) == pytest.approx(0.040)
    assert voq_delay(500e6, 4, 100e9) == pytest.approx(0.160)


def test_limit_and_wait_are_one_anothers_inverse() -> None:
    assert voq_delay(voq_limit(0.05, 7, 4e11), 7, 4e11) == pytest.approx(0.05)


def test_the_answer_counts_packets_and_can_be_checked_by_hand() -> None:
    found = answer(
        VoqQuestion.model_validate(
            {"rate": "100 Gb/s", "line_cards": 4, "delay": "50 ms", "packet": "1500 B", "limit": "500 MB"}
        )
    )
    assert (found.limit, found.memory, found.delay) == (156.25e6, 625e6, 0.16)
    assert found.packets == 104_166
    assert [one.name for one in found.explanations] == ["voq_limit", "voq_memory", "voq_delay"]
    whole = answer(VoqQuestion.model_validate({"rate": 12e6, "line_cards": 1, "delay": "3 ms"}))
    assert whole.packets == 3  # 4500 B exactly, whatever the rounding
    assert whole.delay is None


def test_a_wait_too_short_for_one_packet_is_refused_with_the_shortest() -> None:
    with pytest.raises(Infeasible, match=r"4 line cards already takes 480 ns"):
        answer(VoqQuestion.model_validate({"rate": "100G", "line_cards": 4, "delay": "400 ns"}))


def test_nonsense_is_refused() -> None:
    with pytest.raises(InvalidInput):
        voq_delay(-1.0, 1, 1e9)
