"""Completion time of a query against its degree: closed forms before the port overflows, and a timeout after.

A star of 10 Gb/s, round trip 80 µs, 128 packets of 1500 B at the receiver's port, minimum timeout 10 ms.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.reference.agreement import agree

import footroom as fr
from footroom.engines.plan import build_plan

RATE, RTT, PORT, WINDOW, PAYLOAD, WIRE, RTO = 10e9, 80e-6, 128, 10, 1448, 1500, 10e-3
PACKET, ACK = WIRE * 8 / RATE, 64 * 8 / RATE
LAWS = ["newreno", "dctcp"]


def scenario(degree: int, size: float, law: str, **host: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "star", "hosts": max(101, degree + 1), "rate": "10 Gb/s", "rtt": "80 us"},
        "switch": {
            "buffer": f"{PORT} packets",
            "marking": {"kind": "step", "threshold": "97.5 kB"} if law == "dctcp" else {"kind": "none"},
        },
        "traffic": [
            {
                "kind": "incast",
                "degree": degree,
                "size": size,
                "start": "0 s",
                "congestion": {"kind": law},
                "host": {
                    "min_rto": "10 ms",
                    "rto_floor": "total",
                    "initial_rto": "10 ms",
                    "jitter": "0 s",
                    "ack_every": 1,
                    **host,
                },
            }
        ],
        "run": {"duration": "300 ms", "warmup": "0 s"},
    }


def run(degree: int, size: float, law: str, **host: Any) -> dict[str, float]:
    found = fr.run(fr.Scenario.parse(scenario(degree, size, law, **host)))
    assert found.metrics["qct_unfinished"] == 0
    return dict(found.metrics)


def least(degree: int, size: float) -> float:
    """The receiver's link carries every packet once, the first after one hop; the last acknowledgement returns."""
    segments = math.ceil(size / PAYLOAD)
    return RTT + PACKET + degree * (segments * PACKET) + 2 * ACK


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("degree", [1, 2, 5, 8, 13])
def test_an_answer_of_one_window_takes_its_transfer_and_a_round_trip(law: str, degree: int) -> None:
    found = run(degree, WINDOW * PAYLOAD, law)
    assert found["drop_rate"] == found["timeouts"] == 0
    assert found["qct_mean"] == pytest.approx(least(degree, WINDOW * PAYLOAD), rel=1e-3)


@pytest.mark.parametrize("law", LAWS)
def test_it_collapses_where_the_first_windows_overflow_the_port(law: str) -> None:
    """All windows arrive in the time that one takes, in which the port sends as many: (n - 1)·10 packets remain."""
    fits = PORT // WINDOW + 1
    assert run(fits, WINDOW * PAYLOAD, law)["drop_rate"] == 0
    over = run(fits + 1, WINDOW * PAYLOAD, law)
    # Of the (n - 1)·10 packets that remain the port keeps 128.
    assert over["retransmissions"] == fits * WINDOW - PORT
    assert over["timeouts"] > 0
    assert over["qct_mean"] > RTO


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("degree", [16, 24, 32, 48])
def test_after_it_a_query_takes_one_timeout_longer(law: str, degree: int) -> None:
    """What the port refused is sent again 10 ms after the latest acknowledgement, in slow start from one segment."""
    found = run(degree, WINDOW * PAYLOAD, law)
    latest = (PORT + WINDOW) * PACKET + RTT + PACKET  # acknowledgement of the last packet that the port took
    rounds = math.ceil(math.log2(WINDOW + 1))
    assert RTO < found["qct_mean"] < RTO + latest + rounds * RTT + degree * WINDOW * PACKET


@pytest.mark.parametrize("degree", [7, 10, 12])
def test_longer_answers_keep_the_link_busy_once_their_windows_fill_the_path(degree: int) -> None:
    """DCTCP, 45 segments: ten windows of ten exceed the 66 packets of the path, and marks come before losses."""
    assert degree * WINDOW > RATE * RTT / 8 / WIRE
    found = run(degree, 64_000, "dctcp")
    assert found["drop_rate"] == 0
    wire = 64_000 + 45 * (WIRE - PAYLOAD)
    assert found["qct_mean"] == pytest.approx(RTT + degree * wire * 8 / RATE, rel=0.15)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_few_longer_answers_take_the_rounds_of_slow_start(law: str, degree: int) -> None:
    """10, 20 and 15 segments each: three round trips and the transfer of what the last one carries."""
    found = run(degree, 64_000, law)
    assert found["drop_rate"] == 0
    assert found["qct_mean"] == pytest.approx(3 * RTT + degree * 15 * PACKET, rel=0.05)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("degree", [4, 20, 64, 100])
@pytest.mark.parametrize("size", [10_000, 64_000])
def test_no_query_is_quicker_than_its_link(law: str, degree: int, size: float) -> None:
    segments = math.ceil(size / PAYLOAD)
    wire = size + segments * (WIRE - PAYLOAD)
    assert run(degree, size, law)["qct_mean"] >= RTT + degree * wire * 8 / RATE


def test_the_first_timeout_is_the_one_asked_for() -> None:
    """Of 200 segments that arrive at once the port takes 129; flows that lose theirs know nothing of the round trip."""
    quick, slow = (run(200, PAYLOAD, "newreno", initial_window=1, initial_rto=rto) for rto in ("10 ms", "100 ms"))
    assert quick["timeouts"] == slow["timeouts"] == 200 - PORT - 1
    assert slow["qct_mean"] - quick["qct_mean"] == pytest.approx(90e-3, rel=1e-9)


def test_a_lone_segment_waits_for_the_acknowledgement_timer() -> None:
    """Where one segment of a window gets through, its acknowledgement may come 40 ms later; no timeout is sooner."""
    at_once, withheld = (run(80, 16_000, "newreno", ack_every=every, initial_rto="1 s") for every in (1, 2))
    assert at_once["qct_mean"] < 40e-3
    assert withheld["qct_mean"] > 40e-3 + RTO


def test_not_so_at_the_start_where_segments_are_acknowledged_one_by_one() -> None:
    at_once, quick = (run(80, 16_000, "newreno", ack_every=every, quick_acks=16, initial_rto="1 s") for every in (1, 2))
    assert quick == at_once  # 12 segments each


@pytest.mark.parametrize("law", LAWS)
def test_both_engines_agree_on_a_collapse(law: str) -> None:
    small = scenario(24, 20_000, law, initial_window=12, initial_rto="3 ms")
    small["run"]["duration"] = "60 ms"
    assert agree(build_plan(fr.Scenario.parse(small)))["timeouts"] > 0
