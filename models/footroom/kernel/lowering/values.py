"""Values of a law's code while it is turned into machine code: their kinds, and how one kind becomes another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir


class Unsupported(Exception):
    """Code that is not translated here; Numba compiles it."""


@dataclass(frozen=True)
class Kind:
    """What a value is: a number, the row of a table, or an array at an address.

    row: the table, of a row.
    """

    name: str
    type: Any
    row: Any = None


REAL = Kind("real", ir.DoubleType())
INTEGER = Kind("integer", ir.IntType(64))
#: Unsigned, of random generators; it mixes with no other.
WORD = Kind("word", ir.IntType(64))
TRUTH = Kind("truth", ir.IntType(1))
REALS = Kind("reals", ir.DoubleType().as_pointer())
INTEGERS = Kind("integers", ir.IntType(64).as_pointer())
NOTHING = Kind("nothing", ir.VoidType())
_NUMBERS = (TRUTH, INTEGER, REAL)  # each becomes the next where they meet


def row_of(table: np.dtype[np.void]) -> Kind:
    """The kind of a row of ``table``."""
    return Kind("row", ir.IntType(8).as_pointer(), table)


@dataclass(frozen=True)
class Value:
    """A value, with its constant if that is known while compiling."""

    kind: Kind
    at: Any
    known: bool | int | float | None = None


def constant(number: Any) -> Value:
    """A number written in the code."""
    if isinstance(number, bool | np.bool_):
        return Value(TRUTH, TRUTH.type(int(number)), bool(number))
    if isinstance(number, np.uint64):
        return Value(WORD, WORD.type(int(number)))
    if isinstance(number, int | np.integer):
        if not -(2**63) <= number < 2**63:
            raise Unsupported("an integer beyond 64 bits")
        return Value(INTEGER, INTEGER.type(int(number)), int(number))
    if isinstance(number, float):
        return Value(REAL, REAL.type(float(number)), float(number))
    raise Unsupported(f"the constant {number!r}")


def joined(a: Kind, b: Kind) -> Kind:
    """The kind of a variable that holds either."""
    if a == b:
        return a
    if a in _NUMBERS and b in _NUMBERS:
        return max(a, b, key=_NUMBERS.index)
    raise Unsupported(f"{a.name} where there was {b.name}")


def converted(builder: Any, value: Value, kind: Kind) -> Any:
    """The machine value of ``value``, converted to ``kind``."""
    if value.kind == kind:
        return value.at
    if kind == REAL and value.known is not None:
        return REAL.type(float(value.known))
    if kind == REAL and value.kind == INTEGER:
        return builder.sitofp(value.at, REAL.type)
    if kind == REAL and value.kind in (TRUTH, WORD):
        return builder.uitofp(value.at, REAL.type)
    if kind == INTEGER and value.kind == TRUTH:
        return builder.zext(value.at, INTEGER.type)
    if kind == INTEGER and value.kind == REAL:
        return builder.fptosi(value.at, INTEGER.type)
    if {kind, value.kind} == {INTEGER, WORD}:
        return value.at
    raise Unsupported(f"{value.kind.name} as {kind.name}")


def truth(builder: Any, value: Value) -> Any:
    """Whether ``value`` counts as true, as one bit."""
    if value.kind == TRUTH:
        return value.at
    if value.kind == REAL:
        return builder.fcmp_unordered("!=", value.at, REAL.type(0.0))
    if value.kind in (INTEGER, WORD):
        return builder.icmp_unsigned("!=", value.at, value.kind.type(0))
    raise Unsupported(f"{value.kind.name} as a condition")
