"""What an architecture is to the engines: how many memories a switch has, and what a queue may hold in any case."""

from __future__ import annotations

from typing import ClassVar

from footroom.base.component import Component


class Layout(Component):
    """Base of the architectures."""

    #: An architecture is written for the packet engine; one that other engines support as well lists them.
    engines: ClassVar[tuple[str, ...]] = ("packet",)

    def line_cards(self) -> int:
        """Ingress line cards of a switch, each with a memory of its own; a shared memory is like one card."""
        return 1

    def queue_limits(self) -> tuple[int | None, int | None]:
        """Most packets and most bytes of one queue, whatever the sharing policy says; none where there is no limit."""
        return None, None
