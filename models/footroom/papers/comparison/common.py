"""What every comparison rule has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.base.component import Document

#: What a measure gives: a number, several by name, or several in order.
Value = float | Mapping[str, float] | Sequence[float]


@dataclass(frozen=True)
class Judged:
    """Whether a rule holds, and the reason in words with numbers: by how much it is missed."""

    met: bool
    reason: str


class Rule(Document):
    """Base of the rules; ``shape`` says what its measure must give: number, names or order."""

    type: str
    shape: ClassVar[str] = "number"

    def judge(self, ours: Any, published: Any) -> Judged:
        """Compare. ``ours``: of this rule's shape; ``published``: as the paper's data have it."""
        raise NotImplementedError

    def accepted(self, published: Any) -> tuple[float, float] | None:
        """Least and greatest number that meets the rule, either may be infinite; none where the rule is not a range."""
        return None

    def text(self) -> str:
        """The rule in words, as short as a table needs."""
        raise NotImplementedError


def show(value: float) -> str:
    """A number as verdicts write it."""
    return f"{value:.4g}"


def range_reason(ours: float, low: float, high: float) -> Judged:
    """Judgement of a number against a closed range; either end may be infinite."""
    if ours < low:
        return Judged(False, f"{show(ours)} is {_by(low, ours)} below {show(low)}")
    if ours > high:
        return Judged(False, f"{show(ours)} is {_by(ours, high)} above {show(high)}")
    if low == -float("inf"):
        return Judged(True, f"{show(ours)} is at most {show(high)}")
    if high == float("inf"):
        return Judged(True, f"{show(ours)} is at least {show(low)}")
    return Judged(True, f"{show(ours)} lies within {show(low)} to {show(high)}")


def _by(greater: float, smaller: float) -> str:
    """Distance of two numbers: a factor where both are positive and far apart, else a difference."""
    if smaller > 0.0 and greater / smaller >= 2.0:
        return f"a factor {greater / smaller:.3g}"
    return show(greater - smaller)
