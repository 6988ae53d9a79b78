"""What a target measures, as its data say: a number, a named measure of some cases, a formula, or several of these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ConfigDict, Field, model_validator

from footroom.base.component import Document
from footroom.papers import expression
from footroom.papers.measures.registry import MEASURES


class Leaf(Document):
    """A named measure of cases. ``cases``: patterns such as ``B/*``; ``experiment``: the target's own unless given."""

    model_config = ConfigDict(populate_by_name=True)

    measure: str
    cases: tuple[str, ...] = Field(min_length=1)
    experiment: str = ""
    given: dict[str, Any] = Field(default_factory=dict, alias="with")

    @model_validator(mode="after")
    def _known(self) -> Leaf:
        if self.measure not in MEASURES:
            raise ValueError(f"no measure {self.measure!r}; known are {', '.join(MEASURES)}")
        try:
            MEASURES[self.measure].check(self.given)
        except TypeError as error:
            raise ValueError(f"{self.measure}: {error}") from None
        return self


class Formula(Document):
    """Arithmetic over named parts."""

    formula: str
    of: dict[str, Spec]

    @model_validator(mode="after")
    def _complete(self) -> Formula:
        missing = expression.names_in(self.formula) - self.of.keys()
        if missing:
            raise ValueError(f"{self.formula!r} needs {', '.join(sorted(missing))}")
        return self


class Each(Document):
    """Several numbers by name."""

    each: dict[str, Spec] = Field(min_length=1)


class Order(Document):
    """Several numbers in order."""

    order: tuple[Spec, ...] = Field(min_length=2)


Spec = float | Leaf | Formula | Each | Order

Formula.model_rebuild()
Each.model_rebuild()
Order.model_rebuild()


def leaves(spec: Spec) -> Iterator[Leaf]:
    """All measures in ``spec``."""
    if isinstance(spec, Leaf):
        yield spec
    elif isinstance(spec, Order):
        for part in spec.order:
            yield from leaves(part)
    elif not isinstance(spec, float):
        for part in (spec.of if isinstance(spec, Formula) else spec.each).values():
            yield from leaves(part)
