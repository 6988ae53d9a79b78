"""Look for DCQCN's border of stability in packets, with random parameters, where the stability map has it.

``python -m tests.validation.tools.compare_dcqcn_border [--first 0] [--count 14]``. About seven seconds of one processor
for each draw. The queue of few packet flows always varies: their marks are drawn at random. What tells the two apart is
its size. Eight times the flows on a link eight times as fast see the same equations, and what chance adds to the queue
over its mean falls by sqrt(8) = 2.8; an oscillation stays.
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import Any

import numpy as np

import footroom as fr

#: Round trips tried, in shares of the one at which the map has the border, and how often the system is taken.
SHARES, TIMES = (0.4, 0.6, 1.6, 2.5), 8
LINE = 40e9


def drawn(seed: int) -> tuple[int, dict[str, Any], dict[str, float]]:
    """Flows, settings of the control, and of the marking."""
    draws = random.Random(f"dcqcn {seed}")
    control = {
        "kind": "dcqcn",
        "additive_increase": 40e6 * draws.uniform(0.4, 2.0),
        "g": 2.0 ** draws.uniform(-1.0, 2.0) / 256.0,
        "rate_timer": 55e-6 * draws.uniform(0.6, 1.6),
        "alpha_timer": 55e-6 * draws.uniform(0.7, 1.4),
        "cnp_interval": 50e-6 * draws.uniform(0.7, 1.2),
        "fast_recovery": draws.choice((3, 5, 5)),
    }
    marking = {
        "kmin": 5e3 * draws.uniform(0.5, 4.0),
        "kmax": 200e3 * draws.uniform(1.0, 4.0),
        "pmax": 0.01 * draws.uniform(0.7, 4.0),
    }
    return draws.randint(2, 8), control, marking


def document(flows: int, control: dict[str, Any], marking: dict[str, float], rtt: float, times: int) -> dict[str, Any]:
    """The scenario, ``times`` as large in flows, rate and thresholds."""
    red = {"kind": "red", "sample": "departure", "pmax": marking["pmax"]}
    red |= {name: times * marking[name] for name in ("kmin", "kmax")}
    return {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": times * LINE,
            "access": LINE,
            "rtt": rtt,
            "pairs": times * flows,
        },
        "switch": {"buffer": "2 GB", "marking": red},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": times * flows,
                "start_jitter": "40 ms",
                "host": {"jitter": 0},
                "congestion": control,
            }
        ],
        "run": {"mtu": 1000, "duration": "130 ms", "warmup": "70 ms", "series": "20 us", "seed": 3},
    }


def variation(raw: dict[str, Any]) -> float:
    """Standard deviation of the packets' queue over its mean, in the later half of the run."""
    series = fr.run(raw, engine="packet").to_dict()["series"]["ports"]
    queue = np.array(next(iter(series.values()))["queue"], float)
    queue = queue[len(queue) // 2 :]
    return float(queue.std() / queue.mean())


def main() -> None:
    """A line per draw: round trip over that of the border, variation once and eight times as large, their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=14)
    chosen = parser.parse_args()
    trips = np.geomspace(10e-6, 1e-3, 81).tolist()
    for seed in range(chosen.first, chosen.first + chosen.count):
        flows, control, marking = drawn(seed)
        base = document(flows, control, marking, 1e-4, 1)
        base["topology"].pop("pairs")
        found = fr.stability.map(base, ("traffic.0.flows", [flows, flows + 1]), ("topology.rtt", trips))
        stable = [row[0] for row in found.stable]
        borders = [trips[i] for i in range(1, len(trips)) if stable[i] != stable[i - 1]]
        if len(borders) != 1:
            sys.stdout.write(f"{seed}: {len(borders)} borders\n")
            continue
        told = []
        for share in SHARES:
            once, often = (variation(document(flows, control, marking, share * borders[0], k)) for k in (1, TIMES))
            told.append(f"{share}: {once:.2f} {often:.2f} {often / once:.2f}")
        sys.stdout.write(f"{seed} {flows} flows, border at {1e6 * borders[0]:.0f} us; {'; '.join(told)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
