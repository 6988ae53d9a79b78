"""The smallest value that meets all requirements, by simulations, whose results scatter.

One seed finds where the answer lies; then several seeds run at a few values around it, the same seeds at every value,
and ``crossing`` gives the value at which their mean meets the limit, with its 95 % interval. A buffer for packets of
one size changes nothing until it holds one more: it is searched for, and given, in whole packets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footroom.base.framing import in_cells
from footroom.result import Result, combine
from footroom.result.words import at_text, metric
from footroom.scenario import HEADER, Scenario
from footroom.studies.cost import Cost, Tally, cell_seconds
from footroom.studies.crossing import Crossing, Floats, crossing, mean_at, steps
from footroom.studies.requirements import Requirement
from footroom.studies.runner import run
from footroom.studies.study import Admission, Study, replica_seed

#: Expected time [s] that a search by simulations should take, on two cores.
SOON = 30.0
#: Values that the first, coarse search tries at once, and cores for which the time is estimated. The same on every
#: machine and for any number of workers, so that a question has one answer.
LANES = 2
#: How far apart the ends may be before several seeds look closer.
COARSE = 1.5
#: Runs that the coarse search takes, about.
_COARSE_RUNS = 12
#: Values around the answer that every seed runs.
PLACES = 5
#: Seeds to begin with, fewer where runs are long; they are doubled while the interval is wider than ``PRECISION`` to
#: either side: up to the first limit in any case, up to the second while the search ends within ``SOON``.
FEWEST_SEEDS, SEEDS, MANY_SEEDS, MOST_SEEDS, PRECISION = 4, 8, 20, 64, 0.05
#: Values are not brought closer together than this, lowest to middle by ratio, where the means leave the curve.
_CLOSE = 1.03
#: By how much at least, to either side, the interval allows for a curve that is not quite a parabola.
STRAIGHT = 0.01
#: An answer nearer to the ends than this share of the range is searched again with a range centred on it.
_EDGE = 0.2
#: A value this close to a whole step is that step.
_SAME = 0.01
#: Most times that the values are moved or spread.
_MOVES = 12


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
    """Runs by value and seed. step: values are whole numbers of it, 0 for any.  seeds: how many of them; fixed: the
    user chose that number.
    """

    base: Scenario
    path: str
    engine: str
    requirements: list[Requirement]
    step: float
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
        before: list[float] = []
        for _ in range(_MOVES):
            values = self._values(centre / reach, centre * reach, low, high)
            self._run(values)
            values = self._known(values)
            found = {r: self._crossing(r, values) for r in self._rising(values)}
            inside = {r: c for r, c in found.items() if c is not None and values[0] <= c.value <= values[-1]}
            failing = [r for r, c in found.items() if r not in inside and not self._means_meet(r, values[-1])]
            unclear = [r for r, c in found.items() if c is None and self._mixed(r, values)]
            if failing and values[-1] < high:
                centre = min(values[-1] * reach, high)
            elif not inside and unclear and reach < 4.0:
                reach *= 1.5
            elif not inside and values[0] > low:
                centre = max(values[0] / reach, low)
            elif inside and not _answer(inside)[1].fits and reach > _CLOSE and values != before:
                centre, reach = _answer(inside)[1].value, reach**0.6
            elif inside and _off_centre(_answer(inside)[1].value, values, low, high) and values != before:
                centre = _answer(inside)[1].value
            elif inside and not self.fixed and self.seeds < self.most and _answer(inside)[1].half_width > PRECISION:
                self.seeds = min(self.most, 2 * self.seeds)
            else:
                break
            before = values
        if not inside:
            return Sampled(
                met,
                (min(missed, values[0]), max(met, values[-1])),
                _first(found),
                note="The interval is where runs were made: within it no clear change was found.",
            )
        decides, answer = _answer(inside)
        value = self._rounded(answer.value, math.ceil)
        for r in self.requirements:
            if r not in found and not r.met(mean_at(value, np.array(values), self._measured(r, values))):
                there = mean_at(value, np.array(values), self._measured(r, values))
                return Sampled(
                    None,
                    None,
                    decides.text,
                    f"{self.path} must be about {at_text(self.path, value)} for {decides.text}, "
                    f"but there {r.text} is missed: {r.metric} is {metric(r.metric, there)}",
                )
        bounds = (max(c.low for c in inside.values()), max(c.high for c in inside.values()))
        # Runs that hardly scatter do not make the curve between them more than an approximation.
        bounds = (min(bounds[0], (1.0 - STRAIGHT) * value), max(bounds[1], (1.0 + STRAIGHT) * value))
        ends = self._rounded(bounds[0], math.floor), self._rounded(bounds[1], math.ceil)
        note = (
            ""
            if answer.bounded
            else (
                f"The interval may be wider than shown: around the answer {decides.metric} changes too little, or "
                "scatters "
                "too much, from seed to seed. Longer runs or more replicas narrow it."
            )
        )
        return Sampled(value, (max(low, ends[0]), min(high, ends[1])), decides.text, note=note)

    @property
    def most(self) -> int:
        """The most seeds that are taken where the user did not choose their number."""
        return max(MANY_SEEDS, min(MOST_SEEDS, _affordable(self.base, self.engine)))

    def _rounded(self, value: float, towards: Callable[[float], int]) -> float:
        """``value`` in whole steps of the field."""
        if not self.step:
            return value
        nearest = round(value / self.step)
        if abs(value / self.step - nearest) < _SAME:
            return float(nearest * self.step)
        return float(towards(value / self.step) * self.step)

    def _values(self, least: float, most: float, low: float, high: float) -> list[float]:
        """Values from ``least`` to ``most``, evenly by ratio, within ``low`` and ``high``, in whole steps."""
        least, most = max(least, low), min(most, high)
        values = [least * (most / least) ** (k / (PLACES - 1)) for k in range(PLACES)]
        if not self.step:
            return values
        first, last = math.ceil(low / self.step), math.floor(high / self.step)
        whole = {max(first, min(last, round(value / self.step))) for value in values}
        while len(whole) < PLACES and (min(whole) > first or max(whole) < last):
            missing = set(range(min(whole), max(whole))) - whole
            whole |= {min(missing)} if missing else {max(first, min(whole) - 1), min(last, max(whole) + 1)}
        return sorted(float(value * self.step) for value in whole)

    def _known(self, values: list[float]) -> list[float]:
        """Every value from the first to the last of ``values`` at which all seeds ran."""
        return sorted(
            value
            for value, results in self.runs.items()
            if values[0] <= value <= values[-1] and len(results) >= self.seeds
        )

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
        over = {
            self.path: [int(v) if self.step else v for v in wanted],
            "run.seed": [replica_seed(first, k) for k in range(done, self.seeds)],
        }
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

    def _crossing(self, requirement: Requirement, values: list[float]) -> Crossing | None:
        """Where the means meet the limit; where they leave the curve, by the single values."""
        table, measured = np.array(values), self._measured(requirement, values)
        curve = crossing(table, measured, requirement) if len(values) >= 3 else None
        if not self._mixed(requirement, values) or (curve is not None and curve.fits):
            return curve
        return steps(table, measured, requirement) if len(values) < 3 or curve is not None else None

    def _mixed(self, requirement: Requirement, values: list[float]) -> bool:
        met = [self._means_meet(requirement, value) for value in values]
        return any(met) and not all(met)


def _answer(inside: Mapping[Requirement, Crossing]) -> tuple[Requirement, Crossing]:
    """The requirement that needs the largest value."""
    return max(inside.items(), key=lambda item: item[1].value)


def _first(found: Mapping[Requirement, Crossing | None]) -> str | None:
    return next((r.text for r in found), None)


def _off_centre(value: float, values: list[float], low: float, high: float) -> bool:
    """Whether ``value`` is near an end of ``values`` beyond which there is more to look at."""
    share = math.log(value / values[0]) / math.log(values[-1] / values[0])
    return (share < _EDGE and values[0] > low) or (share > 1.0 - _EDGE and values[-1] < high)


def step_of(base: Scenario, path: str, whole: bool) -> float:
    """In what steps the field at ``path`` is sized: whole packets for a buffer where all have one size, else 1 for
    ``whole`` numbers and 0 for any.
    """
    frames = {
        base.run.frames.frame(int((t.host.mss or base.run.mtu - HEADER - t.overhead_of()) + HEADER + t.overhead_of()))
        for t in base.traffic
    }
    if path != "switch.buffer" or len(frames) != 1 or base.switch.lossless():
        return 1.0 if whole else 0.0
    return float(in_cells(frames.pop(), int(base.switch.cell_size or 1)))


def first_seeds(base: Scenario, engine: str) -> int:
    """Seeds that a search begins with."""
    return max(FEWEST_SEEDS, min(SEEDS, _affordable(base, engine)))


def _affordable(base: Scenario, engine: str) -> int:
    """Seeds for which ``LANES`` cores are expected to take ``SOON``."""
    return int((LANES * SOON / cell_seconds(engine, base) - _COARSE_RUNS) / PLACES)


def expected(base: Scenario, engine: str, replicas: int | None, span: float, workers: int) -> Cost:
    """What a search by simulations over a ``span`` (highest over lowest value) is expected to take."""
    rounds = math.ceil(math.log(max(1.0, math.log(span) / math.log(COARSE))) / math.log(LANES + 1))
    tally = Tally((engine,), 1, workers)
    tally.add(base)
    return tally.cost(2 + LANES * rounds + PLACES * (replicas or first_seeds(base, engine)))
