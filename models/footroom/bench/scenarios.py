"""What the benchmark runs."""

from __future__ import annotations

from typing import Any

from footroom.scenario import Scenario


def dumbbell(duration: float = 0.4) -> Scenario:
    """100 Gb/s, 50 NewReno flows, 100 us, jitter on, a buffer of one bandwidth-delay product."""
    return Scenario.parse({
        "name": "100 Gb/s dumbbell, 50 NewReno flows",
        "topology": {"kind": "dumbbell", "bottleneck": "100 Gb/s", "access": "100 Gb/s", "rtt": "100 us"},
        "switch": {"buffer": "1.25 MB"},
        "traffic": [{"kind": "long_lived", "flows": 50, "start_jitter": "1 ms",
                     "host": {"min_rto": "1 ms", "ack_delay": "50 us"}}],
        "run": {"duration": duration, "warmup": duration / 4.0},
    })


def leaf_spine(duration: float = 0.02) -> Scenario:
    """4 leaves of 8 hosts and 4 spines, all 100 Gb/s, 64 long NewReno flows between random hosts, dynamic threshold."""
    hosts = [f"h{i}" for i in range(32)]
    leaves, spines = [f"leaf{i}" for i in range(4)], [f"spine{i}" for i in range(4)]
    links: list[dict[str, Any]] = [{"ends": [h, leaves[i // 8]], "rate": "100 Gb/s", "delay": "1 us"}
                                   for i, h in enumerate(hosts)]
    links += [{"ends": [a, b], "rate": "100 Gb/s", "delay": "1 us"} for a in leaves for b in spines]
    return Scenario.parse({
        "name": "leaf-spine, 32 hosts",
        "topology": {"kind": "graph", "hosts": hosts, "switches": leaves + spines, "links": links},
        "switch": {"buffer": "4 MB", "sharing": {"kind": "dynamic_threshold", "alpha": 1}},
        "traffic": [{"kind": "long_lived", "flows": 64, "start_jitter": "100 us",
                     "host": {"min_rto": "1 ms", "ack_delay": "50 us"}}],
        "run": {"duration": duration, "warmup": duration / 4.0},
    })


def small(duration: float = 1.5) -> Scenario:
    """Small enough for the plain SimPy engine: 100 Mb/s, 5 flows, 10 ms."""
    return Scenario.parse({
        "name": "small dumbbell",
        "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "10 ms"},
        "switch": {"buffer": "60 packets"},
        "traffic": [{"kind": "long_lived", "flows": 5, "start_jitter": "10 ms"}],
        "run": {"duration": duration, "warmup": duration / 4.0},
    })


def many_flows(flows: int = 100_000) -> Scenario:
    """``flows`` flows of 20 kB arriving within the run, for memory."""
    load, size, rate = 0.6, 20_000.0, 1e10
    return Scenario.parse({
        "name": "many short flows",
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": "10 Gb/s", "rtt": "1 ms", "pairs": 64},
        "switch": {"buffer": "1.25 MB"},
        "traffic": [{"kind": "poisson", "load": load, "sizes": size, "host": {"min_rto": "10 ms"}}],
        "run": {"duration": flows * size * 8.0 / (load * rate), "warmup": 0.0},
    })
