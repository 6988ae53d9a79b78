"""What a sharing policy is to the packet engine: one function called by address for every packet that must wait."""

from __future__ import annotations

from typing import Any

from footroom.component import Component


class Policy(Component):
    """Base of the sharing policies. All of them keep the total within the memory; only a queue's own limit differs."""

    def limit(self) -> Any:
        """Compiled function of signature ``footroom.kernel.calls.POLICY``."""
        raise NotImplementedError

    def parameters(self) -> tuple[float, ...]:
        """What the compiled function finds in its parameter array."""
        return (0.0,)

    def lone_limit(self, pool: float, queues: int) -> float:
        """Most bytes one queue can hold when all others are empty; pool [B], queues sharing it [1]."""
        raise NotImplementedError
