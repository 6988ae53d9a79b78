"""Flows that their receive windows limit, over round trips that differ."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.engines.theory.window_limited import carried, mean_inverse, scatter_of_inverse, standing_queue


def _asked(flows: int, window: float, spread: float, seed: int = 1) -> dict[str, Any]:
    """100 Mb/s, 20 ms, 250 kB of buffer; window in bytes."""
    path = {"kind": "dumbbell", "bottleneck": 1e8, "access": 1e9, "rtt": 0.02, "rtt_spread": spread}
    host = {"receive_window": window, "ack_every": 1}
    return {
        "topology": path,
        "switch": {"buffer": 250e3},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": 0.1, "host": host}],
        "run": {"duration": 4.0, "warmup": 1.0, "mtu": 1500, "seed": seed},
    }


@pytest.mark.parametrize("spread", [0.0, 1e-7, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("windows", [0.3, 0.9, 1.0, 1.2, 3.0])
def test_queue_and_rate_conserve_windows(spread: float, windows: float) -> None:
    """Against the sum over 200 000 round trips at even quantiles."""
    trips = 1.0 + spread * np.linspace(-1.0, 1.0, 200_001)
    queue = standing_queue(windows, spread)
    rates = windows * float(np.mean(1.0 / (trips + queue)))
    assert rates == pytest.approx(carried(windows, spread), rel=1e-4)
    assert queue == 0.0 or carried(windows, spread) == 1.0


def test_moments_of_the_inverse() -> None:
    trips = 1.0 + 0.5 * np.linspace(-1.0, 1.0, 200_001)
    assert mean_inverse(0.5) == pytest.approx(float(np.mean(1.0 / trips)), rel=1e-5)
    scatter = float(np.std(1.0 / trips) / np.mean(1.0 / trips))
    assert scatter_of_inverse(0.5) == pytest.approx(scatter, rel=1e-4)
    assert math.isinf(standing_queue(math.inf, 0.5))


def test_packets_carry_what_short_round_trips_add() -> None:
    """200 flows over 20 ms ± 50 %: their mean rate is 1.1 times that over 20 ms. Mean of three draws."""
    asked = _asked(200, 1460, 0.5)
    asked["topology"] |= {"bottleneck": 2e8, "access": 2e9}
    theory = fr.run(asked, engine="theory").metrics["utilisation"]
    runs = [asked | {"run": asked["run"] | {"seed": seed}} for seed in (1, 2, 3)]
    packets = [fr.run(run, engine="packet").metrics["utilisation"] for run in runs]
    assert theory == pytest.approx(sum(packets) / 3, rel=0.03)


def test_packets_keep_the_queue_of_short_round_trips() -> None:
    asked = _asked(40, 8760, 0.8)
    theory, packets = (fr.run(asked, engine=engine).metrics["queue_mean"] for engine in ("theory", "packet"))
    assert theory == pytest.approx(packets, rel=0.08)


def test_what_depends_on_the_round_trip_drawn_is_marked() -> None:
    """One flow over 20 ms ± 50 %: seeds of packets differ by tens of points."""
    asked = _asked(1, 64000, 0.5)
    found = fr.run(asked, engine="theory")
    assert "depending on run.seed" in found.outside["utilisation"]
    assert "drop_rate" not in found.outside
    used = [fr.run(_asked(1, 64000, 0.5, seed), engine="packet").metrics["utilisation"] for seed in (1, 2)]
    assert abs(used[0] - used[1]) > 0.05
    for flows, spread in ((1, 0.0), (200, 0.05)):
        assert "utilisation" not in fr.run(_asked(flows, 1460, spread), engine="theory").outside


@pytest.mark.parametrize(("packets", "met"), [(6, True), (21, True), (90, False)])
def test_windows_that_meet_in_a_small_buffer_are_marked(packets: int, met: bool) -> None:
    """20 windows of 41 packets that use 0.82 of the link: their bursts meet, unless the buffer or pacing keeps them."""
    asked = _asked(20, 60000, 0.1)
    asked["topology"] |= {"bottleneck": 20 * 41 * 12000 / 0.85 / 0.02, "access": 1e10}
    asked["switch"]["buffer"] = packets * 1500.0
    theory = fr.run(asked, engine="theory")
    assert ("drop_rate" in theory.outside) == ("utilisation" in theory.outside) == met
    gap = theory.metrics["utilisation"] - fr.run(asked, engine="packet").metrics["utilisation"]
    assert (gap > 0.1) == met
    asked["traffic"][0]["host"]["pacing"] = True
    assert packets < 20 or "utilisation" not in fr.run(asked, engine="theory").outside


@pytest.mark.parametrize(
    ("rate", "trip", "window", "every", "delay"),
    [
        (5.08e6, 4e-4, 2, 2, 0.001),  # the second packet takes longer than the delay
        (2e6, 0.02, 5, 3, 0.008),
        (5e6, 0.01, 6, 4, 0.04),  # two packets are left over and wait for those of the next round trip
        (2e7, 0.02, 5, 2, 0.0001),
        (2e7, 0.1, 11, 4, 0.004),  # three are left over and wait for the delay
        (1e8, 0.02, 11, 4, 0.04),
    ],
)
def test_acknowledgements_wait_for_packets_or_for_their_delay(
    rate: float, trip: float, window: int, every: int, delay: float
) -> None:
    """One flow that its window limits, in packets: within half a per cent."""
    host = {"receive_window": 1448.0 * window + 50.0, "ack_every": every, "ack_delay": delay}
    asked = {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 2.0 * rate, "rtt": trip},
        "switch": {"buffer": 90e3},
        "traffic": [{"kind": "long_lived", "flows": 1, "host": host}],
        "run": {"duration": 20.0, "warmup": 2.0, "mtu": 1500},
    }
    theory, packets = (fr.run(asked, engine=engine).metrics["utilisation"] for engine in ("theory", "packet"))
    assert theory == pytest.approx(packets, rel=0.005)
