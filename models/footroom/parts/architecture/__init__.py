"""Architecture: where a packet waits inside a switch."""

from typing import Annotated

from pydantic import Field

from footroom.base.registry import Registry
from footroom.parts.architecture.shared_memory import SharedMemory
from footroom.parts.architecture.voq import Voq

Kinds = SharedMemory | Voq
REGISTRY = Registry("architecture", "Where a packet waits inside a switch", Kinds)
Architecture = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "Architecture", "SharedMemory", "Voq"]
