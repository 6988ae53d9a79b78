"""Scenarios that the tests of stability ask about."""

from __future__ import annotations

import copy
from typing import Any

#: The network of Hollot et al.: 3750 packets/s of 1000 B, 200 ms with 2 x 1000 B at an access of 1 Gb/s, 60 flows.
RED: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "30 Mb/s", "access": "1 Gb/s", "rtt": "200 ms"},
    "switch": {"buffer": "10 MB", "marking": {"kind": "red", "kmin": "0 B", "kmax": "20 MB", "pmax": 1}},
    "traffic": [{"kind": "long_lived", "flows": 60, "congestion": {"kind": "newreno"}}],
    "run": {"duration": "100 s", "mtu": "1000 B"},
}
TIMELY: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "10 Gb/s", "rtt": "4 us"},
    "switch": {"buffer": "100 MB"},
    "traffic": [{"kind": "long_lived", "flows": 18, "congestion": {"kind": "timely"}}],
    "run": {"mtu": "1000 B"},
}


def red(slope: float, **flows: Any) -> dict[str, Any]:
    """p = slope q, q in packets of 1000 B."""
    document = copy.deepcopy(RED)
    document["switch"]["marking"]["kmax"] = 1000.0 / slope
    document["traffic"][0].update(flows)
    return document


def timely(flows: int, **congestion: Any) -> dict[str, Any]:
    document = copy.deepcopy(TIMELY)
    document["traffic"][0]["flows"] = flows
    document["traffic"][0]["congestion"].update(congestion)
    return document


def dcqcn(flows: int, delay: float) -> dict[str, Any]:
    """40 Gb/s and the paper's parameters."""
    return {
        "topology": {"kind": "dumbbell", "bottleneck": "40 Gb/s", "access": "40 Gb/s", "rtt": delay},
        "switch": {"buffer": "100 MB", "marking": {"kind": "red", "kmin": "5 kB", "kmax": "200 kB", "pmax": 0.01}},
        "traffic": [{"kind": "long_lived", "flows": flows, "congestion": {"kind": "dcqcn"}}],
        "run": {"mtu": "1000 B"},
    }
