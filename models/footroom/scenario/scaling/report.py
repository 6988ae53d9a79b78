"""What scaling did to a scenario: the fields it changed, and the quantities it kept and did not keep."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Change:
    """A field of the document that was divided. divisor: by what; rule: why by that."""

    path: str
    before: float
    after: float
    divisor: float
    rule: str


@dataclass(frozen=True)
class Quantity:
    """A number that decides what happens, at both scales. unit: SI; meaning: what depends on it.

    path: the field it belongs to where there are several like it.
    """

    name: str
    unit: str
    before: float
    after: float
    meaning: str
    path: str = ""

    @property
    def ratio(self) -> float:
        """Scaled over unscaled."""
        return self.after / self.before


@dataclass(frozen=True)
class ScalingReport:
    """factor: S.  changes: fields divided.  kept, changed: quantities.  notes: what goes with every result."""

    factor: float
    changes: tuple[Change, ...]
    kept: tuple[Quantity, ...]
    changed: tuple[Quantity, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, values in SI base units."""
        return {
            "factor": self.factor,
            "changes": [dataclasses.asdict(change) for change in self.changes],
            "kept": [dataclasses.asdict(quantity) for quantity in self.kept],
            "changed": [dataclasses.asdict(quantity) for quantity in self.changed],
            "notes": list(self.notes),
        }
