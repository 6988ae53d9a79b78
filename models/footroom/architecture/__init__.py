"""Architecture: where a packet waits inside a switch."""

from typing import Annotated

from footroom.architecture.shared_memory import SharedMemory
from footroom.registry import Registry

Kinds = SharedMemory
REGISTRY = Registry("architecture", "Where a packet waits inside a switch", Kinds, planned=("voq",))
Architecture = Annotated[Kinds, REGISTRY.check()]

__all__ = ["REGISTRY", "Architecture", "SharedMemory"]
