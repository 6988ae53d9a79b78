"""Components: everything that may have one pending event, numbered range by range.

Events at one instant run in the order of range and then of index, because the ranges follow one another. Adding a
range, or changing its length, moves the numbers of those behind it but never their order: no trace changes.
"""

from __future__ import annotations

from typing import NamedTuple

from footroom.engines.plan import Plan
from footroom.kernel.tables import PAUSES


class Ranges(NamedTuple):
    """Number of the first component of every range, in order, and of all components together.

    The engine's state has a field of each name. Ports' transmitters come first, from number 0.
    """

    #: The oldest packet on the wire of each port.
    wires: int
    #: The timer of each flow.
    flow_timers: int
    #: The next flow that starts by itself: one component.
    flow_start: int
    #: When a pause of a port begins or ends: one for each of its classes, and one for the whole port.
    pause_timers: int
    #: When the switch at the far end of a port asks for such a pause again.
    refresh_timers: int
    #: The slot of each receiving host.
    receiver_slots: int
    #: The timer of each flow's law.
    law_timers: int
    components: int


def lay_out(plan: Plan, receivers: int = 0, law_timers: bool = False) -> Ranges:
    """The ranges of ``plan``. law_timers: whether any law uses them; ranges nobody uses are empty."""
    pausing = 0 if plan.lossless is None else PAUSES * plan.ports
    lengths = (plan.ports, plan.ports, plan.flows, 1, pausing, pausing, receivers, plan.flows if law_timers else 0)
    starts = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    return Ranges(*starts)
