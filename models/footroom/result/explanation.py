"""How a number came about: the formula, what was put in, who says so and where it holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Term:
    """One symbol of a formula with the value put in, in SI base units.

    symbol: as written in the formula.  meaning: plain words.  value: a finite number.
    unit: one of ``B``, ``bit/s``, ``s``, ``packet``, ``1``, ``packet/s``; loops: ``1/s``, ``rad/s``, ``rad``, ``deg``.
    """

    symbol: str
    meaning: str
    value: float
    unit: str


@dataclass(frozen=True)
class Explanation:
    """A computed quantity that can be checked by hand.

    name: stable identifier.  title: what a reader calls it.  formula: plain text.
    terms: every symbol on the right-hand side.  value, unit: the result in SI base units.
    source: paper, section, equation.  holds: where the formula is valid, in words.
    valid: False when the numbers put in lie outside that range (the value is then shown with a warning).
    """

    name: str
    title: str
    formula: str
    value: float
    unit: str
    source: str
    holds: str
    terms: tuple[Term, ...] = field(default=())
    valid: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, ready for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "formula": self.formula,
            "value": self.value,
            "unit": self.unit,
            "source": self.source,
            "holds": self.holds,
            "valid": self.valid,
            "terms": [vars(term) for term in self.terms],
        }
