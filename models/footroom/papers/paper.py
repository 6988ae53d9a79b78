"""A published experiment as data: how it is rebuilt, what it assumes, which numbers it must reach."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from footroom.base.component import Document
from footroom.papers.comparison import AnyRule
from footroom.papers.measures import Each, Order, Spec, leaves

if TYPE_CHECKING:
    from footroom.papers.document import MissedTarget, PaperTarget, PublishedValues

#: From quick to as published.
TIERS = ("smoke", "laptop", "full")
Tier = Literal["smoke", "laptop", "full"]


#: What decides a target. An ``input``: the paper states it and the scenario repeats it; ``geometry``: it follows from
#: the topology whatever the model does; ``fit``: a number was fitted to it; ``construction``: a chosen number sets it.
FollowsFrom = Literal["simulation", "input", "geometry", "fit", "construction"]


class Assumption(Document):
    """Something the paper does not say, or that is changed here. effect: what happens when it is another value."""

    what: str
    value: str
    why: str
    effect: str


class Patch(Document):
    """Fields to set, by dotted path: on every tier, and on one of them."""

    set: dict[str, Any] = Field(default_factory=dict)
    smoke: dict[str, Any] = Field(default_factory=dict)
    laptop: dict[str, Any] = Field(default_factory=dict)
    full: dict[str, Any] = Field(default_factory=dict)

    def fields(self, tier: Tier) -> dict[str, Any]:
        """All fields to set on ``tier``."""
        own: dict[str, Any] = getattr(self, tier)
        return {**self.set, **own}


class Axis(Document):
    """One thing that differs among the cases: its values by name."""

    name: str
    values: dict[str, Patch] = Field(min_length=1)


class Size(Document):
    """A tier of an experiment. set: fields of all its cases.  only: axis to the values it takes, all by default.

    scale: by how much link rates are divided.  replicas: runs of each case with their own random numbers.
    most_replicas: of a case whose target fewer leave open (``verdict.settled``), none for no more than ``replicas``.
    """

    about: str
    scale: float = Field(default=1.0, gt=0)
    set: dict[str, Any] = Field(default_factory=dict)
    only: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    replicas: int = Field(default=1, ge=1, le=100)
    most_replicas: int | None = Field(default=None, ge=1, le=100)

    @model_validator(mode="after")
    def _growing(self) -> Size:
        if self.most_replicas is not None and self.most_replicas < self.replicas:
            raise ValueError(f"most_replicas ({self.most_replicas}) must not be below replicas ({self.replicas})")
        return self

    def seeds(self, look: int) -> int:
        """Runs of a case at that look, the first being 0: each look triples them, up to ``most_replicas``."""
        most = self.replicas if self.most_replicas is None else self.most_replicas
        return int(min(self.replicas * 3**look, most))


class Fitted(Document):
    """A number of the scenario that was fitted to a published one, once, and then kept for everything else."""

    what: str
    value: float
    to: str
    how: str


class Chosen(Document):
    """A number of the scenario that the paper does not print and that nothing was fitted to.

    path: where it stands in the document of the full size, whose ``value`` it repeats; empty where it is no field.
    """

    what: str
    value: float | str
    why: str
    path: str = ""


class Experiment(Document):
    """Cases that are run: a document, changed by tier and by every combination of the axes' values.

    about: what was measured.  overrides: fields of the cases that fit a pattern, set last.  kept: what a smaller tier
    keeps of the original.  cannot_show: what it does not.
    """

    id: str
    title: str
    about: str
    base: dict[str, Any]
    tiers: dict[Tier, Size]
    axes: tuple[Axis, ...] = ()
    overrides: dict[str, Patch] = Field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    fitted: tuple[Fitted, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    kept: str = ""
    cannot_show: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Experiment:
        values = {axis.name: axis.values for axis in self.axes}
        for name in (name for known in values.values() for name in known):
            if "/" in name:
                raise ValueError(f"{name!r}: the slash separates the parts of a case's name")
        for tier, size in self.tiers.items():
            for name, chosen in size.only.items():
                if not set(chosen) <= values.get(name, {}).keys():
                    raise ValueError(f"{tier}: {chosen} are no values of axis {name!r}")
        return self

    def cases(self, tier: Tier) -> tuple[str, ...]:
        """Names of the cases of ``tier``: the axes' values joined by "/"."""
        names = [""]
        for axis in self.axes:
            chosen = self.tiers[tier].only.get(axis.name, tuple(axis.values))
            names = [f"{name}/{value}" if name else value for name in names for value in axis.values if value in chosen]
        return tuple(names)

    def matching(self, patterns: Sequence[str], tier: Tier) -> tuple[str, ...]:
        """Cases of ``tier`` that fit any of ``patterns``, in the order of the cases."""
        return tuple(case for case in self.cases(tier) if any(fnmatchcase(case, pattern) for pattern in patterns))


class Named(Document):
    """A case of an experiment."""

    experiment: str
    case: str


class Missed(Document):
    """What is known about a target that the model misses, or that chance decides.

    sensitivity: what would close the gap.  shown_by: a case of the laptop tier that shows the reason when it is run.
    """

    why: str
    sensitivity: str = ""
    shown_by: Named | None = None


class Target(Document):
    """A published number or statement, and how ours is found and compared.

    kind: an input stated by the paper, an outcome to reproduce, or derived from stated numbers.  published: as printed.
    source: where in the paper.  notes: how it is read.  not_testable: tier to why it cannot be judged there.
    follows_from: what decides it.  rule_note: why the rule is not the literal reading of what is printed, with the
    figure behind it.
    """

    id: str
    kind: Literal["input", "outcome", "derived"]
    experiment: str
    metric: str
    published: Any
    unit: str = "1"
    comparison: AnyRule
    confidence: Literal["high", "medium", "low"]
    source: str
    notes: str = ""
    follows_from: FollowsFrom = "simulation"
    rule_note: str = ""
    measure: Spec
    if_missed: Missed | None = None
    not_testable: dict[Tier, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fitting(self) -> Target:
        shape = "names" if isinstance(self.measure, Each) else "order" if isinstance(self.measure, Order) else "number"
        wanted = self.comparison.shape
        if wanted != shape and not (self.comparison.type == "exact" and shape == "names"):
            raise ValueError(f"{self.id}: {self.comparison.type} compares {wanted}, the measure gives {shape}")
        return self


class Published(Document):
    """Printed values that a figure shows beside ours, in its axes: a point, or a line where there are several.

    low, high: ends of a printed range of every y; empty without.  target: which one they belong to.
    """

    name: str
    x: list[float] | list[str]
    y: list[float]
    low: list[float] = Field(default_factory=list)
    high: list[float] = Field(default_factory=list)
    target: str

    def to_dict(self) -> PublishedValues:
        """Plain data."""
        return {
            "name": self.name,
            "x": self.x,
            "y": self.y,
            "low": self.low,
            "high": self.high,
            "target": self.target,
        }


class FigureSpec(Document):
    """A figure in the paper's form. plot: name of a function of ``footroom.papers.figures``; cases: by series.

    published: what the paper prints, where it prints values that can be drawn.
    """

    id: str
    title: str
    source: str
    plot: str
    experiment: str
    cases: dict[str, tuple[str, ...]]
    given: dict[str, Any] = Field(default_factory=dict, alias="with")
    published: tuple[Published, ...] = ()


class Paper(Document):
    """A paper and everything that is rebuilt of it."""

    id: str
    title: str
    authors: str
    year: int
    source: str
    about: str
    experiments: tuple[Experiment, ...] = Field(min_length=1)
    targets: tuple[Target, ...] = Field(min_length=1)
    figures: tuple[FigureSpec, ...] = ()
    checks: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _complete(self) -> Paper:
        known = {experiment.id for experiment in self.experiments}
        owners = [(t.id, t.experiment) for t in self.targets] + [(f.id, f.experiment) for f in self.figures]
        for owner, experiment in owners:
            if experiment not in known:
                raise ValueError(f"{owner}: no experiment {experiment!r} in {self.id}")
        ids = [target.id for target in self.targets]
        if len(set(ids)) < len(ids):
            raise ValueError("every target needs a unique id")
        return self

    def summary(self) -> dict[str, Any]:
        """All but documents and measures, as plain data."""
        return {
            "id": self.id,
            "title": self.title,
            "authors": self.authors,
            "year": self.year,
            "source": self.source,
            "about": self.about,
            "experiments": [{"id": e.id, "title": e.title, "tiers": list(e.tiers)} for e in self.experiments],
            "targets": [describe(target) for target in self.targets],
        }

    def to_dict(self) -> dict[str, Any]:
        """The same with what every experiment is made of: documents, tiers, assumptions, what it cannot show."""
        return {**self.summary(), "experiments": [e.model_dump(mode="json") for e in self.experiments]}


def describe(target: Target) -> PaperTarget:
    """A target without its measure, as plain data."""
    return {
        "id": target.id,
        "experiment": target.experiment,
        "kind": target.kind,
        "metric": target.metric,
        "published": target.published,
        "unit": target.unit,
        "comparison": target.comparison.text(),
        "accepted": _ends(target.comparison.accepted(target.published)),
        "confidence": target.confidence,
        "source": target.source,
        "notes": target.notes,
        "follows_from": target.follows_from,
        "rule_note": target.rule_note,
    }


def why(target: Target, verdict: str) -> MissedTarget:
    """What is known of a verdict that is not met: why, what would close the gap, and the case that shows it."""
    known = target.if_missed if verdict in ("missed", "undecided") else None
    if known is None:
        return {"explanation": "", "sensitivity": "", "shown_by": None}
    case = known.shown_by
    return {
        "explanation": known.why,
        "sensitivity": known.sensitivity,
        "shown_by": None if case is None else {"experiment": case.experiment, "case": case.case},
    }


def _ends(accepted: tuple[float, float] | None) -> list[float | None] | None:
    """Ends of a range for JSON: none where it is open."""
    return None if accepted is None else [end if math.isfinite(end) else None for end in accepted]


def simulated(target: Target) -> bool:
    """Whether judging it needs runs."""
    from footroom.papers.measures import MEASURES

    return any(MEASURES[leaf.measure].simulated for leaf in leaves(target.measure))
