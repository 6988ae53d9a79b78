"""Which scenarios a paper is made of, and which targets each of them decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from footroom.base.errors import InvalidInput
from footroom.papers import catalogue
from footroom.papers.cases import document
from footroom.papers.measures import MEASURES, leaves
from footroom.papers.paper import TIERS, Experiment, Paper, Tier

if TYPE_CHECKING:
    from footroom.papers.document import PaperCase


@dataclass(frozen=True)
class Case:
    """One scenario of an experiment at one tier, ready to be run alone or changed.

    targets: ids of those it decides; none where only a figure shows it.
    """

    experiment: str
    case: str
    targets: tuple[str, ...]
    scenario: dict[str, Any]

    def to_dict(self) -> PaperCase:
        """Plain data."""
        return {
            "experiment": self.experiment,
            "case": self.case,
            "targets": list(self.targets),
            "scenario": self.scenario,
        }


def cases_of(paper: Paper | str, tier: Tier = "laptop", known: Sequence[Paper] | None = None) -> tuple[Case, ...]:
    """Every scenario of ``paper`` at ``tier``, and those of other papers that its targets compare with.

    paper: itself or its id.  Raises InvalidInput for an unknown paper or tier.
    """
    _check(tier)
    known = catalogue.papers() if known is None else known
    paper = catalogue.paper_named(paper, known) if isinstance(paper, str) else paper
    found: dict[tuple[str, str], tuple[Experiment, list[str]]] = {
        (experiment.id, case): (experiment, [])
        for experiment in paper.experiments
        if tier in experiment.tiers
        for case in experiment.cases(tier)
    }
    for target in paper.targets:
        for leaf in leaves(target.measure):
            if tier != "full" and not MEASURES[leaf.measure].simulated:
                continue  # read from the document as published, whatever is run
            experiment = catalogue.experiment_named(leaf.experiment or target.experiment, known)
            for case in experiment.matching(leaf.cases, tier) if tier in experiment.tiers else ():
                _, targets = found.setdefault((experiment.id, case), (experiment, []))
                if target.id not in targets:
                    targets.append(target.id)
    return tuple(
        Case(experiment.id, case, tuple(targets), document(experiment, case, tier))
        for (_, case), (experiment, targets) in found.items()
    )


def scenario_of(
    experiment: str, case: str, tier: Tier = "laptop", known: Sequence[Paper] | None = None
) -> dict[str, Any]:
    """The document of one case. Raises InvalidInput for an unknown experiment, case or tier."""
    _check(tier)
    known = catalogue.papers() if known is None else known
    names = [one.id for paper in known for one in paper.experiments]
    if experiment not in names:
        raise InvalidInput.at("experiment", experiment, f"no such experiment; experiments are {', '.join(names)}")
    found = catalogue.experiment_named(experiment, known)
    cases = found.cases(tier) if tier in found.tiers else ()
    if case not in cases:
        raise InvalidInput.at(
            "case",
            case,
            f"no such case of {experiment} at tier {tier}; cases are {', '.join(repr(one) for one in cases)}",
        )
    return document(found, case, tier)


def _check(tier: str) -> None:
    if tier not in TIERS:
        raise InvalidInput.at("tier", tier, f"tiers are {', '.join(TIERS)}")
