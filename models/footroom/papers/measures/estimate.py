"""Evaluating the measure of a target, with an interval.

Replicas of a case are pooled: their windows and flows count as one sample. The interval is a bootstrap: replicas, then
windows in blocks and flows within each, are drawn again with replacement (Efron and Tibshirani 1993, percentile
interval; Davison and Hinkley 1997, section 3.8, for the two stages). A bootstrap does not cover changes slower than the
run, and with few replicas it is too narrow where they differ more than the blocks of one run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footroom.base.rng import stream
from footroom.papers import expression
from footroom.papers.comparison import Value
from footroom.papers.measures.answer import Answer, NotMeasurableError
from footroom.papers.measures.flows import Flows
from footroom.papers.measures.registry import MEASURES
from footroom.papers.measures.spec import Each, Formula, Leaf, Order, Spec, leaves

#: Bootstrap draws behind an interval, and what can be drawn again.
DRAWS = 200
_DRAWN = ("windows", "flows")
_DRAWN_BY_REPLICA = ("metrics", "memories")

#: Runs of the cases a leaf names, one list per replica.
Runs = Callable[[Leaf], Sequence[Sequence[Answer]]]


@dataclass(frozen=True)
class Estimate:
    """A measured value. draws: values it might have had, of the same shape.

    interval: 95 % of a single number, None where there is none.  samples: windows or flows behind it.
    untold: whether fewer than half of the bootstrap draws gave a value, so that it depends on few windows or flows.
    """

    value: Value
    draws: tuple[Value, ...] = ()
    interval: tuple[float, float] | None = None
    samples: int = 0
    replicas: int = 1
    untold: bool = False


@dataclass
class _Pass:
    """One evaluation of a tree: of what was run, or of a bootstrap draw of it."""

    runs: Runs
    draw: int | None = None
    resampled: dict[tuple[str, str, int, int], Answer] = field(default_factory=dict)
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
        replicas = self.runs(leaf)
        self.samples += sum(_samples(answer, measure.rests_on) for answers in replicas for answer in answers)
        if self.draw is None or measure.rests_on not in (*_DRAWN, *_DRAWN_BY_REPLICA):
            return measure.function([answer for answers in replicas for answer in answers], **leaf.given)
        chosen = (
            [0]
            if len(replicas) == 1
            else stream(self.draw, "papers", "replicas").integers(0, len(replicas), len(replicas)).tolist()
        )
        answers = [answer for copy, replica in enumerate(chosen) for answer in replicas[replica]]
        if measure.rests_on in _DRAWN:
            answers = [
                self._again(leaf.experiment, replica, copy, answer)
                for copy, replica in enumerate(chosen)
                for answer in replicas[replica]
            ]
        return measure.function(answers, **leaf.given)

    def _again(self, experiment: str, replica: int, copy: int, answer: Answer) -> Answer:
        """The case drawn again, the same for every measure that looks at it; ``copy`` counts draws of its replica.

        Cases of one seed have the same arrivals at the same times, so they get the same blocks of time: the load that
        they share then adds nothing to their difference.
        """
        name = experiment, answer.case, replica, copy
        if name not in self.resampled:
            again = () if copy == 0 else (copy,)
            self.resampled[name] = answer.resampled(stream(self.draw or 0, "papers", answer.seed, *again))
        return self.resampled[name]


def _samples(answer: Answer, rests_on: str) -> int:
    if rests_on == "windows":
        return sum(len(port) for port in answer.ports.values())
    return len(answer.flows.fct) if rests_on in ("flows", "extremes") and isinstance(answer.flows, Flows) else 0


def estimate(spec: Spec, runs: Runs, replicas: int = 1, simulated: bool = True, draws: int = DRAWS) -> Estimate:
    """Evaluate ``spec``. Raises NotMeasurableError where the runs do not determine it."""
    one = _Pass(runs)
    value = one.value(spec)
    samples = one.samples
    if not simulated:
        return Estimate(value, samples=samples)
    drawn = _DRAWN if replicas == 1 else (*_DRAWN, *_DRAWN_BY_REPLICA)
    if not any(MEASURES[leaf.measure].rests_on in drawn for leaf in leaves(spec)):
        return Estimate(value, samples=samples, replicas=replicas)
    again = []
    for draw in range(draws):
        try:
            again.append(_Pass(runs, draw).value(spec))
        except NotMeasurableError:
            continue  # such a draw says nothing about the others
    if not again or len(again) < draws / 2:
        return Estimate(value, samples=samples, replicas=replicas, untold=draws > 0)
    return Estimate(value, tuple(again), _percentiles(again), samples, replicas)


def _percentiles(values: Sequence[Any]) -> tuple[float, float] | None:
    if not isinstance(values[0], float):
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
