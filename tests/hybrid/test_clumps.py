"""Small windows of equal round trips stay in clumps, which a fluid spreads out."""

from __future__ import annotations

from typing import Any

import footroom as fr
from footroom.result import Result
from footroom.scenario import Scenario

PACKETS = 61


def run(engine: str, buffer: int = PACKETS, **host: Any) -> Result:
    """202 flows on a path of 1055 packets, beside a few transfers."""
    law = {"congestion": {"kind": "newreno"}, "host": host}
    long = {"kind": "long_lived", "flows": 202, "start_jitter": 0.07, "as": "fluid", **law}
    if engine == "packet":
        long["as"] = "packets"
    return fr.run(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "650 Mb/s", "access": "2.6 Gb/s", "rtt": "19.5 ms"},
                "switch": {"buffer": f"{1500 * buffer}B"},
                "traffic": [long, {"kind": "poisson", "load": 0.02, "sizes": 220e3, **law}],
                "run": {"duration": 3.6, "warmup": 0.9, "mtu": 1500, "seed": 1},
            }
        ),
        engine=engine,
    )


def part(result: Result) -> float:
    """Mean queue over the buffer."""
    return result.metrics["queue_mean"] / (1500 * PACKETS)


def test_fluid_agrees_with_packets_once_jitter_spreads_their_clumps() -> None:
    fluid, packets, spread = run("hybrid"), run("packet"), run("packet", jitter=1e-3)
    assert part(packets) < part(fluid) - 0.1
    assert abs(part(fluid) - part(spread)) < 0.05
    used = fluid.metrics["utilisation"]
    assert packets.metrics["utilisation"] < used - 0.01
    assert abs(used - spread.metrics["utilisation"]) < 0.01


def test_queue_and_utilisation_are_outside_where_clumps_decide() -> None:
    fluid = run("hybrid")
    assert fluid.metrics["drop_rate"] > 0.03
    for metric in ("queue_mean", "utilisation", "throughput"):
        assert "clumps" in fluid.outside[metric]
    assert "drop_rate" not in fluid.outside


def test_a_buffer_of_a_fifth_of_the_path_has_room_for_clumps() -> None:
    fluid = run("hybrid", buffer=220)
    assert fluid.metrics["drop_rate"] > 0.03
    assert not any("clumps" in why for why in fluid.outside.values())
