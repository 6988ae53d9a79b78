from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def raw() -> dict[str, Any]:
    return {
        "name": "WAN bottleneck",
        "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "20 ms"},
        "switch": {
            "buffer": "250 kB",
            "sharing": {"kind": "complete"},
            "marking": {"kind": "none"},
            "headroom": {"kind": "none"},
            "scheduling": {"kind": "fifo"},
        },
        "traffic": [
            {
                "kind": "long_lived",
                "flows": 50,
                "start_jitter": "1 s",
                "congestion": {"kind": "newreno"},
                "host": {
                    "recovery": "prr",
                    "ack_every": 2,
                    "ack_delay": "40 ms",
                    "min_rto": "200 ms",
                    "initial_window": 10,
                },
            }
        ],
        "run": {"duration": "30 s", "warmup": "10 s", "seed": 1, "replicas": 1, "mtu": "1500 B"},
    }
