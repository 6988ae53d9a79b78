"""Losses of flows that do not pace, which no model has: where they are marked, and that packets differ there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.scenario.unpaced import nine_in_ten, range_of_queue


def _asked(flows: int, window: int, buffer: float, spread: float, rate: float = 1e9, **host: Any) -> dict[str, Any]:
    """NewReno flows over ``window`` packets of path each; buffer in packets."""
    trip = flows * window * 12_000.0 / rate
    long = 240.0 * trip
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 10 * rate, "rtt": trip, "rtt_spread": spread},
        "switch": {"buffer": buffer * 1500.0},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": long / 20, "host": host}],
        "run": {"duration": 1.5 * long, "warmup": 0.5 * long, "mtu": 1500},
    }


def test_a_queue_of_half_filled_round_trips_varies_by_its_range() -> None:
    """Against 400 draws of the phases of 30 windows, each sent evenly in the first half of its round trip."""
    random, places = np.random.default_rng(1), np.linspace(0.0, 1.0, 200, endpoint=False)
    ranges = []
    for _ in range(400):
        since = (places[:, None] - random.random(30)[None, :]) % 1.0
        queue = (np.minimum(since, 0.5) / 0.5 - since).sum(axis=1)
        ranges.append(float(np.ptp(queue)))
    # A sum of triangular waves is only nearly a sine: its range is a twelfth larger.
    assert float(np.mean(ranges)) == pytest.approx(1.08 * range_of_queue(30.0, 30), rel=0.03)
    assert float(np.quantile(ranges, 0.9)) == pytest.approx(nine_in_ten() * range_of_queue(30.0, 30), rel=0.1)


def test_long_windows_meet_above_the_limit_of_pairs() -> None:
    """20 flows over 200 packets each: pairs need 134 packets of buffer, windows 240."""
    below, above = _asked(20, 200, 150, 0.2), _asked(20, 200, 260, 0.2)
    packets = fr.run(below, engine="packet").metrics
    for engine in ("theory", "fluid"):
        found = fr.run(below, engine=engine)
        assert found.metrics["utilisation"] - packets["utilisation"] > 0.04
        assert set(found.outside) == set(found.metrics)
        assert "half of a round trip" in found.outside["utilisation"]
        inside = fr.run(above, engine=engine)
        assert "utilisation" not in inside.outside
        assert "half of a round trip" in inside.outside["drop_rate"]
        for other in (_asked(20, 200, 150, 0.0), _asked(20, 200, 150, 0.2, pacing=True), _asked(160, 25, 150, 0.2)):
            assert "half of a round trip" not in str(fr.run(other, engine=engine).outside)
    assert fr.run(above, engine="fluid").metrics["utilisation"] == pytest.approx(
        fr.run(above, engine="packet").metrics["utilisation"], abs=0.03
    )


@pytest.mark.parametrize(("delay", "marked"), [(0.001, True), (0.04, False)])
def test_a_short_delay_acknowledges_every_packet(delay: float, marked: bool) -> None:
    """6 Mb/s send a packet in 2 ms. Two flows, of which one seed's losses hit one again and again."""
    asked = _asked(2, 12, 42, 0.2, rate=5752140.7, ack_delay=delay)
    asked["topology"] |= {"rtt": 0.05122765918, "access": 575214070.0}
    asked["run"] = {"duration": 90.0, "warmup": 15.0, "mtu": 1500, "seed": 3}
    packets = fr.run(asked, engine="packet").metrics
    assert (packets["fairness"] < 0.8) == marked
    for engine in ("theory", "fluid"):
        found = fr.run(asked, engine=engine)
        assert ("acknowledged by itself" in found.outside.get("drop_rate", "")) == marked


@pytest.mark.parametrize(("window", "marked"), [(60, True), (17, False)])
def test_long_windows_of_bbr_beside_others_lose_less(window: int, marked: bool) -> None:
    asked = _asked(24, window, 0.0, 0.2)
    path = 34.0 * window
    asked["topology"]["rtt"] = 0.04
    asked["topology"]["bottleneck"] = path * 12_000.0 / 0.04
    asked["topology"]["access"] = 10.0 * asked["topology"]["bottleneck"]
    asked["switch"]["buffer"] = 0.3 * path * 1500.0
    asked["traffic"][0] |= {"congestion": {"kind": "bbr"}, "start_jitter": 0.5}
    asked["traffic"].append({"kind": "long_lived", "flows": 10, "start_jitter": 0.5})
    asked["run"] = {"duration": 25.0, "warmup": 12.0, "mtu": 1500}
    found = fr.run(asked, engine="fluid")
    assert ("the larger their windows" in found.outside.get("drop_rate", "")) == marked
    assert (found.metrics["drop_rate"] > 1.5 * fr.run(asked, engine="packet").metrics["drop_rate"]) == marked
