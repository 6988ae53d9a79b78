"""Compare theory and fluid with real Linux hosts, case by case: the figures of docs/validation.md.

``python -m tests.validation.tools.compare_linux [file ...]``; files are those of tests/validation/data, all with long
flows by default. A value in parentheses is outside the validity that the engine claims, a ``!`` stands
behind a miss.
What one run of Linux leaves open (its 95 % half-width) is added to each target.
"""

from __future__ import annotations

import sys
from typing import Any

from tests.validation.cases import Case, cases
from tests.validation.transfers import loads

import footroom as fr
from footroom.scenario import Scenario

FILES = ("linux-reno.json", "linux-reno-40ms.json", "linux-cubic.json", "linux-mixed.json")
#: Points of utilisation, ratio of drop rates, share of the buffer between mean queues.
TARGETS = {"fluid": (3.0, 1.4, 0.1), "theory": (5.0, 1.6, 0.2)}
METRICS = ("utilisation", "drop_rate", "queue_mean")
_PACKET = 1500.0


def _recorded(name: str) -> list[tuple[str, Scenario, dict[str, Any]]]:
    """Label, scenario and row of every case of a file that the measuring machine kept up with."""
    if name == "linux-mixed.json":
        return [(load.name, load.scenario(), load.row) for load in loads() if load.kind in ("long", "mixture")]
    return [(_label(case), case.scenario(probes=case.sack), vars(case)) for case in cases(name) if case.sound]


def _label(case: Case) -> str:
    return f"{case.label} ({case.flows} flows, {case.rate / 1e6:g} Mb/s, {1e3 * case.rtt:g} ms)"


def _cell(found: fr.Result, row: dict[str, Any], engine: str, name: str) -> tuple[str, bool, bool]:
    """What is written, whether it agrees, and whether it is claimed."""
    points, times, share = TARGETS[engine]
    value = found.metrics[name]
    error = row.get(f"{name}_error", 0.0)
    if name == "utilisation":
        off = 100.0 * (value - row[name])
        text, good = f"{off:+6.1f}", abs(off) <= points + 100.0 * error
    elif name == "drop_rate":
        least, most = row[name] - error, row[name] + error
        text = f"x{value / row[name]:5.2f}" if row[name] > 0.0 else f"{value:6.0e}"
        good = least / times <= value <= most * times
    else:
        off = (value / _PACKET - row[name]) / row["buffer"]
        # One packet: what is on the wire counts as waiting in one of the two and not in the other.
        text, good = f"{off:+6.2f}", abs(off) <= share + 1.0 / row["buffer"]
    inside = name not in found.outside
    return (f"{text}{' ' if good else '!'} " if inside else f"({text})"), good, inside


def main() -> None:
    """One line a case, then how many agree where each engine calls itself valid."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for file in sys.argv[1:] or FILES:
        sys.stdout.write(f"{file:52} {'fluid: points, drops, queue':30} theory\n")
        for label, scenario, row in _recorded(file):
            line = f"{label:52}"
            for engine in TARGETS:
                found = fr.run(scenario, engine=engine)
                for name in METRICS:
                    if name not in found.metrics:
                        line += "       - "
                        continue
                    text, good, inside = _cell(found, row, engine, name)
                    line += f" {text}"
                    count = counts.setdefault((file, engine, name), [0, 0, 0])
                    for i, yes in enumerate((good and inside, inside, True)):
                        count[i] += yes
                line += "  |"
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    for (file, engine, name), (agree, claimed, every) in counts.items():
        sys.stdout.write(f"{file}, {engine}, {name}: {agree} of {claimed} inside agree, of {every} in all\n")


if __name__ == "__main__":
    main()
