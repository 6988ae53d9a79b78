"""The question: a link, a chip, and the parameters of every scheme, in one flat document.

Built from the registry of schemes, so that a scheme's parameters are options of the command line, keys of the API and
arguments in Python as soon as the scheme is registered.
"""

from __future__ import annotations

import copy
import typing
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ValidationError, create_model, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.errors import InvalidInput, Problem, in_words
from footroom.base.quantity import Length, Rate, Size, Time, quantity
from footroom.base.unknown_key import unknown_key
from footroom.formulas.headroom.link import USUAL_CELL, Link
from footroom.formulas.headroom.schemes import SCHEMES

_NAMES = ", ".join(SCHEMES.names)


def _split(value: Any) -> Any:
    if isinstance(value, str):
        return tuple(name.strip() for name in value.split(","))
    return value


Names = Annotated[tuple[str, ...], BeforeValidator(_split, json_schema_input_type=str | list[str])]


class Question(Document):
    """The question to every scheme. Values are SI base units once parsed."""

    speed: Rate = quantity(..., "bit/s", "Speed of the port, 1 Gb/s to 1.6 Tb/s.", ge=1e9, le=1.6e12, symbol="C")
    cable: Length | None = quantity(None, "m", "Length of the cable, 1 m to 120 km, at 5 ns/m.", ge=1, le=120e3)
    delay: Time | None = quantity(
        None, "s", "One-way propagation delay, in place of a cable.", ge=5e-9, le=600e-6, symbol="D"
    )
    mtu: Size = quantity(1500.0, "B", "Largest packet of the lossless class.", ge=64, le=65536, symbol="L_MTU")
    cell_size: Size = quantity(
        float(USUAL_CELL),
        "B",
        "Memory cell, the unit in which memory is allocated; where a chip is named, the chip's.",
        ge=32,
        le=65536,
    )
    asic: str | None = quantity(
        None,
        "1",
        "Switch chip: fills in cell size, memory and fitted rules; values that you give override it.",
        max_length=80,
    )
    scheme: Names = quantity(
        SCHEMES.names,
        "1",
        f"Schemes to compute, of {_NAMES}; all if omitted.",
        min_length=1,
        max_length=len(SCHEMES.names),
    )
    configured: Size | None = quantity(
        None, "B", "Configured headroom, to find the slowest peer response it covers.", gt=0, le=1e12
    )
    watermark: Size | None = quantity(
        None,
        "B",
        "Highest headroom use that the switch reported (watermark), in bytes of memory: corrects the "
        "reaction time that the schemes assume.",
        gt=0,
        le=1e12,
    )
    watermark_speed: Rate | None = quantity(
        None,
        "bit/s",
        "Speed of the port that reported the watermark; the speed above when not given.",
        ge=1e9,
        le=1.6e12,
    )
    watermark_cable: Length | None = quantity(
        None, "m", "Cable of the port that reported the watermark; the cable above when not given.", ge=1, le=120e3
    )
    watermark_mtu: Size | None = quantity(
        None, "B", "MTU of the port that reported the watermark; the MTU above when not given.", ge=64, le=65536
    )

    @field_validator("cell_size")
    @classmethod
    def _whole(cls, value: float) -> float:
        if value != int(value):
            raise PydanticCustomError("quantity", "a cell is a whole number of bytes")
        return value

    @field_validator("scheme")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in SCHEMES.names:
                raise PydanticCustomError("kind", "must be of: {names}", {"names": _NAMES})
        return tuple(dict.fromkeys(names))

    @model_validator(mode="after")
    def _one_length(self) -> Question:
        if self.cable is None and self.delay is None:
            raise PydanticCustomError("at:cable", 'this field is required: a length such as "300 m", or a delay')
        if self.cable is not None and self.delay is not None:
            raise PydanticCustomError("at:delay", "give either a cable or a delay; both say how far the peer is")
        if self.watermark is None:
            for name in ("watermark_speed", "watermark_cable", "watermark_mtu"):
                if getattr(self, name) is not None:
                    raise PydanticCustomError("at:watermark", f"this field is required where {name} is given")
        return self

    def link(self, cell: float) -> Link:
        """The link asked about, with cells of ``cell`` bytes."""
        if self.delay is not None:
            return Link.of_delay(self.speed, self.delay, self.mtu, cell)
        return Link.of_cable(self.speed, typing.cast(float, self.cable), self.mtu, cell)


def _parameters() -> dict[str, tuple[Any, FieldInfo]]:
    """Fields of all schemes by name. Raises TypeError where two schemes declare one name differently."""
    owners: dict[str, list[str]] = {}
    found: dict[str, tuple[Any, FieldInfo]] = {}
    for name, scheme in zip(SCHEMES.names, SCHEMES, strict=True):
        hints = typing.get_type_hints(scheme, include_extras=True)
        for field, info in scheme.model_fields.items():
            if field == "kind":
                continue
            if field in found and repr(found[field][1]) != repr(info):
                raise TypeError(f"{field} is declared differently by {name} and {owners[field]}")
            owners.setdefault(field, []).append(name)
            found[field] = (hints[field], info)
    return {field: (hint, _owned(info, owners[field])) for field, (hint, info) in found.items()}


def _owned(info: FieldInfo, schemes: list[str]) -> FieldInfo:
    mine = copy.copy(info)
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    mine.json_schema_extra = {**extra, "schemes": list(schemes)}
    return mine


#: The flat question with every scheme's parameters.
HeadroomQuestion: type[Question] = create_model(
    "HeadroomQuestion",
    __base__=Question,
    __module__=__name__,
    __doc__="A link, a chip, and parameters of the schemes.",
    **typing.cast(dict[str, Any], _parameters()),
)


def ask(raw: Mapping[str, Any]) -> Question:
    """The question in plain data. Raises InvalidInput with every field at fault."""
    try:
        return HeadroomQuestion.model_validate(dict(raw))
    except ValidationError as error:
        raise InvalidInput(problems_of(error, raw, HeadroomQuestion)) from None


_PLAIN = {"missing": "this field is required"}


def problems_of(error: ValidationError, raw: Mapping[str, Any], document: type[BaseModel]) -> list[Problem]:
    """One Problem per fault. document: the class that was validated, which tells what an unknown key may have been."""
    found = []
    for item in error.errors(include_url=False):
        path, kind = ".".join(str(step) for step in item["loc"]), item["type"]
        given = None if kind == "missing" else item.get("input")
        if kind.startswith("at:"):
            path = kind[3:]
            given = raw.get(path)
        message = _PLAIN.get(kind, in_words(item["msg"]))
        if kind == "extra_forbidden":
            message = unknown_key(document, item["loc"])
        found.append(Problem(path, given if isinstance(given, (str, int, float, type(None))) else str(given), message))
    # A list with a faulty entry is also reported as too short; the entry's own fault says all.
    inner = {problem.path.split(".")[0] for problem in found if "." in problem.path}
    return [problem for problem in found if problem.path not in inner]
