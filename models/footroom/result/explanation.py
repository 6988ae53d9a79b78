"""How a number was computed: the formula, its inputs, its source and where it holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from footroom.base.plain import plain


@dataclass(frozen=True)
class Term:
    """One symbol of a formula with the value put in, in SI base units."""

    symbol: Annotated[str, Field(description="As written in the formula.")]
    meaning: Annotated[str, Field(description="What it is, in words.")]
    value: Annotated[float, Field(description="A finite number.")]
    unit: Annotated[str, Field(description="B, bit/s, s, packet, 1, packet/s; loops: 1/s, rad/s, rad, deg.")]


@dataclass(frozen=True)
class Explanation:
    """How a number came about, so that it can be checked by hand."""

    name: Annotated[str, Field(description="Stable identifier.")]
    title: Annotated[str, Field(description="What a reader calls it.")]
    formula: Annotated[str, Field(description="Plain text.")]
    value: Annotated[float, Field(description="The result in SI base units.")]
    unit: str
    source: Annotated[str, Field(description="Paper, section, equation.")]
    holds: Annotated[str, Field(description="Where the formula is valid, in words.")]
    terms: Annotated[tuple[Term, ...], Field(description="Every symbol on the right-hand side.")] = field(default=())
    valid: Annotated[bool, Field(description="False when the inputs lie outside that range.")] = True

    def to_dict(self) -> Any:
        """Plain data."""
        return plain(self)
