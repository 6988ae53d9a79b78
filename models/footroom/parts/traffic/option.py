"""Options of a host that the packet engines read as they stand: declared once, in ``footroom.parts.traffic.host``.

From the declaration come validation, schema, form and command line, the column of the compiled engine's table of
traffic classes, and the attribute of ``Stack`` that the reference engine reads. Nothing else names an option but the
code that acts on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from footroom.base.quantity import quantity

_PICOSECONDS = 10**12

#: Fields that only some engines support: to those engines, and why the others refuse them.
Known = dict[str, tuple[tuple[str, ...], str]]


@dataclass(frozen=True)
class Option:
    """What is declared of an option besides its bounds.

    engines: those that know it; none for all.  refusal: why the others refuse any value but the default.
    """

    engines: tuple[str, ...] | None = None
    refusal: str = ""


def option(
    default: Any, unit: str, description: str, *, engines: tuple[str, ...] | None = None, refusal: str = "", **more: Any
) -> Any:
    """Declare an option that the packet engines read as it stands.

    They read a time in whole picoseconds, a number or a truth value as a whole number, none as 0, and a choice by its
    name in the reference engine and by its place among the choices in the compiled one (``code``).
    default, unit, description, more: as for ``quantity``.  engines, refusal: see Option.
    """
    info: FieldInfo = quantity(default, unit, description, **more)
    info.metadata.append(Option(engines, refusal))
    return info


def options(part: type[BaseModel]) -> dict[str, FieldInfo]:
    """The options that ``part`` declares, by name, in order."""
    return {name: info for name, info in part.model_fields.items() if any(isinstance(m, Option) for m in info.metadata)}


def known_to_some(part: type[BaseModel]) -> Known:
    """The options of ``part`` that only some engines know: to those engines, and why the others refuse it."""
    found = {}
    for name, info in options(part).items():
        declared = next(m for m in info.metadata if isinstance(m, Option))
        if declared.engines is not None:
            found[name] = declared.engines, declared.refusal
    return found


def values(part: BaseModel) -> dict[str, int | str]:
    """What the packet engines read: times in ps, choices by name, 0 for none."""
    return {name: _value(getattr(part, name), info) for name, info in options(type(part)).items()}


def _value(given: Any, info: FieldInfo) -> int | str:
    if given is None:
        return 0
    if isinstance(given, str):
        return given
    return round(given * _PICOSECONDS) if _unit(info) == "s" else int(given)


def _unit(info: FieldInfo) -> str:
    extra = info.json_schema_extra
    return str(extra.get("unit", "1")) if isinstance(extra, dict) else "1"


def units(part: type[BaseModel]) -> dict[str, str]:
    """Unit of every field of ``part``, by name."""
    return {name: _unit(info) for name, info in part.model_fields.items()}


def choices(part: type[BaseModel], name: str) -> tuple[str, ...]:
    """The choices of an option, in the order of their numbers."""
    found = part.model_fields[name].annotation
    literals = [found] if get_origin(found) is Literal else get_args(found)  # the latter where it may be none
    return tuple(str(choice) for literal in literals for choice in get_args(literal))


def code(part: type[BaseModel], name: str, choice: str) -> int:
    """Number of a choice in compiled code. Raises ValueError for one that is not declared."""
    return choices(part, name).index(choice)


def numbers(part: type[BaseModel], read: Mapping[str, int | str]) -> dict[str, int]:
    """The same ``values`` with choices as their numbers, as compiled code reads them."""
    return {name: code(part, name, value) if isinstance(value, str) else value for name, value in read.items()}
