"""Scheduling: which queue of a port sends next."""

from typing import Annotated

from footroom.scheduling.fifo import Fifo
from footroom.registry import Registry

Kinds = Fifo
REGISTRY = Registry("scheduling", "Which queue of a port sends next", Kinds, planned=("strict_priority", "drr"))
Scheduling = Annotated[Kinds, REGISTRY.check()]

__all__ = ["REGISTRY", "Scheduling", "Fifo"]
