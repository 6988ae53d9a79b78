"""Edit presets at random and compare theory, fluid and packets wherever they say that they hold.

``python -m tests.validation.tools.compare_edits [--seed 1] [--count 130] [--keep file]``. Takes about three minutes of
one processor; the file keeps what packets gave, so that another run takes seconds. Runs span 200 round trips or 3000
packets, whichever is longer, so a difference may also be one between a short run and the long run of a model.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import footroom as fr
from footroom.base.errors import FootroomError
from footroom.result import Result
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import bottleneck_of
from footroom.scenario.kinds import set_field
from footroom.scenario.lockout import short_run
from footroom.scenario.presets import load
from footroom.studies.cost import cell_seconds

#: Presets of long-lived flows over one bottleneck.
PRESETS = (
    "wan-bottleneck",
    "line-card-100g",
    "cubic-wan",
    "mixed-controls",
    "dctcp-rack",
    "pacing",
    "bbr-wan",
    "tor-10g",
    "receive-window",
    "timely-rack",
    "powertcp-port",
)
CONTROLS = ("newreno", "cubic", "dctcp", "bbr")
#: Points of utilisation, ratio of drop rates, the least drop rate looked at, and the longest run of packets [s].
POINTS, TIMES, LEAST, COSTLIEST = 0.03, 1.4, 1e-3, 2.0


def between(draws: random.Random, low: float, high: float) -> float:
    """A number from ``low`` to ``high``, evenly by ratio."""
    return math.exp(draws.uniform(math.log(low), math.log(high)))


def edited(draws: random.Random) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """A preset's name, the edits and the document with them. Raises InvalidInput."""
    name = draws.choice(PRESETS)
    document = Scenario.parse(load(name).scenario).to_dict()
    edits: dict[str, Any] = {}
    if draws.random() < 0.8:
        edits["topology.bottleneck"] = between(draws, 5e6, 2e9)
        edits["topology.access"] = edits["topology.bottleneck"] * draws.choice([1, 2, 10, 100])
    if draws.random() < 0.8:
        edits["topology.rtt"] = between(draws, 2e-4, 0.2)
    if draws.random() < 0.5:
        edits["topology.rtt_spread"] = draws.choice([0.0, 0.05, 0.2, 0.5])
    if draws.random() < 0.3:
        edits["run.mtu"] = draws.choice([576, 1500, 9000])
    for i, entry in enumerate(document["traffic"]):
        if entry["kind"] == "long_lived":
            edits |= {f"traffic.{i}.{key}": value for key, value in _flows(draws).items()}
    for path, value in edits.items():
        document = set_field(document, path, value)
    return name, *_switch_and_run(draws, document, edits)


def _flows(draws: random.Random) -> dict[str, Any]:
    likely: dict[str, tuple[float, list[Any]]] = {
        "flows": (0.8, [1, 2, 3, 7, 15, 40, 100, 250]),
        "congestion": (0.4, [{"kind": kind} for kind in CONTROLS]),
        "host.pacing": (0.2, [True]),
        "host.ack_every": (0.2, [1, 2, 4]),
        "host.receive_window": (0.2, [3000, 10000, 64000, 10**6]),
        "host.initial_window": (0.2, [1, 4, 10, 40]),
    }
    return {path: draws.choice(values) for path, (chance, values) in likely.items() if draws.random() < chance}


def _switch_and_run(
    draws: random.Random, document: dict[str, Any], edits: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    path, mtu = document["topology"], document["run"]["mtu"]
    product = path["bottleneck"] * path["rtt"] / 8.0
    more: dict[str, Any] = {"switch.buffer": max(3.0 * mtu, product * between(draws, 0.01, 3.0))}
    if draws.random() < 0.15:
        more["switch.buffer"] = mtu * draws.choice([1, 3, 10])
    if draws.random() < 0.25:
        step = {"kind": "step", "threshold": max(mtu, product * between(draws, 0.05, 1.0))}
        red = {
            "kind": "red",
            "kmin": max(mtu, 0.1 * product),
            "pmax": draws.choice([0.02, 0.1, 1.0]),
            "kmax": max(3.0 * mtu, product * between(draws, 0.2, 2.0)),
        }
        more["switch.marking"] = draws.choice([step, red])
        more |= {f"traffic.{i}.host.ecn": True for i in range(len(document["traffic"]))}
    long = max(200.0 * path["rtt"], 24000.0 * mtu / path["bottleneck"])
    run = {"run.duration": 1.35 * long, "run.warmup": 0.35 * long, "run.series": None, "run.timeline": None}
    run |= {
        f"traffic.{i}.start_jitter": 0.05 * long
        for i, entry in enumerate(document["traffic"])
        if entry["kind"] == "long_lived"
    }
    for name, value in (more | run).items():
        document = set_field(document, name, value)
    return edits | more, document


def disagreements(found: dict[str, Result]) -> Iterator[str]:
    """In words, where two engines that both say they hold differ."""
    for (one, first), (other, second) in itertools.combinations(found.items(), 2):
        for metric in ("utilisation", "drop_rate"):
            if metric in first.outside or metric in second.outside:
                continue
            low, high = sorted((first.metrics[metric], second.metrics[metric]))
            if (high - low > POINTS) if metric == "utilisation" else (high > LEAST and high > TIMES * low):
                yield f"{metric}: {one} {first.metrics[metric]:.4g}, {other} {second.metrics[metric]:.4g}"


def main() -> None:
    """One line per disagreement, then how many edits were compared."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=130)
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    known = json.loads(chosen.keep.read_text()) if chosen.keep and chosen.keep.exists() else {}
    draws, write = random.Random(chosen.seed), sys.stdout.write
    compared = differ = short = 0
    while compared < chosen.count:
        try:
            name, edits, document = edited(draws)
            scenario = Scenario.parse(document)
        except FootroomError:
            continue
        found: dict[str, Result] = {}
        for engine in ("theory", "fluid"):
            try:
                found[engine] = fr.run(scenario.to_dict(), engine=engine)
            except FootroomError:
                continue
        if not found or cell_seconds("packet", scenario) > COSTLIEST:
            continue
        if short_run(scenario, bottleneck_of(scenario, next(iter(found)))):
            short += 1
            continue
        if scenario.digest not in known:
            try:
                known[scenario.digest] = fr.run(scenario.to_dict(), engine="packet").metrics
            except FootroomError:
                continue
            if chosen.keep:
                chosen.keep.write_text(json.dumps(known))
        found["packet"] = Result("packet", {}, 1, 0.0, known[scenario.digest])
        compared += 1
        differences = list(disagreements(found))
        differ += bool(differences)
        for line in differences:
            write(f"{compared} {name} {line} {json.dumps(edits)}\n")
        sys.stdout.flush()
    write(f"{differ} of {compared} edits differ where both models say that they hold\n")
    write(f"{short} more were left out: their results say that packets are measured for too short a time\n")


if __name__ == "__main__":
    main()
