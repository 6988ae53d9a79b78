"""Times of the answers that must keep up with typing."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

from footroom.calculators.headroom.compute import headroom
from footroom.calculators.pool.compute import pool
from footroom.calculators.stability.analyse import analyse
from footroom.calculators.stability.grid import stability_map
from footroom.scenario import Scenario

#: Ten DCQCN flows at 40 Gb/s under the thresholds of the paper.
FABRIC: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": 40e9, "access": 40e9, "rtt": 50e-6},
    "switch": {"buffer": 20e6, "marking": {"kind": "red", "kmin": 5e3, "kmax": 200e3, "pmax": 0.01}},
    "traffic": [{"kind": "long_lived", "flows": 10, "start_jitter": 0.0, "congestion": {"kind": "dcqcn"}}],
    "run": {"duration": 1.0, "warmup": 0.0, "mtu": 1000.0},
}


def _wall(call: Callable[[], object], repeats: int) -> float:
    """Median wall time, s; the first call, which may compile, does not count."""
    call()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return median(times)


def answer_times(repeats: int = 3) -> dict[str, float]:
    """Wall times, s: a headroom by all schemes, a pool, a stability answer, a map of 40 x 40 points on all cores."""
    scenario = Scenario.parse(FABRIC)
    axes = ("traffic.0.flows", "2:41:lin40"), ("topology.rtt", "10us:120us:log40")
    return {
        "headroom_s": _wall(lambda: headroom(speed="100G", cable="300 m", asic="tomahawk"), 20 * repeats),
        "pool_s": _wall(lambda: pool(asic="tomahawk", lossless_classes=2), 20 * repeats),
        "stability_s": _wall(lambda: analyse(scenario), 3 * repeats),
        "stability_map_40x40_s": _wall(lambda: stability_map(scenario, *axes), repeats),
    }
