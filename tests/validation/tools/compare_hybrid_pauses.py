"""Compare DCQCN as fluid beside packets with packets alone where switches pause: docs/hybrid.md.

``python -m tests.validation.tools.compare_hybrid_pauses [--seeds N] [--drawn N --of SEED] [case ...]``. Long DCQCN
flows are fluid, transfers are packets, all in one lossless class; each case runs with seeds 1 to N (2). Pause times are
added up over ports, as shares of the measured window. All cases were written down before any of them was run.
``--drawn`` draws some at random instead.
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
from footroom.base.errors import InvalidInput, Unsupported
from footroom.parts.congestion import Dcqcn
from footroom.result import Result
from footroom.scenario import Scenario

_HPCC: dict[str, Any] = next(one.values for one in Dcqcn.profiles if one.id == "hpcc")
_NO_MARKS: dict[str, Any] = {"kind": "none"}
_STATIC: dict[str, Any] = {"kind": "static_independent"}
_SHARED: dict[str, Any] = {"kind": "dynamic_shared"}


def _red(least: float, most: float, top: float) -> dict[str, Any]:
    """Thresholds in kB."""
    return {"kind": "red", "kmin": 1e3 * least, "kmax": 1e3 * most, "pmax": top}


def _star(hosts: int, rate: float, rtt: float) -> dict[str, Any]:
    return {"kind": "star", "hosts": hosts, "rate": rate, "rtt": rtt}


def _racks(leaves: int, hosts: int, rate: float, spines: int = 1, delay: float = 1e-6) -> dict[str, Any]:
    return {
        "kind": "leaf_spine",
        "leaves": leaves,
        "spines": spines,
        "hosts_per_leaf": hosts,
        "host_rate": rate,
        "fabric_rate": 2.0 * rate,
        "link_delay": delay,
    }


def _hosts(leaves: list[int], hosts: int) -> list[str]:
    return [f"l{leaf}h{host}" for leaf in leaves for host in range(hosts)]


@dataclass(frozen=True)
class Case:
    """flows: of every fluid entry, how many, from where and to where (None: anywhere).  beside: control of the
    transfers, their load and size [B].  duration: s.  law: what differs from the paper's parameters.
    """

    topology: dict[str, Any]
    buffer: float
    headroom: dict[str, Any]
    marking: dict[str, Any]
    flows: tuple[tuple[int, list[str] | None, list[str] | None], ...]
    beside: tuple[str, float, float]
    duration: float
    law: dict[str, Any] = field(default_factory=dict)

    def scenario(self, fluid: bool, seed: int) -> Scenario:
        """Its long flows as fluid or as packets."""
        control, load, size = self.beside
        long = [
            {
                "kind": "long_lived",
                "flows": count,
                "start_jitter": self.duration / 50.0,
                "congestion": {"kind": "dcqcn", **self.law},
                "as": "fluid" if fluid else "packets",
                **({} if sources is None else {"sources": sources}),
                **({} if destinations is None else {"destinations": destinations}),
            }
            for count, sources, destinations in self.flows
        ]
        other = {
            "kind": "poisson",
            "load": load,
            "sizes": size,
            "congestion": {"kind": control, **(self.law if control == "dcqcn" else {})},
            **({} if control == "dcqcn" else {"host": {"min_rto": 5e-3}}),
        }
        return Scenario.parse(
            {
                "topology": self.topology,
                "switch": {"buffer": self.buffer, "marking": self.marking, "headroom": self.headroom},
                "traffic": [*long, other],
                "run": {"duration": self.duration, "warmup": self.duration / 4.0, "mtu": 1500, "seed": seed},
            }
        )


def _to_one(hosts: int) -> tuple[list[str], list[str]]:
    return [f"h{i}" for i in range(1, hosts)], ["h0"]


_TO_RACK_2 = (8, _hosts([0, 1], 4), ["l2h0"])
CASES = {
    "star, no marks": Case(
        _star(9, 2.5e10, 8e-6), 2e6, _STATIC, _NO_MARKS, ((16, *_to_one(9)),), ("dcqcn", 0.03, 3e4), 0.02
    ),
    "star, RED": Case(
        _star(9, 2.5e10, 8e-6), 2e6, _STATIC, _red(100, 400, 0.1), ((16, *_to_one(9)),), ("dcqcn", 0.03, 3e4), 0.04
    ),
    "star, high RED": Case(
        _star(9, 2.5e10, 8e-6), 2e6, _STATIC, _red(600, 2000, 0.1), ((24, *_to_one(9)),), ("dcqcn", 0.05, 1e5), 0.04
    ),
    "star, small alpha": Case(
        _star(5, 1e10, 1.2e-5),
        1e6,
        _STATIC | {"alpha": 1 / 64},
        _red(40, 160, 0.05),
        ((12, *_to_one(5)),),
        ("dctcp", 0.05, 3e4),
        0.06,
    ),
    "star, 100 Gb/s": Case(
        _star(9, 1e11, 6e-6),
        4e6,
        _STATIC,
        _red(400, 1600, 0.2),
        ((24, *_to_one(9)),),
        ("dcqcn", 0.05, 1e5),
        0.01,
        _HPCC,
    ),
    "star, insurance": Case(
        _star(9, 2.5e10, 8e-6), 2e6, _SHARED, _red(600, 2000, 0.1), ((24, *_to_one(9)),), ("dcqcn", 0.05, 1e5), 0.04
    ),
    "star, on_off": Case(
        _star(7, 4e10, 1e-5),
        1.5e6,
        _STATIC | {"pause": "on_off", "xon_offset": 2e4},
        _NO_MARKS,
        ((6, *_to_one(7)),),
        ("dcqcn", 0.05, 5e4),
        0.02,
    ),
    "star, light": Case(
        _star(8, 2.5e10, 8e-6), 4e6, _STATIC, _red(50, 200, 0.1), ((10, None, None),), ("dcqcn", 0.05, 3e4), 0.04
    ),
    "racks, no marks": Case(_racks(3, 4, 2.5e10), 2e6, _STATIC, _NO_MARKS, (_TO_RACK_2,), ("dcqcn", 0.03, 3e4), 0.015),
    "racks, RED": Case(
        _racks(3, 4, 2.5e10), 2e6, _STATIC, _red(200, 800, 0.1), (_TO_RACK_2,), ("dcqcn", 0.05, 3e4), 0.03
    ),
    "racks, insurance": Case(
        _racks(3, 4, 2.5e10), 1e6, _SHARED, _red(200, 800, 0.1), (_TO_RACK_2,), ("dcqcn", 0.05, 3e4), 0.03
    ),
    "racks, two roots": Case(
        _racks(4, 4, 2.5e10, spines=2),
        2e6,
        _STATIC,
        _red(400, 1600, 0.1),
        (_TO_RACK_2, (8, _hosts([0, 2], 4), ["l3h1"])),
        ("dctcp", 0.05, 3e4),
        0.02,
    ),
    "dumbbell": Case(
        {"kind": "dumbbell", "bottleneck": 1e10, "access": 4e10, "rtt": 2e-5, "rtt_spread": 0.0},
        6e6,
        _STATIC,
        _red(300, 1200, 0.05),
        ((12, None, None),),
        ("dcqcn", 0.05, 3e4),
        0.06,
    ),
}


def drawn(count: int, seed: int) -> dict[str, Case]:
    """Cases at random, most of them with one host that too many send to."""
    draws, found = random.Random(seed), {}

    def between(low: float, high: float) -> float:
        return math.exp(draws.uniform(math.log(low), math.log(high)))

    for n in range(count):
        rate, delay = draws.choice((1e10, 2.5e10, 4e10, 1e11)), between(1e-6, 6e-6)
        kind = draws.choice(("star", "star", "racks", "dumbbell"))
        hosts, flows = draws.randint(5, 9), draws.randint(4, 24)
        topology = _star(hosts, rate, 4.0 * delay)
        long: tuple[tuple[int, list[str] | None, list[str] | None], ...] = ((flows, *_to_one(hosts)),)
        ports = hosts
        if kind == "racks":
            hosts = draws.randint(2, 4)
            topology, ports = _racks(3, hosts, rate, draws.choice((1, 2)), delay), 3 * hosts
            long = ((flows, _hosts([0, 1], hosts), ["l2h0"]),)
        elif kind == "dumbbell":
            topology = {"kind": kind, "bottleneck": rate, "access": rate, "rtt": 8.0 * delay}
            long, ports = ((flows, None, None),), flows + 100  # of the transfers as well
        eta = 2.0 * (rate / 8.0 * delay + 1500.0) + 3840.0
        buffer = ports * (eta + 2e4) + between(3e5, 3e6)
        least = between(0.03, 0.5) * buffer / 4.0 / 1e3
        marking = draws.choice((_NO_MARKS, _red(least, 4.0 * least, between(0.02, 0.3)), _red(least, 4.0 * least, 0.1)))
        headroom = {**draws.choice((_STATIC, _STATIC, _SHARED)), "alpha": draws.choice((1 / 16, 1 / 8, 1 / 32))}
        beside = (draws.choice(("dcqcn", "dcqcn", "dctcp")), between(0.02, 0.1), between(1e4, 2e5))
        law = draws.choice(({}, _HPCC))
        name = f"{n + 1} {kind} {rate / 1e9:.0f}G {flows} {headroom['kind'][:3]} {marking['kind']}"
        found[name] = Case(topology, buffer, headroom, marking, long, beside, min(0.06, 6e8 / rate), law)
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
    window = 0.75 * case.duration
    paused, stopped = _mean(packets, "pause_time") / window, _mean(mixed, "pause_time") / window
    differs = max(paused, stopped) > 0.01 and not paused / 1.25 <= stopped <= 1.25 * paused
    drops = _mean(packets, "lossless_drops"), _mean(mixed, "lossless_drops")
    return (
        f"{100.0 * _mean(packets, 'utilisation'):6.2f} {points:+6.2f}{flag('utilisation', abs(points) > 2.0)}"
        f" {_mean(packets, 'queue_mean') / case.buffer:6.3f} {queue:+6.3f}{flag('queue_mean', abs(queue) > 0.1)}"
        f" {paused:7.3f} {stopped:7.3f}{flag('pause_time', differs)}"
        f" {_mean(packets, 'pause_frames'):7.0f} {ratio('pause_frames'):5.2f}{flag('pause_frames', False)}"
        f" {_mean(packets, 'headroom_max'):7.0f} {ratio('headroom_max'):5.2f}{flag('headroom_max', False)}"
        f" {drops[0]:5.0f} {drops[1]:5.0f}{flag('lossless_drops', drops[1] > 0.0 == drops[0])}"
        f" {ratio('fct_p50'):5.2f}{flag('fct_p50', abs(ratio('fct_p50') - 1.0) > 0.1)}"
        f" {ratio('fct_p99'):5.2f}{flag('fct_p99', abs(ratio('fct_p99') - 1.0) > 0.25)}"
    )


def main() -> None:
    """Print one line per case."""
    parser = argparse.ArgumentParser(description="DCQCN as fluid beside packets against packets alone, with pauses.")
    parser.add_argument("cases", nargs="*", default=list(CASES), help="cases; all without any")
    parser.add_argument("--seeds", type=int, default=2, help="seeds 1 to N")
    parser.add_argument("--drawn", type=int, default=0, help="draw so many cases instead")
    parser.add_argument("--of", type=int, default=1, help="seed of the draw")
    given = parser.parse_args()
    cases = drawn(given.drawn, given.of) if given.drawn else {name: CASES[name] for name in given.cases}
    columns = (
        "packets points    queue/buffer     paused: both      frames ratio headroom ratio   lost: both"
        "    p50    p99  times faster"
    )
    write(f"{'case':32s}{columns}")
    for name, case in cases.items():
        found, spent = {}, {}
        for engine in ("hybrid", "packet"):
            began = time.process_time()
            try:
                found[engine] = [
                    fr.run(case.scenario(engine == "hybrid", seed), engine=engine) for seed in range(1, given.seeds + 1)
                ]
            except (InvalidInput, Unsupported) as refused:
                write(f"{name:32s} {engine} refuses it: {refused}")
                break
            spent[engine] = time.process_time() - began
        else:
            line = _line(case, found["packet"], found["hybrid"])
            write(f"{name:32s} {line} {spent['packet'] / spent['hybrid']:6.1f}")


if __name__ == "__main__":
    main()
