"""The assumptions of a configuration: every number with its derivation and source, and what could not be expressed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Assumption:
    """One number of a configuration.

    name: dotted, as in ``headroom.100000.300m.xoff``.  value: in ``unit`` (SI base unit, ``1`` when dimensionless,
    empty for words).  derivation: how it was computed, with the inputs.  source: where the rule or figure is from.
    """

    name: str
    value: float | int | str
    unit: str
    derivation: str
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


@dataclass
class Ledger:
    """Assumptions and warnings, in the order in which they came up."""

    assumptions: list[Assumption] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def assume(self, name: str, value: float | int | str, unit: str, derivation: str, source: str) -> None:
        """Record where a number comes from. Whole numbers are kept as such."""
        whole = isinstance(value, float) and value.is_integer()
        self.assumptions.append(Assumption(name, int(value) if whole else value, unit, derivation, source))

    def warn(self, text: str) -> None:
        """Record what the reader must know; the same sentence once."""
        if text not in self.warnings:
            self.warnings.append(text)
