"""Rules by which our number is compared with a published one, each evaluated by machine."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from footroom.papers.comparison.assertions import AllOf, Ordering
from footroom.papers.comparison.bounds import AtLeast, AtMost, Between, RatioAtLeast, RatioAtMost
from footroom.papers.comparison.common import Judged, Rule, Value
from footroom.papers.comparison.trends import Correlation, Slope, Trend
from footroom.papers.comparison.within import Equal, Exact, Within

Kinds = (
    Within
    | Exact
    | Equal
    | AtMost
    | AtLeast
    | Between
    | RatioAtLeast
    | RatioAtMost
    | Ordering
    | AllOf
    | Trend
    | Correlation
    | Slope
)
AnyRule = Annotated[Kinds, Field(discriminator="type")]

__all__ = [
    "AllOf",
    "AnyRule",
    "AtLeast",
    "AtMost",
    "Between",
    "Correlation",
    "Equal",
    "Exact",
    "Judged",
    "Kinds",
    "Ordering",
    "RatioAtLeast",
    "RatioAtMost",
    "Rule",
    "Slope",
    "Trend",
    "Value",
    "Within",
]
