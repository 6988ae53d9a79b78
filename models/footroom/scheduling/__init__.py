"""Scheduling: which queue of a port sends next."""

from typing import Annotated

from pydantic import Field

from footroom.registry import Registry
from footroom.scheduling.drr import Drr
from footroom.scheduling.fifo import Fifo
from footroom.scheduling.scheduler import Scheduler
from footroom.scheduling.strict_priority import StrictPriority

Kinds = Fifo | StrictPriority | Drr
REGISTRY = Registry("scheduling", "Which queue of a port sends next", Kinds)
Scheduling = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "Drr", "Fifo", "Scheduler", "Scheduling", "StrictPriority"]
