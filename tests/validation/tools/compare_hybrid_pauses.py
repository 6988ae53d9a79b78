"""Compare fluid beside packets with packets alone where switches pause: docs/hybrid-agreement.md.

``python -m tests.validation.tools.compare_hybrid_pauses [--windows] [--seeds N] [--drawn N --of SEED] [case ...]``.
Long DCQCN flows, or with ``--windows`` long flows of NewReno, CUBIC and DCTCP, are fluid, transfers are packets, all in
one lossless class; each case runs with seeds 1 to N (2). Pause times are added up over ports, as shares of the measured
window. All cases were written down before any of them was run. ``--drawn`` draws some at random instead.
"""

from __future__ import annotations

import argparse
import math
import random
import time

import numpy as np
from tests.validation.tools.compare_hybrid import write
from tests.validation.tools.pause_cases import (
    CASES,
    HPCC,
    NO_MARKS,
    SHARED,
    STATIC,
    WINDOWS,
    Case,
    Flows,
    hosts_of,
    racks,
    red,
    star,
    step,
    to_one,
)

import footroom as fr
from footroom.base.errors import InvalidInput, Unsupported
from footroom.result import Result


def drawn(count: int, seed: int, windows: bool) -> dict[str, Case]:
    """Cases at random, most of them with one host that too many send to. windows: of long flows with windows."""
    draws, found = random.Random(seed), {}

    def between(low: float, high: float) -> float:
        return math.exp(draws.uniform(math.log(low), math.log(high)))

    for n in range(count):
        rate, delay = draws.choice((1e10, 2.5e10, 4e10, 1e11)), between(1e-6, 6e-6)
        kind = draws.choice(("star", "star", "racks", "dumbbell"))
        hosts, flows = draws.randint(5, 9), draws.randint(4, 24)
        long: tuple[Flows, ...] = ((flows, *to_one(hosts)),)
        topology = star(hosts, rate, 4.0 * delay)
        ports = hosts
        if kind == "racks":
            hosts = draws.randint(2, 4)
            topology, ports = racks(3, hosts, rate, draws.choice((1, 2)), delay), 3 * hosts
            long = ((flows, hosts_of([0, 1], hosts), ["l2h0"]),)
        elif kind == "dumbbell":
            topology = {"kind": kind, "bottleneck": rate, "access": rate, "rtt": 8.0 * delay}
            long, ports = ((flows, None, None),), flows + 100  # of the transfers as well
        eta = 2.0 * (rate / 8.0 * delay + 1500.0) + 3840.0
        buffer = ports * (eta + 2e4) + between(3e5, 3e6)
        least = between(0.03, 0.5) * buffer / 4.0 / 1e3
        marking = draws.choice((NO_MARKS, red(least, 4.0 * least, between(0.02, 0.3)), red(least, 4.0 * least, 0.1)))
        headroom = {**draws.choice((STATIC, STATIC, SHARED)), "alpha": draws.choice((1 / 16, 1 / 8, 1 / 32))}
        beside = (draws.choice(("dcqcn", "dcqcn", "dctcp")), between(0.02, 0.1), between(1e4, 2e5))
        law, control, host = draws.choice(({}, HPCC)), "dcqcn", {}
        if windows:
            law, control = {}, draws.choice(("dctcp", "dctcp", "newreno", "cubic"))
            marking = NO_MARKS if control != "dctcp" else draws.choice((marking, step(2.0 * least)))
            beside = (control, *beside[1:])
            host = {"receive_window": between(1e5, 1e6), "small_queue": draws.choice((1e-3, 1e-4))}
        duration = min(0.06, 6e8 / rate) * (2.0 if windows else 1.0)
        name = f"{n + 1} {kind} {rate / 1e9:.0f}G {flows} {headroom['kind'][:3]} {marking['kind']}"
        name += f" {control}" if windows else ""
        found[name] = Case(topology, buffer, headroom, marking, long, beside, duration, law, control, host)
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
    lost = max(_mean(packets, "drop_rate"), _mean(mixed, "drop_rate")) > 1e-4 and not (
        1 / 1.5 <= ratio("drop_rate") <= 1.5
    )
    return (
        f"{100.0 * _mean(packets, 'utilisation'):6.2f} {points:+6.2f}{flag('utilisation', abs(points) > 2.0)}"
        f" {_mean(packets, 'queue_mean') / case.buffer:6.3f} {queue:+6.3f}{flag('queue_mean', abs(queue) > 0.1)}"
        f" {paused:7.3f} {stopped:7.3f}{flag('pause_time', differs)}"
        f" {_mean(packets, 'pause_frames'):7.0f} {ratio('pause_frames'):5.2f}{flag('pause_frames', False)}"
        f" {_mean(packets, 'headroom_max'):7.0f} {ratio('headroom_max'):5.2f}{flag('headroom_max', False)}"
        f" {drops[0]:5.0f} {drops[1]:5.0f}{flag('lossless_drops', drops[1] > 0.0 == drops[0])}"
        f" {_mean(packets, 'drop_rate'):7.1e} {ratio('drop_rate'):5.2f}{flag('drop_rate', lost)}"
        f" {ratio('fct_p50'):5.2f}{flag('fct_p50', abs(ratio('fct_p50') - 1.0) > 0.1)}"
        f" {ratio('fct_p99'):5.2f}{flag('fct_p99', abs(ratio('fct_p99') - 1.0) > 0.25)}"
    )


def main() -> None:
    """Print one line per case."""
    parser = argparse.ArgumentParser(description="Fluid beside packets against packets alone, with pauses.")
    parser.add_argument("cases", nargs="*", help="cases; all without any")
    parser.add_argument("--windows", action="store_true", help="those of NewReno, CUBIC and DCTCP instead of DCQCN")
    parser.add_argument("--seeds", type=int, default=2, help="seeds 1 to N")
    parser.add_argument("--drawn", type=int, default=0, help="draw so many cases instead")
    parser.add_argument("--of", type=int, default=1, help="seed of the draw")
    given = parser.parse_args()
    known = drawn(given.drawn, given.of, given.windows) if given.drawn else WINDOWS if given.windows else CASES
    cases = {name: known[name] for name in given.cases or known}
    columns = (
        "packets points    queue/buffer     paused: both      frames ratio headroom ratio   lost: both"
        "   drops ratio   p50    p99  times faster"
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
