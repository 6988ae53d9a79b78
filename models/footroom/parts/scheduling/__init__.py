"""Scheduling: which queue of a port sends next."""

from typing import Annotated

from pydantic import Field

from footroom.base.registry import Registry
from footroom.parts.scheduling.drr import Drr
from footroom.parts.scheduling.fifo import Fifo
from footroom.parts.scheduling.scheduler import Scheduler
from footroom.parts.scheduling.strict_priority import StrictPriority

Kinds = Fifo | StrictPriority | Drr
REGISTRY = Registry("scheduling", "Which queue of a port sends next", Kinds)
Scheduling = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "Drr", "Fifo", "Scheduler", "Scheduling", "StrictPriority"]
