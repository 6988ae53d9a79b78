"""Flow sizes: how many bytes a flow carries. A bare name means a measured distribution, a quantity a fixed size."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from footroom.base.quantity import SIZE
from footroom.base.registry import Registry
from footroom.parts.sizes.bounded_pareto import BoundedPareto
from footroom.parts.sizes.common import FlowSizes
from footroom.parts.sizes.empirical import Empirical, index
from footroom.parts.sizes.fixed import Fixed

Kinds = Empirical | Fixed | BoundedPareto
REGISTRY = Registry("sizes", "How many bytes a flow carries", Kinds)


def _shorthand(value: Any) -> Any:
    if isinstance(value, str):
        if value not in index() and SIZE.parse(value) is not None:
            return {"kind": "fixed", "size": value}
        return {"kind": "empirical", "name": value}
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {"kind": "fixed", "size": value}
    return value


Sizes = Annotated[
    Kinds,
    Field(discriminator="kind"),
    REGISTRY.check(),
    BeforeValidator(_shorthand, json_schema_input_type=Kinds | str | float),
]

__all__ = ["REGISTRY", "BoundedPareto", "Empirical", "Fixed", "FlowSizes", "Sizes", "index"]
