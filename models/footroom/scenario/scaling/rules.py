"""By what each part of a scenario is divided when its links are made S times slower at the same round trip."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from footroom.base.errors import InvalidInput, Unsupported
from footroom.parts import topology, traffic
from footroom.parts.topology import Path, Topology
from footroom.scenario import Scenario, Switch
from footroom.scenario.scaling.report import ScaledField

#: A buffer of this share of the bandwidth-delay product or more never runs empty for want of room: it is deep.
DEEP = 0.1


def check(scenario: Scenario, factor: float) -> None:
    """Refuse what cannot be scaled this way. Raises InvalidInput for the factor, Unsupported for the scenario."""
    if type(factor) not in (int, float) or not 1.0 <= factor <= 1e6:
        raise InvalidInput.at("scale", factor, "the factor is a number from 1 to 1000000 by which rates are divided")
    path_of(scenario)
    for i, entry in enumerate(scenario.traffic):
        if entry.thinned is None:
            known = [
                str(kind.model_fields["kind"].default)
                for kind in traffic.REGISTRY
                if issubclass(kind, traffic.Traffic) and kind.thinned is not None
            ]
            raise Unsupported(
                f"bursts of {entry.kind} traffic cannot be scaled down, because packets do not shrink. What can be "
                f"scaled: {', '.join(known)}",
                path=f"traffic.{i}.kind",
                given=entry.kind,
            )
        if entry.sources is not None or entry.destinations is not None:
            raise Unsupported("flows between named hosts cannot be thinned out evenly", path=f"traffic.{i}.sources")


def path_of(scenario: Scenario) -> Path:
    """The way flows take, if the topology is one that can be scaled. Raises Unsupported."""
    path = scenario.topology.path()
    if path is None:
        known = ", ".join(
            str(kind.model_fields["kind"].default)
            for kind in topology.REGISTRY
            if issubclass(kind, Topology) and kind.path is not Topology.path
        )
        raise Unsupported(
            "slower links would leave flows less than a packet each and bursts larger than the memory; a switch or "
            "fabric is made smaller by fewer ports at full rate with the same buffer per port, a graph link by link. "
            f"What can be scaled: {known}",
            path="topology.kind",
            given=scenario.topology.kind,
        )
    return path


def product(scenario: Scenario) -> float:
    """Bandwidth-delay product of one bottleneck [B]."""
    return scenario.topology.slowest_watched() * path_of(scenario).rtt / 8.0


def room(switch: Switch, mtu: float) -> float:
    """Most bytes one queue may hold as configured: the memory, or the limit of a virtual output queue [B]."""
    limits = [switch.buffer]
    for field, info in type(switch.architecture).model_fields.items():
        value = getattr(switch.architecture, field)
        if value is not None and _unit(info) in ("B", "packet"):
            limits.append(value * (mtu if _unit(info) == "packet" else 1.0))
    return min(limits)


def divisor(scenario: Scenario, switch: Switch, factor: float) -> tuple[float, str]:
    """What sizes of ``switch`` are divided by, and the rule behind it."""
    share = room(switch, scenario.run.mtu) / product(scenario)
    if share >= DEEP:
        return factor, f"deep: {share:.3g} of the bandwidth-delay product, which S keeps"
    return math.sqrt(factor), f"shallow: {share:.3g} of the bandwidth-delay product; √S keeps B·√n over it"


def sizes(component: BaseModel, only: Mapping[str, Any], path: str, by: float, rule: str) -> list[ScaledField]:
    """Every size of ``component``, and of the parts it is made of, that ``only`` has as well, divided."""
    changes = []
    for field, info, value in _fields(component):
        if field not in only:
            continue
        if isinstance(value, BaseModel):
            changes += sizes(value, only[field], f"{path}.{field}", by, rule)
        elif _unit(info) in ("B", "packet") and value:
            changes.append(ScaledField(f"{path}.{field}", value, max(1, math.floor(value / by + 0.5)), by, rule))
    return changes


def rates(component: BaseModel, path: str, by: float) -> list[ScaledField]:
    """Every rate of ``component``, divided."""
    return [
        ScaledField(f"{path}.{field}", value, value / by, by, "rates are divided by S")
        for field, info, value in _fields(component)
        if _unit(info) == "bit/s" and value
    ]


def counts(scenario: Scenario, factor: float) -> list[ScaledField]:
    """Flows and clients after scaling, rounded. Raises InvalidInput where less than one would be left."""
    changes = []
    for i, field in _counted(scenario):
        before, path = getattr(scenario.traffic[i], field), f"traffic.{i}.{field}"
        if before < factor:
            raise InvalidInput.at(
                "scale",
                factor,
                f"{path} is {before}, so that less than one would be left: at most "
                f"{min(getattr(scenario.traffic[k], name) for k, name in _counted(scenario))}",
            )
        changes.append(
            ScaledField(
                path, before, math.floor(before / factor + 0.5), factor, "as the rate, so that each keeps its window"
            )
        )
    return changes


def _counted(scenario: Scenario) -> list[tuple[int, str]]:
    """Entries of the traffic whose numbers fall with the rate, and the field that holds each."""
    return [(i, field) for i, entry in enumerate(scenario.traffic) for field in entry.thinned or ()]


def _fields(component: BaseModel) -> Iterator[tuple[str, FieldInfo, Any]]:
    for field, info in type(component).model_fields.items():
        yield field, info, getattr(component, field)


def _unit(info: FieldInfo) -> str:
    extra = info.json_schema_extra
    return str(extra.get("unit", "")) if isinstance(extra, dict) else ""
