"""Marking: when a switch signals congestion without dropping."""

from typing import Annotated

from pydantic import Field

from footroom.marking.none import NoMarking
from footroom.marking.red import Red
from footroom.registry import Registry

Kinds = NoMarking | Red
REGISTRY = Registry("marking", "When a switch signals congestion without dropping", Kinds, planned=("step",))
Marking = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "Marking", "NoMarking", "Red"]
