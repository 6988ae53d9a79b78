"""Where the fluid that follows every flow was found to hold, and where not.

Compared with the packet engine over 1 to 200 NewReno and CUBIC flows, bandwidth-delay products of 50 to 5000 packets,
buffers of 4 packets to twice that product, equal round trips and round trips spread by 20 % (``docs/fluid.md`` has the
table).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from footroom.engines.fluid.laws import Group
from footroom.engines.fluid.link import Link

#: Below so many packets utilisation comes out 3 to 8 points too high even where all round trips are equal.
FEWEST = 20.0
#: Times sqrt(bandwidth-delay product in packets): below it unpaced flows of unequal round trips lose far more.
COLLISION = 2.0
#: Mean window (packets) below which flows live from timeout to timeout.
SMALLEST_WINDOW = 4.0
#: The same (packets) below which flows with unequal round trips keep a longer queue, by 0.1 to 0.18 of the buffer.
WINDOW_OF_QUEUE = 12.0
#: Packets of buffer per flow below which a full buffer is often not quite full: delayed acknowledgements, whole
#: segments and bursts move every flow's share by about a packet. With equal round trips, and where they differ.
ROOM_PER_FLOW, ROOM_PER_UNEQUAL_FLOW = 3.0, 4.0

_QUEUE = ("queue_mean", "queue_p50")


def collision_limit(link: Link, groups: Sequence[Group]) -> float:
    """Buffer (packets) below which the bursts of unpaced flows with unequal round trips fill it."""
    flows = sum(group.count for group in groups)
    mean = sum(group.count * group.base for group in groups) / flows
    return COLLISION * math.sqrt(link.capacity * mean)


def outside(link: Link, groups: Sequence[Group], paced: bool, window: float, metrics: Iterable[str]) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that do not hold here. window: mean window found, packets."""
    why = _outside(link, groups, paced, window)
    if why:
        return dict.fromkeys(metrics, why)
    found: dict[str, str] = {}
    if sum(group.count for group in groups) == 1:
        found["drop_rate"] = (
            "One flow drops one to three packets in a cycle, and which is a matter of how its bursts "
            "fall: drop rates were 0.6 to 1.6 times those of packets."
        )
    flows = sum(group.count for group in groups)
    differ = len({group.base for group in groups}) > 1 and not paced
    room = ROOM_PER_UNEQUAL_FLOW if differ else ROOM_PER_FLOW
    if differ and window < WINDOW_OF_QUEUE:
        found |= dict.fromkeys(
            _QUEUE,
            f"The mean window is {window:.2g} packets. Below {WINDOW_OF_QUEUE:g} packets "
            "flows with different round trips keep the queue longer, by 0.1 to 0.18 of the buffer.",
        )
    elif flows > 1 and link.buffer < room * flows:
        found |= dict.fromkeys(
            _QUEUE,
            f"The buffer holds {link.buffer / flows:.2g} packets per flow. Below {room:g} a "
            "full buffer is seldom quite full: the queue was up to a third of the buffer shorter.",
        )
    return found


def _outside(link: Link, groups: Sequence[Group], paced: bool, window: float) -> str:
    """Why nothing of the answer holds here; empty where it does."""
    if link.buffer < FEWEST:
        return (
            f"The buffer holds {link.buffer:.3g} packets. Below {FEWEST:g} packets single bursts fill it, and "
            "flows lose more than this model says."
        )
    limit = collision_limit(link, groups)
    if len({group.base for group in groups}) > 1 and not paced and link.buffer < limit:
        return (
            f"Round trips differ and senders do not pace. Below 2·sqrt(BDP) = {limit:.0f} packets of buffer the "
            "bursts of such flows collide, and they lose far more throughput than this model says."
        )
    if window < SMALLEST_WINDOW:
        return (
            f"The mean window is {window:.2g} packets. Below {SMALLEST_WINDOW:g} packets losses end in timeouts, "
            "which this model counts only in part."
        )
    return ""
