"""What a scheduler is to the packet engine: a hook called by address where several classes share a port."""

from __future__ import annotations

from typing import ClassVar

from footroom.base.component import Component
from footroom.kernel.hooks import Hook

#: Most classes of a port.
CLASSES = 8


class Scheduler(Component):
    """Base of the kinds of scheduling. Line cards of one class take turns, whatever the kind."""

    #: A scheduler is written for the packet engine; one that other engines support as well lists them.
    engines: ClassVar[tuple[str, ...]] = ("packet",)
    #: Whether the choice depends on the size of the next packet of each class.
    sized: ClassVar[bool] = False

    def choose(self) -> Hook | None:
        """A ``footroom.kernel.hooks.scheduler_hook`` that answers the class that sends next; none for one class only.

        ``row(port).eligible`` has bit k set where class k has packets and may be sent; at least one bit is set.
        ``row(port).emptied`` has it set where its queue has run empty since the last choice, refilled or not. Where
        ``sized``, ``row(port).heads[k]`` is the size of the next packet of every eligible class k [B].
        """
        return None

    def ranked_from(self) -> int:
        """The lowest class whose packets never wait for those of lower classes, but for the one under way."""
        return CLASSES

    def parameters(self) -> tuple[float, ...]:
        """The hook's parameter array."""
        return (0.0,)

    def scratch(self) -> int:
        """Float64 words of the scheduler's own memory per port; they begin as 0."""
        return 0
