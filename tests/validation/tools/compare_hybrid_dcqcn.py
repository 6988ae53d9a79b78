"""Compare DCQCN as fluid beside packets with packets alone: docs/hybrid-agreement.md.

``python -m tests.validation.tools.compare_hybrid_dcqcn [--seeds N] [--drawn N --of SEED] [case ...]``. Long DCQCN flows
are fluid, transfers of DCQCN or of another control are packets; each case runs with seeds 1 to N (3). Figures are as in
``compare_hybrid_blind``, and marks are the ratio of their numbers. All were written down before any of them was run.
``--drawn`` draws cases of DCQCN alone at random instead.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tests.validation.tools.compare_hybrid import write

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.parts.congestion import Dcqcn
from footroom.result import Result
from footroom.scenario import Scenario

#: That of HPCC's simulator; the paper's has the defaults.
_HPCC: dict[str, Any] = next(one.values for one in Dcqcn.profiles if one.id == "hpcc")
_DYNAMIC = {"kind": "dynamic_threshold", "alpha": 1.0}


def _dumbbell(rate: float, rtt: float, access: float = 1.0, spread: float = 0.0) -> dict[str, Any]:
    """access: times the bottleneck's rate."""
    return {"kind": "dumbbell", "bottleneck": rate, "access": access * rate, "rtt": rtt, "rtt_spread": spread}


def _red(least: float, most: float, top: float) -> dict[str, Any]:
    """Thresholds in kB."""
    return {"kind": "red", "kmin": 1e3 * least, "kmax": 1e3 * most, "pmax": top}


@dataclass(frozen=True)
class Case:
    """flows: long DCQCN flows.  beside: control of the transfers, their load and size [B].  duration: s.  law: what
    differs from the paper's parameters.
    """

    topology: dict[str, Any]
    buffer: float
    marking: dict[str, Any]
    flows: int
    beside: tuple[str, float, float]
    duration: float
    law: dict[str, Any] = field(default_factory=dict)
    sharing: dict[str, Any] | None = None

    def scenario(self, fluid: bool, seed: int) -> Scenario:
        """Its long flows as fluid or as packets."""
        control, load, size = self.beside
        return Scenario.parse(
            {
                "topology": self.topology,
                "switch": {
                    "buffer": self.buffer,
                    "marking": self.marking,
                    **({"sharing": self.sharing} if self.sharing else {}),
                },
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": self.flows,
                        "start_jitter": self.duration / 50.0,
                        "congestion": {"kind": "dcqcn", **self.law},
                        "as": "fluid" if fluid else "packets",
                    },
                    {
                        "kind": "poisson",
                        "load": load,
                        "sizes": size,
                        "congestion": {"kind": control, **(self.law if control == "dcqcn" else {})},
                        **({} if control == "dcqcn" else {"host": {"min_rto": 5e-3}}),
                    },
                ],
                "run": {"duration": self.duration, "warmup": self.duration / 4.0, "mtu": 1500, "seed": seed},
            }
        )


CASES = {
    "2 flows, 40 Gb/s": Case(_dumbbell(4e10, 8e-6), 1e6, _red(5, 200, 0.01), 2, ("dctcp", 0.05, 3e4), 0.2),
    "4 flows, step": Case(
        _dumbbell(2.5e10, 1.2e-5), 1e6, {"kind": "step", "threshold": 1e5}, 4, ("cubic", 0.1, 1e4), 0.2
    ),
    "6 flows, 100 us": Case(_dumbbell(4e10, 1e-4), 2e6, _red(150, 600, 0.1), 6, ("dctcp", 0.05, 3e4), 0.2),
    "12 flows, spread": Case(
        _dumbbell(5e10, 4e-5, spread=0.3), 3e6, _red(120, 750, 0.05), 12, ("dctcp", 0.05, 3e5), 0.15
    ),
    "24 flows, 300 kB": Case(
        _dumbbell(1e10, 3e-5, access=4.0), 3e5, _red(45, 180, 0.2), 24, ("newreno", 0.1, 3e4), 0.4
    ),
    "32 flows, load 0.3": Case(
        _dumbbell(2.5e10, 1.6e-5, access=4.0), 4e6, _red(90, 900, 0.1), 32, ("newreno", 0.3, 3e4), 0.2
    ),
    "40 flows, HPCC's": Case(_dumbbell(1e11, 2e-5), 8e6, _red(400, 1600, 0.2), 40, ("newreno", 0.05, 1e5), 0.06, _HPCC),
    "racks, 36 flows": Case(
        {
            "kind": "leaf_spine",
            "leaves": 3,
            "spines": 2,
            "hosts_per_leaf": 6,
            "host_rate": 2.5e10,
            "fabric_rate": 2.5e10,
            "link_delay": 1.5e-6,
        },
        4e6,
        _red(150, 600, 0.1),
        36,
        ("dctcp", 0.03, 3e4),
        0.1,
        sharing=_DYNAMIC,
    ),
    # Transfers of DCQCN as well.
    "4 flows, 1 MB": Case(_dumbbell(4e10, 1.2e-5), 2e6, _red(5, 200, 0.01), 4, ("dcqcn", 0.1, 1e6), 0.3),
    "16 flows, 100 Gb/s": Case(_dumbbell(1e11, 8e-6), 8e6, _red(400, 1600, 0.2), 16, ("dcqcn", 0.1, 3e5), 0.06, _HPCC),
    "10 flows, 10 Gb/s": Case(_dumbbell(1e10, 4e-5), 1e6, _red(75, 375, 0.1), 10, ("dcqcn", 0.2, 1e6), 0.5),
    "20 flows, step 80 kB": Case(
        _dumbbell(2.5e10, 2.4e-5, access=4.0), 3e6, {"kind": "step", "threshold": 8e4}, 20, ("dcqcn", 0.1, 1e4), 0.2
    ),
    "24 flows, 250 kB": Case(_dumbbell(2.5e10, 1.5e-5), 2.5e5, _red(60, 240, 0.1), 24, ("dcqcn", 0.05, 1e5), 0.2),
    "3 flows, spread": Case(_dumbbell(5e10, 3e-5, spread=0.4), 2e6, _red(100, 400, 0.05), 3, ("dcqcn", 0.1, 3e4), 0.15),
    "star, 28 flows": Case(
        {"kind": "star", "hosts": 8, "rate": 2.5e10, "rtt": 6e-6},
        2e6,
        _red(100, 400, 0.1),
        28,
        ("dcqcn", 0.05, 1e5),
        0.1,
        sharing=_DYNAMIC,
    ),
    "racks, 24 flows": Case(
        {
            "kind": "leaf_spine",
            "leaves": 2,
            "spines": 2,
            "hosts_per_leaf": 8,
            "host_rate": 2.5e10,
            "fabric_rate": 5e10,
            "link_delay": 1e-6,
        },
        4e6,
        _red(150, 600, 0.1),
        24,
        ("dcqcn", 0.1, 1e6),
        0.1,
        sharing=_DYNAMIC,
    ),
}


def drawn(count: int, seed: int) -> dict[str, Case]:
    """Cases at random in which all flows are DCQCN."""
    draws, found = random.Random(seed), {}

    def between(low: float, high: float) -> float:
        return math.exp(draws.uniform(math.log(low), math.log(high)))

    for n in range(count):
        rate, trip = draws.choice((1e10, 2.5e10, 4e10, 5e10, 1e11)), between(6e-6, 6e-5)
        kind = draws.choice(("dumbbell", "dumbbell", "star", "leaf_spine"))
        hosts, flows = draws.randint(4, 9), draws.randint(2, 32)
        topology: dict[str, Any] = _dumbbell(rate, trip, spread=draws.choice((0.0, 0.2)))
        if kind == "star":
            topology = {"kind": "star", "hosts": hosts, "rate": rate, "rtt": trip}
        elif kind == "leaf_spine":
            topology = {"kind": kind, "leaves": 2, "spines": 2, "hosts_per_leaf": hosts}
            topology |= {"host_rate": rate, "fabric_rate": rate, "link_delay": trip / 8.0}
        least = between(0.1, 1.0) * rate / 8.0 * 4e-5 / 1e3
        marking = draws.choice(
            (_red(least, 4.0 * least, between(0.01, 0.3)), {"kind": "step", "threshold": 1e3 * least})
        )
        buffer, size = 1e3 * least * between(4.0, 20.0), between(1e4, 1e6)
        beside, length = ("dcqcn", between(0.03, 0.2), size), min(0.3, max(0.06, 3e9 / rate))
        sharing = None if kind == "dumbbell" else _DYNAMIC
        law = draws.choice(({}, _HPCC))
        name = f"{n + 1} {kind} {rate / 1e9:.0f}G {flows} of {size / 1e3:.0f} kB"
        found[name] = Case(topology, buffer, marking, flows, beside, length, law, sharing)
    return found


def _mean(results: list[Result], metric: str) -> float:
    return float(np.mean([result.metrics.get(metric, np.nan) for result in results]))


def _line(case: Case, packets: list[Result], mixed: list[Result]) -> str:
    outside = {metric for result in mixed for metric in result.outside}

    def flag(metric: str, missed: bool) -> str:
        return "!" if metric in outside else "X" if missed else " "

    def ratio(metric: str) -> float:
        before = _mean(packets, metric)
        return _mean(mixed, metric) / before if before else float("nan")

    points = 100.0 * (_mean(mixed, "utilisation") - _mean(packets, "utilisation"))
    queue = (_mean(mixed, "queue_mean") - _mean(packets, "queue_mean")) / case.buffer
    drops = ratio("drop_rate")
    lost = max(_mean(packets, "drop_rate"), _mean(mixed, "drop_rate"))
    return (
        f"{100.0 * _mean(packets, 'utilisation'):6.2f} {points:+6.2f}{flag('utilisation', abs(points) > 2.0)}"
        f" {_mean(packets, 'drop_rate'):8.1e} {drops:5.2f}"
        f"{flag('drop_rate', lost > 1e-4 and not 1 / 1.5 <= drops <= 1.5)}"
        f" {_mean(packets, 'queue_mean') / case.buffer:6.3f} {queue:+6.3f}{flag('queue_mean', abs(queue) > 0.1)}"
        f" {ratio('marks'):5.2f}{flag('marks', False)}"
        f" {ratio('fct_p50'):5.2f}{flag('fct_p50', abs(ratio('fct_p50') - 1.0) > 0.1)}"
        f" {ratio('fct_p95'):5.2f}{flag('fct_p95', False)}"
        f" {ratio('fct_p99'):5.2f}{flag('fct_p99', abs(ratio('fct_p99') - 1.0) > 0.25)}"
    )


def main() -> None:
    """Print one line per case."""
    parser = argparse.ArgumentParser(description="DCQCN as fluid beside packets against packets alone.")
    parser.add_argument("cases", nargs="*", default=list(CASES), help="cases; all without any")
    parser.add_argument("--seeds", type=int, default=3, help="seeds 1 to N")
    parser.add_argument("--drawn", type=int, default=0, help="draw so many cases instead")
    parser.add_argument("--of", type=int, default=1, help="seed of the draw")
    given = parser.parse_args()
    cases = drawn(given.drawn, given.of) if given.drawn else {name: CASES[name] for name in given.cases}
    columns = "packets points    drops ratio queue/buffer    marks   p50    p95    p99  times faster"
    write(f"{'case':32s}{columns}")
    for name, case in cases.items():
        found, spent = {}, {}
        for engine in ("hybrid", "packet"):
            began = time.process_time()
            try:
                found[engine] = [
                    fr.run(case.scenario(engine == "hybrid", seed), engine=engine) for seed in range(1, given.seeds + 1)
                ]
            except Unsupported as refused:
                write(f"{name:32s} {engine} refuses it: {refused}")
                break
            spent[engine] = time.process_time() - began
        else:
            line = _line(case, found["packet"], found["hybrid"])
            write(f"{name:32s} {line} {spent['packet'] / spent['hybrid']:6.1f}")


if __name__ == "__main__":
    main()
