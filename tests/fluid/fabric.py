"""Scenarios of one data-centre link, as a person would write them, for the tests of laws that know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from footroom.engines.fluid.laws import Pace
from footroom.engines.fluid.link import Flow
from footroom.scenario import Scenario


def scenario(congestion: dict[str, Any], **changes: Any) -> Scenario:
    """Long flows over a dumbbell with 1000 B packets; changes: bottleneck, access, rtt, spread, flows, buffer, run."""
    rate = changes.get("bottleneck", "100 Gb/s")
    return Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": rate,
                "access": changes.get("access", rate),
                "rtt": changes.get("rtt", "13 us"),
                "rtt_spread": changes.get("spread", 0.0),
            },
            "switch": {"buffer": changes.get("buffer", "16 MB")},
            "traffic": [
                {"kind": "long_lived", "flows": changes.get("flows", 16), "start_jitter": 0, "congestion": congestion}
            ],
            "run": {"duration": "200 ms", "warmup": "50 ms", "mtu": 1000, **changes.get("run", {})},
        }
    )


def hurried(pace: Callable[[Any, Any], Pace], step: float, cycle: float = 1.0) -> Callable[[Any, Any], Pace]:
    """A law's pace with its step and its cycle multiplied."""

    def changed(self: Any, path: Any) -> Pace:
        own = pace(self, path)
        return Pace(own.step * step, own.cycle * cycle)

    return changed


def imbalance(got: Flow, growth: float) -> float:
    """Packets created or lost without trace, as a share of those offered; growth: of the queue."""
    return abs(got.offered - got.carried - got.lost - growth) / got.offered
