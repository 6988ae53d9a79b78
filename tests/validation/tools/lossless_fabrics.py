"""Random lossless fabrics by the hundred: nothing is lost where headroom suffices; where it is cut, losses are counted.

``python -m tests.validation.tools.lossless_fabrics [--count 1000] [--first 0] [--cut 0.33] [--again 10] [--family F]``

Three families in turn (``tests/lossless``): as wide as the schema allows, usual settings of every control, adversarial;
with ``--family meshed`` those of unlike links, rings and meshes instead, with ``--family timed`` waves that meet pauses
as they begin and end. Without ``--cut`` a fabric counts as sufficient where its plan has no warning; adversarial,
meshed and timed ones are enlarged until then, by what the warnings ask for. With ``--cut`` each has that
share of its headroom. Every run checks that packets and bytes of memory are conserved; every ``--again``-th is run
twice and must give the same bytes. One line for each failure, one with the sums; the exit status is the number of kinds
of failure.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from typing import Any

from tests.lossless.adversarial import WARNINGS, adversarial_fabric, enlarged, with_cut
from tests.lossless.generator import random_fabric
from tests.lossless.meshed import meshed_fabric
from tests.lossless.timed import timed_fabric
from tests.lossless.varied import varied_fabric

from footroom.base.errors import InvalidInput
from footroom.engines.packet import simulate
from footroom.engines.plan import Plan, build_plan
from footroom.result import Result
from footroom.scenario import Scenario

FAMILIES = ("wide", "usual", "adversarial")
#: Families that are enlarged until nothing warns, and how each is drawn.
_ENLARGED = {"adversarial": adversarial_fabric, "meshed": meshed_fabric, "timed": timed_fabric}
#: What a run may not take from one time to the next.
_TIMED = ("wall_s",)


def plan_of(family: str, seed: int, cut: float | None) -> Plan | None:
    """The plan of one fabric; None where the settings cannot be, or no headroom is enough."""
    if family in _ENLARGED:
        raw = _ENLARGED[family](seed)
        plan = enlarged(raw)
        return plan if plan is None or cut is None else build_plan(Scenario.parse(with_cut(raw, cut)))
    raw = random_fabric(seed, cut) if family == "wide" else varied_fabric(seed, cut)
    return build_plan(Scenario.parse(raw))


def canonical(found: Result) -> str:
    """The result as text without what depends on the machine."""
    document = {key: value for key, value in found.to_dict().items() if key not in _TIMED}
    return json.dumps(document, sort_keys=True, default=str)


def faults(plan: Plan, found: Result) -> list[str]:
    """What is wrong with the result of one fabric, as kinds of failure."""
    drops = found.metrics["lossless_drops"]
    rows = found.priority_groups or []
    wrong = []
    if sum(row["drops"] for row in rows) != drops:
        wrong.append("drops without a place")
    if any(row["drops"] and not row["port"].endswith(f">{row['switch']}") for row in rows):
        wrong.append("a place that is no port of its switch")
    if drops and not any(note.startswith(WARNINGS) for note in plan.notes):
        wrong.append("drops without a warning")
    if found.deadlock is not None and not any("may deadlock" in note for note in plan.notes):
        wrong.append("a deadlock that was not foretold")
    if any(" because " in note and "packets of lossless classes;" in note for note in found.notes) != (drops > 0):
        wrong.append("drops without a cause")
    return wrong


def _tell(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line, sort_keys=True) + "\n")
    sys.stdout.flush()


def examine(
    count: int,
    first: int,
    cut: float | None,
    again: int,
    families: tuple[str, ...] = FAMILIES,
) -> Counter[str]:
    """Run so many fabrics; how often each outcome was met, failures beginning with "FAILED"."""
    sums: Counter[str] = Counter()
    for number in range(first, first + count):
        family = families[number % len(families)]
        try:
            plan = plan_of(family, number, cut)
        except InvalidInput:
            plan = None
        if plan is None:
            sums["refused"] += 1
            continue
        found = simulate(plan)
        drops = found.metrics["lossless_drops"]
        silent = not any(note.startswith(WARNINGS) for note in plan.notes)
        sums.update({"run": 1, f"run {family}": 1, "sufficient": silent, "paused": found.metrics["pause_frames"] > 0})
        sums.update({"with drops": drops > 0, "lossless drops": int(drops)})
        wrong = faults(plan, found)
        if again and number // len(families) % again == 0:
            sums["twice"] += 1
            if canonical(simulate(plan)) != canonical(found):
                wrong.append("another result from the same seed")
        for kind in wrong:
            sums[f"FAILED {kind}"] += 1
            _tell({"family": family, "seed": number, "failed": kind})
    return sums


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cut", type=float)
    parser.add_argument("--again", type=int, default=10)
    parser.add_argument("--family", choices=(*FAMILIES, "meshed", "timed"))
    given = parser.parse_args(arguments)
    began = time.process_time()
    families = FAMILIES if given.family is None else (given.family,)
    sums: dict[str, Any] = dict(examine(given.count, given.first, given.cut, given.again, families))
    _tell({**sums, "processor_seconds": round(time.process_time() - began, 1)})
    return sum(name.startswith("FAILED") for name in sums)


if __name__ == "__main__":
    sys.exit(main())
