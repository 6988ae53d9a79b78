"""What scaling did to a scenario: the fields it changed, and the quantities it kept and did not keep."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field


@dataclass(frozen=True)
class ScaledField:
    """A field of the document that was divided."""

    path: str
    before: float
    after: float
    divisor: Annotated[float, Field(description="By what it was divided.")]
    rule: Annotated[str, Field(description="Why by that.")]


@dataclass(frozen=True)
class ScaledQuantity:
    """A number that decides what happens, at both sizes, in SI units."""

    name: str
    unit: str
    before: float
    after: float
    meaning: Annotated[str, Field(description="What depends on it.")]
    path: Annotated[str, Field(description="The field it belongs to where there are several like it.")] = ""

    @property
    def ratio(self) -> float:
        """Scaled over unscaled."""
        return self.after / self.before


@dataclass(frozen=True)
class ScalingReport:
    """What scaling did to a scenario."""

    factor: Annotated[float, Field(description="S: by what rates and flows were divided.")]
    changes: Annotated[tuple[ScaledField, ...], Field(description="Fields that were divided.")]
    kept: Annotated[tuple[ScaledQuantity, ...], Field(description="Quantities that are the same at both sizes.")]
    changed: Annotated[tuple[ScaledQuantity, ...], Field(description="Quantities that are not.")]
    notes: Annotated[tuple[str, ...], Field(description="What goes with every result.")]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, values in SI base units."""
        return {
            "factor": self.factor,
            "changes": [dataclasses.asdict(change) for change in self.changes],
            "kept": [dataclasses.asdict(quantity) for quantity in self.kept],
            "changed": [dataclasses.asdict(quantity) for quantity in self.changed],
            "notes": list(self.notes),
        }
