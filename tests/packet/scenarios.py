"""Small scenarios for the packet engine."""

from __future__ import annotations

from typing import Any

from footroom.scenario import Scenario


def dumbbell(**changes: Any) -> dict[str, Any]:
    """A 100 Mb/s dumbbell with 4 flows; ``changes`` are merged into its parts."""
    raw: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "10 ms"},
        "switch": {"buffer": "40 packets"},
        "traffic": [{"kind": "long_lived", "flows": 4, "start_jitter": "10 ms"}],
        "run": {"duration": "2 s", "warmup": "500 ms"},
    }
    for key, value in changes.items():
        raw[key] = {**raw[key], **value} if isinstance(raw[key], dict) else value
    return raw


def single_packets(load: float, buffer: str = "1000 packets", duration: str = "20 s", **topology: Any) -> Scenario:
    """Poisson arrivals of one-packet flows, so that the bottleneck is an M/D/1 queue."""
    return Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": "100 Mb/s",
                "access": "100 Gb/s",
                "rtt": "1 ms",
                "pairs": 2000,
                **topology,
            },
            "switch": {"buffer": buffer},
            "traffic": [
                {
                    "kind": "poisson",
                    "load": load * 1448.0 / 1500.0,
                    "sizes": 1448.0,
                    "host": {"jitter": 0, "min_rto": "10 s"},
                }
            ],
            "run": {"duration": duration, "warmup": "1 s"},
        }
    )
