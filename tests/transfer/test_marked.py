"""One more transfer among flows whose packets are marked: by hand, an even share in the long run, beside packets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.formulas.transfer.among import Sender
from footroom.formulas.transfer.growth import Additive
from footroom.formulas.transfer.marked import Answer, Curve, Load, completion_times

SENDER = Sender(
    segments=7,
    initial_window=10.0,
    max_window=1e9,
    growth=Additive(),
    min_rto=0.2,
    probe_margin=None,
    ack_delay=0.04,
    burst=0.9,
)
#: 1000 packets of path. A standing queue of 40 packets.
STANDING = Load(0.001, np.full(100, 40.0), np.zeros(100), capacity=1e5, buffer=1e6, rtt=0.01, flows=4.0)
DCTCP = Answer(1.0, 1.0 / 16.0, 1.0, 2.0)


def scenario(flows: int, control: str = "dctcp", marking: dict[str, Any] | None = None, **run: Any) -> dict[str, Any]:
    product = 1e10 * 1e-4 / 8
    return {
        "topology": {"kind": "dumbbell", "bottleneck": 1e10, "access": 1e11, "rtt": 1e-4, "rtt_spread": 0.2},
        "switch": {"buffer": 8 * product, "marking": marking or {"kind": "step", "threshold": 0.5 * product}},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": flows,
                "congestion": {"kind": control},
                "start_jitter": 0.001,
                "host": {"ack_delay": 0.001, "min_rto": 0.01},
            }
        ],
        "run": {"duration": 0.2, "warmup": 0.04, **run},
    }


def test_without_marks_every_window_takes_a_round_trip_with_the_queue() -> None:
    found = completion_times(STANDING, Curve(1e6, 1e6), DCTCP, replace(SENDER, segments=30), 1)
    # 10 packets behind 40, then 20 behind 40.
    assert found.times == pytest.approx(np.full(1000, 0.01 + 50e-5 + 0.01 + 60e-5))
    assert found.whole
    assert found.overflows == 0.0


def test_a_step_below_the_first_window_ends_slow_start_at_the_packet_that_is_marked() -> None:
    # Five of the ten packets find at most 45 waiting; the window of 15 that they lead to is halved.
    sender = replace(SENDER, segments=10 + 7.5 + 8)
    found = completion_times(STANDING, Curve(45.0, 45.0), DCTCP, sender, 1)
    # 10, then 7.5 and, as growth is four fifths of a packet under a step among four flows, 8.3, of which 8 are left.
    # From the first mark on the load has made room, its 1040 packets are 832: no queue, and the last window takes its
    # transmission.
    assert found.times == pytest.approx(np.full(1000, 0.0105 + 0.01 + 0.01 + 7e-5))


def test_a_transfer_that_overflows_the_buffer_is_counted() -> None:
    small = replace(STANDING, buffer=45.0)
    assert completion_times(small, Curve(1e6, 1e6), DCTCP, SENDER, 1).overflows == 1.0


@pytest.mark.parametrize("flows", [2, 8])
def test_a_long_transfer_gets_an_even_share(flows: int) -> None:
    found = fr.run(scenario(flows, transfer="10 MB"), engine="fluid")
    even = 1e7 / 1448 / (1e10 / 8 / 1500 * found.metrics["utilisation"] / (flows + 1))
    assert found.metrics["transfer_p50"] == pytest.approx(even, rel=0.25)


def test_both_percentiles_of_a_window_are_those_of_packets() -> None:
    asked = scenario(8, transfer="10 kB", probe_share=0.02, duration=0.3)
    packets, found = fr.run(asked, engine="packet"), fr.run(asked, engine="fluid")
    for name in ("transfer_p50", "transfer_p99"):
        assert name not in found.outside
        assert found.metrics[name] == pytest.approx(packets.metrics[name], rel=0.1)


def test_where_it_was_found_not_to_hold_is_marked() -> None:
    assert "half the time" in fr.run(scenario(12, transfer="1 MB"), engine="fluid").outside["transfer_p50"]
    below = fr.run(scenario(8, marking={"kind": "step", "threshold": "5 packets"}), engine="fluid")
    assert "collide above it" in below.outside["transfer_p50"]
    reno = fr.run(scenario(8, "newreno", transfer="1 MB"), engine="fluid")
    assert "0.8 to 1.7 times" in reno.outside["transfer_p50"]


def test_a_transfer_of_one_window_beside_newreno_under_a_step_is_that_of_packets() -> None:
    asked = scenario(8, "newreno", transfer="10 kB", probe_share=0.02, duration=0.5)
    packets, found = fr.run(asked, engine="packet"), fr.run(asked, engine="fluid")
    for name in ("transfer_p50", "transfer_p99"):
        assert name not in found.outside
        assert found.metrics[name] == pytest.approx(packets.metrics[name], rel=0.1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"marking": {"kind": "red", "kmin": "10 kB", "kmax": "90 kB", "weight": 0.1}}, "not by its average"),
        ({"control": "bbr"}, "the model of BBR knows no marking"),
    ],
)
def test_what_the_model_does_not_know_has_no_number_and_a_reason(change: dict[str, Any], reason: str) -> None:
    found = fr.run(scenario(8, **change), engine="fluid")
    assert "transfer_p50" not in found.metrics
    assert any(reason in note for note in found.notes)
