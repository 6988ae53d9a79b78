"""Heavy-tailed flow sizes between two limits."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Size, quantity
from footroom.parts.sizes.common import FlowSizes


class BoundedPareto(FlowSizes):
    """Pareto with shape a truncated to [minimum, maximum]: P(S > s) ∝ s^-a inside the limits."""

    about: ClassVar[About] = About(
        title="Bounded Pareto",
        summary="A power law between a smallest and a largest size.",
        sources=("Crovella and Bestavros, ToN 5(6) 1997, for heavy tails in file sizes",),
    )
    kind: Literal["bounded_pareto"] = "bounded_pareto"
    shape: float = quantity(1.2, "1", "Tail exponent.", ge=0.01, le=20, symbol="a")
    minimum: Size = quantity(1e6, "B", "Smallest size.", ge=1, le=1e13)
    maximum: Size = quantity(1e8, "B", "Largest size.", ge=1, le=1e13)

    @model_validator(mode="after")
    def _ordered(self) -> BoundedPareto:
        if self.maximum <= self.minimum:
            raise PydanticCustomError("at:maximum", "maximum must be above minimum")
        return self

    def mean(self) -> float:
        low, high, a = self.minimum, self.maximum, self.shape
        ratio = low / high
        if abs(a - 1.0) < 1e-9:
            return float(low * np.log(high / low) / (1.0 - ratio))
        return float(a / (a - 1.0) * low * (1.0 - ratio ** (a - 1.0)) / (1.0 - ratio**a))

    def quantile(self, levels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        ratio = (self.minimum / self.maximum) ** self.shape
        tail = 1.0 - np.asarray(levels) * (1.0 - ratio)
        return np.asarray(self.minimum * tail ** (-1.0 / self.shape), dtype=np.float64)
