"""A headroom line by line: what a scheme returns, and the ledger in which it adds the lines up."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from footroom.formulas.headroom import written

if TYPE_CHECKING:
    from footroom.formulas.headroom.document import HeadroomLine, SchemeExtras

#: Which part of the headroom a line pays for, in the order in which a figure stacks them.
PARTS = ("frames", "cable", "reaction", "cells", "extra", "rounding")
_NOISE = 1e-6


@dataclass(frozen=True)
class Line:
    """One line of a budget.

    bytes: to the bit, so that lines add up without rounding errors; negative where a rounding takes away.
    formula: with the numbers put in.  part: one of PARTS.
    """

    name: str
    bytes: float
    source: str
    formula: str
    part: str

    def to_dict(self) -> HeadroomLine:
        """Plain data."""
        return {
            "name": self.name,
            "bytes": whole(self.bytes),
            "source": self.source,
            "formula": self.formula,
            "part": self.part,
        }


def _nothing() -> SchemeExtras:
    return {}


@dataclass(frozen=True)
class Budget:
    """One scheme's answer for one link.

    headroom: memory to keep for what arrives after the pause was asked for, per priority group (per port where the
    scheme says so) [B].  lines: add up to it.  unrounded: before any rounding [B].  reaction: bytes of the line that
    are neither frames nor on the cable, which a measurement can correct [B].  gain: bytes of memory per byte of it.
    xon: level at which the peer may send again, 0 where the scheme sets none [B].  size, size_lines: what is set aside
    per priority group, where that differs from the headroom [B].  extra: what only this scheme answers.  outside: why
    the link is outside what the scheme holds for; empty where it is not.
    """

    headroom: int
    lines: tuple[Line, ...]
    unrounded: float
    reaction: float
    gain: float
    xon: int = 0
    size: int | None = None
    size_lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()
    extra: SchemeExtras = field(default_factory=_nothing)
    outside: str = ""


class Ledger:
    """Adds lines up; keeps the exact sum beside the lines, which are to the bit."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.exact = 0.0

    def add(self, name: str, value: float, formula: str, source: str, part: str) -> None:
        """One line of ``value`` bytes. A line of nothing is left out."""
        self.exact += value
        if value:
            self.lines.append(Line(name, to_the_bit(value), source, formula, part))

    def close(self, step: int, name: str, source: str) -> int:
        """Round the sum and write the difference as a line: up to ``step`` bytes, or to the nearest byte for 1.

        Returns the rounded sum [B].
        """
        exact = self.exact
        target = math.floor(exact + 0.5 + _NOISE) if step == 1 else round_up(exact, step)
        formula = (
            f"nearest whole byte of {written.size(exact)}"
            if step == 1
            else f"next multiple of {step} B from {written.size(exact)}"
        )
        difference = target - sum(line.bytes for line in self.lines)
        if difference:
            self.lines.append(Line(name, difference, source, formula, "rounding"))
        self.exact = float(target)
        return target


def round_up(value: float, step: int) -> int:
    """The next multiple of ``step``; rounding errors below a millionth of a byte do not reach the next one."""
    return math.ceil((value - _NOISE) / step) * step


def to_the_bit(value: float) -> float:
    """``value`` bytes rounded to a whole number of bits."""
    return round(value * 8.0) / 8.0


def whole(value: float) -> int | float:
    """An integer where the value is one."""
    return int(value) if value == int(value) else value
