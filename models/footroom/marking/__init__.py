"""Marking: when a switch signals congestion without dropping."""

from typing import Annotated

from pydantic import Field

from footroom.marking.marker import Marker
from footroom.marking.none import NoMarking
from footroom.marking.pi import Pi
from footroom.marking.red import Red
from footroom.marking.step import Step
from footroom.registry import Registry

Kinds = NoMarking | Step | Red | Pi
REGISTRY = Registry("marking", "When a switch signals congestion without dropping", Kinds)
Marking = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

#: Parameters of markings that are lengths of a queue, which a scenario may give as a number of full packets.
SIZES = frozenset(name for kind in REGISTRY for name, field in kind.model_fields.items()
                  if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("unit") == "B")

__all__ = ["REGISTRY", "SIZES", "Marker", "Marking", "NoMarking", "Pi", "Red", "Step"]
