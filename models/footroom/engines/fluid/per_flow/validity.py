"""Where the fluid that follows every flow was found to hold, and where not.

Compared with the packet engine over 1 to 200 NewReno and CUBIC flows, bandwidth-delay products of 50 to 5000 packets,
buffers of 4 packets to twice that product, equal round trips and round trips spread by 20 % (``docs/fluid.md`` has the
table). Where bursts of unpaced flows meet is said by ``scenario.collisions``, for every model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from footroom.base.written import count
from footroom.engines.fluid.laws import Cubic, Group
from footroom.engines.fluid.link import Link

#: Below so many packets utilisation comes out 3 to 8 points too high even where all round trips are equal.
FEWEST = 20.0
#: Mean window (packets) below which flows live from timeout to timeout.
SMALLEST_WINDOW = 4.0
#: The same (packets) below which flows with unequal round trips keep a longer queue, by 0.1 to 0.18 of the buffer.
WINDOW_OF_QUEUE = 12.0
#: Packets of buffer per flow below which a full buffer is often not quite full: delayed acknowledgements, whole
#: segments and bursts move every flow's share by about a packet. With equal round trips, and where they differ.
ROOM_PER_FLOW, ROOM_PER_UNEQUAL_FLOW = 3.0, 4.0

#: Mean window (packets) below which a part of the losses ends in timeouts: drop rates were up to 1.5 times those of
#: packets.
WINDOW_OF_DROPS = 7.0
#: Flows of equal round trips stay in step after losing together: fewer than so many in buffers below this share of the
#: path's packets, or any number in buffers of fewer packets than flows.
MANY_IN_STEP, IN_STEP = 20, 0.15
#: Factor of the Gaussian bound on utilisation, and the loss of it allowed where one window represents several flows.
GAUSSIAN, MOST_BY_SHARING = 1.8371, 0.02
#: Packets of buffer per flow and packet of an acknowledgement below which paced flows keep a shorter queue.
ROOM_PER_PACED_FLOW = 4.0
#: Packets of buffer, for each that the queue of packets stays short of it where few flows share it: a burst, what the
#: windows lack of whole packets, and the one that did not fit.
ROOM_OF_BURST, SHORT_OF_FULL = 10.0, 2.0
#: The same for utilisation, where an acknowledgement covers so many packets or more.
ROOM_OF_LONG_BURST, LONG_BURST = 6.0, 3
#: Paced flows above which an overflow hits more of them than at random, in buffers below this share of the product.
MOST_PACED, PACED_BUFFER = 10, 0.3
#: Unpaced flows of different round trips above which losses of packets are spread over time, where a burst raises the
#: queue by so many packets, and the share of the link from which utilisation cannot be more than three points too low.
MOST_TOGETHER, HEIGHT_OF_TOGETHER, NEARLY_ALL = 100, 1.9, 0.97
#: The same where round trips differ by no more than such a part of their middle, either way.
CLOSE, MOST_OF_CLOSE = 0.1, 40
#: Flows of CUBIC below which an overflow drops one to a few packets, as its bursts fall.
FEWEST_CUBIC = 4
#: Packets of buffer in which a few packets of a burst move a lone CUBIC flow along its plateau; the same per flow where
#: round trips differ, and for any number of them.
ROOM_OF_CUBIC, ROOM_PER_CUBIC_FLOW, ROOM_OF_MANY_CUBIC = 48.0, 16.0, 160.0

_QUEUE = ("queue_mean", "queue_p50")
_USED = ("utilisation", "throughput")


@dataclass(frozen=True)
class Senders:
    """What the senders of all flows do. paced: whether all pace.  every: most packets that an acknowledgement covers.
    height: packets by which a burst raises the queue, on average over flows.
    """

    paced: bool
    every: int
    height: float


def too_few_windows(link: Link, groups: Sequence[Group], rows: int) -> str:
    """Why ``rows`` windows do not represent all flows; empty where they do.

    Flows that share a window are cut together, so the sum of windows scatters as that of ``rows`` flows. That costs
    the difference of the Gaussian bounds erf(1.8371 b sqrt(n)/(1 + b)) on utilisation, b the buffer in products
    (Appenzeller, Keslassy and McKeown, SIGCOMM 2004, section 3).
    """
    flows = sum(group.count for group in groups)
    ratio = link.buffer / (link.capacity * sum(group.count * group.base for group in groups) / flows)
    used = [math.erf(GAUSSIAN * ratio / (1.0 + ratio) * math.sqrt(n)) for n in (rows, flows)]
    if used[1] - used[0] <= MOST_BY_SHARING:
        return ""
    return (
        f"{rows} windows stand for {flows:g} flows and are cut as whole windows, so the queue of this model scatters "
        f"more: utilisation may be {100.0 * (used[1] - used[0]):.2g} points too low."
    )


def outside(
    link: Link, groups: Sequence[Group], senders: Senders, window: float, metrics: Iterable[str], rows: int, used: float
) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that do not hold here. window: mean window found, packets.
    rows: windows followed.  used: utilisation found.
    """
    why = _outside(link, window) or too_few_windows(link, groups, rows)
    if why:
        return dict.fromkeys(metrics, why)
    found: dict[str, str] = {}
    paced = senders.paced
    if sum(group.count for group in groups) == 1:
        found["drop_rate"] = (
            "One flow drops one to three packets in a cycle, depending on how its bursts fall: drop rates were 0.6 "
            "to 1.6 times those of the packet simulation."
        )
    flows = sum(group.count for group in groups)
    if 1 < flows < FEWEST_CUBIC and all(isinstance(group.flows, Cubic) for group in groups):
        found["drop_rate"] = (
            f"Fewer than {FEWEST_CUBIC} CUBIC flows drop one to a few packets in an overflow, as their bursts fall: "
            "drop rates were 0.6 to 1.2 times those of the packet simulation."
        )
    elif window < WINDOW_OF_DROPS:
        found["drop_rate"] = (
            f"The mean window is {window:.2g} packets. Below {WINDOW_OF_DROPS:g} packets a part of the losses ends "
            "in timeouts: drop rates were up to 1.5 times those of the packet simulation."
        )
    differ = len({group.base for group in groups}) > 1 and not paced
    path = link.capacity * sum(group.count * group.base for group in groups) / flows
    in_step = link.buffer < IN_STEP * path and flows < MANY_IN_STEP
    if flows > 1 and not paced and len({group.base for group in groups}) == 1 and (in_step or link.buffer < flows):
        found |= dict.fromkeys(
            _USED,
            f"Round trips are equal, and {flows:g} flows share a buffer of {count(link.buffer)} packets: those that "
            "lost together stay in step, which this model leaves to chance. Utilisation was up to 5 points off.",
        )
        if link.buffer < flows:
            found["drop_rate"] = (
                f"Round trips are equal, and {flows:g} flows share a buffer of {count(link.buffer)} packets: those "
                "that lost together stay in step, which this model leaves to chance. This drop rate was 0.7 to 1.7 "
                "times that of the packet simulation."
            )
    if paced and flows > MOST_PACED and link.buffer < PACED_BUFFER * path:
        found |= dict.fromkeys(
            _USED,
            f"More than {MOST_PACED} paced flows over a buffer below {PACED_BUFFER:g} bandwidth-delay products: "
            "their packets are so evenly mixed that an overflow hits nearly all of them at once, and this model "
            "hits them at random. Utilisation was 1 to 5 points above that of the packet simulation; theory was "
            "within 1.",
        )
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
    if differ and flows > _most_together(groups, senders.height):
        found = _together(flows, link, used) | found
    short = _short_of_full(link, flows, senders, window) | _long_bursts(link, flows, senders)
    return _of_cubic(link, groups) | short | found


def _most_together(groups: Sequence[Group], height: float) -> float:
    """Flows above which it matters that bursts hit fewer of them at an overflow than this model does.

    That makes packets use more of the link, and that the queue varies within a round trip makes them use less: by
    path/sqrt(n) packets (``scenario.unpaced``), less where round trips are nearly equal. So the effects are equal for a
    number of flows that falls as the square of the first.
    """
    bases = [group.base for group in groups]
    most = MOST_OF_CLOSE if max(bases) - min(bases) <= CLOSE * (max(bases) + min(bases)) else MOST_TOGETHER
    if height <= 1.0:
        return most
    return most * min(1.0, (_spared(HEIGHT_OF_TOGETHER) / _spared(height)) ** 2)


def _spared(height: float) -> float:
    """Share that bursts spare of the many flows that one packet lost for each would hit (``burst_losses``)."""
    return 1.0 - math.expm1(-2.0 / (height + 1.0)) / math.expm1(-1.0)


def _short_of_full(link: Link, flows: float, senders: Senders, window: float) -> dict[str, str]:
    """Queues of packets that stay below those of this model, which fills a buffer to the last packet."""
    short = max(senders.every, 2) + SHORT_OF_FULL
    if window < WINDOW_OF_DROPS:
        why = (
            f"The mean window is {window:.2g} packets. Below {WINDOW_OF_DROPS:g} packets flows wait for timeouts: the "
            "queue was up to 0.15 of the buffer shorter."
        )
    elif flows > 1 and link.buffer < ROOM_OF_BURST * short:
        why = (
            f"The buffer holds {count(link.buffer)} packets. The queue in the packet simulation stays short of it by a "
            f"burst and a few packets more, about {short:g}: below {ROOM_OF_BURST * short:g} packets it was up to 0.2 "
            "of the buffer shorter."
        )
    elif flows > 1 and senders.paced and link.buffer < (room := ROOM_PER_PACED_FLOW * senders.every) * flows:
        why = (
            f"The buffer holds {link.buffer / flows:.2g} packets per flow. Paced flows whose receivers acknowledge "
            f"every {senders.every} packets fall behind after a cut, as their pace follows a mean of past round trips: "
            f"below {room:g} packets per flow the queue was up to 0.22 of the buffer shorter."
        )
    else:
        return {}
    return dict.fromkeys(_QUEUE, why)


def _long_bursts(link: Link, flows: float, senders: Senders) -> dict[str, str]:
    """Buffers of which bursts of three packets and more leave too little."""
    room = ROOM_OF_LONG_BURST * (senders.every + SHORT_OF_FULL)
    if flows < 2 or senders.paced or senders.every < LONG_BURST or link.buffer >= room:
        return {}
    why = (
        f"Bursts of {senders.every} packets and more meet in a buffer of {count(link.buffer)}: below {room:g} packets "
        "utilisation was up to 4 points above that of the packet simulation."
    )
    return dict.fromkeys(_USED, why)


def _together(flows: float, link: Link, used: float) -> dict[str, str]:
    """Many flows that this model lets lose together at every overflow, though their packets arrive by chance."""
    why = (
        f"{flows:g} flows over different round trips share a buffer of {count(link.buffer)} packets. Here they lose "
        "nothing until it is full and then lose together; in the packet simulation it overflows by chance, and losses "
        "are spread over time. Its utilisation was 4 points lower to "
        "5 points higher, its mean queue up to 0.2 of the buffer longer."
    )
    return dict.fromkeys((*_QUEUE, *(_USED if used < NEARLY_ALL else ())), why)


def _of_cubic(link: Link, groups: Sequence[Group]) -> dict[str, str]:
    """Queues that the bursts of CUBIC flows shorten, beyond the effect of bursts on every control.

    Near its plateau CUBIC grows by less than a packet in a round trip, so that a buffer that overflows a few packets
    early cuts a flow long before.
    """
    if not all(isinstance(group.flows, Cubic) for group in groups):
        return {}
    flows, differ = sum(group.count for group in groups), len({group.base for group in groups}) > 1
    found: dict[str, str] = {}
    if flows == 1 and link.buffer < ROOM_OF_CUBIC:
        found |= dict.fromkeys(
            _QUEUE,
            f"The buffer holds {count(link.buffer)} packets. Below {ROOM_OF_CUBIC:g} a burst of two or three overflows "
            "it while a lone CUBIC flow is on its plateau: the queue was up to 0.18 of the buffer shorter.",
        )
    few = min(ROOM_PER_CUBIC_FLOW * flows, ROOM_OF_MANY_CUBIC)
    if flows > 1 and differ and link.buffer < few:
        found |= dict.fromkeys(
            _QUEUE,
            f"Round trips differ, and {flows:g} CUBIC flows share a buffer of {count(link.buffer)} packets. Below "
            f"{few:g} bursts overflow it while flows are on their plateaus: the queue was up to 0.17 of the buffer "
            "shorter.",
        )
    return found


def _outside(link: Link, window: float) -> str:
    """Why nothing of the answer holds here; empty where it does."""
    if link.buffer < FEWEST:
        return (
            f"The buffer holds {count(link.buffer)} packets. Below {FEWEST:g} packets single bursts fill it, and "
            "flows lose more than this model says."
        )
    if window < SMALLEST_WINDOW:
        return (
            f"The mean window is {window:.2g} packets. Below {SMALLEST_WINDOW:g} packets losses end in timeouts, "
            "which this model counts only in part."
        )
    return ""
