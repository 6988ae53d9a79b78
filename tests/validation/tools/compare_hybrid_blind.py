"""Compare fluid beside packets with packets alone on cases written down before any was run: docs/hybrid-agreement.md.

``python -m tests.validation.tools.compare_hybrid_blind [--seeds N] [case ...]``. Long flows are fluid, transfers are
packets; each case runs with seeds 1 to N (3). Every figure is that of the means over the seeds, completion times
the ratio of the means. A ``!`` stands behind what the engine calls outside its validity with any seed, ``X`` behind a
miss of the targets that it does not. Takes about ten minutes.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from tests.validation.tools.compare_hybrid import write
from tests.validation.tools.fabric_cases import planes, racks, star

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.result import Result
from footroom.scenario import Scenario

_ALPHA = {"kind": "dynamic_threshold", "alpha": 1.0}
_CONNECTX = {
    "additive_increase": 5e6,
    "g": 5 / 1024,
    "cnp_interval": 4e-6,
    "alpha_timer": 1e-6,
    "rate_timer": 300e-6,
    "byte_counter": 32767 * 64,
    "fast_recovery": 1,
    "minimum_rate": 1e6,
    "hyper_increase": 50e6,
    "target_follows": False,
}


def _dumbbell(rate: float, rtt: float, spread: float = 0.0, access: float = 0.0) -> dict[str, Any]:
    return {
        "kind": "dumbbell",
        "bottleneck": rate,
        "access": access or 10.0 * rate,
        "rtt": rtt,
        **({"rtt_spread": spread} if spread else {}),
    }


def _red(least: float, most: float, top: float) -> dict[str, Any]:
    return {"kind": "red", "kmin": 1500.0 * least, "kmax": 1500.0 * most, "pmax": top}


#: Topology, switch, congestion control, long flows, load and size [B] of the transfers, duration [s].
Case = tuple[dict[str, Any], dict[str, Any], dict[str, Any], int, float, float, float]
CASES: dict[str, Case] = {
    "NewReno, 200 Mb/s": (_dumbbell(2e8, 0.03), {"buffer": 3.75e5}, {"kind": "newreno"}, 6, 0.05, 3e4, 40.0),
    "NewReno, 800 Mb/s": (_dumbbell(8e8, 0.01), {"buffer": 3e5}, {"kind": "newreno"}, 16, 0.1, 1e5, 15.0),
    "NewReno, 3 Gb/s": (_dumbbell(3e9, 0.006), {"buffer": 2.7e6}, {"kind": "newreno"}, 120, 0.05, 3e4, 8.0),
    "NewReno, 5 Gb/s": (_dumbbell(5e9, 0.015), {"buffer": 3.75e6}, {"kind": "newreno"}, 100, 0.05, 3e5, 8.0),
    "CUBIC, 500 Mb/s": (_dumbbell(5e8, 0.04), {"buffer": 5e5}, {"kind": "cubic"}, 25, 0.05, 3e4, 25.0),
    "CUBIC, 2 Gb/s": (_dumbbell(2e9, 0.012, 0.1), {"buffer": 2.4e6}, {"kind": "cubic"}, 8, 0.05, 3e4, 15.0),
    "DCTCP, 25 Gb/s": (
        _dumbbell(2.5e10, 2e-4),
        {"buffer": 2e6, "marking": {"kind": "step", "threshold": 1.5e5}},
        {"kind": "dctcp"},
        16,
        0.1,
        3e4,
        0.3,
    ),
    "DCTCP, 2 Gb/s": (
        _dumbbell(2e9, 2e-3),
        {"buffer": 1e6, "marking": {"kind": "step", "threshold": 9e4}},
        {"kind": "dctcp"},
        10,
        0.05,
        1e5,
        3.0,
    ),
    "BBR, 300 Mb/s": (_dumbbell(3e8, 0.025), {"buffer": 6.6e5}, {"kind": "bbr"}, 6, 0.05, 3e4, 30.0),
    "BBR, 1 Gb/s": (_dumbbell(1e9, 0.01), {"buffer": 1.9e6}, {"kind": "bbr"}, 20, 0.05, 3e4, 15.0),
    "RED, NewReno": (
        _dumbbell(1e9, 0.008, 0.2),
        {"buffer": 1.5e6, "marking": _red(50, 400, 0.1)},
        {"kind": "newreno"},
        30,
        0.05,
        3e4,
        10.0,
    ),
    "DCQCN, 25 Gb/s": (
        _dumbbell(2.5e10, 2e-5, 0.0, 2.5e10),
        {"buffer": 2e6, "marking": _red(40, 300, 0.05)},
        {"kind": "dcqcn"},
        16,
        0.05,
        3e4,
        0.2,
    ),
    "DCQCN, 100 Gb/s": (
        _dumbbell(1e11, 1e-5, 0.0, 1e11),
        {"buffer": 1.6e7, "marking": _red(250, 1000, 0.2)},
        {"kind": "dcqcn"},
        32,
        0.05,
        1e5,
        0.06,
    ),
    "DCQCN, ConnectX": (
        _dumbbell(4e10, 3e-5, 0.1, 4e10),
        {"buffer": 4e6, "marking": _red(100, 400, 0.01)},
        {"kind": "dcqcn", **_CONNECTX},
        10,
        0.1,
        3e4,
        0.2,
    ),
    "racks, NewReno": (
        racks(4, 2, 6, (1e9, 1e9), 3e-4),
        {"buffer": 8e5, "sharing": _ALPHA},
        {"kind": "newreno"},
        72,
        0.03,
        3e4,
        6.0,
    ),
    "racks, CUBIC": (
        racks(3, 3, 9, (5e9, 5e9), 5e-5),
        {"buffer": 1.5e6, "sharing": _ALPHA},
        {"kind": "cubic"},
        108,
        0.03,
        3e4,
        1.5,
    ),
    "racks, DCTCP": (
        racks(4, 2, 8, (1e10, 1e10), 1e-5),
        {"buffer": 2e6, "sharing": _ALPHA, "marking": {"kind": "step", "threshold": 9.75e4}},
        {"kind": "dctcp"},
        96,
        0.03,
        3e4,
        0.3,
    ),
    "racks, RED": (
        racks(2, 2, 8, (1e9, 1e9), 5e-4),
        {"buffer": 2e6, "sharing": _ALPHA, "marking": _red(60, 500, 0.1)},
        {"kind": "newreno"},
        64,
        0.03,
        3e4,
        6.0,
    ),
    "racks, DCQCN": (
        racks(4, 2, 8, (2.5e10, 2.5e10), 2e-6),
        {"buffer": 4e6, "sharing": _ALPHA, "marking": _red(100, 400, 0.1)},
        {"kind": "dcqcn"},
        64,
        0.03,
        3e4,
        0.1,
    ),
    "star, NewReno": (
        star(14, 2e9, 0.002),
        {"buffer": 1e6, "sharing": _ALPHA},
        {"kind": "newreno"},
        56,
        0.05,
        3e4,
        4.0,
    ),
    "planes, NewReno": (planes(2, 5e8, 5e8, 0.018), {"buffer": 4e5}, {"kind": "newreno"}, 40, 0.05, 3e4, 15.0),
}
QUANTILES = ("fct_p50", "fct_p99")


def scenario(name: str, fluid: bool, seed: int = 1) -> Scenario:
    """One case, its long flows as fluid or as packets."""
    topology, switch, control, flows, load, size, duration = CASES[name]
    both = {"congestion": control}
    return Scenario.parse(
        {
            "topology": topology,
            "switch": switch,
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": duration / 50.0,
                    **both,
                    "as": "fluid" if fluid else "packets",
                },
                {"kind": "poisson", "load": load, "sizes": size, **both},
            ],
            "run": {"duration": duration, "warmup": duration / 4.0, "mtu": 1500, "seed": seed},
        }
    )


def _runs(name: str, engine: str, seeds: int) -> tuple[list[Result], float]:
    began = time.process_time()
    found = [fr.run(scenario(name, engine == "hybrid", seed), engine=engine) for seed in range(1, seeds + 1)]
    return found, time.process_time() - began


def _line(name: str, packets: list[Result], mixed: list[Result]) -> str:
    outside = {metric for result in mixed for metric in result.outside}

    def mean(results: list[Result], metric: str) -> float:
        return float(np.mean([result.metrics.get(metric, np.nan) for result in results]))

    def flag(metric: str, missed: bool) -> str:
        return "!" if metric in outside else "X" if missed else " "

    points = 100.0 * (mean(mixed, "utilisation") - mean(packets, "utilisation"))
    lost, lost_here = mean(packets, "drop_rate"), mean(mixed, "drop_rate")
    drops = lost_here / lost if lost else np.nan
    off = max(lost, lost_here) > 1e-4 and not 1 / 1.5 <= drops <= 1.5
    share = (mean(mixed, "queue_mean") - mean(packets, "queue_mean")) / CASES[name][1]["buffer"]
    ratios = [mean(mixed, each) / mean(packets, each) for each in QUANTILES]
    times = "".join(
        f"{ratio:7.2f}{flag(each, abs(ratio - 1.0) > most)}"
        for each, ratio, most in zip(QUANTILES, ratios, (0.1, 0.25), strict=True)
    )
    return (
        f"{name:18s} {points:+6.2f}{flag('utilisation', abs(points) > 2.0)} {drops:5.2f}{flag('drop_rate', off)}"
        f" ({lost:.1e}) {share:+6.3f}{flag('queue_mean', abs(share) > 0.1)}{times}"
    )


def main() -> None:
    """Print one line per case."""
    parser = argparse.ArgumentParser(description="Fluid beside packets against packets alone.")
    parser.add_argument("cases", nargs="*", default=list(CASES), help="cases; all without any")
    parser.add_argument("--seeds", type=int, default=3, help="seeds 1 to N")
    given = parser.parse_args()
    write("case               points   drops (packets)  queue    p50     p99   times faster")
    for name in given.cases:
        try:
            mixed, spent = _runs(name, "hybrid", given.seeds)
        except Unsupported as refused:
            write(f"{name:18s} refused: {refused}")
            continue
        packets, full = _runs(name, "packet", given.seeds)
        write(f"{_line(name, packets, mixed)} {full / spent:6.1f}")


if __name__ == "__main__":
    main()
