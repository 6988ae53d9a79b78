"""What a marking is to the packet engine: one function called by address for every packet that must wait."""

from __future__ import annotations

from typing import Any, ClassVar

from footroom.base.component import Component
from footroom.base.quantity import quantity
from footroom.kernel.hooks import Hook


def sample() -> Any:
    """The field of markings that says when a packet's queue is sampled."""
    return quantity(
        "arrival",
        "1",
        "When the queue is measured to mark a packet: arrival, when it arrives; departure, when it leaves for the "
        "link, counting what waits behind it, so that the mark is as recent as possible. Packets of senders without "
        "ECN are dropped instead of marked, always on arrival. The fluid uses what the equations of each congestion "
        "control use: departure for DCQCN, arrival for the others.",
        source="arrival: Floyd and Jacobson 1993, Zhu et al., SIGCOMM 2015, section 3.1; departure: Zhu et al., CoNEXT "
        "2016, section 5, alibaba-edu/High-Precision-Congestion-Control, switch-node.cc",
        advanced=True,
    )


class Marker(Component):
    """Base of the markings. A packet that finds its port idle finds an empty queue and is never marked.

    A packet that must not be marked is dropped instead (RFC 3168 §5), always on arrival: a packet that leaves the
    queue already has its memory and its turn on the link.
    """

    #: A marking is written for the packet engine; one that other engines support as well lists them.
    engines: ClassVar[tuple[str, ...]] = ("packet",)

    def late(self) -> bool:
        """Whether packets are marked as they leave their queue instead of on arrival."""
        return False

    def mark(self) -> Hook | None:
        """A ``footroom.kernel.hooks.policy_hook``: 1 to mark the arriving packet, 0 not to; none never marks."""
        return None

    def parameters(self) -> tuple[float, ...]:
        """The compiled function's parameter array."""
        return (0.0,)
