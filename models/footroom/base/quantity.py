"""Quantities with units: strict parsing into SI base units, and the field declaration every component uses.

Inside Footroom everything is a bare number in bit/s, byte, second or metre. A person writes ``"100 Gb/s"``; a bare
number is taken as SI. ``b`` is bits and ``B`` is bytes; kB is 1000, KiB is 1024. A rate in bytes or a size in bits is
refused rather than converted, because a factor of eight is the commonest mistake of this field.
"""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from footroom.base.written import bound

_DECIMAL = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40}
# Not \d, which takes the digits of every script: the page and JSON know these ten only.
_NUMBER = re.compile(r"^\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(.*?)\s*$")

_RATES = {p + u: f for p, f in _DECIMAL.items() for u in ("b/s", "bit/s", "bps")}
_SIZES = {p + "B": f for p, f in {**_DECIMAL, **_BINARY}.items()}
_TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9, "ps": 1e-12, "min": 60.0, "h": 3600.0}
_LENGTHS = {"m": 1.0, "km": 1e3, "cm": 1e-2}
_PACKETS = {"packet": 1.0, "packets": 1.0, "pkt": 1.0, "pkts": 1.0}
_PLAIN = {"": 1.0}


@dataclass(frozen=True)
class Dimension:
    """One kind of quantity. unit: SI base unit; units: accepted spellings; examples: what to show in a message.

    least, most: the range of every field of this dimension, unless the field declares a narrower one.
    """

    name: str
    unit: str
    units: dict[str, float]
    examples: str
    least: float
    most: float

    def parse(self, text: str) -> float | None:
        """The value in the base unit, or None when the unit is not of this dimension."""
        match = _NUMBER.match(text)
        if match is None or match[2] not in self.units:
            return None
        try:  # in decimals, so that 32.8 MB is a whole number of bytes
            return float(Decimal(match[1]) * Decimal(repr(self.units[match[2]])))
        except ArithmeticError:  # beyond any exponent
            return float(match[1]) * self.units[match[2]]


# Wider than anything that is built: one bit per second to 10 Pb/s; one byte to a petabyte; a picosecond, which
# is what the packet engines count in, to a year; a millimetre to a million kilometres, past the Moon.
RATE = Dimension(
    "rate", "bit/s", {**_RATES, **{p: f for p, f in _DECIMAL.items() if p}}, '"100 Gb/s", "100G"', 1.0, 1e16
)
SIZE = Dimension("size", "B", _SIZES, '"12 MB", "64 KiB", "1500 B"', 1.0, 1e15)
TIME = Dimension("time", "s", _TIMES, '"80 us", "20 ms", "5 s"', 1e-12, 31_557_600.0)
LENGTH = Dimension("length", "m", _LENGTHS, '"300 m", "2 km"', 1e-3, 1e9)
PACKETS = Dimension("packets", "packet", _PACKETS, '"250 packets"', 1e-6, 1e15)
DIMENSIONS = (RATE, SIZE, TIME, LENGTH, PACKETS)
#: Least share, factor or probability above 0.
PLAIN_LEAST = 1e-15

_CONFUSIONS = {
    re.compile(r"^[kMGT]?i?B(/s|ps)$"): "a rate in bytes per second",
    re.compile(r"^[kMGT]?i?(b|bit|bits)$"): "a size in bits",
    re.compile(r"^(KB|K|Kb/s)$"): "an ambiguous prefix (write k for 1000, Ki for 1024)",
}


@dataclass(frozen=True)
class Packets:
    """A buffer written as a number of full-size packets; becomes bytes once the MTU is known."""

    count: float


#: How a document calls what is not a number or text.
_WHAT = {type(None): "null", list: "a list", tuple: "a list", dict: "an object"}


def _refuse(dimension: Dimension, why: str = "") -> PydanticCustomError:
    expected = f"expected a {dimension.name} such as {dimension.examples}, or a bare number in {dimension.unit}"
    # Braces are doubled because pydantic formats the message with a context.
    text = f"{why + '; ' if why else ''}{expected}".replace("{", "{{").replace("}", "}}")
    return PydanticCustomError("quantity", text)


def _number(value: Any, dimension: Dimension) -> float | None:
    if isinstance(value, bool):
        raise _refuse(dimension, "true or false is not a quantity")
    if isinstance(value, (int, float)):
        try:
            number = float(value)
        except OverflowError:
            raise _refuse(dimension, "the number is too large") from None
    elif isinstance(value, str):
        match = _NUMBER.match(value)
        if match is None or match[2]:
            return None
        number = float(match[1])
    else:
        raise _refuse(dimension, f"{_WHAT.get(type(value), 'this')} is not a quantity")
    if not math.isfinite(number):
        raise _refuse(dimension, "the number is not finite")
    return number


def parse(value: Any, dimension: Dimension) -> float:
    """``value`` in the base unit of ``dimension``.

    Raises PydanticCustomError naming what was expected, also for a quantity of another dimension.
    """
    number = _number(value, dimension)
    if number is not None:
        return number
    found = dimension.parse(value)
    if found is not None:
        if not math.isfinite(found):
            raise _refuse(dimension, "the number is not finite")
        return found
    match = _NUMBER.match(value)
    if match is None:
        raise _refuse(dimension, "this is not a number with a unit")
    for pattern, meaning in _CONFUSIONS.items():
        if pattern.match(match[2]):
            raise _refuse(dimension, f'"{match[2]}" is {meaning}')
    for other in DIMENSIONS:
        if match[2] in other.units:
            raise _refuse(dimension, f'"{match[2]}" is a unit of {other.name}')
    raise _refuse(dimension, f'unknown unit "{match[2]}"')


def parse_buffer(value: Any) -> float | Packets:
    """A size in bytes, or a number of packets kept as such until the MTU is known."""
    if isinstance(value, Packets):
        return value
    if isinstance(value, str):
        count = PACKETS.parse(value)
        if count is not None and math.isfinite(count):
            return Packets(count)
    return parse(value, SIZE)


def parse_any(text: str) -> tuple[float, Dimension | None]:
    """Value and dimension of any quantity; dimension None for a bare number. Raises ValueError on anything else."""
    for dimension in DIMENSIONS:
        value = dimension.parse(text)
        if value is not None:
            return value, dimension
    match = _NUMBER.match(text)
    if match is None or match[2]:
        raise ValueError(f"{text!r} is not a quantity")
    return float(match[1]), None


def _size_of_queue(value: Any) -> float:
    parsed = parse_buffer(value)
    if isinstance(parsed, Packets):
        raise PydanticCustomError("quantity", "packets need the MTU of a scenario; give bytes")
    return parsed


Rate = Annotated[float, BeforeValidator(lambda v: parse(v, RATE), json_schema_input_type=float | str)]
Size = Annotated[float, BeforeValidator(lambda v: parse(v, SIZE), json_schema_input_type=float | str)]
#: A size that a scenario also takes as a number of full packets, which it turns into bytes before validation.
QueueSize = Annotated[float, BeforeValidator(_size_of_queue, json_schema_input_type=float | str)]
Time = Annotated[float, BeforeValidator(lambda v: parse(v, TIME), json_schema_input_type=float | str)]
Length = Annotated[float, BeforeValidator(lambda v: parse(v, LENGTH), json_schema_input_type=float | str)]


def quantity(
    default: Any,
    unit: str,
    description: str,
    *,
    symbol: str = "",
    source: str = "",
    advanced: bool = False,
    **bounds: Any,
) -> Any:
    """Declare one parameter once: validation, JSON schema, form, docs and CLI help all read this.

    default: value in SI base units, or ``...`` when required.  unit: SI base unit ("1" when dimensionless).
    symbol: as in the source.  source: where the default or meaning comes from.  advanced: folded away in a form.
    bounds: pydantic's gt, ge, lt, le. Every field has two bounds: one left out is that of the unit's dimension, and
    "above 0" means from the dimension's least value on. Where 0 is allowed, values between 0 and that least value are
    refused: a time of 1e-300 s is a slip, and no engine can count in it.
    """
    extra: dict[str, Any] = {"unit": unit}
    if symbol:
        extra["symbol"] = symbol
    if source:
        extra["source"] = source
    if advanced:
        extra["advanced"] = True
    ends = _two_ends(unit, bounds)
    # A quantity may also be a text, and pydantic leaves the bounds out of the schema of what is either.
    if unit in _BY_UNIT:
        extra |= {word: ends[bound] for bound, word in _SCHEMA_WORDS.items() if bound in ends}
    info: FieldInfo = Field(default, description=description, json_schema_extra=extra, **ends)
    if unit in _BY_UNIT:
        info.metadata.append(_with_unit(unit))
    if bounds.get("ge") == 0:
        info.metadata.append(_none_smaller(unit, "0, or "))
    elif bounds.get("gt") == 0 and unit not in _BY_UNIT:
        info.metadata.append(_none_smaller(unit, ""))
    return info


#: How JSON schema calls a bound.
_SCHEMA_WORDS = {"gt": "exclusiveMinimum", "ge": "minimum", "lt": "exclusiveMaximum", "le": "maximum"}
_BY_UNIT = {dimension.unit: dimension for dimension in DIMENSIONS}


def _two_ends(unit: str, bounds: dict[str, Any]) -> dict[str, Any]:
    """The bounds of a field with those of its dimension where it leaves one out."""
    dimension = _BY_UNIT.get(unit)
    if dimension is None:
        return bounds
    found = dict(bounds)
    if found.get("gt") == 0:
        del found["gt"]
    if not found.keys() & {"gt", "ge"}:
        found["ge"] = dimension.least
    if not found.keys() & {"lt", "le"}:
        found["le"] = dimension.most
    return found


#: Pydantic's faults of a number beyond a bound: the name of the bound, and how a message calls it.
_BEYOND = {
    "greater_than": ("gt", "above"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "below"),
    "less_than_equal": ("le", "at most"),
}


@functools.cache
def _with_unit(unit: str) -> WrapValidator:
    """Says a bound as one would type it, its unit included; pydantic, which checks it, knows none."""

    def check(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError as error:
            for fault in error.errors(include_url=False, include_input=False):
                if fault["type"] in _BEYOND and not fault["loc"]:
                    name, words = _BEYOND[fault["type"]]
                    text = f"must be {words} {bound(float(fault['ctx'][name]), unit)}"
                    raise PydanticCustomError("quantity", "{said}", {"said": text}) from None
            raise

    return WrapValidator(check)


@functools.cache
def _none_smaller(unit: str, besides: str) -> AfterValidator:
    """Refuses what is above 0 and below the least value of the unit."""
    least = _BY_UNIT[unit].least if unit in _BY_UNIT else PLAIN_LEAST
    shown = f"{least:g}" if unit == "1" else bound(least, unit)

    def check(value: float | None) -> float | None:
        if value is not None and 0.0 < value < least:
            raise PydanticCustomError("quantity", f"must be {besides}at least {shown}")
        return value

    return AfterValidator(check)
