"""Numeric fields of a scenario as axes: reading their values, and the linear equations at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from footroom.base.errors import FootroomError, InvalidInput, Unsupported
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.system import FixedPoint, Linearised, System
from footroom.scenario import Scenario, lookup
from footroom.scenario.axes import parse_axis
from footroom.scenario.kinds import set_field


@dataclass(frozen=True)
class Spot:
    """One scenario's linear equations about its fixed point, or the reason why there are none."""

    point: FixedPoint | None
    linear: Linearised | None
    reason: str = ""


def spot_of(scenario: Scenario) -> Spot:
    """The linear equations of a scenario. Raises Unsupported and InvalidInput; the rest is a reason."""
    return spot_of_system(system_of(scenario))


def spot_of_system(system: System) -> Spot:
    """The same of a bottleneck."""
    point: FixedPoint | None = None
    try:
        point = system.fixed_point()
        return Spot(point, system.linearise(point))
    except (InvalidInput, Unsupported):
        raise
    except FootroomError as error:
        return Spot(point, None, str(error))


def values_of(scenario: Scenario, path: str, written: Any, beside: tuple[str, Any] | None = None) -> list[float]:
    """Values of a numeric field, as written or as a range, read back in SI units.

    beside: another field and its values; a value is taken when the scenario takes it with any of them.

    Raises InvalidInput.
    """
    raw = scenario.to_dict()
    others = [raw]
    if beside is not None:
        others += [set_field(raw, beside[0], value) for value in parse_axis(beside[0], beside[1], scenario)]
    values = [_read(others, path, value) for value in parse_axis(path, written, scenario)]
    if len(set(values)) != len(values):
        raise InvalidInput.at(path, written, "give every value once")
    return values


def _read(documents: Sequence[dict[str, Any]], path: str, value: Any) -> float:
    first: InvalidInput | None = None
    for document in documents:
        try:
            read = lookup(Scenario.parse(set_field(document, path, value)).to_dict(), path)
        except InvalidInput as error:
            first = first or error
            continue
        if isinstance(read, bool) or not isinstance(read, (int, float)):
            raise InvalidInput.at(path, value, "a field with a numeric value is needed")
        return read
    assert first is not None
    raise first


def at(scenario: Scenario, fields: Sequence[tuple[str, float]]) -> Scenario:
    """The scenario with some fields set. Raises InvalidInput."""
    raw = scenario.to_dict()
    for path, value in fields:
        raw = set_field(raw, path, value)
    return Scenario.parse(raw)
