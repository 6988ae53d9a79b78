"""Setting one field of a scenario document, also the kind of a component."""

from __future__ import annotations

from typing import Any

from footroom.base.errors import InvalidInput
from footroom.base.registry import Registry
from footroom.parts import architecture, congestion, marking, scheduling, sharing, sizes, topology, traffic
from footroom.parts.headroom import REGISTRY as HEADROOM
from footroom.parts.traffic.chosen import without_profile
from footroom.scenario.paths import lookup, replace

#: All axes of the scenario whose parts are picked by kind, in the order a form shows them.
REGISTRIES: tuple[Registry, ...] = (
    topology.REGISTRY,
    sharing.REGISTRY,
    marking.REGISTRY,
    HEADROOM,
    scheduling.REGISTRY,
    architecture.REGISTRY,
    traffic.REGISTRY,
    sizes.REGISTRY,
    congestion.REGISTRY,
)

#: Fields that hold a part of an axis of another name.
_AXES = {"size": "sizes"}


def set_field(raw: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of ``raw`` with ``value`` at ``path``. Raises InvalidInput.

    Setting a ``kind`` also drops the parameters that the new kind does not know: they were the old kind's. Setting a
    host's ``profile`` drops what the profile before, or the defaults, had said: the new one says it now.
    """
    parent, _, field = path.rpartition(".")
    if field == "profile" and parent.rpartition(".")[2] == "host":
        raw = _without_profile(raw, parent)
    if field == "kind" and parent:
        try:
            component = lookup(raw, parent)
        except InvalidInput:
            component = None
        if isinstance(component, dict) and component.get("kind") != value:
            known = _parameters(parent, value)
            if known is not None:
                raw = replace(raw, parent, {key: kept for key, kept in component.items() if key in known})
    return replace(raw, path, value)


def _without_profile(raw: dict[str, Any], path: str) -> dict[str, Any]:
    """A copy of ``raw`` with only those fields of the host at ``path`` that were chosen one by one."""
    try:
        host = lookup(raw, path)
    except InvalidInput:  # no host is written down, or no such entry, which setting the field will say
        return raw
    return replace(raw, path, without_profile(host)) if isinstance(host, dict) else raw


def _parameters(parent: str, kind: Any) -> frozenset[str] | None:
    """Names of the parameters of ``kind`` on the axis at ``parent``; none when there is no such axis or kind."""
    steps = [step for step in parent.split(".") if not step.isdigit()]
    for registry in REGISTRIES:
        if registry.axis == _AXES.get(steps[-1], steps[-1]) and kind in registry.names:
            return frozenset(registry.get(kind).model_fields)
    return None
