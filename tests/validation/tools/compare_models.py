"""Compare theory and fluid with the packet engine at paths that none of the three was written beside.

``python -m tests.validation.tools.compare_models [control ...] [--seed 1] [--keep file]``; controls are newreno, cubic
and dctcp, all by default. Takes about fifteen minutes of one processor. The file keeps what packets gave, so that
another run takes seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import footroom as fr

#: Buffers in bandwidth-delay products.
BUFFERS = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
SPREADS = (0.0, 0.2)
#: Bottleneck [bit/s], round trip [s], flows, duration [s] of losses in a drop-tail queue.
LOSSES = (
    *((45e6, 0.06, flows, 300.0) for flows in (1, 4, 16, 60)),
    *((4e8, 0.015, flows, 60.0) for flows in (2, 8, 40, 150)),
    *((2e9, 0.008, flows, 20.0) for flows in (10, 50, 200)),
)
#: The same for marks above a threshold, and thresholds in bandwidth-delay products.
MARKS = (*((4e9, 0.0003, flows, 1.0) for flows in (2, 8, 20)), *((25e9, 0.00012, flows, 0.4) for flows in (4, 16, 40)))
THRESHOLDS = (0.05, 0.1, 0.25, 0.5, 1.0)
#: What counts as agreement: points of utilisation, ratio of drop rates, share of the buffer between the mean queues.
TARGETS = {"fluid": (3.0, 1.4, 0.1), "theory": (5.0, 1.6, 1.0)}
METRICS = ("utilisation", "drop_rate", "queue_mean")


@dataclass(frozen=True)
class Case:
    """One scenario. size: buffer, or threshold under marks, in bandwidth-delay products."""

    control: str
    rate: float
    trip: float
    flows: int
    duration: float
    spread: float
    size: float
    seed: int

    @property
    def product(self) -> float:
        """Bandwidth-delay product [B]."""
        return self.rate * self.trip / 8.0

    @property
    def room(self) -> float:
        """What the mean queue is compared with [B]: the buffer, or the threshold under marks."""
        return max(self.size * self.product, 4500.0)

    def scenario(self) -> dict[str, Any]:
        """Long flows that recover as Linux does."""
        marks = self.control == "dctcp"
        host = {"ack_every": 2, "ack_delay": 0.001, "min_rto": 0.01} if marks else {}
        switch: dict[str, Any] = {"buffer": self.room}
        if marks:
            switch = {"buffer": 8.0 * self.product, "marking": {"kind": "step", "threshold": self.room}}
        return {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": self.rate,
                "access": 10.0 * self.rate,
                "rtt": self.trip,
                "rtt_spread": self.spread,
            },
            "switch": switch,
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": self.flows,
                    "congestion": {"kind": self.control},
                    "start_jitter": min(1.0, self.duration / 50.0),
                    "host": host,
                }
            ],
            "run": {"duration": self.duration, "warmup": self.duration / 4.0, "mtu": 1500, "seed": self.seed},
        }


def cases(controls: list[str], seed: int = 1) -> Iterator[Case]:
    """Every case of these controls."""
    for control in controls:
        paths, sizes = (MARKS, THRESHOLDS) if control == "dctcp" else (LOSSES, BUFFERS)
        for spread in SPREADS:
            for path in paths:
                for size in sizes:
                    yield Case(control, *path, spread, size, seed)


def _packets(wanted: list[Case], kept: Path | None) -> dict[str, dict[str, float]]:
    """What packets give for every case, from the file as far as it goes."""
    known: dict[str, dict[str, float]] = json.loads(kept.read_text()) if kept and kept.exists() else {}

    def simulated(case: Case) -> tuple[str, dict[str, float]]:
        metrics = fr.run(case.scenario(), engine="packet").metrics
        return repr(case), {name: metrics[name] for name in METRICS}

    missing = [case for case in wanted if repr(case) not in known]
    with ThreadPoolExecutor(2) as pool:
        for name, metrics in pool.map(simulated, missing):
            known[name] = metrics
            if kept:
                kept.write_text(json.dumps(known))
    return known


def main() -> None:
    """One line a case, then how many agree where each engine calls itself valid."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("controls", nargs="*", default=["newreno", "cubic", "dctcp"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    wanted = list(cases(asked.controls, asked.seed))
    packets = _packets(wanted, asked.keep)
    counts: dict[tuple[str, str, str], list[int]] = {}
    for case in wanted:
        measured = packets[repr(case)]
        line = (
            f"{case.control:8} {case.rate / 1e6:5.0f} Mb/s {case.flows:4d} flows, spread {case.spread:.1f}, "
            f"{case.size:5.2f} BDP: {100.0 * measured['utilisation']:5.1f} %, {measured['drop_rate']:.1e}, "
            f"{measured['queue_mean'] / case.room:4.2f}"
        )
        for engine, (points, times, share) in TARGETS.items():
            found = fr.run(case.scenario(), engine=engine)
            off = 100.0 * (found.metrics["utilisation"] - measured["utilisation"])
            ratio = (found.metrics["drop_rate"] + 1e-9) / (measured["drop_rate"] + 1e-9)
            queue = (found.metrics["queue_mean"] - measured["queue_mean"]) / case.room
            good = {
                "utilisation": abs(off) <= points,
                "drop_rate": 1.0 / times <= ratio <= times,
                "queue_mean": abs(queue) <= share,
            }
            cells = {"utilisation": f"{off:+6.2f}", "drop_rate": f"x{ratio:5.2f}", "queue_mean": f"{queue:+.2f}"}
            line += f" | {engine}"
            for name in METRICS:
                out = name in found.outside
                line += f" ({cells[name]})" if out else f" {cells[name]}{' ' if good[name] else '!'}"
                count = counts.setdefault((case.control, engine, name), [0, 0, 0])
                count[0] += good[name] and not out
                count[1] += not out
                count[2] += 1
        sys.stdout.write(line + "\n")
    for (control, engine, name), (agree, inside, every) in counts.items():
        sys.stdout.write(f"{control}, {engine}, {name}: {agree} of {inside} inside agree, of {every} in all\n")


if __name__ == "__main__":
    main()
