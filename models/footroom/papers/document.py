"""Papers, their runs, verdicts and figures in JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from footroom.papers.paper import Tier
from footroom.papers.verdict import Verdict

Verdicts = dict[Tier, dict[str, Verdict]]


class PaperTarget(TypedDict):
    """A published number or statement."""

    id: str
    experiment: str
    kind: Literal["input", "outcome", "derived"]
    metric: str
    published: Annotated[Any, Field(description="As printed: a number, several by name or in order, or words.")]
    unit: Annotated[str, Field(description="Of numbers; 1 for none.")]
    comparison: Annotated[str, Field(description="The rule by which ours is judged, in words.")]
    accepted: Annotated[
        list[float | None] | None,
        Field(
            description="Least and greatest number that meets the rule, null where that end is open; null where the "
            "rule is no range."
        ),
    ]
    confidence: Literal["high", "medium", "low"]
    source: Annotated[str, Field(description="Where in the paper.")]
    notes: Annotated[str, Field(description="How it is read.")]
    follows_from: Annotated[
        Literal["simulation", "input", "geometry", "fit", "construction"],
        Field(
            description="What decides it: the simulation; an input that the paper states; geometry, whatever the "
            "model does; a fit, which chose a number; construction, where a chosen number forces it."
        ),
    ]
    rule_note: Annotated[
        str,
        Field(
            description="Why the rule is not the first reading of what is printed, and which figure says so; empty "
            "without."
        ),
    ]


class CaseName(TypedDict):
    """A case of an experiment."""

    experiment: str
    case: str


class MissedTarget(TypedDict):
    """What is known of a target that is missed or undecided."""

    explanation: Annotated[str, Field(description="Why it is missed or undecided, where that is known.")]
    sensitivity: Annotated[str, Field(description="What would close the gap, where that is known.")]
    shown_by: Annotated[
        CaseName | None, Field(description="A case of the laptop tier that shows the reason when it is run.")
    ]


class JudgedTarget(PaperTarget, MissedTarget):
    """A target with ours and the verdict."""

    ours: Annotated[float | dict[str, float] | list[float] | None, Field(description="None when not testable.")]
    interval: Annotated[tuple[float, float] | None, Field(description="95 %, of a single number.")]
    verdict: Verdict
    reason: Annotated[
        str, Field(description=("What was compared, by how much it is missed, or why there is no verdict."))
    ]
    tier: Tier
    samples: Annotated[int, Field(description="Windows or flows behind ours.")]
    replicas: int
    support: Annotated[
        float | None,
        Field(
            description="Share of bootstrap draws that meet the rule. Met needs 0.9 or more, missed 0.1 or less; "
            "between them a target is undecided."
        ),
    ]


class PaperFigureAxis(TypedDict):
    """What is drawn along an axis."""

    title: str
    unit: str
    log: bool


class PaperFigureSeries(TypedDict):
    """Points of one name; x may be names of bars."""

    name: str
    x: list[float] | list[str]
    y: list[float]
    low: Annotated[list[float], Field(description="Lower end of every point's interval; empty without.")]
    high: Annotated[list[float], Field(description="Upper end of every point's interval; empty without.")]


class PublishedValues(TypedDict):
    """Printed values in a figure's axes: a point, or a line where there are several."""

    name: str
    x: list[float] | list[str]
    y: list[float]
    low: Annotated[list[float], Field(description="Lower end of every y's printed range; empty without.")]
    high: Annotated[list[float], Field(description="Upper end of every y's printed range; empty without.")]
    target: Annotated[str, Field(description="Id of the target they belong to.")]


class PaperFigureDocument(TypedDict):
    """A figure in the form the paper has it."""

    id: str
    title: str
    source: str
    kind: Literal["line", "scatter", "cdf", "bars"]
    x: PaperFigureAxis
    y: PaperFigureAxis
    series: list[PaperFigureSeries]
    notes: list[str]
    published: Annotated[
        list[PublishedValues], Field(description="What the paper prints; empty where it prints no values.")
    ]


class ReleasedVerdicts(TypedDict):
    """What runs of a paper found before the release; it is shown where the paper was not run here."""

    tier: Tier
    date: Annotated[str, Field(description="Day of the run, ISO 8601; empty for a paper without results.")]
    version: Annotated[str, Field(description="Of the package that ran it.")]
    command: Annotated[str, Field(description="How to run it again.")]
    runs: Annotated[int, Field(description="Simulations behind the verdicts of the paper.")]
    note: Annotated[str, Field(description="How that run differs from the command; empty where it does not.")]
    changed: Annotated[
        list[str],
        Field(
            description="Parts of the code that changed since, which makes the numbers stale; paper stands for the "
            "paper's own experiments and rules."
        ),
    ]
    targets: list[JudgedTarget]


class ReleasedResult(ReleasedVerdicts):
    """The same with figures."""

    figures: list[PaperFigureDocument]


class PaperExperimentSummary(TypedDict):
    """An experiment by name."""

    id: str
    title: str
    tiers: list[Tier]


class PaperHead(TypedDict):
    """What a paper is, and its targets."""

    id: str
    title: str
    authors: str
    year: int
    source: str
    about: str
    targets: list[PaperTarget]
    verdicts: Annotated[
        Verdicts, Field(description="By tier and target, of the tiers that were run with this version.")
    ]


class PaperSummary(PaperHead):
    """A paper with its targets."""

    experiments: list[PaperExperimentSummary]
    released: Annotated[ReleasedVerdicts, Field(description="What came with this version; a run here takes its place.")]


class Assumption(TypedDict):
    """Something the paper does not say, or that is changed."""

    what: str
    value: str
    why: str
    effect: Annotated[str, Field(description="What happens when it is another value.")]


class FittedNumber(TypedDict):
    """A number that was fitted to a published one, once, and kept for everything else."""

    what: str
    value: float
    to: str
    how: str


class ChosenNumber(TypedDict):
    """A number of the scenario that the paper does not print and that nothing was fitted to."""

    what: str
    value: float | str
    why: str
    path: Annotated[
        str, Field(description="Where it stands in the document of the full size; empty where it is no field.")
    ]


class PaperTier(TypedDict):
    """One size of an experiment."""

    about: str
    scale: Annotated[float, Field(description="By how much link rates are divided.")]
    set: Annotated[dict[str, Any], Field(description="Fields of all cases by dotted path.")]
    only: Annotated[dict[str, list[str]], Field(description="Axis to the values it takes here; all by default.")]
    replicas: Annotated[int, Field(description="Runs of each case, with their own random numbers.")]
    most_replicas: Annotated[
        int | None, Field(description="Runs of a case whose target those leave open; none for no more.")
    ]


class CaseAxis(TypedDict):
    """One thing that differs among cases: its values, each with the fields it sets, on all tiers and on one."""

    name: str
    values: dict[str, dict[str, Any]]


class PaperExperiment(TypedDict):
    """Cases that are run: a scenario document, changed by tier and by every combination of the axes' values."""

    id: str
    title: str
    about: str
    base: Annotated[dict[str, Any], Field(description="Scenario document.")]
    tiers: dict[Tier, PaperTier]
    axes: list[CaseAxis]
    overrides: Annotated[
        dict[str, dict[str, Any]], Field(description="Fields of the cases that fit a pattern, set last.")
    ]
    assumptions: list[Assumption]
    fitted: list[FittedNumber]
    chosen: list[ChosenNumber]
    kept: Annotated[str, Field(description="What smaller tiers keep of the original.")]
    cannot_show: list[str]


class PaperDocument(PaperHead):
    """A paper with everything its experiments are made of."""

    experiments: list[PaperExperiment]
    released: ReleasedResult


class CaseRun(TypedDict):
    """One run of one case."""

    experiment: str
    case: str
    replica: int
    engine: Annotated[Literal["packet", "hybrid"], Field(description="hybrid where some traffic of the case is fluid.")]
    wall_s: float
    metrics: dict[str, float]
    outside_validity: Annotated[
        dict[str, str],
        Field(description="Metric to reason: numbers outside the range in which the model was found to hold."),
    ]


class VerdictCounts(TypedDict):
    """How many targets got which verdict."""

    met: int
    missed: int
    undecided: int
    not_testable: int


class PaperResult(TypedDict):
    """Verdicts, figures and runs of one tier."""

    tier: Tier
    targets: list[JudgedTarget]
    counts: VerdictCounts
    simulation_counts: Annotated[VerdictCounts, Field(description="Only of targets that follow from the simulation.")]
    figures: list[PaperFigureDocument]
    runs: list[CaseRun]
    wall_s: float


class PaperCase(TypedDict):
    """One scenario of an experiment, ready to be run alone or changed."""

    experiment: str
    case: str
    targets: Annotated[list[str], Field(description="Those it decides; none where only a figure shows it.")]
    scenario: Annotated[dict[str, Any], Field(description="Scenario document.")]
