"""Draw cases in which a queue marks, and compare fluid beside packets with packets alone: docs/hybrid-agreement.md.

``python -m tests.validation.tools.compare_hybrid_marks [--seed 1] [--count 24]``. One bottleneck under a step or RED;
long flows of NewReno, CUBIC or DCTCP are fluid, transfers of the same control are packets. Every figure is that of the
means over two seeds. A ``!`` stands behind what the engine calls outside its validity, ``X`` behind a miss of the
targets that it does not. Takes a minute.
"""

from __future__ import annotations

import argparse
import math
import random
from typing import Any

import numpy as np
from tests.validation.tools.compare_hybrid import write

import footroom as fr
from footroom.result import Result
from footroom.scenario import Scenario

#: Bits of a packet; packets on the path that a draw outside ``PATHS`` is brought to.
PACKET, MIDDLE = 12000.0, 200.0
PATHS = (20.0, 6000.0)
SEEDS = (1, 2)


def drawn(draws: random.Random) -> tuple[str, dict[str, Any]]:
    """A case: what to call it, and its document without seed and with packets alone."""

    def between(low: float, high: float) -> float:
        return math.exp(draws.uniform(math.log(low), math.log(high)))

    kind = draws.choice(("newreno", "cubic", "dctcp", "dctcp"))
    dctcp = kind == "dctcp"
    rate = between(2e8, 4e10) if dctcp else between(1e8, 2e9)
    trip = between(5e-5, 2e-3) if dctcp else between(1e-3, 4e-2)
    path = rate * trip / PACKET
    if not PATHS[0] <= path <= PATHS[1]:
        trip, path = trip * MIDDLE / path, MIDDLE
    flows = max(2, min(int(between(2, 60)), int(path / 2)))
    least = max(5.0, between(0.1, 1.0) * path)
    marking: dict[str, Any] = {"kind": "step", "threshold": 1500.0 * least}
    if draws.random() >= 0.5:
        most, top = 1500.0 * least * between(2, 6), between(0.02, 0.3)
        marking = {"kind": "red", "kmin": 1500.0 * least, "kmax": most, "pmax": top}
    buffer = 1500.0 * least * between(4, 15)
    duration = min(20.0, max(0.1, 4e4 * PACKET / rate, 150.0 * trip))
    spread, size = draws.choice((0.0, 0.2)), between(5e3, 2e5)
    name = (
        f"{kind} {rate / 1e9:.2f}G {1e3 * trip:.2f}ms path {path:.0f} flows {flows} {marking['kind']} {least:.0f}"
        f" buffer {buffer / 1500.0:.0f} {size / 1e3:.0f}kB spread {spread}"
    )
    control = {"congestion": {"kind": kind}}
    return name, {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": rate,
            "access": rate if dctcp else 10.0 * rate,
            "rtt": trip,
            "rtt_spread": spread,
        },
        "switch": {"buffer": buffer, "marking": marking},
        "traffic": [
            {"kind": "long_lived", "flows": flows, "start_jitter": duration / 50.0, **control},
            {"kind": "poisson", "load": 0.05, "sizes": size, **control},
        ],
        "run": {"duration": duration, "warmup": duration / 4.0, "mtu": 1500},
    }


def _results(document: dict[str, Any], fluid: bool) -> list[Result]:
    long, short = document["traffic"]
    if fluid:
        document = {**document, "traffic": [{**long, "as": "fluid"}, short]}
    engine = "hybrid" if fluid else "packet"
    runs = [{**document, "run": {**document["run"], "seed": seed}} for seed in SEEDS]
    return [fr.run(Scenario.parse(run), engine=engine) for run in runs]


def main() -> None:
    """Print one line per case, then the number of misses."""
    parser = argparse.ArgumentParser(description="Fluid beside packets under marks, in cases drawn at random.")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--count", type=int, default=24, help="cases")
    given = parser.parse_args()
    draws, missed = random.Random(given.seed), 0
    write("points of utilisation, queue / buffer, drops, p50, p99")
    for _ in range(given.count):
        name, document = drawn(draws)
        packets, mixed = _results(document, False), _results(document, True)
        outside = {metric for result in mixed for metric in result.outside}

        def mean(results: list[Result], metric: str) -> float:
            return float(np.mean([result.metrics.get(metric, np.nan) for result in results]))

        points = 100.0 * (mean(mixed, "utilisation") - mean(packets, "utilisation"))
        queue = (mean(mixed, "queue_mean") - mean(packets, "queue_mean")) / document["switch"]["buffer"]
        lost = mean(packets, "drop_rate"), mean(mixed, "drop_rate")
        drops = lost[1] / lost[0] if lost[0] else math.nan
        half, tail = (mean(mixed, each) / mean(packets, each) for each in ("fct_p50", "fct_p99"))
        found = {
            "utilisation": (f"{points:+6.2f}", abs(points) > 2.0),
            "queue_mean": (f"{queue:+6.3f}", abs(queue) > 0.1),
            "drop_rate": (f"{drops:5.2f}", max(lost) > 1e-4 and not 1 / 1.5 <= drops <= 1.5),
            "fct_p50": (f"{half:5.2f}", abs(half - 1.0) > 0.1),
            "fct_p99": (f"{tail:5.2f}", abs(tail - 1.0) > 0.25),
        }
        missed += sum(miss and metric not in outside for metric, (_, miss) in found.items())
        figures = " ".join(
            f"{text}{'!' if metric in outside else 'X' if miss else ' '}" for metric, (text, miss) in found.items()
        )
        write(f"{figures}  {name}")
    write(f"{missed} misses that the engine does not mark")


if __name__ == "__main__":
    main()
