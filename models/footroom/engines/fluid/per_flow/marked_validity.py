"""Where the fluid that follows every flow was found to hold under marks, and where not.

Compared with the packet engine over 120 random paths of 1 to 250 NewReno and CUBIC flows under RED, 20 Mb/s to 1 Gb/s,
10 to 6000 packets of path, Kmin of 2 to 60 % of it, with and without an average and ECN (``docs/fluid.md``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from footroom.base.written import count
from footroom.engines.fluid.laws import Group
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.markings import Marking, Red, Step
from footroom.engines.fluid.per_flow import validity

#: Queue (packets) up to which a single burst is marked, or dropped, that no fluid has.
FEWEST = 20.0
#: Mean window (packets) below which cuts come in whole packets.
SMALLEST_WINDOW = 8.0
#: Share of the buffer that the queue's 99th percentile reaches where bursts overflow it now and then.
NEARLY_FULL = 0.9
#: Paced flows under a step from so many on, up to so many products of threshold; under RED the limits of drop-tail.
FEWEST_PACED, PACED_STEP = 4, 1.5


def outside(
    link: Link,
    groups: Sequence[Group],
    marking: Marking,
    paced: bool,
    window: float,
    metrics: Iterable[str],
    rows: int,
    top: float,
) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that do not hold here. window: mean window found, packets.
    rows: windows followed.  top: 99th percentile of the queue, packets.
    """
    if why := validity.too_few_windows(link, groups, rows):
        return dict.fromkeys(metrics, why)
    found = _marked(link, groups, marking, paced, window, metrics)
    if paced:
        found = _mixed(link, groups, marking) | found
    if top >= NEARLY_FULL * link.buffer and not any(group.drops for group in groups):
        why = (
            f"Marks keep the queue just below the buffer of {count(link.buffer)} packets, and what bursts lose there "
            "is left out: drop rates in the packet simulation were up to 7 times this."
        )
        found = {"drop_rate": why} | found
    return found


def _mixed(link: Link, groups: Sequence[Group], marking: Marking) -> dict[str, str]:
    """Paced flows, whose packets are so evenly mixed that marks reach nearly all of them at once."""
    flows = sum(group.count for group in groups)
    path = link.capacity * sum(group.count * group.base for group in groups) / flows
    if isinstance(marking, Step):
        within = flows >= FEWEST_PACED and marking.threshold < PACED_STEP * path
    else:
        assert isinstance(marking, Red)
        within = flows > validity.MOST_PACED and marking.minimum < validity.PACED_BUFFER * path
    if not within:
        return {}
    why = (
        f"{flows:g} flows pace: their packets are so evenly mixed that marks reach nearly all of them at once, where "
        "this model marks at random. Utilisation was 2 to 7 points above that of the packet simulation."
    )
    return dict.fromkeys(("utilisation", "throughput"), why)


def _marked(
    link: Link, groups: Sequence[Group], marking: Marking, paced: bool, window: float, metrics: Iterable[str]
) -> dict[str, str]:
    assert isinstance(marking, Red | Step)  # the only ones that are followed
    first = marking.minimum if isinstance(marking, Red) else marking.threshold
    last = marking.maximum if isinstance(marking, Red) else marking.threshold
    if min(last, link.buffer) < FEWEST:
        why = (
            f"Every packet is marked above {count(min(last, link.buffer))} packets of queue. Below {FEWEST:g} packets "
            "single bursts are marked: utilisation was up to 15 points above that of the packet simulation."
        )
        return dict.fromkeys(metrics, why)
    if (
        len({group.base for group in groups}) > 1
        and not paced
        and first < (limit := validity.collision_limit(link, groups))
    ):
        why = (
            f"Round trips differ, senders do not pace, and marks begin at {count(first)} packets of queue. Below "
            f"{validity.collision_factor(groups):g}·sqrt(BDP) = {limit:.0f} packets the bursts of such flows collide "
            "and are marked: utilisation was up to 12 points above that of the packet simulation."
        )
        return dict.fromkeys(metrics, why)
    if window < SMALLEST_WINDOW:
        why = (
            f"The mean window is {window:.2g} packets. Below {SMALLEST_WINDOW:g} packets cuts come in whole packets: "
            "utilisation was up to 12 points above that of the packet simulation."
        )
        return dict.fromkeys(metrics, why)
    return {}
