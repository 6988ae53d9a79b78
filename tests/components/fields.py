"""Every field of the catalogue in a small document, and the values at and beyond its ends."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from footroom.base.component import Component
from footroom.base.quantity import PLAIN_LEAST
from footroom.base.registry import Registry
from footroom.scenario import Scenario
from footroom.scenario.kinds import REGISTRIES

#: Where a part of each axis stands in a scenario.
PLACES = {"topology": "topology", "traffic": "traffic.0", "congestion": "traffic.0.congestion"}
#: Parts that may be left out, with what they need; they are written in so that their fields are tried too.
OPTIONAL: dict[str, dict[str, Any]] = {
    "timeline": {"start": 0.001, "end": 0.004, "step": 1e-4},
    "modulation": {"cv": 0.5, "correlation_time": 0.01},
    "episodes": {"load": 0.4, "length": 0.01, "every": 0.02, "begin": 0.0},
}


def small(**parts: Any) -> dict[str, Any]:
    """A scenario of a few hundred packets."""
    return {
        "topology": {"kind": "dumbbell", "bottleneck": 1e7, "access": 1e8, "rtt": 0.002},
        "switch": {"buffer": 20000.0},
        "traffic": [{"kind": "long_lived", "flows": 2, "start_jitter": 0.001}],
        "run": {"duration": 0.03, "warmup": 0.005},
        **parts,
    }


def document_with(registry: Registry, kind: type[Component]) -> dict[str, Any]:
    """The small scenario with one part of the given kind, every default written out."""
    document = small()
    part = {"kind": kind.model_fields["kind"].default, **kind.example}
    if "start_jitter" in kind.model_fields:
        part["start_jitter"] = 0.001
    if registry.axis == "sizes":
        document["traffic"] = [{"kind": "poisson", "load": 0.3, "sizes": part}]
    elif registry.axis == "scheduling":
        document["switch"] |= {"queues": 2 if part["kind"] != "fifo" else 1, "scheduling": part}
    elif registry.axis in PLACES:
        document = put(document, PLACES[registry.axis], part)
    else:
        document["switch"][registry.axis] = part
    return document


def put(document: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with ``value`` at ``path``; objects in between are made."""
    found = copy.deepcopy(document)
    here: Any = found
    *steps, last = path.split(".")
    for step in steps:
        if isinstance(here, list):
            here = here[int(step)]
        else:
            here = here.setdefault(step, {})
            if here is None:
                raise KeyError(path)
    if isinstance(here, list):
        here[int(last)] = value
    else:
        here[last] = value
    return found


def documents() -> dict[str, dict[str, Any]]:
    """One document per kind of every axis, and one each for what hangs on no kind; every default written out."""
    found = {
        f"{registry.axis}:{kind.model_fields['kind'].default}": document_with(registry, kind)
        for registry in REGISTRIES
        for kind in registry
    }
    found["run:timeline"] = put(small(), "run.timeline", OPTIONAL["timeline"])
    found["traffic:modulation"] = put(found["traffic:poisson"], "traffic.0.modulation", OPTIONAL["modulation"])
    found["traffic:episodes"] = put(found["traffic:poisson"], "traffic.0.episodes", OPTIONAL["episodes"])
    return {name: Scenario.parse(document).to_dict() for name, document in found.items()}


def numeric_fields(model: BaseModel, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Paths of all fields that hold a number, below ``model`` as it is."""
    for name, field in type(model).model_fields.items():
        path = f"{prefix}{name}"
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from numeric_fields(value, f"{path}.")
        elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
            yield from numeric_fields(value[0], f"{path}.0.")
        elif numbers(field.annotation):
            yield path, field


def numbers(annotation: Any) -> bool:
    """Whether a number may stand there, bare or in a list."""
    origin = get_origin(annotation)
    if origin is Annotated or origin in (Union, UnionType, tuple, list):
        return any(numbers(part) for part in get_args(annotation) if part not in (NoneType, Ellipsis))
    return annotation in (int, float)


def ends(field: FieldInfo) -> tuple[float, float]:
    """The least and the greatest value that a field takes."""
    found = {
        key: getattr(rule, key)
        for rule in _rules(field)
        for key in ("gt", "ge", "lt", "le")
        if getattr(rule, key, None) is not None
    }
    whole = field.annotation is int
    low = found.get("ge", math.nextafter(found["gt"], math.inf) if "gt" in found else -math.inf)
    low = PLAIN_LEAST if found.get("gt") == 0 else low
    high = found.get("le", math.nextafter(found["lt"], -math.inf) if "lt" in found else math.inf)
    return (low if whole else float(low)), (high if whole else float(high))


def _rules(field: FieldInfo) -> Iterator[Any]:
    """Constraints of a field; those of its entries where it is a list, and of its numbers where it may be a word."""
    parts = _parts(field.annotation)
    listed = [part for part in parts if get_origin(part) in (tuple, list)]
    if not listed:
        yield from field.metadata
    for entry in get_args(listed[0]) if listed else parts:
        for rule in getattr(entry, "__metadata__", ()):
            yield from rule.metadata if isinstance(rule, FieldInfo) else (rule,)


def _parts(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def is_list(field: FieldInfo) -> bool:
    return any(get_origin(part) in (tuple, list) for part in _parts(field.annotation))


def is_whole(field: FieldInfo) -> bool:
    return any(
        part is int or (get_origin(part) is Annotated and get_args(part)[0] is int) for part in _parts(field.annotation)
    )


#: Never a number of anything, or one beyond all reason.
ABSURD: tuple[Any, ...] = (
    -1.0,
    1e308,
    1e-300,
    5e-324,
    math.nan,
    math.inf,
    -math.inf,
    10**30,
    True,
    "",
    "1 parsec",
    [],
    {},
    [1.0, "x"],
)


def within(field: FieldInfo) -> list[Any]:
    """Both ends, and the next numbers inside."""
    low, high = ends(field)
    if is_whole(field):
        values: list[Any] = [low, low + 1, high - 1, high]
    else:
        values = [low, math.nextafter(low, math.inf), low * 1.001, math.nextafter(high, -math.inf), high]
        if low == 0.0:
            values += [PLAIN_LEAST, 1e-12, 1e-3]
    if math.isfinite(low) and math.isfinite(high) and low > 0:
        middle = math.sqrt(low) * math.sqrt(high)
        values.append(round(middle) if is_whole(field) else middle)
    return [[value] if is_list(field) else value for value in dict.fromkeys(values)]


def beyond(field: FieldInfo) -> list[Any]:
    """Values that no field or not this one takes."""
    return [*ABSURD, 0, *([0.5] if is_whole(field) else [])]
