"""Comparisons among several of our own numbers."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from footroom.papers import expression
from footroom.papers.comparison.common import Judged, Rule


def _judge(texts: tuple[str, ...], ours: dict[str, float]) -> Judged:
    found = [link for text in texts for link in expression.links(text, ours)]
    broken = [link for link in found if not link.holds]
    if broken:
        return Judged(False, "does not hold: " + "; ".join(str(link) for link in broken))
    return Judged(True, "holds: " + "; ".join(str(link) for link in found))


class Ordering(Rule):
    """An assertion over named numbers: ``A > B > C``, ``p99_A > p99_C and p50_A <= 1.1 * p50_C``."""

    type: Literal["ordering", "consistency"] = "ordering"
    assertion: str
    shape: ClassVar[str] = "names"

    @field_validator("assertion")
    @classmethod
    def _readable(cls, text: str) -> str:
        expression.names_in(text)
        return text

    def judge(self, ours: Any, published: Any) -> Judged:
        return _judge((self.assertion,), ours)

    def text(self) -> str:
        return self.assertion


class AllOf(Rule):
    """Several assertions over named numbers, all of which must hold."""

    type: Literal["all_of"] = "all_of"
    of: tuple[str, ...] = Field(min_length=1)
    shape: ClassVar[str] = "names"

    @field_validator("of")
    @classmethod
    def _readable(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        for text in texts:
            expression.names_in(text)
        return texts

    def judge(self, ours: Any, published: Any) -> Judged:
        return _judge(self.of, ours)

    def text(self) -> str:
        return " and ".join(self.of)
