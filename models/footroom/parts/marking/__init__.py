"""Marking: when a switch signals congestion without dropping."""

from typing import Annotated

from pydantic import Field

from footroom.base.registry import Registry
from footroom.parts.marking.marker import Marker
from footroom.parts.marking.none import NoMarking
from footroom.parts.marking.pi import Pi
from footroom.parts.marking.red import Red
from footroom.parts.marking.step import Step

Kinds = NoMarking | Step | Red | Pi
REGISTRY = Registry("marking", "When a switch signals congestion without dropping", Kinds)
Marking = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

#: Parameters of markings that are lengths of a queue, which a scenario may give as a number of full packets.
SIZES = frozenset(
    name
    for kind in REGISTRY
    for name, field in kind.model_fields.items()
    if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("unit") == "B"
)

__all__ = ["REGISTRY", "SIZES", "Marker", "Marking", "NoMarking", "Pi", "Red", "Step"]
