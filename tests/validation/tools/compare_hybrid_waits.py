"""Compare DCQCN as fluid with packets where these wait unmarked before a port that marks: docs/hybrid-agreement.md.

``python -m tests.validation.tools.compare_hybrid_waits [--seeds N] [--clocks]``. One line per case in planes and seed
(1 to N, 2): the longest such wait in the fluid, in intervals of notifications, then metrics as fluid / packets, with X
where they differ by more than their target. ``--clocks`` draws the rates of all links within some ppm instead, and
prints what packets of 122 flows lose.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
from tests.validation.tools.compare_hybrid import write
from tests.validation.tools.compare_hybrid_dcqcn import Case
from tests.validation.tools.hybrid_targets import figures

from footroom.engines.hybrid import coupled
from footroom.engines.hybrid.paced import Paced
from footroom.engines.packet.environment import Environment
from footroom.parts.congestion import Dcqcn

_HPCC = next(one.values for one in Dcqcn.profiles if one.id == "hpcc")
_PPM = (0, 100, 1000, 30_000, 200_000)
_METRICS = ("utilisation", "drop_rate", "queue_mean", "fct_p50", "fct_p99")


def _planes(planes: int, rate: float, rtt: float, feeds: int = 4) -> dict[str, object]:
    return {
        "kind": "parallel_planes",
        "planes": planes,
        "bottleneck": rate,
        "access": rate,
        "rtt": rtt,
        "feeds": feeds,
    }


def _red(least: float, most: float, top: float) -> dict[str, object]:
    return {"kind": "red", "kmin": least, "kmax": most, "pmax": top}


_SHORT = ("dcqcn", 0.05, 1e5)
#: As drawn with seed 50 of ``compare_hybrid_random``, case 11, rounded.
_DRAWN = Case(
    _planes(3, 29.5e9, 53.5e-6), 484e3, _red(95.5e3, 210e3, 0.0133), 122, ("dcqcn", 0.047, 62.4e3), 0.1, {}, None
)
_SLOW = Case(_planes(2, 1e10, 5e-5), 3e5, _red(4e4, 2e5, 0.05), 12, _SHORT, 0.2)
_FAST = Case(_planes(3, 1e11, 1e-5), 2e6, _red(4e5, 16e5, 0.2), 12, _SHORT, 0.03, _HPCC)
_DEEP = Case(_planes(4, 2.5e10, 3e-5, feeds=2), 5e6, _red(1e5, 4e5, 0.02), 24, _SHORT, 0.1)
CASES = {
    "two of 40 Gb/s, 40": Case(_planes(2, 4e10, 2e-5), 1e6, _red(1e5, 4e5, 0.02), 40, _SHORT, 0.06),
    **{f"three of 29.5 Gb/s, {flows}": replace(_DRAWN, flows=flows) for flows in (12, 30, 60, 80)},
    **{f"two of 10 Gb/s, {flows}": replace(_SLOW, flows=flows) for flows in (12, 40)},
    **{f"three of 100 Gb/s, {flows}": replace(_FAST, flows=flows) for flows in (12, 36)},
    **{f"four of 25 Gb/s, {flows}": replace(_DEEP, flows=flows) for flows in (24, 60)},
}


def _compare(name: str, case: Case, seed: int) -> None:
    environment, background = coupled(case.scenario(True, seed))
    assert isinstance(background, Paced)
    environment.run(until=case.duration)
    mixed, (wait, interval) = environment.result(), background.waits_unmarked()
    alone = Environment(case.scenario(False, seed))
    alone.run(until=case.duration)
    packets = alone.result()
    judged = figures([packets], [mixed], case.buffer)
    shown = "  ".join(
        f"{mixed.metrics[metric]:.2e} / {packets.metrics[metric]:.2e}{'X' if judged[metric].missed else ' '}"
        for metric in _METRICS
        if metric in judged
    )
    write(f"{name:24s} {seed} {wait / interval:6.1f}  {shown}")


def _clocks() -> None:
    """What packets of 122 long flows lose where the rates of all links differ."""
    for ppm in _PPM:
        environment = Environment(_DRAWN.scenario(False, 1))
        ports, draws = environment.simulation.tables.ports, np.random.default_rng(5)
        ports["rate"] = np.round(ports["rate"] * (1.0 + 1e-6 * ppm * draws.uniform(-1.0, 1.0, len(ports))))
        environment.run(until=_DRAWN.duration)
        lost = int(environment.simulation.tables.ports["dropped"].sum())
        write(f"{ppm:7d} ppm  {lost} packets lost")


def main() -> None:
    """Print one line per case and seed."""
    parser = argparse.ArgumentParser(description="DCQCN as fluid that waits unmarked against packets alone.")
    parser.add_argument("--seeds", type=int, default=2, help="seeds 1 to N")
    parser.add_argument("--clocks", action="store_true", help="draw rates of links instead")
    given = parser.parse_args()
    if given.clocks:
        _clocks()
        return
    write(f"{'case':24s} seed wait/interval  {' '.join(_METRICS)}")
    for name, case in CASES.items():
        for seed in range(1, given.seeds + 1):
            _compare(name, case, seed)


if __name__ == "__main__":
    main()
