"""Architecture: where a packet waits inside a switch."""

from typing import Annotated

from pydantic import Field

from footroom.architecture.shared_memory import SharedMemory
from footroom.architecture.voq import Voq
from footroom.registry import Registry

Kinds = SharedMemory | Voq
REGISTRY = Registry("architecture", "Where a packet waits inside a switch", Kinds)
Architecture = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "Architecture", "SharedMemory", "Voq"]
