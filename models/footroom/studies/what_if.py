"""What one change does to the same arrivals: two scenarios, the same seeds, and differences pair by pair."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from footroom.base.errors import InvalidInput
from footroom.engines.plan import build_plan
from footroom.result import METRICS
from footroom.scenario import Scenario
from footroom.scenario.source import Source, document
from footroom.studies import runner
from footroom.studies.alternatives import alternatives, apply
from footroom.studies.document import DifferenceDocument, Group, SeededStudy, Verdict, WhatIfDocument
from footroom.studies.progress import OnProgress
from footroom.studies.study import Study, replica_seed
from footroom.studies.sweep import Sweep

#: Pairs by default, and looks at memory in one run.
REPLICAS, LOOKS = 5, 100

#: Metrics in the order of the table; others follow.
_FIRST = (
    "fct_mean",
    "fct_p99",
    "qct_mean",
    "qct_p99",
    "lossless_drops",
    "drop_rate",
    "pause_frames",
    "pause_time",
    "headroom_max",
    "utilisation",
    "goodput",
    "queue_p99",
    "fairness",
)


@dataclass(frozen=True)
class Difference:
    """One quantity in both scenarios, over the pairs in which both have it.

    name, group: what and of what ("run", "traffic", "size", "memory").  unit: SI.  a, b: means.  difference: mean of
    b - a, with its 95 % interval by Student's t over pairs, none for a single pair.  verdict: "same" where no pair
    differs, "higher" or "lower" where the interval leaves 0 out, else "unclear".
    """

    group: Group
    name: str
    unit: str
    pairs: int
    a: float
    b: float
    difference: float
    interval: tuple[float, float] | None
    verdict: Verdict

    def to_dict(self) -> DifferenceDocument:
        """Plain data, with the relative difference where a is not 0."""
        return {
            "group": self.group,
            "name": self.name,
            "unit": self.unit,
            "pairs": self.pairs,
            "a": self.a,
            "b": self.b,
            "difference": self.difference,
            "interval": self.interval,
            "relative": self.difference / self.a if self.a else None,
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class WhatIf:
    """The answer. seeds: of the pairs.  same_arrivals: whether all flows start alike in both, in the first pair."""

    seeds: tuple[int, ...]
    same_arrivals: bool
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    changes: dict[str, Any] | None = None

    def to_dict(self) -> WhatIfDocument:
        """Plain data in the shape of the public contract."""
        return {
            "seeds": list(self.seeds),
            "same_arrivals": self.same_arrivals,
            "changes": self.changes,
            "differences": [one.to_dict() for one in self.differences],
            "notes": list(self.notes),
        }


def request(raw: Mapping[str, Any], replicas: int) -> SeededStudy:
    """The study of ``raw`` by packets over the seeds of its replicas, with the memory left over recorded, and nothing
    over time.

    Raises InvalidInput.
    """
    if type(replicas) is not int or not 1 <= replicas <= 100:
        raise InvalidInput.at("replicas", replicas, "a whole number from 1 to 100 is needed")
    scenario = Scenario.parse(dict(raw))
    run = scenario.run
    written = dict(raw)
    if run.memories is None:
        written = apply(written, {"run.memories": (run.duration - run.warmup) / LOOKS})
    # What is recorded over time is not compared, and would be kept for every run.
    recorded = [name for name in ("fabric", "series", "timeline") if getattr(run, name) is not None]
    written = apply(written, {f"run.{name}": None for name in recorded})
    return {
        "scenario": written,
        "over": {"run.seed": [replica_seed(run.seed, i) for i in range(replicas)]},
        "engines": ["packet"],
        "replicas": 1,
    }


def what_if(
    scenario: Source,
    changes: Mapping[str, Any] | str,
    *,
    replicas: int = REPLICAS,
    workers: int | None = None,
    on_progress: OnProgress | None = None,
    on_stop: Callable[[WhatIf], None] | None = None,
    **options: Any,
) -> WhatIf:
    """What ``changes`` do to ``scenario``: dotted paths to values, or the id of a ready change (``alternatives``).

    Both run in the packet engine with the same seeds. replicas: pairs.  on_stop: called with the pairs that are
    done, if any, where it ends early, before the error is raised.  options: as for ``footroom.studies.run``.
    Raises InvalidInput, Unsupported.
    """
    raw = (
        document(scenario)
        if isinstance(scenario, (str, Path))
        else (scenario.to_dict() if isinstance(scenario, Scenario) else dict(scenario))
    )
    made = _changes(raw, changes)
    studies = [Study.from_request(request(one, replicas)) for one in (raw, apply(raw, made))]
    points: list[list[dict[str, Any]]] = []

    def stopped(sweep: Sweep) -> None:
        """Compare the pairs of which both runs are finished."""
        part = [*points, [point.to_dict() for point in sweep.points]]
        if on_stop is not None and len(part) == len(studies) and part[1]:
            on_stop(compare(part[0], part[1], made))

    for number, study in enumerate(studies):
        tell = _half(on_progress, number)
        sweep = runner.run(study, workers=workers, on_progress=tell, on_stop=stopped, **options)
        points.append([point.to_dict() for point in sweep.answered().points])
    return compare(points[0], points[1], made)


def _half(report: OnProgress | None, number: int) -> OnProgress | None:
    """Progress of one of two studies as that of both; the second is assumed to last as long as the first."""
    if report is None:
        return None
    began = time.monotonic()

    def tell(fraction: float, left: float | None) -> None:
        after = 0.0 if number or left is None else time.monotonic() - began + left
        report((number + fraction) / 2.0, None if left is None else left + after)

    return tell


def _changes(raw: Mapping[str, Any], changes: Mapping[str, Any] | str) -> dict[str, Any]:
    if isinstance(changes, Mapping):
        if not changes:
            raise InvalidInput.at("changes", None, "name at least one field and its value")
        for path in ("run.seed", "run.replicas"):
            if path in changes:
                raise InvalidInput.at(path, changes[path], "both have the same seeds here; set it in the scenario")
        return dict(changes)
    ready = {one.id: one.changes for one in alternatives(Scenario.parse(dict(raw)))}
    if str(changes) not in ready:
        known = ", ".join(ready) or "none, because no class of this scenario is lossless"
        raise InvalidInput.at("changes", str(changes), f"is not a ready change of this scenario; there are: {known}")
    return dict(ready[str(changes)])


def compare(
    a: Sequence[Mapping[str, Any]], b: Sequence[Mapping[str, Any]], changes: dict[str, Any] | None = None
) -> WhatIf:
    """Two studies over ``run.seed``, as lists of points (``SweepPoint.to_dict``), compared seed by seed.

    Raises InvalidInput where no seed is in both.
    """
    of = [
        {
            int(point["at"]["run.seed"]): point["result"]
            for point in points
            if "result" in point and list(point["at"]) == ["run.seed"]
        }
        for points in (a, b)
    ]
    seeds = tuple(seed for seed in of[0] if seed in of[1])
    if not seeds:
        raise InvalidInput.at("", None, "the two studies have no seed in common; both need run.seed as their only axis")
    rows = [[quantities(found[seed]) for seed in seeds] for found in of]
    names = dict.fromkeys(name for row in (*rows[0], *rows[1]) for name in row)
    found = []
    for name in sorted(names, key=_place):
        pairs = [(x[name], y[name]) for x, y in zip(*rows, strict=True) if name in x and name in y]
        if pairs:
            found.append(_difference(*name, pairs))
    same = _same_arrivals(of[0][seeds[0]], of[1][seeds[0]])
    return WhatIf(seeds, same, tuple(found), _notes(seeds, same, found), changes)


Name = tuple[Group, str, str]  # group, name, unit
_GROUPS = ("run", "traffic", "size", "memory")


def _place(name: Name) -> tuple[int, int, str, str]:
    first = _FIRST.index(name[1]) if name[0] == "run" and name[1] in _FIRST else len(_FIRST)
    # Sizes are sorted as numbers: the smallest first.
    key = f"{float(name[1].split(' ')[0]):020.0f}" if name[0] == "size" else ""
    return _GROUPS.index(name[0]), first, key, name[1]


def quantities(result: Mapping[str, Any]) -> dict[Name, float]:
    """Everything of a result (``Result.to_dict``) that is compared."""
    found: dict[Name, float] = {("run", name, METRICS[name][0]): value for name, value in result["metrics"].items()}
    for row in result.get("completions") or ():
        for which in ("mean", "p99"):
            found["traffic", f"{row['name']} ({row['entry']}), completion time {which}", "s"] = row[which]
    for row in result.get("completions_by_size") or ():
        for which in ("mean", "p99"):
            found["size", f"{row['upto']:.0f} B at most, completion time {which}", "s"] = row[which]
    headroom = result.get("headroom")
    if headroom:
        found["memory", "headroom reserved", "B"] = float(sum(one["reserved"] for one in headroom))
        found["memory", "headroom used at once at one switch", "B"] = float(max(one["most"] for one in headroom))
    memories = result.get("memories")
    if memories:
        found["memory", "memory left over at the fullest switch", "B"] = float(
            min(one["buffer"] - one["most"] for one in memories)
        )
    return found


def _difference(group: Group, name: str, unit: str, pairs: Sequence[tuple[float, float]]) -> Difference:
    count = len(pairs)
    apart = [y - x for x, y in pairs]
    mean = math.fsum(apart) / count
    interval = None
    if count > 1:
        from scipy.stats import t as student

        spread = math.sqrt(math.fsum((one - mean) ** 2 for one in apart) / (count - 1) / count)
        half = float(student.ppf(0.975, count - 1)) * spread
        interval = (mean - half, mean + half)
    verdict: Verdict
    if not any(apart):
        verdict = "same"
    elif interval is None or interval[0] <= 0 <= interval[1]:
        verdict = "unclear"
    else:
        verdict = "higher" if mean > 0 else "lower"
    return Difference(
        group,
        name,
        unit,
        count,
        math.fsum(x for x, _ in pairs) / count,
        math.fsum(y for _, y in pairs) / count,
        mean,
        interval,
        verdict,
    )


def _same_arrivals(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether the plans of two results have the same flows at the same times between the same hosts."""
    plans = [build_plan(Scenario.parse(one["scenario"]), int(one["seed"])) for one in (a, b)]
    return all(
        np.array_equal(getattr(plans[0], name), getattr(plans[1], name))
        for name in ("flow_start", "flow_bytes", "flow_source", "flow_destination", "flow_next", "flow_gap")
    )


def _notes(seeds: Iterable[int], same: bool, found: Sequence[Difference]) -> tuple[str, ...]:
    count = len(tuple(seeds))
    notes = []
    if not same:
        notes.append(
            "The change alters the arrivals: flows differ in time, size or place, so pairs have less in common."
        )
    if count < 2:
        notes.append("A single pair has no interval; run two or more.")
    else:
        notes.append(
            f"Intervals are 95 % by Student's t over {count} pairs of equal seeds, each for itself: of "
            f"{len(found)} quantities about {max(1, round(0.05 * len(found)))} may seem to differ by chance."
        )
    if any(one.name == "deadlock" and (one.a or one.b) for one in found):
        notes.append("Some runs ended early in a deadlock; what they measured covers a shorter time.")
    return tuple(notes)
