"""The smallest value that meets all requirements where every run scatters: simulations.

One seed finds where the answer lies; then several seeds run at a few values around it, the same seeds at every value,
and ``crossing`` gives the value at which their mean meets the limit, with its 95 % interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footroom.result import Result, combine
from footroom.scenario import Scenario
from footroom.studies.cost import Cost, Tally
from footroom.studies.crossing import Crossing, Floats, crossing, mean_at
from footroom.studies.requirements import Requirement
from footroom.studies.runner import run
from footroom.studies.study import Admission, Study, replica_seed

#: How far apart the ends may be before several seeds look closer.
COARSE = 1.5
#: Values around the answer that every seed runs.
PLACES = 4
#: Seeds to begin with; they are doubled while the interval is wider than ``PRECISION`` to either side, up to the last.
SEEDS, MOST_SEEDS, PRECISION = 5, 20, 0.05
#: Values closer than this by ratio are not brought closer where the means leave the line.
_CLOSE = 1.05
#: By how much at least, to either side, the interval allows for a curve that is not quite straight.
STRAIGHT = 0.01
#: The values are moved or spread at most so often.
_MOVES = 8


@dataclass(frozen=True)
class Sampled:
    """value: where the means meet the limits; none where they do not meet all.  interval: 95 %.  binding: what decides.

    reason: why there is no value.  note: what the reader must know about the interval.
    """

    value: float | None
    interval: tuple[float, float] | None
    binding: str | None
    reason: str = ""
    note: str = ""


@dataclass
class Sampler:
    """Runs by value and seed. seeds: how many of them; fixed: the user chose that number."""

    base: Scenario
    path: str
    engine: str
    requirements: list[Requirement]
    whole: bool
    seeds: int
    fixed: bool
    options: Mapping[str, Any]
    admission: Admission | None
    on_progress: Callable[[float, float | None], None] | None = None
    done: float = 0.0
    runs: dict[float, list[Result]] = field(default_factory=dict)

    def tried(self) -> dict[float, Result]:
        """Mean over the seeds at every value."""
        return {value: combine(results) for value, results in sorted(self.runs.items())}

    def refine(self, missed: float, met: float, low: float, high: float) -> Sampled:
        """The answer near the bracket from ``missed`` to ``met``, within ``low`` to ``high``.

        Raises Cancelled.
        """
        centre, reach = math.sqrt(missed * met), math.sqrt(COARSE)
        for _ in range(_MOVES):
            values = self._values(centre / reach, centre * reach, low, high)
            self._run(values)
            table = np.array(values)
            found = {r: self._crossing(r, table) for r in self._rising(values)}
            inside = {r: c for r, c in found.items() if c is not None and values[0] <= c.value <= values[-1]}
            failing = [r for r, c in found.items() if r not in inside and not self._means_meet(r, values[-1])]
            unclear = [r for r, c in found.items() if c is None and self._mixed(r, values)]
            if failing and values[-1] < high:
                centre = min(values[-1] * reach, high)
            elif not inside and unclear and reach < 4.0:
                reach *= 1.5
            elif not inside and values[0] > low:
                centre = max(values[0] / reach, low)
            elif inside and not _answer(inside)[1].straight and reach > _CLOSE:
                centre, reach = _answer(inside)[1].value, reach ** (2.0 / (PLACES - 1))
            elif inside and not self.fixed and self.seeds < MOST_SEEDS and _answer(inside)[1].half_width > PRECISION:
                self.seeds = min(MOST_SEEDS, 2 * self.seeds)
            else:
                break
        if not inside:
            return Sampled(met, (min(missed, values[0]), max(met, values[-1])), _first(found),
                           note="The interval is where runs were made: within it no clear change was found.")
        decides, answer = _answer(inside)
        value = float(math.ceil(answer.value)) if self.whole else answer.value
        for r in self.requirements:
            if r not in found and not r.met(mean_at(value, table, self._measured(r, values))):
                there = mean_at(value, table, self._measured(r, values))
                return Sampled(None, None, decides.text, f"{self.path} must be about {value:.6g} for {decides.text}, "
                               f"but there {r.text} is missed: {r.metric} is {there:.4g}")
        bounds = (max(c.low for c in inside.values()), max(c.high for c in inside.values()))
        # Runs that hardly scatter do not make the straight line between them more than an approximation.
        bounds = (min(bounds[0], (1.0 - STRAIGHT) * value), max(bounds[1], (1.0 + STRAIGHT) * value))
        ends = (math.floor(bounds[0]), math.ceil(bounds[1])) if self.whole else bounds
        return Sampled(value, (max(low, float(ends[0])), min(high, float(ends[1]))), decides.text)

    def _values(self, least: float, most: float, low: float, high: float) -> list[float]:
        """Values from ``least`` to ``most``, evenly by ratio, within ``low`` and ``high``."""
        least, most = max(least, low), min(most, high)
        values = [least * (most / least) ** (k / (PLACES - 1)) for k in range(PLACES)]
        if not self.whole:
            return values
        whole = {float(round(value)) for value in values}
        while len(whole) < PLACES and (min(whole) > low or max(whole) < high):
            whole |= {max(low, min(whole) - 1.0), min(high, max(whole) + 1.0)}
        return sorted(whole)

    def _run(self, values: list[float]) -> None:
        """Make the runs that are missing: every seed at every value."""
        first = self.base.run.seed
        for value in values:
            self.runs.setdefault(value, [])
        done = min(len(self.runs[value]) for value in values)
        # Rows of equal length: a value that has more seeds already keeps them.
        wanted = [value for value in values if len(self.runs[value]) < self.seeds]
        if not wanted:
            return
        over = {self.path: [int(v) if self.whole else v for v in wanted],
                "run.seed": [replica_seed(first, k) for k in range(done, self.seeds)]}
        study = Study.of(self.base, over, [self.engine], 1, admission=self.admission)
        begun, share = self.done, (1.0 - self.done) * 0.8

        def progress(fraction: float, left: float | None) -> None:
            self.done = max(self.done, begun + share * fraction)
            if self.on_progress is not None:
                self.on_progress(self.done, left)

        for value in wanted:
            self.runs[value] = self.runs[value][:done]
        for point in run(study, on_progress=progress, **self.options).answered().points:
            self.runs[float(point.at[self.path])].append(point.result)

    def _measured(self, requirement: Requirement, values: list[float]) -> Floats:
        seeds = min(len(self.runs[value]) for value in values)
        return np.array([[self.runs[value][k].metrics[requirement.metric] for value in values] for k in range(seeds)])

    def _rising(self, values: list[float]) -> list[Requirement]:
        """Requirements that a larger value helps, judged by the means at both ends."""
        def better(r: Requirement) -> bool:
            means = self._measured(r, values).mean(axis=0)
            return bool(means[-1] >= means[0]) if r.at_least else bool(means[-1] <= means[0])

        return [r for r in self.requirements if better(r) or self._means_meet(r, values[-1])]

    def _means_meet(self, requirement: Requirement, value: float) -> bool:
        return requirement.met(float(self._measured(requirement, [value]).mean()))

    def _crossing(self, requirement: Requirement, table: Floats) -> Crossing | None:
        """Where the means meet the limit; where they leave the line, between the two values that enclose it."""
        values = table.tolist()
        line = crossing(table, self._measured(requirement, values), requirement)
        if line is None or line.straight or not self._mixed(requirement, values):
            return line
        first = next((i for i in range(1, len(values)) if self._means_meet(requirement, values[i])), len(values) - 1)
        return Crossing(math.sqrt(values[first - 1] * values[first]), values[first - 1], values[first], straight=False)

    def _mixed(self, requirement: Requirement, values: list[float]) -> bool:
        met = [self._means_meet(requirement, value) for value in values]
        return any(met) and not all(met)


def _answer(inside: Mapping[Requirement, Crossing]) -> tuple[Requirement, Crossing]:
    """The requirement that needs the largest value."""
    return max(inside.items(), key=lambda item: item[1].value)


def _first(found: Mapping[Requirement, Crossing | None]) -> str | None:
    return next((r.text for r in found), None)


def expected(base: Scenario, engine: str, replicas: int | None, span: float, workers: int) -> Cost:
    """What a search by simulations over a ``span`` (highest over lowest value) is expected to take."""
    lanes = max(1, workers)
    rounds = math.ceil(math.log(max(1.0, math.log(span) / math.log(COARSE))) / math.log(lanes + 1))
    tally = Tally((engine,), 1, workers)
    tally.add(base)
    return tally.cost(2 + lanes * rounds + PLACES * (replicas or SEEDS))
