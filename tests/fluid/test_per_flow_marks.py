"""Flows followed one by one under RED and a step: closed forms, the packet engine, and what must not change."""

from __future__ import annotations

import math
from typing import Any

import pytest

import footroom as fr
from footroom.engines.fluid.laws import Group, Reno
from footroom.engines.fluid.laws.cubic import Cubic
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.markings import Marking, Red, Step
from footroom.engines.fluid.per_flow import run as per_flow
from footroom.engines.fluid.per_flow.run import Course
from footroom.engines.fluid.sawtooth import cubic_ramp_utilisation, sawtooth_utilisation

RENO, DEEP = Reno(10.0), 1e6


def course(
    flows: int, capacity: float, trip: float, marking: Marking, buffer: float = DEEP, law: Any = RENO, **group: Any
) -> Course:
    return per_flow.run([Link(capacity, buffer)], [Group(flows, trip, law, **group)], marking, seed=1, min_rto=[0.2])[0]


@pytest.mark.parametrize("products", [0.1, 0.25, 0.5, 1.0])
def test_one_flow_under_a_step_is_the_sawtooth_of_a_buffer_as_large(products: float) -> None:
    """It is cut at the threshold, where drop-tail cuts it at the buffer."""
    found = course(1, 10_000.0, 0.2, Step(products * 2000.0))
    assert found.served / found.time / 10_000.0 == pytest.approx(sawtooth_utilisation(products), abs=0.004)
    assert found.lost == 0.0
    # One round trip of growth, and a step, beyond the threshold.
    assert products * 2000.0 < found.greatest < products * 2000.0 + 3.0


@pytest.mark.parametrize("products", [0.02, 0.1])
def test_one_cubic_flow_under_a_step_is_its_ramp(products: float) -> None:
    found = course(1, 10_000.0, 0.1, Step(products * 1000.0), law=Cubic(converges=False))
    assert found.served / found.time / 10_000.0 == pytest.approx(
        cubic_ramp_utilisation(products, converges=False), abs=0.015
    )


def test_windows_follow_the_square_root_of_the_marks() -> None:
    """Mathis et al. 1997: W sqrt(p) is sqrt(3/2) where cuts come at even intervals, sqrt(2) where they come as a
    Poisson process; p counts cuts per packet sent.
    """
    found = course(20, 83_333.0, 0.02, Red(200.0, 4000.0, 0.05))
    assert math.sqrt(1.5) * 0.97 < found.window * math.sqrt(found.cuts / found.served) < math.sqrt(2.0)
    assert found.lost == 0.0


def test_no_flow_is_cut_more_than_once_in_a_round_trip() -> None:
    """Where every packet is marked at all times (RFC 3168, section 6.1.2)."""
    found = course(50, 10_000.0, 0.02, Step(0.0))
    assert found.cuts / found.time <= 50.0 / 0.02


def test_red_without_ecn_loses_what_it_would_mark() -> None:
    red = Red(100.0, 2000.0, 0.02)
    marked, dropped = (course(10, 20_000.0, 0.05, red, drops=drops) for drops in (False, True))
    assert marked.lost == 0.0
    # A packet lost for each cut, and a few of the same window more.
    assert 1.0 <= dropped.lost / dropped.cuts < 1.3
    assert dropped.queue == pytest.approx(marked.queue, rel=0.1)


def test_marks_that_begin_beyond_the_buffer_change_nothing() -> None:
    plain = per_flow.run([Link(20_000.0, 100.0)], [Group(10, 0.05, RENO)], seed=1, min_rto=[0.2])[0]
    for marking in (Red(100.0, 2000.0, 0.5), Step(100.0)):
        assert course(10, 20_000.0, 0.05, marking, 100.0).rates == plain.rates


def test_a_buffer_that_never_fills_changes_nothing() -> None:
    red = Red(100.0, 400.0, 0.5)
    small, large = (course(10, 20_000.0, 0.05, red, buffer) for buffer in (1500.0, 50_000.0))
    assert small.greatest < 1500.0
    assert (small.served, small.queue, small.rates) == (large.served, large.queue, large.rates)


CASES = {
    "RED": (
        "40 Mb/s",
        "30 ms",
        4,
        {"kind": "red", "kmin": "40 packets", "kmax": "200 packets", "pmax": 0.5},
        "newreno",
    ),
    "averaged RED": (
        "60 Mb/s",
        "40 ms",
        2,
        {"kind": "red", "kmin": "60 packets", "kmax": "150 packets", "pmax": 0.1, "weight": 0.002},
        "newreno",
    ),
    "one flow": (
        "40 Mb/s",
        "30 ms",
        1,
        {"kind": "red", "kmin": "30 packets", "kmax": "90 packets", "pmax": 1},
        "newreno",
    ),
    "CUBIC": (
        "80 Mb/s",
        "30 ms",
        8,
        {"kind": "red", "kmin": "60 packets", "kmax": "240 packets", "pmax": 0.2},
        "cubic",
    ),
    "step": ("60 Mb/s", "30 ms", 8, {"kind": "step", "threshold": "60 packets"}, "newreno"),
}


@pytest.mark.parametrize("name", CASES)
def test_packets_agree(name: str) -> None:
    rate, trip, flows, marking, law = CASES[name]
    document = {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": "1 Gb/s", "rtt": trip, "rtt_spread": 0.1},
        "switch": {"buffer": "600 packets", "marking": marking},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": flows,
                "start_jitter": "1 s",
                "congestion": {"kind": law},
                "host": {"ecn": True, "recovery": "prr"},
            }
        ],
        "run": {"duration": "60 s", "warmup": "15 s", "mtu": 1500},
    }
    fluid, packet = (fr.run(document, engine=engine) for engine in ("fluid", "packet"))
    assert "utilisation" not in fluid.outside
    assert "queue_mean" not in fluid.outside
    assert fluid.metrics["utilisation"] == pytest.approx(packet.metrics["utilisation"], abs=0.03)
    assert fluid.metrics["queue_mean"] == pytest.approx(packet.metrics["queue_mean"], abs=60 * 1500)
    assert fluid.metrics["drop_rate"] == packet.metrics["drop_rate"] == 0.0


def test_limits_are_named() -> None:
    """Small thresholds with unequal round trips, small windows, and a queue that stands at the buffer."""

    def outside(flows: int, buffer: int, **red: Any) -> dict[str, str]:
        document = {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": "100 Mb/s",
                "access": "1 Gb/s",
                "rtt": "40 ms",
                "rtt_spread": 0.2,
            },
            "switch": {"buffer": f"{buffer} packets", "marking": {"kind": "red"} | red},
            "traffic": [
                {"kind": "long_lived", "flows": flows, "congestion": {"kind": "newreno"}, "host": {"ecn": True}}
            ],
            "run": {"duration": "20 s", "warmup": "5 s", "mtu": 1500},
        }
        return fr.run(document, engine="fluid").outside

    assert "packets below the first mark" in outside(4, 600, kmin="25 packets", kmax="90 packets")["utilisation"]
    assert "single bursts are marked" in outside(4, 600, kmin="5 packets", kmax="15 packets")["utilisation"]
    assert "cuts come in whole packets" in outside(100, 600, kmin="60 packets", kmax="200 packets")["utilisation"]
    near = outside(10, 150, kmin="60 packets", kmax="900 packets", pmax=0.02)
    assert "just below the buffer" in near["drop_rate"]


def test_small_windows_under_a_step_are_cut_by_whole_packets() -> None:
    """CUBIC, 100 flows: windows of 10 packets are 3 points off, of 23 packets not."""
    for share, small in ((11, True), (25, False)):
        path = 100 * share
        document = {
            "topology": {"kind": "dumbbell", "bottleneck": path * 1.2e6, "access": path * 1.8e6, "rtt": "10 ms"},
            "switch": {"buffer": f"{path} packets", "marking": {"kind": "step", "threshold": "65 packets"}},
            "traffic": [
                {"kind": "long_lived", "flows": 100, "congestion": {"kind": "cubic"}, "host": {"ecn": True}},
            ],
            "run": {"duration": "12 s", "warmup": "4 s", "mtu": 1500},
        }
        found = fr.run(document, engine="fluid")
        assert (found.metrics["utilisation"] - fr.run(document).metrics["utilisation"] > 0.03) == small
        assert ("whole packets" in found.outside.get("utilisation", "")) == small


def test_a_buffer_far_above_the_marks_changes_nothing() -> None:
    """Quantiles were read off bins of the whole buffer, and from 300 MB on the recorded course had one row."""
    small, large = (
        fr.run(
            {
                "topology": {"kind": "dumbbell", "bottleneck": 1e9, "access": 1e10, "rtt": 0.02},
                "switch": {"buffer": buffer, "marking": {"kind": "red", "kmin": 3e4, "kmax": 9e4}},
                "traffic": [{"kind": "long_lived", "flows": 5}],
                "run": {"duration": 30.0, "warmup": 10.0},
            },
            engine="fluid",
        ).metrics
        for buffer in (1e7, 1e9)
    )
    for name in ("utilisation", "queue_mean", "queue_p50", "queue_p99"):
        assert large[name] == pytest.approx(small[name], rel=1e-3), name
