"""Running what targets need, and judging them."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from footroom.base.errors import InvalidInput
from footroom.base.notebook import pandas
from footroom.papers import catalogue, figures
from footroom.papers.cases import document, engine_of, points, study
from footroom.papers.figures import PaperFigure
from footroom.papers.measures import MEASURES, Answer, Leaf, NotMeasurableError, leaves
from footroom.papers.paper import TIERS, Experiment, FigureSpec, Paper, Target, Tier
from footroom.papers.verdict import LOOKS, Judgement, count, judge, settled
from footroom.scenario import Scenario
from footroom.studies import runner
from footroom.studies.cell import pack
from footroom.studies.engines import Stop
from footroom.studies.progress import OnProgress
from footroom.studies.study import Point

if TYPE_CHECKING:
    from footroom.papers.document import CaseRun, PaperResult

#: Experiment and case that has just been run, how many are done, how many there are.
OnCase = Callable[[str, str, int, int], None]


@dataclass(frozen=True)
class PaperRun:
    """Verdicts, figures and what was run for them.

    runs: experiment, case, replica, engine, computing time [s], metrics and those outside validity of every run.
    wall_s: time the whole took [s].
    """

    tier: Tier
    judgements: tuple[Judgement, ...]
    figures: tuple[PaperFigure, ...]
    runs: tuple[CaseRun, ...]
    wall_s: float

    def to_dict(self) -> PaperResult:
        """Plain data in the shape of the public contract, and more.

        simulation_counts: verdicts without targets that follow from inputs, geometry, fits or by construction.
        """
        simulated = [judgement for judgement in self.judgements if judgement.target.follows_from == "simulation"]
        return {
            "tier": self.tier,
            "counts": count(self.judgements),
            "simulation_counts": count(simulated),
            "targets": [judgement.to_dict() for judgement in self.judgements],
            "figures": [figure.to_dict() for figure in self.figures],
            "runs": list(self.runs),
            "wall_s": self.wall_s,
        }

    def to_frame(self) -> Any:
        """One row per target. Needs pandas."""
        return pandas().DataFrame([judgement.to_dict() for judgement in self.judgements]).set_index("id")

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

    def of(self, experiment: Experiment, patterns: Sequence[str], replicas: int = 1) -> list[list[Answer]]:
        """Answers of the cases that fit, per replica. Raises NotMeasurableError where one is missing."""
        cases = experiment.matching(patterns, self._tier)
        if not cases:
            raise NotMeasurableError(f"no case of {experiment.id} on this tier fits {', '.join(patterns)}")
        for case in cases:
            if (experiment.id, case) in self.refused:
                raise NotMeasurableError(f"case {case} of {experiment.id}: {self.refused[experiment.id, case]}")
        return [[self.found[experiment.id, case][replica] for case in cases] for replica in range(replicas)]

    def first(self, experiment: Experiment, patterns: Sequence[str]) -> list[Answer]:
        """Answers of the first replica, which figures show. Raises NotMeasurableError where one is missing."""
        return self.of(experiment, patterns)[0]

    def replicas(self, target: Target, experiment: Experiment) -> int:
        """Number of runs that every case of ``experiment`` behind ``target`` has: the target is judged by these."""
        counts = [
            len(self.found[experiment.id, case])
            for leaf in leaves(target.measure)
            if (leaf.experiment or target.experiment) == experiment.id
            for case in experiment.matching(leaf.cases, self._tier)
            if (experiment.id, case) in self.found
        ]
        return min(counts, default=1)

    def judge(self, target: Target) -> Judgement:
        """The verdict on ``target`` by what was run so far."""
        own = catalogue.experiment_named(target.experiment, self._known)
        return judge(target, self._tier, functools.partial(self.leaf, target), self.replicas(target, own))

    def leaf(self, target: Target, leaf: Leaf) -> Sequence[Sequence[Answer]]:
        """The runs behind a measure of ``target``. Measures of the document alone use the full definition."""
        experiment = catalogue.experiment_named(leaf.experiment or target.experiment, self._known)
        if MEASURES[leaf.measure].simulated:
            return self.of(experiment, leaf.cases, self.replicas(target, experiment))
        cases = experiment.matching(leaf.cases, "full")
        return [[Answer(case, Scenario.parse(document(experiment, case, "full")).to_dict(), {}) for case in cases]]


def needed(
    targets: Sequence[Target], specs: Sequence[FigureSpec], known: Sequence[Paper], tier: Tier
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


def run(
    ids: Sequence[str] | str | None = None,
    tier: Tier = "smoke",
    *,
    workers: int | None = None,
    stop: Stop | None = None,
    on_progress: OnProgress | None = None,
    on_case: OnCase | None = None,
    cache: runner.Cache | None = None,
    known: Sequence[Paper] | None = None,
) -> PaperRun:
    """Judge the targets that ``ids`` name (papers, experiments, targets; all by default) and draw their figures.

    Only the cases that these need are run, on ``workers`` threads (all cores); those whose targets stay open are run
    again with further seeds, up to two times. Figures come with papers and experiments named as a whole.  known: papers
    to choose from.
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
    first = points(cases, tier)
    total = sum(experiment.tiers[tier].seeds(LOOKS - 1) for experiment, _ in cases)
    simulation = _Simulation(answers, total, workers, stop, on_progress, on_case, cache)
    simulation.run(first)
    judgements = [answers.judge(target) for target in selection.targets]
    for look in range(1, LOOKS):
        still_open = [judgement.target for judgement in judgements if not settled(judgement)]
        simulation.run(points(needed(still_open, (), known, tier), tier, look))
        judgements = [answers.judge(target) for target in selection.targets]
    simulation.end()
    drawn = []
    for spec in selection.figures:
        experiment = catalogue.experiment_named(spec.experiment, known)
        drawn.append(figures.draw(spec, functools.partial(answers.first, experiment)))
    return PaperRun(tier, tuple(judgements), tuple(drawn), tuple(simulation.runs), time.monotonic() - began)


class _Simulation:
    """The runs of a paper, look by look, with one progress for all of them."""

    def __init__(
        self,
        answers: _Answers,
        total: int,
        workers: int | None,
        stop: Stop | None,
        on_progress: OnProgress | None,
        on_case: OnCase | None,
        cache: runner.Cache | None,
    ) -> None:
        self._answers, self._workers, self._stop, self._cache = answers, workers, stop, cache
        self._on_progress, self._on_case = on_progress, on_case
        self._total, self._done, self._begun = total, 0, 0
        self.runs: list[CaseRun] = []

    def run(self, planned: Sequence[Point]) -> None:
        """Run ``planned``, each by its engine, and file the answers. Raises Cancelled."""
        self._begun += len(planned)
        for engine in dict.fromkeys(engine_of(point.scenario) for point in planned):
            self._run([point for point in planned if engine_of(point.scenario) == engine], engine)

    def _run(self, planned: Sequence[Point], engine: Literal["packet", "hybrid"]) -> None:
        before = self._done

        def on_point(_: int, point: dict[str, Any]) -> None:
            self._done += 1
            if self._on_case is not None:
                self._on_case(point["at"]["experiment"], point["at"]["case"], self._done, self._begun)

        def on_progress(fraction: float, seconds_left: float | None) -> None:
            if self._on_progress is not None:
                self._on_progress((before + fraction * len(planned)) / self._total, seconds_left)

        sweep = runner.run(
            study(planned, engine),
            workers=self._workers,
            stop=self._stop,
            on_point=on_point,
            on_progress=on_progress,
            cache=self._cache,
        )
        for refusal in sweep.unsupported:
            self._answers.refused[refusal.at["experiment"], refusal.at["case"]] = refusal.message
        for point in sweep.points:
            at = point.at
            answer = Answer.of(at["case"], pack(point.result))
            self._answers.found.setdefault((at["experiment"], at["case"]), {})[at["replica"]] = answer
            result = point.result
            self.runs.append(
                {
                    "experiment": at["experiment"],
                    "case": at["case"],
                    "replica": at["replica"],
                    "engine": engine,
                    "wall_s": result.wall_s,
                    "metrics": dict(result.metrics),
                    "outside_validity": dict(result.outside),
                }
            )

    def end(self) -> None:
        """Nothing more will be run."""
        if self._begun and self._on_progress is not None:
            self._on_progress(1.0, 0.0)
