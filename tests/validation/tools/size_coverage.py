"""How often the interval of ``footroom size`` by packets holds the true value.

``python -m tests.validation.tools.size_coverage [case ...] [--seeds 10] [--first 1] [--keep file]``. Takes about two
minutes of one processor per case, nearly all of it for the true value, which the file keeps.

The true value of a case is the smallest buffer, in whole packets, at which the mean of the metric over all seeds, for
runs of the case's own duration, meets the target. It is found by brute force: every buffer of a grid is run with
many seeds of its own; the means are made monotone (isotonic regression), and the first step of the grid at which they
change sides is interpolated. Its own 95 % interval is from resampling the runs. It shares nothing with the search
but the packet engine.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression

import footroom as fr
from footroom.studies import Requirement

#: Buffers of the grid, the ratio of its ends to the first guess, and seeds at every one of them.
PLACES, REACH, SEEDS = 13, 1.15, 150
#: Seeds of brute force begin here: a search does not use them.
FIRST_SEED = 10**6
PACKET = 1500
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One question. guess: about where the answer is [B]."""

    control: str
    rate: float
    trip: float
    flows: int
    duration: float
    require: str
    guess: float
    threshold: float | None = None
    spread: float = 0.2

    def scenario(self, seed: int = 1, buffer: float | None = None) -> dict[str, Any]:
        """Long flows on one link."""
        marks = self.threshold is not None
        host = {"ack_every": 2, "ack_delay": 0.001, "min_rto": 0.01} if marks else {}
        marking = {"kind": "step", "threshold": self.threshold} if marks else {"kind": "none"}
        return {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": self.rate,
                "access": 10.0 * self.rate,
                "rtt": self.trip,
                "rtt_spread": self.spread,
            },
            "switch": {"buffer": self.guess if buffer is None else buffer, "marking": marking},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": self.flows,
                    "congestion": {"kind": self.control},
                    "start_jitter": min(1.0, self.duration / 20.0),
                    "host": host,
                }
            ],
            "run": {"duration": self.duration, "warmup": self.duration / 4.0, "mtu": 1500, "seed": seed},
        }


CASES = {
    "utilisation": Case("newreno", 1e8, 0.02, 10, 8.0, "utilisation>=0.97", 6.75e4),
    "drops": Case("newreno", 1e8, 0.02, 20, 8.0, "drop_rate<=0.005", 5.64e5),
    "dctcp": Case("dctcp", 1e9, 0.0004, 8, 0.5, "drop_rate<=0.002", 4.65e4, 3e4),
    "cubic": Case("cubic", 1e8, 0.02, 10, 8.0, "utilisation>=0.98", 3.45e4),
    "equal": Case("newreno", 1e8, 0.04, 10, 8.0, "utilisation>=0.97", 1.44e5, spread=0.0),
}


def mean_crossing(values: Floats, means: Floats, requirement: Requirement) -> float:
    """The smallest value at which monotone means meet the limit, straight between the places, in whole packets."""
    sign = 1.0 if requirement.at_least else -1.0
    gain = isotonic_regression(sign * (means - requirement.limit)).x
    first = int(np.searchsorted(gain, 0.0))
    if not 0 < first < values.size:
        return math.nan
    share = -gain[first - 1] / (gain[first] - gain[first - 1])
    there = values[first - 1] * (values[first] / values[first - 1]) ** share
    return float(math.ceil(there / PACKET - 1e-9) * PACKET)


def truth(case: Case, seeds: int = SEEDS) -> dict[str, Any]:
    """The true value with its interval, and the means of the grid."""
    packets = np.geomspace(case.guess / REACH, case.guess * REACH, PLACES) / PACKET
    values = PACKET * np.unique(np.round(packets))
    requirement, places = Requirement.parse(case.require), values.size

    def one(index: int) -> float:
        asked = case.scenario(FIRST_SEED + index, values[index % places])
        return float(fr.run(asked, workers=1).metrics[requirement.metric])

    with ThreadPoolExecutor(2) as pool:
        runs = np.array(list(pool.map(one, range(seeds * places)))).reshape(seeds, places)
    draws = np.random.default_rng(1)
    again = [
        mean_crossing(
            values, np.array([runs[draws.integers(0, seeds, seeds), k].mean() for k in range(places)]), requirement
        )
        for _ in range(400)
    ]
    return {
        "value": mean_crossing(values, runs.mean(axis=0), requirement),
        "interval": np.nanpercentile(again, [2.5, 97.5]).tolist(),
        "values": values.tolist(),
        "means": runs.mean(axis=0).tolist(),
        "deviations": runs.std(axis=0, ddof=1).tolist(),
    }


def main() -> None:
    """One line a seed, then how many intervals hold the true value."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    known = json.loads(chosen.keep.read_text()) if chosen.keep and chosen.keep.exists() else {}
    write = sys.stdout.write
    for name in chosen.cases:
        case = CASES[name]
        key = repr(case)
        if key not in known:
            known[key] = truth(case)
            if chosen.keep:
                chosen.keep.write_text(json.dumps(known))
        true, (least, most) = known[key]["value"], known[key]["interval"]
        write(f"{name}, {case.require}: true {true:.5g} B ({least:.5g} to {most:.5g})\n")
        right, worst = 0, 0.0
        for seed in range(chosen.first, chosen.first + chosen.seeds):
            began = time.process_time()
            answer = fr.size(case.scenario(seed), case.require, engine="packet")
            assert answer.value is not None
            assert answer.interval is not None
            low, high = answer.interval
            off = answer.value / true - 1.0
            holds = low <= true <= high
            right, worst = right + holds, max(worst, abs(off))
            write(
                f"  seed {seed:2d}: {answer.value:8.0f} B ({low:.0f} to {high:.0f}) {100 * off:+5.1f} % "
                f"{'' if holds else 'MISSED'} {len(answer.tried)} values, "
                f"{time.process_time() - began:.1f} s of processor time\n"
            )
            sys.stdout.flush()
        write(f"{name}: {right} of {chosen.seeds} intervals hold the true value, worst {100 * worst:.1f} % off\n")


if __name__ == "__main__":
    main()
