"""Rules for how numbers change along a sweep."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from footroom.papers.comparison.common import Judged, Rule, show

_STEPS: dict[str, Callable[[float, float], bool]] = {
    "increasing": operator.lt,
    "decreasing": operator.gt,
    "non_decreasing": operator.le,
    "non_increasing": operator.ge,
}


class Trend(Rule):
    """Every number changes in the stated direction from the one before; a step back up to ``tolerance`` is allowed."""

    type: Literal["trend"] = "trend"
    direction: Literal["increasing", "decreasing", "non_decreasing", "non_increasing"]
    tolerance: float = Field(default=0.0, ge=0)
    shape: ClassVar[str] = "order"

    def judge(self, ours: Any, published: Any) -> Judged:
        holds, up = _STEPS[self.direction], self.direction in ("increasing", "non_decreasing")
        slack = self.tolerance if up else -self.tolerance
        values = [float(value) for value in ours]
        path = ", ".join(show(value) for value in values)
        for i, (before, after) in enumerate(itertools.pairwise(values)):
            if not holds(before, after + slack):
                return Judged(False, f"step {i + 1} goes from {show(before)} to {show(after)} in {path}")
        return Judged(True, path)

    def text(self) -> str:
        return self.direction.replace("_", "-")


class Correlation(Rule):
    """Spearman's rank correlation of the numbers with their order is at least ``min_rho``.

    A negative ``min_rho`` requires a correlation that is not above it.
    """

    type: Literal["correlation"] = "correlation"
    min_rho: float = Field(ge=-1, le=1)
    shape: ClassVar[str] = "order"

    def judge(self, ours: Any, published: Any) -> Judged:
        from scipy.stats import rankdata

        values = np.asarray(ours, dtype=np.float64)
        if len(values) < 3 or np.ptp(values) == 0.0:
            return Judged(False, "a rank correlation needs three different numbers")
        rho = float(np.corrcoef(rankdata(values), np.arange(len(values)))[0, 1])
        met = rho >= self.min_rho if self.min_rho >= 0.0 else rho <= self.min_rho
        return Judged(met, f"rank correlation {show(rho)}, {self.text()} is asked")

    def text(self) -> str:
        return f"{'at least' if self.min_rho >= 0 else 'at most'} {show(self.min_rho)}"


class Slope(Rule):
    """A straight line through the numbers over ``x`` explains at least ``r2_min`` of their variance.

    x: position of each number; none means equal steps.
    """

    type: Literal["slope"] = "slope"
    r2_min: float = Field(gt=0, le=1)
    x: tuple[float, ...] | None = None
    shape: ClassVar[str] = "order"

    def judge(self, ours: Any, published: Any) -> Judged:
        values = np.asarray(ours, dtype=np.float64)
        if len(values) < 3 or np.ptp(values) == 0.0:
            return Judged(False, "a straight line needs three different numbers")
        r2 = float(np.corrcoef(values, np.arange(len(values)) if self.x is None else self.x)[0, 1] ** 2)
        return Judged(r2 >= self.r2_min, f"R² is {show(r2)}, at least {show(self.r2_min)} is asked")

    def text(self) -> str:
        return f"straight line, R² at least {show(self.r2_min)}"
