"""One search for the smallest value that meets every requirement."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from typing import Any

from footroom.base.errors import Unsupported
from footroom.result import Result
from footroom.result.transfer import LEVELS
from footroom.result.words import at_text, metric
from footroom.scenario import Scenario
from footroom.studies.engines import engine_named
from footroom.studies.requirements import Requirement
from footroom.studies.runner import run
from footroom.studies.sampled import LANES
from footroom.studies.study import Admission, Study

#: Values tried at once by an engine that takes a whole sweep at a time.
_BATCH = 8


#: Metrics that a larger buffer first improves, then worsens; values tried in between where both ends miss.
_TURNING, _SCAN = ("transfer_", "fct_", "qct_", "slowdown_"), 16


#: Share of a search by simulations that the coarse search takes.
FIRST_PART = 0.3
#: Fraction that must be done before the time left is reported.
KNOWN = 0.01


#: A value that was tried, and whether it meets every requirement.
OnValue = Callable[[float, bool], None]


class Kept:
    """Runs of one search by content (``footroom.studies.runner.Cache``)."""

    def __init__(self) -> None:
        self._documents: dict[str, dict[str, Any]] = {}

    def get(self, key: str) -> dict[str, Any] | None:
        return self._documents.get(key)

    def put(self, key: str, document: dict[str, Any]) -> None:
        self._documents[key] = document


class Steps:
    """Progress of a search, step by step. share: of the whole that these steps are; left: how many are expected."""

    def __init__(self, on_progress: Callable[[float, float | None], None] | None, share: float, left: int) -> None:
        self._tell, self._share, self.left = on_progress, share, left
        self._began, self._done, self._step = time.monotonic(), 0.0, 1.0

    def begin(self) -> None:
        """A step begins."""
        self._step = (1.0 - self._done) / max(1, self.left)

    def within(self, fraction: float, _: float | None) -> None:
        """So much of the step is done."""
        self._report(self._done + self._step * fraction)

    def end(self) -> None:
        """The step is done."""
        self._done += self._step
        self.left -= 1
        self._report(self._done)

    def _report(self, done: float) -> None:
        if self._tell is not None:
            spent, whole = time.monotonic() - self._began, min(1.0, done) * self._share
            self._tell(whole, spent * (1.0 - whole) / whole if whole > KNOWN else None)


class Search:
    """Values tried so far."""

    def __init__(
        self,
        base: Scenario,
        path: str,
        engine: str,
        requirements: list[Requirement],
        whole: bool,
        options: dict[str, Any],
        replicas: int,
        admission: Admission | None,
        steps: Steps,
        on_value: OnValue | None = None,
    ) -> None:
        self.steps = steps
        self.on_value = on_value
        self.base, self.path, self.engine, self.requirements, self.whole = base, path, engine, requirements, whole
        self.options, self.replicas, self.admission = options, replicas, admission
        self.at_once = LANES if engine_named(engine).random else _BATCH
        self.tried: dict[float, Result] = {}

    def try_values(self, values: list[float]) -> None:
        """Compute those that are new."""
        wanted = [v for v in values if v not in self.tried]
        if not wanted:
            return
        over = {self.path: [int(v) if self.whole else v for v in wanted]}
        study = Study.of(self.base, over, [self.engine], self.replicas, admission=self.admission)
        self.steps.begin()
        sweep = run(study, on_progress=self.steps.within, **self.options).whole()
        known = {float(point.at[self.path]): point.result for point in sweep.points}
        for requirement in self.requirements:
            lacking = [requirement.metric not in result.metrics for result in (*known.values(), *self.tried.values())]
            # A model may know a metric at some values only; where it does not, the requirement is not met.
            if any(lacking) and (all(lacking) or engine_named(self.engine).random):
                message = f"the {self.engine} engine does not compute {requirement.metric} for this scenario"
                if engine_named(self.engine).random and requirement.metric in LEVELS:
                    message += (
                        ": run.probe_share is not set"
                        if self.base.run.probe_share is None
                        else ": a single run has too few probes for it; run it longer"
                    )
                raise Unsupported(
                    message,
                    path="require",
                    given=requirement.text,
                    engines=() if self.engine == "packet" else ("packet",),
                )
        self.tried |= known
        if self.on_value is not None:
            for value in known:
                self.on_value(value, all(self.holds(r, value) for r in self.requirements))
        self.steps.end()

    def holds(self, requirement: Requirement, value: float) -> bool:
        """Whether ``requirement`` is met at a value tried; a number outside the model's validity meets none, and
        neither does one that the model does not compute.
        """
        result = self.tried[value]
        value_there = result.metrics.get(requirement.metric)
        return requirement.metric not in result.outside and value_there is not None and requirement.met(value_there)

    def shown(self, requirement: Requirement, value: float) -> str:
        """What the metric of ``requirement`` is at a value tried, in words."""
        result, name = self.tried[value], requirement.metric
        if name not in result.metrics:
            return f"{name} is not computed"
        unsure = ", outside the model's validity" if name in result.outside else ""
        return f"{name} is {metric(name, result.metrics[name])}{unsure}"

    def rising(self, low: float, high: float) -> list[Requirement]:
        """Requirements that a larger value helps, or that hold at both ends."""
        return [r for r in self.requirements if self.holds(r, high)]

    def out_of_reach(self, low: float, high: float) -> str:
        """Why no value can meet them all, empty if one may."""
        for r in self.requirements:
            if not self.holds(r, low) and not self.holds(r, high):
                outside = self.tried[high].outside.get(r.metric)
                if outside is not None and r.met(self.tried[high].metrics[r.metric]):
                    return f"the {self.engine} engine cannot answer {r.text}: {outside}"
                ends = [f"{at_text(self.path, v)}, where {self.shown(r, v)}" for v in (low, high)]
                return f"{r.text} is missed at {self.path} = {ends[0]}, and at {ends[1]}"
        return ""

    def between_ends(self, low: float, high: float) -> tuple[float, float] | None:
        """(missed, met) where both ends miss what a value in between meets; None where none of those tried does.

        A completion time is long in a small buffer for its losses and in a large one for its queue.
        """
        turning = [r for r in self.requirements if r.metric.startswith(_TURNING)]
        if not any(not self.holds(r, low) and not self.holds(r, high) for r in turning):
            return None
        values = [low * (high / low) ** (k / _SCAN) for k in range(1, _SCAN)]
        self.try_values(sorted({float(round(v)) for v in values}) if self.whole else values)
        tried = [v for v in sorted(self.tried) if low <= v <= high]
        met = next((v for v in tried if all(self.holds(r, v) for r in self.requirements)), None)
        return None if met is None else (max((v for v in tried if v < met), default=met), met)

    def narrow(self, low: float, high: float, tolerance: float) -> tuple[float, float]:
        """(missed, met): a bracket of the smallest value that meets what a larger value helps; equal if low does."""
        wanted = self.rising(low, high)

        def good(value: float) -> bool:
            return all(self.holds(r, value) for r in wanted)

        if good(low):
            return low, low
        self.steps.left = self._steps_to(low, high, tolerance)
        while high / low > 1.0 + tolerance and not (self.whole and high - low <= 1.0):
            steps = self.at_once + 1
            values = [low * (high / low) ** (k / steps) for k in range(1, steps)]
            if self.whole:
                values = sorted({float(round(v)) for v in values} - {low, high}) or [low + 1.0]
            self.try_values(values)
            values = [v for v in sorted(self.tried) if low < v < high]
            first_good = next((v for v in values if good(v)), high)
            low, high = max((v for v in [low, *values] if v < first_good), default=low), first_good
        return low, high

    def _steps_to(self, low: float, high: float, tolerance: float) -> int:
        """How many steps make the bracket narrow."""
        wide = math.log(high / low) / math.log1p(tolerance)
        return max(1, math.ceil(math.log(max(wide, 1.0)) / math.log(self.at_once + 1)))

    def notes(self, value: float | None, interval: tuple[float, float] | None) -> list[str]:
        """What the reader must know about the answer."""
        notes: list[str] = []
        if value is not None and interval is not None:
            # The answer of simulations lies between values tried: take the next larger one beyond its interval.
            at = min((v for v in self.tried if v >= interval[1]), default=max(self.tried))
            result = self.tried[at]
            notes += result.notes
            for r in self.requirements:
                ends = result.intervals.get(r.metric)
                if ends is not None and r.met(result.metrics[r.metric]) and not all(r.met(end) for end in ends):
                    span, here = f"[{ends[0]:.3g}, {ends[1]:.3g}]", at_text(self.path, at)
                    notes.append(
                        f"{r.text} is met by the mean at {here}, but the 95 % interval {span} reaches "
                        "beyond it: run longer or with more replicas."
                    )
            for r in self.requirements:
                unsure = [v for v in sorted(self.tried) if v < value and r.metric in self.tried[v].outside]
                if unsure:
                    notes.append(
                        f"Values of {self.path} up to {at_text(self.path, unsure[-1])} were skipped: "
                        f"{self.tried[unsure[-1]].outside[r.metric]}"
                    )
        for r in self.requirements:
            inside = interval or (0.0, 0.0)
            met = [self.holds(r, v) for v in sorted(self.tried) if not inside[0] < v < inside[1]]
            if sum(a != b for a, b in itertools.pairwise(met)) > 1:
                notes.append(
                    f"{r.text} is met and missed in turn as {self.path} grows: the answer is one of several such "
                    "limits."
                )
        return notes
