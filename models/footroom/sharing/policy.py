"""What a sharing policy is to the packet engine: one function called by address for every packet that must wait."""

from __future__ import annotations

from footroom.component import Component
from footroom.kernel.hooks import Hook


class Policy(Component):
    """Base of the sharing policies. All of them keep the total within the memory; only a queue's own limit differs."""

    def limit(self) -> Hook:
        """The limit of one queue, a ``footroom.kernel.hooks.policy_hook``."""
        raise NotImplementedError

    def parameters(self) -> tuple[float, ...]:
        """What the compiled function finds in its parameter array."""
        return (0.0,)

    def lone_limit(self, pool: float, queues: int) -> float:
        """Most bytes one queue can hold when all others are empty; pool [B], queues sharing it [1]."""
        raise NotImplementedError
