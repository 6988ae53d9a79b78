"""Where the averaged equations under a marking were found to hold, and where not.

Compared with the packet engine: 2 to 40 flows at 10 Gb/s, thresholds K of 5 to 150 packets, round trips of 0.1 and
0.5 ms (83 and 417 packets), equal and spread by 20 %, deep buffers and such of 20 to 120 packets (``docs/fluid.md`` has
the figures). Inside, utilisation was within 3 points and the mean queue within a fifth of that of packets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from footroom.base.written import count
from footroom.engines.fluid.laws import Cubic, Dctcp, Group, Reno
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.markings import Marking, Red, Step
from footroom.formulas.transfer.dctcp_sawtooth import COLLISION, FEWEST, SMALLEST_WINDOW, Sawtooth

#: The largest queue of this model's cycle, over K + n packets, at most.
LARGEST = 1.03
#: Flows below which the fluid's wider oscillation shows in the mean, and its amplitude in thresholds from there on.
FEWEST_FLOWS, WIDE = 5, 0.39
#: Mean window (packets) below which cuts of whole packets also leave the link idle, where a packet of each flow is more
#: than the threshold.
WHOLE_PACKETS = 4.0

_QUEUE = ("queue_mean", "queue_p50", "queue_p99")
_USE = ("utilisation", "throughput")


def outside(link: Link, groups: Sequence[Group], marking: Marking, paced: bool) -> dict[str, str]:
    """Metric to reason, where the answer does not hold; empty for other controls and markings."""
    marked = [group for group in groups if not group.drops]
    if isinstance(marking, Step) and any(isinstance(group.flows, (Reno, Cubic)) for group in marked):
        why = (
            "Under a step this model marks the packets of all flows at once and cuts NewReno and CUBIC for each of "
            "them, where flows are cut once per round trip: utilisation was 6 to 20 points below that of the packet "
            "simulation."
        )
        return dict.fromkeys((*_USE, *_QUEUE, "drop_rate"), why)
    if isinstance(marking, Red) and any(isinstance(group.flows, Dctcp) for group in marked):
        why = (
            "Under RED almost every window of DCTCP has a marked packet, where this model cuts in proportion to the "
            "marks: the queue and drops were up to 1.7 times those of the packet simulation."
        )
        return _lost_before_marked(link, groups, marking) | dict.fromkeys((*_QUEUE, "drop_rate"), why)
    if isinstance(marking, Red) and marking.maximum < FEWEST and marked:
        why = (
            f"RED marks every packet above a queue of {count(marking.maximum)} packets. Below {FEWEST:g} packets "
            "single bursts are marked: utilisation was 7 points above that of the packet simulation."
        )
        return dict.fromkeys((*_USE, *_QUEUE, "drop_rate"), why)
    if not isinstance(marking, Step) or not all(isinstance(group.flows, Dctcp) and not group.drops for group in groups):
        return {}
    flows = sum(group.count for group in groups)
    path = link.capacity * sum(group.count * group.base for group in groups) / flows
    # The largest queue of this model is within 3 % of K + n (docs/fluid.md).
    if link.buffer < LARGEST * (marking.threshold + flows):
        low = link.buffer <= marking.threshold
        why = (
            f"A buffer of {count(link.buffer)} packets fills before DCTCP's marks take hold (K + n = "
            f"{count(marking.threshold + flows)} packets), and this model cuts all flows together: drops were 0.6 to "
            "5 times those of the packet simulation" + (", utilisation up to 11 points lower." if low else ".")
        )
        return dict.fromkeys((*_QUEUE, "drop_rate", *(_USE if low else ())), why)
    if link.buffer < FEWEST:
        why = (
            f"The buffer holds {count(link.buffer)} packets. Below {FEWEST:g} packets single bursts fill it: the "
            "packet simulation lost up to 1 % where this model loses nothing."
        )
        return dict.fromkeys((*_USE, *_QUEUE, "drop_rate"), why)
    least = max(FEWEST, COLLISION * math.sqrt(path))
    window = (path + marking.threshold) / flows
    low, small = marking.threshold < least, window < SMALLEST_WINDOW
    spread = len({group.base for group in groups}) > 1 and not paced
    if low and (spread or small):
        why = f"The threshold is {count(marking.threshold)} packets. Below {least:.0f} packets the bursts of flows " + (
            "with different round trips collide above it: up to 44 points more utilisation than the packet simulation."
            if spread
            else f"with windows of {window:.2g} packets are marked: 3 to 8 points more than the packet simulation."
        )
        return dict.fromkeys((*_USE, *_QUEUE), why)
    if low:
        why = (
            f"The threshold is {count(marking.threshold)} packets. Below {least:.0f} packets bursts make the queue, "
            "which was 0.4 to 2.3 times that of the packet simulation."
        )
        return dict.fromkeys(_QUEUE, why)
    if flows < FEWEST_FLOWS and Sawtooth(path, marking.threshold, flows, 1.0).amplitude > WIDE * marking.threshold:
        why = (
            f"Fewer than {FEWEST_FLOWS} flows over a threshold of {count(marking.threshold)} packets: this model "
            "cuts bit by bit while marks arrive, for two round trips and more, and oscillates more widely than the "
            "packet simulation. The mean queue was up to 0.13 of the threshold shorter."
        )
        return dict.fromkeys(_QUEUE, why)
    if small:
        why = (
            f"Windows are {window:.2g} packets. Below {SMALLEST_WINDOW:g} packets cuts come in whole packets: the "
            "mean queue was up to 1.5 times that of the packet simulation."
        )
        if window < WHOLE_PACKETS and flows > marking.threshold:
            why += " Utilisation was up to 4 points above it."
            return dict.fromkeys((*_USE, *_QUEUE), why)
        return dict.fromkeys(_QUEUE, why)
    return {}


def _lost_before_marked(link: Link, groups: Sequence[Group], marking: Red) -> dict[str, str]:
    """Utilisation of DCTCP where the buffer is full before RED marks a packet of every window."""
    flows = sum(group.count for group in groups)
    window = link.capacity * sum(group.count * group.base for group in groups) / flows + link.buffer
    share = (link.buffer - marking.minimum) * marking.top / (marking.maximum - marking.minimum)
    if link.buffer > marking.maximum or share * window / flows >= 1.0:
        return {}
    why = (
        f"RED marks {max(share, 0.0):.2g} of the packets where the buffer is full, less than one of a window of "
        f"{window / flows:.3g}: losses govern DCTCP, and this model cuts all flows together. Utilisation was 7 to 11 "
        "points below that of the packet simulation."
    )
    return dict.fromkeys(_USE, why)
