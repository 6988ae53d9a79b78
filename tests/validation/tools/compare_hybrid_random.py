"""Draw scenarios as a user might, compare fluid beside packets with packets alone: docs/hybrid-agreement.md.

``python -m tests.validation.tools.compare_hybrid_random [--seed 1] [--cases 40] [--seeds 2] [--only N] [--why]``. Long
flows of one control are fluid; transfers, long flows or answers to queries are packets. Every figure is that of the
means over ``--seeds`` seeds. A ``!`` stands behind what the engine calls outside its validity, ``X`` behind a miss of
the targets that it does not, ``x`` where not every seed misses on that side. The last lines count by metric and by
control. ``--only`` runs single cases of the draw, ``--why`` prints the reasons of marks. Takes about three minutes.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from typing import Any, NamedTuple

from tests.validation.tools.compare_hybrid import write
from tests.validation.tools.fabric_cases import planes, racks, star
from tests.validation.tools.hybrid_targets import Figure, figures

import footroom as fr
from footroom.base.errors import FootroomError
from footroom.result import Result
from footroom.scenario import Scenario

#: Bits of a packet, and packets that all watched links together may send in a case.
PACKET, MOST_PACKETS = 12000.0, 4e6
#: Least and most packets of path that are drawn.
PATHS = (4.0, 20000.0)
CONTROLS = ("newreno", "newreno", "cubic", "cubic", "dctcp", "dctcp", "bbr", "dcqcn")
#: Controls that packets beside each fluid may have.
BESIDE = {
    "newreno": ("newreno", "newreno", "cubic"),
    "cubic": ("cubic", "cubic", "newreno"),
    "dctcp": ("dctcp",),
    "bbr": ("bbr", "newreno", "cubic"),
    "dcqcn": ("dcqcn", "dcqcn", "dctcp"),
}


class Case(NamedTuple):
    """A scenario without seed whose traffic is packets alone; its first entry is fluid in the other runs."""

    name: str
    control: str
    document: dict[str, Any]


def _between(draws: random.Random, low: float, high: float) -> float:
    return math.exp(draws.uniform(math.log(low), math.log(high)))


def _path(draws: random.Random, control: str) -> tuple[float, float]:
    """Rate [bit/s] and round trip [s] that fit the control."""
    rates, trips = {
        "dcqcn": ((2.5e10, 1e11), (1e-5, 1e-4)),
        "dctcp": ((1e9, 4e10), (1e-5, 1e-3)),
        "bbr": ((5e7, 1e10), (1e-3, 1e-1)),
    }.get(control, ((5e7, 4e10), (1e-4, 1e-1)))
    while True:
        rate, trip = _between(draws, *rates), _between(draws, *trips)
        if PATHS[0] <= rate * trip / PACKET <= PATHS[1]:
            return rate, trip


def _topology(draws: random.Random, control: str, rate: float, trip: float) -> tuple[dict[str, Any], int]:
    """A topology, and how many of its links fill."""
    kind = draws.choices(
        ("dumbbell", "star", "leaf_spine", "planes"), (6, 2, 2, 1) if control != "bbr" else (1, 0, 0, 0)
    )
    spread = draws.choice((0.0, 0.0, 0.2))
    if kind == ["star"]:
        hosts = draws.randint(4, 16)
        return star(hosts, rate, trip, **({"rtt_spread": spread} if spread else {})), hosts
    if kind == ["leaf_spine"]:
        leaves, spines, hosts = draws.randint(2, 4), draws.randint(1, 4), draws.randint(2, 8)
        return racks(leaves, spines, hosts, (rate, rate), trip / 8.0), leaves * spines
    if kind == ["planes"]:
        count = draws.randint(2, 4)
        return planes(count, rate, rate, trip, **({"rtt_spread": spread} if spread else {})), count
    access = rate * (1.0 if control == "dcqcn" else draws.choice((1.0, 4.0, 10.0)))
    return {"kind": "dumbbell", "bottleneck": rate, "access": access, "rtt": trip, "rtt_spread": spread}, 1


def _marking(draws: random.Random, control: str, path: float) -> dict[str, Any] | None:
    least = 1500.0 * max(5.0, _between(draws, 0.15, 1.0) * path)
    if control == "dctcp":
        return {"kind": "step", "threshold": least}
    if control == "dcqcn" or (control in ("newreno", "cubic") and draws.random() < 0.2):
        return {"kind": "red", "kmin": least, "kmax": least * _between(draws, 2, 5), "pmax": _between(draws, 0.01, 0.3)}
    return None


def _beside(draws: random.Random, control: str, trip: float, duration: float) -> tuple[str, dict[str, Any]]:
    """What is packets: in words, and as traffic."""
    law: dict[str, Any] = {"congestion": {"kind": draws.choice(BESIDE[control])}}
    if law["congestion"]["kind"] != "dcqcn" and trip < 1e-3:
        law["host"] = {"min_rto": 5e-3}
    kind = draws.choices(("poisson", "long_lived", "incast"), (7, 1, 2))
    if kind == ["long_lived"]:
        flows = draws.randint(1, 5)
        return f"{flows} flows", {"kind": "long_lived", "flows": flows, "start_jitter": duration / 50.0, **law}
    size, load = _between(draws, 5e3, 1e6), _between(draws, 0.02, 0.3)
    if kind == ["incast"]:
        degree, size = draws.randint(4, 32), min(size, 1e5)
        text = f"incast {degree} x {size / 1e3:.0f}kB"
        return f"{text} load {load:.2f}", {"kind": "incast", "degree": degree, "size": size, "load": load, **law}
    return f"{size / 1e3:.0f}kB load {load:.2f}", {"kind": "poisson", "load": load, "sizes": size, **law}


def drawn(draws: random.Random, number: int) -> Case:
    """One case that costs no more than ``MOST_PACKETS``; dearer ones are drawn again."""
    while True:
        control = draws.choice(CONTROLS)
        rate, trip = _path(draws, control)
        topology, links = _topology(draws, control, rate, trip)
        flows, path, bdp = round(_between(draws, 1, 300)), rate * trip / PACKET, rate * trip / 8.0
        marking = _marking(draws, control, path)
        deep = _between(draws, 0.05, 3.0)
        # A star, or racks, share a memory; DCQCN's buffers are those of marks.
        buffer = max(15e3, deep * bdp * (links if topology["kind"] in ("star", "leaf_spine") else 1))
        if marking is not None:
            buffer = max(buffer, marking.get("kmax", marking.get("threshold", 0.0)) * _between(draws, 1.2, 6.0))
        dynamic = topology["kind"] in ("star", "leaf_spine") and draws.random() < 0.7
        sharing = {"kind": "dynamic_threshold", "alpha": draws.choice((0.5, 1.0, 2.0, 8.0))} if dynamic else None
        full_trip = trip + min(deep, 3.0) * trip
        least = 0.1 if control == "dcqcn" else 0.02  # its flows recover from their start for tens of milliseconds
        duration = min(20.0, max(least, 150.0 * full_trip, 2e5 * PACKET / (rate * links)))
        what, beside = _beside(draws, control, trip, duration)
        if rate * duration * links / PACKET > MOST_PACKETS:
            continue
        law = {"congestion": {"kind": control}}
        host = {"host": {"min_rto": 5e-3}} if trip < 1e-3 and control != "dcqcn" else {}
        words = [
            f"{number} {control} {topology['kind']} {rate / 1e9:.3g}G {1e3 * trip:.3g}ms path {path:.0f}",
            f"flows {flows} buffer {buffer / 1500.0:.0f} ({buffer / bdp:.2f} BDP)",
            *([f"{marking['kind']} {(marking.get('threshold') or marking['kmin']) / 1500.0:.0f}"] if marking else []),
            *([f"alpha {sharing['alpha']}"] if sharing else []),
            *([f"spread {topology['rtt_spread']}"] if topology.get("rtt_spread") else []),
            f"beside {beside['congestion']['kind']} {what} {duration:.3g}s",
        ]
        return Case(
            " ".join(words),
            control,
            {
                "topology": topology,
                "switch": {
                    "buffer": buffer,
                    **({"marking": marking} if marking else {}),
                    **({"sharing": sharing} if sharing else {}),
                },
                "traffic": [
                    {"kind": "long_lived", "flows": flows, "start_jitter": duration / 50.0, **law, **host},
                    beside,
                ],
                "run": {"duration": duration, "warmup": duration / 4.0, "mtu": 1500},
            },
        )


def scenario(case: Case, fluid: bool, seed: int) -> Scenario:
    """One case, its long flows as fluid or as packets."""
    long, beside = case.document["traffic"]
    kind = "fluid" if fluid else "packets"
    run = {**case.document["run"], "seed": seed}
    return Scenario.parse({**case.document, "traffic": [{**long, "as": kind}, beside], "run": run})


def _runs(case: Case, fluid: bool, seeds: int) -> list[Result]:
    engine = "hybrid" if fluid else "packet"
    return [fr.run(scenario(case, fluid, seed), engine=engine) for seed in range(1, seeds + 1)]


def _counts(name: str, found: list[Figure]) -> str:
    """How many figures miss unmarked, and how many are marked, needlessly where they are within their targets."""
    plain = [each for each in found if not each.marked]
    marked = [each for each in found if each.marked]
    beyond, noisy = (
        sum(each.missed and not each.noisy for each in plain),
        sum(each.missed and each.noisy for each in plain),
    )
    needless = sum(not each.missed for each in marked)
    return (
        f"{name:12s} {len(found):4d} figures, {len(plain):4d} unmarked: {beyond:3d} miss, {noisy:3d} more not"
        f" with every seed; {len(marked):4d} marked: {needless:4d} of them within the target"
        f" ({needless / max(1, len(found)):.0%} of all)"
    )


def main() -> None:
    """Print one line per case, then counts."""
    parser = argparse.ArgumentParser(description="Fluid beside packets in scenarios drawn at random.")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--cases", type=int, default=40, help="how many are drawn")
    parser.add_argument("--seeds", type=int, default=2, help="runs of each case")
    parser.add_argument("--only", type=int, nargs="*", default=[], help="numbers of the cases to run")
    parser.add_argument("--why", action="store_true", help="print why values are outside")
    given = parser.parse_args()
    draws = random.Random(given.seed)
    cases = [drawn(draws, n + 1) for n in range(given.cases)]
    found: list[tuple[str, str, Figure]] = []
    refused: Counter[str] = Counter()
    write("points of utilisation, drops (packets), queue / buffer, p50, p99, times faster")
    for n, case in enumerate(cases):
        if given.only and n + 1 not in given.only:
            continue
        try:
            began = time.process_time()
            mixed = _runs(case, True, given.seeds)
            short = time.process_time() - began
        except FootroomError as error:
            refused[case.control] += 1
            write(f"refused: {error}  {case.name}")
            continue
        began = time.process_time()
        packets = _runs(case, False, given.seeds)
        long = time.process_time() - began
        line = figures(packets, mixed, case.document["switch"]["buffer"])
        found += [(case.control, metric, figure) for metric, figure in line.items()]
        lost = sum(result.metrics.get("drop_rate", 0.0) for result in packets) / given.seeds
        texts = [str(line[each]) if each in line else "  --  " for each in line]
        texts.insert(2, f"({lost:.1e})")
        used = sum(result.metrics["utilisation"] for result in packets) / given.seeds
        write(f"{100 * used:5.1f}% {' '.join(texts)} {long / short:5.1f}  {case.name}")
        if given.why:
            for metric, figure in line.items():
                for why in sorted({result.outside[metric] for result in mixed if metric in result.outside}):
                    write(f"      {metric}{figure}{'missed' if figure.missed else 'within'}: {why}")
    for column, names in ((1, ("utilisation", "drop_rate", "queue_mean", "fct_p50", "fct_p99")), (0, sorted(BESIDE))):
        for name in names:
            write(_counts(name, [each[2] for each in found if each[column] == name]))
    write(_counts("all", [each[2] for each in found]))
    write(f"{sum(refused.values())} of {len(cases)} cases refused: {dict(refused)}")


if __name__ == "__main__":
    main()
