"""Scaling a scenario."""

from __future__ import annotations

from typing import Any

from footroom.base.errors import InvalidInput
from footroom.scenario import Scenario, replace, switch_at
from footroom.scenario.scaling import rules
from footroom.scenario.scaling.quantities import ROOT_RULE, quantities
from footroom.scenario.scaling.report import ScaledField, ScaledQuantity, ScalingReport
from footroom.scenario.source import Source, load

#: A quantity that rounding moves by less than this still counts as kept.
_CLOSE = 0.05


def scale(scenario: Source, factor: float) -> tuple[dict[str, Any], ScalingReport]:
    """The document of ``scenario`` (a scenario, its document, a file or a preset) with links ``factor`` times slower.

    Rates are divided by S, so are the numbers of flows and clients (rounded), deep buffers and what belongs to them;
    shallow buffers are divided by √S. Round trips, loads, transfer sizes and host stacks stay. See ``docs/scaling.md``.
    Raises InvalidInput for a factor that is not valid or leaves no flow, Unsupported for a scenario that cannot be
    made smaller.
    """
    before = load(scenario)
    rules.check(before, factor)
    changes = (
        [*rules.rates(before.topology, "topology", factor), *_switches(before, factor), *rules.counts(before, factor)]
        if factor != 1.0
        else []
    )
    document = before.to_dict()
    for change in changes:
        document = replace(document, change.path, change.after)
    if before.name and changes:
        document["name"] = f"{before.name}, scaled by {factor:g}"[:200]
    after = _parsed(document, factor)
    found = quantities(before, after)
    kept = tuple(quantity for quantity in found if abs(quantity.ratio - 1.0) <= _CLOSE)
    changed = tuple(quantity for quantity in found if quantity not in kept)
    return after.to_dict(), ScalingReport(factor, tuple(changes), kept, changed, _notes(after, factor, changes, found))


def _switches(scenario: Scenario, factor: float) -> list[ScaledField]:
    """Sizes of the common switch and of the overrides, each by the rule its own buffer falls under."""
    by, rule = rules.divisor(scenario, scenario.switch, factor)
    changes = rules.sizes(scenario.switch, scenario.switch.model_dump(), "switch", by, rule)
    for key, part in scenario.switches.items():
        switch = switch_at(scenario, key)
        by, rule = rules.divisor(scenario, switch, factor)
        changes += rules.sizes(switch, part, f"switches.{key}", by, rule)
    return changes


def _parsed(document: dict[str, Any], factor: float) -> Scenario:
    try:
        return Scenario.parse(document)
    except InvalidInput as error:
        fault = error.problems[0]
        raise InvalidInput.at(
            "scale",
            factor,
            f"leaves no possible scenario: {fault.path} would be {fault.given}, and "
            f"{fault.message}; use a smaller factor",
        ) from None


def _notes(
    after: Scenario, factor: float, changes: list[ScaledField], found: tuple[ScaledQuantity, ...]
) -> tuple[str, ...]:
    if factor == 1.0:
        return ()
    first = f"scaled by S = {factor:g}: rates and flows are divided by S at the same round trip"
    notes = [f"{first}; this is not the scenario as written"]
    counted = [change for change in changes if change.path.startswith("traffic")]
    notes += [
        f"{change.path}: {change.before / factor:.4g} rounded to {change.after:g}"
        for change in counted
        if change.before / factor != change.after
    ]
    buffers = [change for change in changes if change.path.endswith(".buffer")]
    shallow = [change.after for change in buffers if change.rule.startswith("shallow")]
    if shallow:
        least = min(shallow) / after.run.mtu
        window = max(entry.host.initial_window for entry in after.traffic)
        notes.append(
            f"packets do not shrink: the shallow buffer is {least:.4g} packets here and an initial window of "
            f"{window} is {window / least:.3g} of it, so drops by bursts are overstated"
        )
    if counted:
        notes.append(
            "fewer flows average out less and synchronise more easily: before trusting a difference of a percent in "
            "utilisation, run another factor and check that it stays"
        )
    notes += [
        f"{change.path} counts as deep and keeps its share of the bandwidth-delay product, but with fewer flows "
        f"it falls from {q.before:.3g} to {q.after:.3g} of BDP/√n: utilisation can be lower than at full size"
        for change in buffers
        for q in found
        if change.rule.startswith("deep")
        and change.path == f"{q.path}.buffer"
        and q.name == ROOT_RULE
        and q.after < 1.0
    ]
    return tuple(notes)
