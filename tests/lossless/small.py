"""Small lossless scenarios that several tests start from."""

from __future__ import annotations

from typing import Any


def star(hosts: int = 3, **switch: Any) -> dict[str, Any]:
    """Hosts at 100 Gb/s around one switch, 1.5 µs away; h0 receives. ``switch`` goes over its settings."""
    return {
        "topology": {"kind": "star", "hosts": hosts, "rate": "100 Gb/s", "rtt": "6 us"},
        "switch": {
            "buffer": "4 MB",
            "queues": 8,
            "scheduling": {"kind": "drr"},
            "sharing": {"kind": "dynamic_threshold", "alpha": 0.0625},
            "headroom": {"kind": "static_independent"},
            **switch,
        },
        "traffic": [{"kind": "incast", "degree": hosts - 1, "size": "64 KiB", "priority": 3}],
        "run": {"duration": "1 ms", "warmup": "0 s", "mtu": "1500 B"},
    }


def slowing(headroom: dict[str, Any], buffer: float, duration: str) -> dict[str, Any]:
    """One flow from a host at 10 Gb/s, 5 µs away, to one at 2.4 Gb/s, so far away that nothing is acknowledged.

    Full packets take 1.2 µs to come in and 5 µs to go out.
    """
    return {
        "topology": {
            "kind": "graph",
            "hosts": ["a", "b"],
            "switches": ["s"],
            "links": [
                {"ends": ["a", "s"], "rate": "10 Gb/s", "delay": "5 us"},
                {"ends": ["s", "b"], "rate": "2.4 Gb/s", "delay": "100 us"},
            ],
        },
        "switch": {"buffer": buffer, "headroom": {"alpha": 1, "allowance": 0, "response": "2 us", **headroom}},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": 1,
                "start_jitter": 0,
                "sources": ["a"],
                "destinations": ["b"],
                "host": {"initial_window": 1000, "jitter": 0},
            }
        ],
        "run": {"duration": duration, "warmup": "0 s", "mtu": "1500 B"},
    }


def fabric(seed: int = 1, **switch: Any) -> dict[str, Any]:
    """Two racks of three hosts that overload one another in four classes, one of them lossy, in a small memory."""
    return {
        "topology": {
            "kind": "leaf_spine",
            "leaves": 2,
            "spines": 2,
            "hosts_per_leaf": 3,
            "host_rate": "10 Gb/s",
            "fabric_rate": "10 Gb/s",
            "link_delay": "1 us",
        },
        "switch": {
            "buffer": "300 kB",
            "queues": 4,
            "scheduling": {"kind": "drr"},
            "sharing": {"kind": "dynamic_threshold", "alpha": 0.25},
            "headroom": {"kind": "static_independent", "lossless": [0, 1]},
            **switch,
        },
        "traffic": [
            {
                "kind": "incast",
                "degree": 5,
                "size": "60 kB",
                "period": "150 us",
                "priority": "any_lossless",
                "host": HOST,
            },
            {"kind": "poisson", "load": 0.5, "sizes": {"kind": "fixed", "size": "20 kB"}, "priority": 1, "host": HOST},
            {"kind": "poisson", "load": 0.2, "sizes": {"kind": "fixed", "size": "9 kB"}, "priority": 2, "host": HOST},
        ],
        "run": {"duration": "500 us", "warmup": "50 us", "mtu": "1500 B", "seed": seed},
    }


#: Sends a whole transfer at once, and repairs what a lossy class loses within the run.
HOST = {"initial_window": 64, "min_rto": "300 us", "ack_delay": "20 us"}
