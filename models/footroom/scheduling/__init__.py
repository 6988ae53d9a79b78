"""Scheduling: which queue of a port sends next."""

from typing import Annotated

from footroom.registry import Registry
from footroom.scheduling.fifo import Fifo

Kinds = Fifo
REGISTRY = Registry("scheduling", "Which queue of a port sends next", Kinds, planned=("strict_priority", "drr"))
Scheduling = Annotated[Kinds, REGISTRY.check()]

__all__ = ["REGISTRY", "Fifo", "Scheduling"]
