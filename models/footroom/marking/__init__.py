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

__all__ = ["REGISTRY", "Marker", "Marking", "NoMarking", "Pi", "Red", "Step"]
