"""Completion alone is computed only where it is asked for."""

from __future__ import annotations

from typing import Any

import footroom as fr


def test_a_run_without_slowdown_is_the_same_otherwise() -> None:
    scenario: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "10 ms"},
        "switch": {"buffer": "50 packets"},
        "traffic": [{"kind": "poisson", "load": 0.5, "sizes": "20 kB"}],
        "run": {"duration": "1 s", "warmup": "0.1 s"},
    }
    whole = fr.run(scenario, engine="packet").metrics
    scenario["run"]["slowdown"] = False
    without = fr.run(scenario, engine="packet").metrics
    assert {name for name in whole if name not in without} == {"slowdown_p50", "slowdown_p99"}
    assert {name: whole[name] for name in without} == without
