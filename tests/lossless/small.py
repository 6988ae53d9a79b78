"""Small lossless scenarios that several tests start from."""

from __future__ import annotations

from typing import Any


def star(hosts: int = 3, **switch: Any) -> dict[str, Any]:
    """Hosts at 100 Gb/s around one switch, 1.5 µs away; h0 receives. ``switch`` goes over its settings."""
    return {
        "topology": {"kind": "star", "hosts": hosts, "rate": "100 Gb/s", "rtt": "6 us"},
        "switch": {"buffer": "4 MB", "queues": 8, "scheduling": {"kind": "drr"},
                   "sharing": {"kind": "dynamic_threshold", "alpha": 0.0625},
                   "headroom": {"kind": "static_independent"}, **switch},
        "traffic": [{"kind": "incast", "degree": hosts - 1, "size": "64 KiB", "priority": 3}],
        "run": {"duration": "1 ms", "warmup": "0 s", "mtu": "1500 B"}}
