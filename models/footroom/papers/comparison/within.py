"""Rules that compare with a published number."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from footroom.papers.comparison.common import Judged, Rule, range_reason, show


class Within(Rule):
    """Within a relative or absolute distance, or a factor, of the published number; one of the three is given."""

    type: Literal["within"] = "within"
    relative: float | None = Field(default=None, gt=0)
    absolute: float | None = Field(default=None, gt=0)
    factor: float | None = Field(default=None, gt=1)

    @model_validator(mode="after")
    def _one(self) -> Within:
        if sum(given is not None for given in (self.relative, self.absolute, self.factor)) != 1:
            raise ValueError("give one of relative, absolute and factor")
        return self

    def bounds(self, published: float) -> tuple[float, float]:
        """Least and greatest number that agrees with ``published``."""
        if self.factor is not None:
            return published / self.factor, published * self.factor
        slack = self.absolute if self.absolute is not None else abs(published) * (self.relative or 0.0)
        return published - slack, published + slack

    def accepted(self, published: Any) -> tuple[float, float] | None:
        return self.bounds(float(published))

    def judge(self, ours: Any, published: Any) -> Judged:
        return range_reason(float(ours), *self.bounds(float(published)))

    def text(self) -> str:
        if self.factor is not None:
            return f"within a factor {show(self.factor)}"
        if self.absolute is not None:
            return f"within ±{show(self.absolute)}"
        return f"within ±{100.0 * (self.relative or 0.0):.3g} %"


class Exact(Rule):
    """The published number, or numbers by name, to within ``tolerance``."""

    type: Literal["exact"] = "exact"
    tolerance: float = Field(default=0.0, ge=0)

    def accepted(self, published: Any) -> tuple[float, float] | None:
        if isinstance(published, dict):
            return None
        return float(published) - self.tolerance, float(published) + self.tolerance

    def judge(self, ours: Any, published: Any) -> Judged:
        wanted = published if isinstance(published, dict) else {"": published}
        found = ours if isinstance(ours, dict) else {"": ours}
        if wanted.keys() != found.keys():
            return Judged(False, f"found {', '.join(found)} where {', '.join(wanted)} are published")
        wrong = [
            f"{name} {show(found[name])} instead of {show(value)}".strip()
            for name, value in wanted.items()
            if abs(found[name] - value) > self.tolerance
        ]
        return Judged(False, "; ".join(wrong)) if wrong else Judged(True, "the same")

    def text(self) -> str:
        return f"equal to ±{show(self.tolerance)}" if self.tolerance else "equal"


class Equal(Rule):
    """A number given by the rule, to within ``tolerance``; a flag is 0 or 1."""

    type: Literal["equal", "arithmetic"] = "equal"
    value: float
    tolerance: float = Field(default=0.0, ge=0)

    def accepted(self, published: Any) -> tuple[float, float] | None:
        return self.value - self.tolerance, self.value + self.tolerance

    def judge(self, ours: Any, published: Any) -> Judged:
        gap = abs(float(ours) - self.value)
        if gap <= self.tolerance:
            return Judged(True, f"{show(float(ours))} is {show(self.value)} within {show(self.tolerance)}")
        return Judged(False, f"{show(float(ours))} differs from {show(self.value)} by {show(gap)}")

    def text(self) -> str:
        return f"{show(self.value)} ± {show(self.tolerance)}" if self.tolerance else f"equal to {show(self.value)}"
