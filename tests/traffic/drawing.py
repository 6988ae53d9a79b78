"""Drawing the flows of small scenarios without running them."""

from __future__ import annotations

from typing import Any

from footroom.engines.plan.flows import Flows, draw_flows
from footroom.scenario import Scenario, network_of


def document(traffic: list[dict[str, Any]], topology: dict[str, Any] | None = None, **run: Any) -> dict[str, Any]:
    """A document over a dumbbell of 1 Gb/s, or another topology."""
    return {
        "topology": topology or {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "10 ms"},
        "switch": {"buffer": "1 MB"},
        "traffic": traffic,
        "run": {"duration": "1 s", "warmup": "0 s", **run},
    }


def drawn(raw: dict[str, Any], seed: int = 1) -> Flows:
    """The flows of ``raw``, with no round trips."""
    scenario = Scenario.parse(raw)
    return draw_flows(scenario, seed, network_of(scenario, seed), lambda a, b: 0.0)
