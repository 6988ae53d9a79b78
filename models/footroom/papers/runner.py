"""Running what targets need, and judging them."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from footroom.errors import InvalidInput
from footroom.papers import catalogue, figures
from footroom.papers.cases import document, study
from footroom.papers.figures import PaperFigure
from footroom.papers.measures import MEASURES, Answer, Leaf, NotMeasurableError, leaves
from footroom.papers.paper import TIERS, Experiment, FigureSpec, Paper, Target, Tier
from footroom.papers.verdict import Judgement, count, judge
from footroom.scenario import Scenario
from footroom.studies import runner
from footroom.studies.cell import pack
from footroom.studies.engines import Stop

#: Experiment and case that has just been run, how many are done, how many there are.
OnCase = Callable[[str, str, int, int], None]


@dataclass(frozen=True)
class PaperRun:
    """Verdicts, figures and what was run for them.

    runs: experiment, case, replica, computing time [s] and metrics of every run.  wall_s: time the whole took [s].
    """

    tier: Tier
    judgements: tuple[Judgement, ...]
    figures: tuple[PaperFigure, ...]
    runs: tuple[dict[str, Any], ...]
    wall_s: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the shape of the public contract, and more.

        simulation_counts: verdicts without targets that follow from inputs, geometry, fits or by construction.
        """
        simulated = [judgement for judgement in self.judgements if judgement.target.follows_from == "simulation"]
        return {"tier": self.tier, "counts": count(self.judgements), "simulation_counts": count(simulated),
                "targets": [judgement.to_dict() for judgement in self.judgements],
                "figures": [figure.to_dict() for figure in self.figures], "runs": list(self.runs),
                "wall_s": self.wall_s}

    def to_frame(self) -> Any:
        """One row per target. Needs pandas."""
        import pandas as pd

        return pd.DataFrame([judgement.to_dict() for judgement in self.judgements]).set_index("id")

    def figure(self, figure: str) -> Any:
        """The figure of that id, drawn with Plotly. Raises InvalidInput."""
        for found in self.figures:
            if found.id == figure:
                return found.figure()
        raise InvalidInput.at("figure", figure, f"figures are {', '.join(found.id for found in self.figures)}")


class _Answers:
    """What was run, by experiment and case, and why some of it was not."""

    def __init__(self, known: Sequence[Paper], tier: Tier) -> None:
        self._known, self._tier = known, tier
        self.found: dict[tuple[str, str], dict[int, Answer]] = {}
        self.refused: dict[tuple[str, str], str] = {}

    def of(self, experiment: Experiment, patterns: Sequence[str]) -> list[list[Answer]]:
        """Answers of the cases that fit, per replica. Raises NotMeasurableError where one is missing."""
        cases = experiment.matching(patterns, self._tier)
        if not cases:
            raise NotMeasurableError(f"no case of {experiment.id} on this tier fits {', '.join(patterns)}")
        for case in cases:
            if (experiment.id, case) in self.refused:
                raise NotMeasurableError(f"case {case} of {experiment.id}: {self.refused[experiment.id, case]}")
        replicas = experiment.tiers[self._tier].replicas
        return [[self.found[experiment.id, case][replica] for case in cases] for replica in range(replicas)]

    def first(self, experiment: Experiment, patterns: Sequence[str]) -> list[Answer]:
        """Answers of the first replica, which figures show. Raises NotMeasurableError where one is missing."""
        return self.of(experiment, patterns)[0]

    def leaf(self, target: Target, leaf: Leaf) -> Sequence[Sequence[Answer]]:
        """What a measure of ``target`` looks at. What rests on the document alone is read from the full definition."""
        experiment = catalogue.experiment_named(leaf.experiment or target.experiment, self._known)
        if MEASURES[leaf.measure].simulated:
            return self.of(experiment, leaf.cases)
        cases = experiment.matching(leaf.cases, "full")
        return [[Answer(case, Scenario.parse(document(experiment, case, "full")).to_dict(), {}) for case in cases]]


def needed(targets: Sequence[Target], specs: Sequence[FigureSpec], known: Sequence[Paper], tier: Tier
           ) -> list[tuple[Experiment, str]]:
    """Cases that must be run, each once."""
    wanted: dict[tuple[str, str], Experiment] = {}

    def want(experiment: Experiment, patterns: Sequence[str]) -> None:
        if tier in experiment.tiers:
            wanted.update({(experiment.id, case): experiment for case in experiment.matching(patterns, tier)})

    for target in targets:
        if tier not in target.not_testable:
            for leaf in leaves(target.measure):
                if MEASURES[leaf.measure].simulated:
                    want(catalogue.experiment_named(leaf.experiment or target.experiment, known), leaf.cases)
    for spec in specs:
        for patterns in spec.cases.values():
            want(catalogue.experiment_named(spec.experiment, known), patterns)
    return [(experiment, case) for (_, case), experiment in wanted.items()]


def run(ids: Sequence[str] | str | None = None, tier: Tier = "smoke", *, workers: int | None = None,
        stop: Stop | None = None, on_progress: runner.OnProgress | None = None, on_case: OnCase | None = None,
        cache: runner.Cache | None = None, known: Sequence[Paper] | None = None) -> PaperRun:
    """Judge the targets that ``ids`` name (papers, experiments, targets; all by default) and draw their figures.

    Only the cases that these need are run, on ``workers`` threads (all cores). Figures come with papers and experiments
    named as a whole.  known: papers to choose from.
    Raises InvalidInput for an unknown id or tier or for no worker, Cancelled once ``stop`` is set.
    """
    began = time.monotonic()
    known = catalogue.papers() if known is None else known
    if tier not in TIERS:
        raise InvalidInput.at("tier", tier, f"tiers are {', '.join(TIERS)}")
    runner.check_workers(workers)
    selection = catalogue.select(ids, known)
    cases = needed(selection.targets, selection.figures, known, tier)
    answers = _Answers(known, tier)
    runs = _simulate(cases, tier, answers, workers, stop, on_progress, on_case, cache) if cases else ()
    judgements = []
    for target in selection.targets:
        replicas = catalogue.experiment_named(target.experiment, known).tiers[tier].replicas
        judgements.append(judge(target, tier, functools.partial(answers.leaf, target), replicas))
    drawn = []
    for spec in selection.figures:
        experiment = catalogue.experiment_named(spec.experiment, known)
        drawn.append(figures.draw(spec, functools.partial(answers.first, experiment)))
    return PaperRun(tier, tuple(judgements), tuple(drawn), runs, time.monotonic() - began)


def _simulate(cases: Sequence[tuple[Experiment, str]], tier: Tier, answers: _Answers, workers: int | None,
              stop: Stop | None, on_progress: runner.OnProgress | None, on_case: OnCase | None,
              cache: runner.Cache | None) -> tuple[dict[str, Any], ...]:
    planned = study(cases, tier)
    done = 0

    def on_point(point: dict[str, Any]) -> None:
        nonlocal done
        done += 1
        if on_case is not None:
            on_case(point["at"]["experiment"], point["at"]["case"], done, len(planned.points))

    sweep = runner.run(planned, workers=workers, stop=stop, on_point=on_point, on_progress=on_progress, cache=cache)
    for refusal in sweep.unsupported:
        answers.refused[refusal.at["experiment"], refusal.at["case"]] = refusal.message
    runs = []
    for point in sweep.points:
        at = point.at
        answer = Answer.of(at["case"], pack(point.result))
        answers.found.setdefault((at["experiment"], at["case"]), {})[at["replica"]] = answer
        runs.append({**at, "wall_s": point.result.wall_s, "metrics": dict(point.result.metrics)})
    return tuple(runs)
