"""Bursts that come at any time lose several packets at once: drops per cut, and that packets do so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.engines.fluid.per_flow.burst_losses import hit, more_drops
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import bottleneck_of
from footroom.scenario.collisions import height_of


def _asked(spread: float, every: int, access: float = 10.0, **host: Any) -> dict[str, Any]:
    """30 NewReno flows over 40 packets of path each and 240 packets of buffer."""
    rate = 30 * 40 * 12_000.0 / 0.02
    return {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": rate,
            "access": access * rate,
            "rtt": 0.02,
            "rtt_spread": spread,
        },
        "switch": {"buffer": 240 * 1500.0},
        "traffic": [{"kind": "long_lived", "flows": 30, "start_jitter": 0.3, "host": {"ack_every": every, **host}}],
        "run": {"duration": 12.0, "warmup": 3.0, "mtu": 1500},
    }


@pytest.mark.parametrize(("spread", "every"), [(0.1, 2), (0.1, 4), (0.25, 4), (0.0, 4)])
def test_packets_lose_as_much_per_cut(spread: float, every: int) -> None:
    """Mean of two seeds. Without bursts the rates of the first three would be 0.85, 0.65 and 0.65 times packets'."""
    asked = _asked(spread, every)
    fluid = fr.run(asked, engine="fluid")
    runs = [asked | {"run": asked["run"] | {"seed": seed}} for seed in (1, 2)]
    packets = [fr.run(run, engine="packet").metrics["drop_rate"] for run in runs]
    assert "drop_rate" not in fluid.outside
    assert fluid.metrics["drop_rate"] == pytest.approx(sum(packets) / 2, rel=0.2)


def test_heights_of_bursts() -> None:
    def height(asked: dict[str, Any]) -> float:
        seen = bottleneck_of(Scenario.parse(asked), "fluid")
        return height_of(seen.long_lived[0], seen)

    assert height(_asked(0.1, 4)) == pytest.approx(3.7)
    assert height(_asked(0.1, 4, access=2.0)) == pytest.approx(2.5)
    assert height(_asked(0.1, 1)) == pytest.approx(1.9)  # slow start sends two for an acknowledgement
    assert height(_asked(0.1, 4, access=1.0)) == 1.0
    assert height(_asked(0.0, 4)) == height(_asked(0.1, 4, pacing=True)) == 1.0


@pytest.mark.parametrize("burst", [2, 3, 4])
def test_a_burst_passes_the_buffer_by_any_part_of_it(burst: int) -> None:
    """A queue that falls by one and rises by a burst, without drift, and loses what is beyond an upper end."""
    random = np.random.default_rng(2)
    room, losses = 0, []
    for rises in random.random(400_000) < 1.0 / (burst + 1.0):
        room += -burst if rises else 1
        if room < 0:
            losses.append(-room)
            room = 0
    assert float(np.mean(losses)) == pytest.approx(0.5 * (burst + 1.0), rel=0.05)


def test_fewer_flows_are_hit() -> None:
    """Against the occupancy of many flows: one drop per flow, in ones and in threes."""
    alone = 1.0 / -math.expm1(-1.0)
    assert hit(1e6, 1e6) == pytest.approx(1.0 / alone, rel=1e-5)
    assert more_drops(1e6, alone, 5.0) == pytest.approx(1.0 / alone / -math.expm1(-1.0 / 3.0), rel=1e-4)
    # Where an overflow drops one packet, a burst loses all its drops at one flow.
    assert more_drops(100.0, 1.0, 5.0) == pytest.approx(3.0, rel=0.02)
    assert more_drops(50.0, 1.5, 1.0) == 1.0


def _few(flows: int, path: float, buffer: float, spread: float, **host: Any) -> dict[str, Any]:
    """NewReno flows over ``path`` packets in all; buffer in packets."""
    asked = _asked(spread, 2)
    asked["topology"] |= {"bottleneck": path * 12_000.0 / 0.02, "access": path * 120_000.0 / 0.02}
    asked["switch"] = {"buffer": 1500.0 * buffer}
    asked["traffic"][0] |= {"flows": flows, "host": host}
    asked["run"] = {"duration": 40.0, "warmup": 8.0, "mtu": 1500}
    return asked


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (_few(5, 82, 32, 0.2), "stays short of it"),
        (_few(4, 52, 45, 0.3, ack_every=4), "stays short of it"),
        (_few(34, 354, 145, 0.2, ack_every=4, pacing=True), "fall behind after a cut"),
        (_few(50, 90, 160, 0.0, pacing=True), "wait for timeouts"),
    ],
)
def test_queues_that_stay_short_of_the_buffer_are_marked(asked: dict[str, Any], reason: str) -> None:
    fluid, packets = (fr.run(asked, engine=engine) for engine in ("fluid", "packet"))
    assert reason in fluid.outside["queue_mean"]
    assert fluid.metrics["queue_mean"] - packets.metrics["queue_mean"] > 0.08 * asked["switch"]["buffer"]


def test_bursts_of_four_leave_too_little_of_a_small_buffer() -> None:
    small, larger = (_few(4, 52, buffer, 0.3, ack_every=4) for buffer in (23, 45))
    fluid, packets = (fr.run(small, engine=engine) for engine in ("fluid", "packet"))
    assert "Bursts of 4 packets" in fluid.outside["utilisation"]
    assert fluid.metrics["utilisation"] - packets.metrics["utilisation"] > 0.03
    assert "utilisation" not in fr.run(larger, engine="fluid").outside


@pytest.mark.parametrize(("every", "marked"), [(4, True), (2, False)])
def test_long_bursts_of_fewer_flows_keep_them_apart(every: int, marked: bool) -> None:
    """60 flows over 70 packets of path each."""
    asked = _few(60, 4200, 360, 0.25, ack_every=every)
    asked["run"] = {"duration": 10.0, "warmup": 3.0, "mtu": 1500}
    fluid, packets = (fr.run(asked, engine=engine) for engine in ("fluid", "packet"))
    assert ("lose together" in fluid.outside.get("utilisation", "")) == marked
    assert (packets.metrics["utilisation"] - fluid.metrics["utilisation"] > 0.022) == marked
