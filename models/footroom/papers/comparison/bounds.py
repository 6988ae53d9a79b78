"""Rules that compare with a limit."""

from __future__ import annotations

import math
from typing import Any, Literal

from pydantic import Field, model_validator

from footroom.papers.comparison.common import Judged, Rule, range_reason, show


class AtMost(Rule):
    """Not above ``value``."""

    type: Literal["at_most"] = "at_most"
    value: float

    def accepted(self, published: Any) -> tuple[float, float] | None:
        return -math.inf, self.value

    def judge(self, ours: Any, published: Any) -> Judged:
        return range_reason(float(ours), -math.inf, self.value)

    def text(self) -> str:
        return f"at most {show(self.value)}"


class AtLeast(Rule):
    """Not below ``value``."""

    type: Literal["at_least"] = "at_least"
    value: float

    def accepted(self, published: Any) -> tuple[float, float] | None:
        return self.value, math.inf

    def judge(self, ours: Any, published: Any) -> Judged:
        return range_reason(float(ours), self.value, math.inf)

    def text(self) -> str:
        return f"at least {show(self.value)}"


class Between(Rule):
    """From ``low`` to ``high``, both included."""

    type: Literal["between"] = "between"
    low: float
    high: float

    @model_validator(mode="after")
    def _ordered(self) -> Between:
        if self.low > self.high:
            raise ValueError("low must not exceed high")
        return self

    def accepted(self, published: Any) -> tuple[float, float] | None:
        return self.low, self.high

    def judge(self, ours: Any, published: Any) -> Judged:
        return range_reason(float(ours), self.low, self.high)

    def text(self) -> str:
        return f"from {show(self.low)} to {show(self.high)}"


class RatioAtLeast(Rule):
    """A ratio of two of ours that is not below ``min_ratio``."""

    type: Literal["ratio_at_least"] = "ratio_at_least"
    min_ratio: float = Field(gt=0)

    def accepted(self, published: Any) -> tuple[float, float] | None:
        return self.min_ratio, math.inf

    def judge(self, ours: Any, published: Any) -> Judged:
        return range_reason(float(ours), self.min_ratio, math.inf)

    def text(self) -> str:
        return f"ratio at least {show(self.min_ratio)}"


class RatioAtMost(Rule):
    """A ratio of two of ours that is not above ``max_ratio``."""

    type: Literal["ratio_at_most"] = "ratio_at_most"
    max_ratio: float = Field(gt=0)

    def accepted(self, published: Any) -> tuple[float, float] | None:
        return -math.inf, self.max_ratio

    def judge(self, ours: Any, published: Any) -> Judged:
        return range_reason(float(ours), -math.inf, self.max_ratio)

    def text(self) -> str:
        return f"ratio at most {show(self.max_ratio)}"
