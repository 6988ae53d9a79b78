"""Fitting one number of an experiment to one published number, on a few values; it is then kept for all other targets.

    from footroom.papers.fitting import fit

    fit("FB-EBB-12", "traffic.0.modulation.cv", (0.06, 0.12, 0.18, 0.24), tier="laptop")

This is how the load variation of the backbone was found: on plane C alone, at 90 % utilisation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from footroom.base.errors import InvalidInput
from footroom.papers import catalogue
from footroom.papers.paper import Experiment, Paper, Patch, Tier
from footroom.papers.runner import run


@dataclass(frozen=True)
class Fit:
    """Result for every value. measured: None where it cannot be measured.  best: the value nearest to ``published``."""

    target: str
    path: str
    published: float
    values: tuple[float, ...]
    measured: tuple[float | None, ...]
    best: float | None


def fit(
    target: str,
    path: str,
    values: Sequence[float],
    tier: Tier = "laptop",
    *,
    workers: int | None = None,
    known: Sequence[Paper] | None = None,
) -> Fit:
    """Measure ``target`` with the field at ``path`` of its experiment's cases set to each of ``values`` in turn.

    The best value is the one whose number is nearest to the published one, by their ratio where both are positive.
    Raises InvalidInput unless one number is published for ``target``.
    """
    known = catalogue.papers() if known is None else known
    selected = catalogue.select([target], known).targets
    published = selected[0].published
    if len(selected) != 1 or isinstance(published, bool) or not isinstance(published, (int, float)):
        raise InvalidInput.at("target", target, "name one target with one published number")
    measured: list[float | None] = []
    for value in values:
        changed = [_changed(paper, selected[0].experiment, path, value) for paper in known]
        (found,) = run([target], tier, workers=workers, known=changed).judgements
        measured.append(found.ours if isinstance(found.ours, float) else None)
    pairs = zip(values, measured, strict=True)
    told = [(distance(ours, published), value) for value, ours in pairs if ours is not None]
    return Fit(target, path, published, tuple(values), tuple(measured), min(told)[1] if told else None)


def distance(ours: float, published: float) -> float:
    """How far apart two numbers are: the logarithm of their ratio where both are positive, else their difference."""
    if ours > 0.0 and published > 0.0:
        return abs(math.log(ours / published))
    return math.inf if published > 0.0 else abs(ours - published)


def _changed(paper: Paper, experiment: str, path: str, value: float) -> Paper:
    """The paper with one field of all cases of ``experiment`` set last."""

    def with_value(one: Experiment) -> Experiment:
        before = one.overrides.get("*", Patch())
        patched = one.overrides | {"*": before.model_copy(update={"set": {**before.set, path: value}})}
        return one.model_copy(update={"overrides": patched}) if one.id == experiment else one

    return paper.model_copy(update={"experiments": tuple(with_value(one) for one in paper.experiments)})
