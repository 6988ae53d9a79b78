"""What a marking is to the packet engine: one function called by address for every packet that must wait."""

from __future__ import annotations

from footroom.component import Component
from footroom.kernel.hooks import Hook


class Marker(Component):
    """Base of the markings. A packet that finds its port idle finds an empty queue and is never marked."""

    def mark(self) -> Hook | None:
        """A ``footroom.kernel.hooks.policy_hook``: 1 to mark the arriving packet, 0 not to; none never marks."""
        return None

    def parameters(self) -> tuple[float, ...]:
        """What the compiled function finds in its parameter array."""
        return (0.0,)
