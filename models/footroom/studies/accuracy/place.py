"""Where a scenario stands on the grid, and the error to expect there."""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.base.errors import Unsupported
from footroom.base.written import count
from footroom.parts.congestion import REGISTRY
from footroom.parts.marking import Step
from footroom.result.expected_error import ExpectedError
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import Bottleneck, bottleneck_of
from footroom.studies.accuracy.grid import BUFFERS, FLOWS, LOADS, MARKED, PATH, Case
from footroom.studies.accuracy.measure import ENGINES
from footroom.studies.accuracy.release import released

#: A place counts as on the grid up to this factor beyond its ends.
BEYOND = 2.0
#: Load beyond the highest of the grid up to which a place still does, and its weight against a factor of two in others.
MORE_LOAD, PER_LOAD = 0.1, 0.25


@dataclass(frozen=True)
class Place:
    """control: of the long flows.  window: packets of path per flow.  depth: buffer in bandwidth-delay products, under
    a step the threshold over the part of it that the grid has.  load: of arriving transfers.
    """

    control: str
    window: float
    depth: float
    load: float

    def distance(self, case: Case) -> float:
        """How far it is from ``case``: factors of two."""
        return math.sqrt(
            math.log2(self.window * case.flows / PATH) ** 2
            + math.log2(self.depth / case.buffer) ** 2
            + ((self.load - case.load) / PER_LOAD) ** 2
        )


def expected(scenario: Scenario, engine: str) -> ExpectedError | None:
    """The error of ``engine`` at the grid's nearest case; None for engines that simulate packets alone.

    Errors are those that ``measure.QUANTITIES`` names.
    """
    if engine not in ENGINES:
        return None
    found = released()

    def told(case: str, reason: str, errors: dict[str, float]) -> ExpectedError:
        return {"case": case, "reason": reason, "errors": errors, "date": found.date, "command": found.command}

    place = place_of(scenario)
    if isinstance(place, str):
        return told("", place, {})
    cases = [
        (Case(row["control"], row["flows"], row["buffer"], row["load"]), row[engine])
        for row in found.cases
        if row["control"] == place.control and "errors" in row[engine]
    ]
    if not cases:
        return told("", f"the grid has no {_title(place.control)} for this engine", {})
    nearest, row = min(cases, key=lambda one: place.distance(one[0]))
    return told(nearest.name, "", dict(row["errors"]))


def place_of(scenario: Scenario) -> Place | str:
    """Where it stands, or why it is outside the grid."""
    try:
        seen = bottleneck_of(scenario, "fluid")
    except Unsupported:
        return "the grid has single bottlenecks without pauses only"
    kinds = {entry.congestion.kind for entry in seen.long_lived}
    if len(kinds) != 1:
        return "the grid has long flows of one control" + (f", not of {len(kinds)}" if kinds else "")
    if len({getattr(entry.congestion, "version", 1) for entry in seen.long_lived} - {1}) > 0:
        return "the grid has version 1 of BBR only"
    (control,) = kinds
    path = seen.capacity * seen.propagation / 8.0
    depth = seen.buffer / path
    if control == "dctcp":
        if not isinstance(seen.switch.marking, Step):
            return "the grid has DCTCP under a step only"
        depth = seen.switch.marking.threshold / path / MARKED
    elif seen.switch.marking.kind != "none":
        return f"the grid has no marks with {_title(control)}"
    return _on_grid(seen, Place(control, path / seen.mtu / seen.flows, depth, _load(seen)))


def _title(control: str) -> str:
    return REGISTRY.get(control).about.title


def _load(seen: Bottleneck) -> float:
    return float(sum(entry.load for entry in seen.poisson))


def _on_grid(seen: Bottleneck, place: Place) -> Place | str:
    """The place, or which of its numbers the grid does not reach."""
    if seen.flows < FLOWS[0] / BEYOND:
        return f"the grid has {FLOWS[0]} flows and more, not {seen.flows}"
    for what, value, low, high in (
        ("packets of path per flow", place.window, PATH / FLOWS[-1] / BEYOND, PATH / FLOWS[0] * BEYOND),
        ("bandwidth-delay products of buffer", place.depth, BUFFERS[0] / BEYOND, BUFFERS[-1] * BEYOND),
        ("load of arriving transfers", place.load, 0.0, LOADS[-1] + MORE_LOAD),
    ):
        if not low * (1.0 - 1e-9) <= value <= high * (1.0 + 1e-9):
            return f"the grid reaches from {count(low)} to {count(high)} {what}, and this has {count(value)}"
    return place
