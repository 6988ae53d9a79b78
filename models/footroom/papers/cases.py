"""From an experiment's data to scenario documents, and to the points of a study."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, Literal

from footroom.papers.paper import Experiment, Tier
from footroom.scenario import Scenario
from footroom.scenario.kinds import set_field
from footroom.studies.study import Point, Study, replica_seed


def document(experiment: Experiment, case: str, tier: Tier) -> dict[str, Any]:
    """The scenario of ``case`` on ``tier``: the base, then what the tier sets, then what each part of the name sets."""
    found: dict[str, Any] = json.loads(json.dumps(experiment.base))
    changes = dict(experiment.tiers[tier].set)
    for axis, value in zip(experiment.axes, case.split("/"), strict=bool(case)):
        changes.update(axis.values[value].fields(tier))
    for pattern, patch in experiment.overrides.items():
        if fnmatchcase(case, pattern):
            changes.update(patch.fields(tier))
    for path in sorted(changes, key=_rank):
        found = set_field(found, path, changes[path])
    return {**found, "name": " ".join(filter(None, (experiment.id, case)))}


def _rank(path: str) -> tuple[int, bool]:
    """Sort key of paths: whole parts before their fields, and a kind before its parameters."""
    return path.count("."), not path.endswith("kind")


def points(cases: Sequence[tuple[Experiment, str]], tier: Tier, look: int = 0) -> tuple[Point, ...]:
    """A point per case and replica that this look adds to the one before. Raises InvalidInput."""
    found: list[Point] = []
    for experiment, case in cases:
        raw = document(experiment, case, tier)
        size = experiment.tiers[tier]
        for replica in range(size.seeds(look - 1) if look else 0, size.seeds(look)):
            scenario = Scenario.parse(raw)
            scenario = Scenario.parse(set_field(raw, "run.seed", replica_seed(scenario.run.seed, replica)))
            at = {"experiment": experiment.id, "case": case, "replica": replica}
            found.append(Point(len(found), at, scenario))
    return tuple(found)


def engine_of(scenario: Scenario) -> Literal["packet", "hybrid"]:
    """The engine that runs a case: ``hybrid`` where some of its traffic is fluid, else ``packet``."""
    return "hybrid" if any(entry.fluid for entry in scenario.traffic) else "packet"


def study(laid_out: Sequence[Point], engine: str) -> Study:
    """All runs of one engine as one study, so that they share its executor, cache and progress."""
    numbered = tuple(replace(point, index=index) for index, point in enumerate(laid_out))
    return Study(numbered[0].scenario, (), (engine,), 1, numbered)
