"""Switches that are not like the others: parts of a switch, laid over the common one by role and by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import PydanticCustomError

from footroom.parts.topology import Topology
from footroom.scenario.switch import Switch

#: Overrides of one scenario at most.
MOST = 1000

_SWITCHES = TypeAdapter(dict[str, Switch])


def merge(base: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with what ``part`` says instead; a part of another kind brings its own parameters, all of them."""
    merged = dict(base)
    for key, value in part.items():
        merged[key] = merge(merged[key], value) if _alike(merged.get(key), value) else value
    return merged


def _alike(here: Any, there: Any) -> bool:
    """Whether both are objects of one kind; an object that names no kind has the other's."""
    both = isinstance(here, Mapping) and isinstance(there, Mapping)
    return both and there.get("kind") in (None, here.get("kind"))


def laid_over(switch: Switch, topology: Topology, given: Mapping[str, Any], name: str, role: str) -> dict[str, Any]:
    """Document of the switch called ``name``: the common one, the topology's own, by role, by name, the last wins."""
    document: dict[str, Any] = switch.model_dump(mode="json")
    layers = [topology.standing().get(role), given.get(role) if role else None, given.get(name)]
    for layer in layers:
        if layer:
            document = merge(document, layer)
    return document


def canonical(given: Mapping[str, dict[str, Any]], switch: Switch, topology: Topology) -> dict[str, dict[str, Any]]:
    """The overrides in SI units, empty ones left out.

    Raises PydanticCustomError for a name or role that does not exist, ValidationError with a location that begins with
    the override's key where the resulting switch is not valid.
    """
    if not given:
        return {}
    roles = topology.switch_roles()
    known = dict.fromkeys([role for role in roles.values() if role]) | dict.fromkeys(roles)
    documents = {}
    for key, part in given.items():
        if key not in known:
            shown = ", ".join(list(known)[:12]) + (", …" if len(known) > 12 else "")
            raise PydanticCustomError(f"at:{key}", f"no such switch or role; there are {shown}")
        if "queues" in part:
            raise PydanticCustomError(f"at:{key}.queues", "all switches have the same number of queues: switch.queues")
        documents[key] = laid_over(switch, topology, given, *((key, roles[key]) if key in roles else ("", key)))
    made = _SWITCHES.validate_python(documents)
    return {key: _same_keys(made[key].model_dump(mode="json"), part) for key, part in given.items() if part}


def _same_keys(full: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """What ``full`` has at the keys of ``part``."""
    return {
        key: _same_keys(full[key], value)
        if isinstance(value, Mapping) and isinstance(full[key], Mapping)
        else full[key]
        for key, value in part.items()
    }
