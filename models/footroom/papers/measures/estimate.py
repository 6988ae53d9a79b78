"""Evaluating what a target asks for, with an interval.

Where a tier runs three replicas or more, the interval is Student's t over them. Otherwise it is a bootstrap: windows in
blocks and flows are drawn again with replacement (Efron and Tibshirani 1993, percentile interval). A bootstrap knows
nothing of slower changes than the run is long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footroom.papers import expression
from footroom.papers.comparison import Value
from footroom.papers.measures.answer import Answer, Flows, NotMeasurableError
from footroom.papers.measures.registry import MEASURES
from footroom.papers.measures.spec import Each, Formula, Leaf, Order, Spec, leaves
from footroom.rng import stream

#: Bootstrap draws behind an interval, and what can be drawn again.
DRAWS = 200
_DRAWN = ("windows", "flows")

#: Runs of the cases a leaf names, one list per replica.
Runs = Callable[[Leaf], Sequence[Sequence[Answer]]]


@dataclass(frozen=True)
class Estimate:
    """A measured value. draws: values it might have had (replicas, or bootstrap draws), of the same shape.

    interval: 95 % of a single number, None where there is none.  samples: windows or flows behind it.
    """

    value: Value
    draws: tuple[Value, ...] = ()
    interval: tuple[float, float] | None = None
    samples: int = 0
    replicas: int = 1


@dataclass
class _Pass:
    """One evaluation of a tree: of a replica, or of a bootstrap draw of it."""

    runs: Runs
    replica: int
    draw: int | None = None
    resampled: dict[str, Answer] = field(default_factory=dict)
    samples: int = 0

    def value(self, spec: Spec) -> Any:
        if isinstance(spec, Leaf):
            return self._leaf(spec)
        if isinstance(spec, Formula):
            names = {name: self.value(part) for name, part in spec.of.items()}
            try:
                return expression.number(spec.formula, names)
            except ArithmeticError:
                raise NotMeasurableError(f"{spec.formula} has no value with {names}") from None
        if isinstance(spec, Each):
            return {name: self.value(part) for name, part in spec.each.items()}
        if isinstance(spec, Order):
            return [self.value(part) for part in spec.order]
        return float(spec)

    def _leaf(self, leaf: Leaf) -> float:
        measure = MEASURES[leaf.measure]
        answers = self.runs(leaf)[self.replica]
        self.samples += sum(_samples(answer, measure.rests_on) for answer in answers)
        if self.draw is not None and measure.rests_on in _DRAWN:
            answers = [self._again(leaf.experiment, answer) for answer in answers]
        return measure.function(answers, **leaf.given)

    def _again(self, experiment: str, answer: Answer) -> Answer:
        """The case drawn again, the same for every measure that looks at it.

        Cases of one seed have the same arrivals at the same times, so they get the same blocks of time: what differs
        between them is then not blamed on the load that they share.
        """
        name = f"{experiment}:{answer.case}"
        if name not in self.resampled:
            self.resampled[name] = answer.resampled(stream(self.draw or 0, "papers", answer.seed))
        return self.resampled[name]


def _samples(answer: Answer, rests_on: str) -> int:
    if rests_on == "windows":
        return sum(len(port) for port in answer.ports.values())
    return len(answer.flows.fct) if rests_on in ("flows", "extremes") and isinstance(answer.flows, Flows) else 0


def estimate(spec: Spec, runs: Runs, replicas: int = 1, simulated: bool = True, draws: int = DRAWS) -> Estimate:
    """Evaluate ``spec``. Raises NotMeasurableError where the runs cannot tell."""
    passes = [_Pass(runs, replica) for replica in range(replicas)]
    values = [one.value(spec) for one in passes]
    samples = sum(one.samples for one in passes)
    value = _mean(values)
    if not simulated:
        return Estimate(value, samples=samples)
    if replicas >= 3:
        return Estimate(value, tuple(values), _student(values), samples, replicas)
    if not any(MEASURES[leaf.measure].rests_on in _DRAWN for leaf in leaves(spec)):
        return Estimate(value, samples=samples, replicas=replicas)
    again = []
    for draw in range(draws):
        try:
            again.append(_mean([_Pass(runs, replica, draw).value(spec) for replica in range(replicas)]))
        except NotMeasurableError:
            continue  # such a draw says nothing about the others
    if not again or len(again) < draws / 2:
        return Estimate(value, samples=samples, replicas=replicas)
    return Estimate(value, tuple(again), _percentiles(again), samples, replicas)


def _mean(values: Sequence[Any]) -> Any:
    if len(values) == 1:
        return values[0]
    if isinstance(values[0], Mapping):
        return {name: _mean([value[name] for value in values]) for name in values[0]}
    if isinstance(values[0], Sequence):
        return [_mean(column) for column in zip(*values, strict=True)]
    return math.fsum(values) / len(values)


def _student(values: Sequence[Any]) -> tuple[float, float] | None:
    if not isinstance(values[0], float):
        return None
    from scipy.stats import t

    count = len(values)
    half = float(t.ppf(0.975, count - 1)) * float(np.std(values, ddof=1)) / math.sqrt(count)
    mean = math.fsum(values) / count
    return mean - half, mean + half


def _percentiles(values: Sequence[Any]) -> tuple[float, float] | None:
    if not isinstance(values[0], float):
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
