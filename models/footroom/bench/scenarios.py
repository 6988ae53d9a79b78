"""Scenarios of the benchmark."""

from __future__ import annotations

from footroom.scenario import Scenario


def dumbbell(
    duration: float = 0.4, congestion: str = "newreno", flows: int = 50, buffer: str = "1.25 MB", pacing: bool = False
) -> Scenario:
    """100 Gb/s, flows of one control, 100 us, jitter on; a buffer of one bandwidth-delay product unless given."""
    return Scenario.parse(
        {
            "name": f"100 Gb/s dumbbell, {flows} flows, {congestion}",
            "topology": {"kind": "dumbbell", "bottleneck": "100 Gb/s", "access": "100 Gb/s", "rtt": "100 us"},
            "switch": {"buffer": buffer},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": "1 ms",
                    "congestion": {"kind": congestion},
                    "host": {"min_rto": "1 ms", "ack_delay": "50 us", "pacing": pacing},
                }
            ],
            "run": {"duration": duration, "warmup": duration / 4.0},
        }
    )


def leaf_spine(duration: float = 0.004) -> Scenario:
    """8 leaves of 8 hosts and 8 spines, all 100 Gb/s, 2000 long DCTCP flows between racks, dynamic threshold."""
    return Scenario.parse(
        {
            "name": "leaf-spine, 64 hosts, 2000 DCTCP flows",
            "topology": {
                "kind": "leaf_spine",
                "leaves": 8,
                "spines": 8,
                "hosts_per_leaf": 8,
                "host_rate": "100 Gb/s",
                "fabric_rate": "100 Gb/s",
                "link_delay": "1 us",
            },
            "switch": {
                "buffer": "4 MB",
                "sharing": {"kind": "dynamic_threshold", "alpha": 1},
                "marking": {"kind": "step", "threshold": "200 kB"},
            },
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": 2000,
                    "start_jitter": "200 us",
                    "congestion": {"kind": "dctcp"},
                    "host": {"min_rto": "1 ms", "ack_every": 1},
                }
            ],
            "run": {"duration": duration, "warmup": duration / 4.0},
        }
    )


def permutation(
    headroom: str = "none", duration: float = 0.001, congestion: str = "dctcp", ack_every: int = 2
) -> Scenario:
    """128 hosts at 100 Gb/s, 8 a leaf, under 8 spines; each sends to one of another rack, so that data takes four hops.

    headroom: kind of it; all classes are lossy where it is "none", and class 0 alone is lossless otherwise.
    congestion: kind of the control. ack_every: data packets per acknowledgement, where the control allows several.
    """
    return Scenario.parse(
        {
            "name": f"permutation of 128 hosts, {congestion}, headroom {headroom}",
            "topology": {
                "kind": "leaf_spine",
                "leaves": 16,
                "spines": 8,
                "hosts_per_leaf": 8,
                "host_rate": "100 Gb/s",
                "fabric_rate": "100 Gb/s",
                "link_delay": "1 us",
            },
            "switch": {
                "buffer": "8 MB",
                "sharing": {"kind": "dynamic_threshold", "alpha": 1},
                "marking": {"kind": "step", "threshold": "200 kB"},
                "headroom": {"kind": headroom},
            },
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": 128,
                    "start_jitter": "50 us",
                    "congestion": {"kind": congestion},
                    "host": {"min_rto": "1 ms", "ack_every": ack_every},
                }
            ],
            "run": {"duration": duration, "warmup": duration / 4.0, "mtu": "1500 B"},
        }
    )


def rack(policy: str, duration: float = 0.04) -> Scenario:
    """A rack of 16 hosts at 10 Gb/s, load 0.8 of 100 kB transfers under DCTCP, memory shared by ``policy``."""
    return Scenario.parse(
        {
            "name": f"rack under {policy}",
            "topology": {"kind": "star", "hosts": 16, "rate": "10 Gb/s", "rtt": "40 us"},
            "switch": {
                "buffer": "1 MB",
                "sharing": {"kind": policy},
                "marking": {"kind": "step", "threshold": "100 kB"},
            },
            "traffic": [
                {
                    "kind": "poisson",
                    "load": 0.8,
                    "sizes": 100_000.0,
                    "congestion": {"kind": "dctcp"},
                    "host": {"min_rto": "10 ms"},
                }
            ],
            "run": {"duration": duration, "warmup": 0.0},
        }
    )


def small(duration: float = 1.5) -> Scenario:
    """Small enough for the plain SimPy engine: 100 Mb/s, 5 flows, 10 ms."""
    return Scenario.parse(
        {
            "name": "small dumbbell",
            "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "10 ms"},
            "switch": {"buffer": "60 packets"},
            "traffic": [{"kind": "long_lived", "flows": 5, "start_jitter": "10 ms"}],
            "run": {"duration": duration, "warmup": duration / 4.0},
        }
    )


def many_flows(flows: int = 100_000) -> Scenario:
    """``flows`` flows of 20 kB arriving within the run, for memory."""
    load, size, rate = 0.6, 20_000.0, 1e10
    return Scenario.parse(
        {
            "name": "many short flows",
            "topology": {"kind": "dumbbell", "bottleneck": rate, "access": "10 Gb/s", "rtt": "1 ms", "pairs": 64},
            "switch": {"buffer": "1.25 MB"},
            "traffic": [{"kind": "poisson", "load": load, "sizes": size, "host": {"min_rto": "10 ms"}}],
            "run": {"duration": flows * size * 8.0 / (load * rate), "warmup": 0.0},
        }
    )
