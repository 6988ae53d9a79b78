"""Where the fluid that follows every flow was found to hold under marks, and where not.

Compared with the packet engine over 120 random paths of 1 to 250 NewReno and CUBIC flows under RED, 20 Mb/s to 1 Gb/s,
10 to 6000 packets of path, Kmin of 2 to 60 % of it, with and without an average and ECN (``docs/fluid.md``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from footroom.base.written import count
from footroom.engines.fluid.laws import Cubic, Group, Reno
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.markings import Marking, Red, Step
from footroom.engines.fluid.per_flow import validity

#: Queue (packets) up to which a single burst is marked, or dropped, that no fluid has.
FEWEST = 20.0
#: Mean window (packets) below which cuts come in whole packets.
SMALLEST_WINDOW = 8.0
#: The same for utilisation alone under a step, of NewReno and of CUBIC.
SMALL_WINDOW, SMALL_CUBIC = 10.0, 12.5
#: Share of the buffer that the queue's 99th percentile reaches where bursts overflow it now and then.
NEARLY_FULL = 0.9
#: Paced flows under a step from so many on, up to so many products of threshold; under RED the limits of drop-tail.
FEWEST_PACED, PACED_STEP = 4, 1.5
#: The same for two flows and more with mean windows below so many packets, or a Kmin below so many.
SMALL_PACED, FIRST_PACED = 20.0, 8.0
#: Share of the buffer from which on a third of the first mark is more than a tenth of the buffer.
FALLS_LOWER = 0.3
#: Packets of path from which the queue of flows over different round trips varies by more than these models have it,
#: under RED whose probability over a product of queue rises by so much, and under a step, for so many flows; and the
#: share of the link from which utilisation cannot be far too low.
LONG_PATH, STEEP = 600.0, 0.8
LONG_PATH_OF_STEP, FEWEST_OF_STEP = 1000.0, 40
NEARLY_ALL = 0.96


def outside(
    link: Link,
    groups: Sequence[Group],
    marking: Marking,
    paced: bool,
    window: float,
    metrics: Iterable[str],
    rows: int,
    top: float,
    used: float,
) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that do not hold here. window: mean window found, packets.
    rows: windows followed.  top: 99th percentile of the queue, packets.  used: utilisation found.
    """
    if why := validity.too_few_windows(link, groups, rows):
        return dict.fromkeys(metrics, why)
    found = _marked(link, marking, window, metrics)
    found = (_mixed(link, groups, marking, window) if paced else _apart(link, groups, marking, used)) | found
    small = SMALL_CUBIC if any(isinstance(group.flows, Cubic) for group in groups) else SMALL_WINDOW
    if isinstance(marking, Step) and window < small:
        why = (
            f"The mean window is {window:.3g} packets. Below {small:g} packets cuts come in whole packets: utilisation "
            "was 2 to 4 points above that of the packet simulation."
        )
        found = dict.fromkeys(("utilisation", "throughput"), why) | found
    if top >= NEARLY_FULL * link.buffer and not any(group.drops for group in groups):
        why = (
            f"Marks keep the queue just below the buffer of {count(link.buffer)} packets, and what bursts lose there "
            "is left out: drop rates in the packet simulation were up to 7 times this."
        )
        found = {"drop_rate": why} | found
    return found


def _mixed(link: Link, groups: Sequence[Group], marking: Marking, window: float) -> dict[str, str]:
    """Paced flows, whose packets are so evenly mixed that marks reach nearly all of them at once."""
    flows = sum(group.count for group in groups)
    path = link.capacity * sum(group.count * group.base for group in groups) / flows
    if isinstance(marking, Step):
        within = flows >= FEWEST_PACED and marking.threshold < PACED_STEP * path
    else:
        assert isinstance(marking, Red)
        small = flows > 1 and window < SMALL_PACED
        first = max(validity.PACED_BUFFER * path, FIRST_PACED if small else 0.0)
        within = (small or flows > validity.MOST_PACED) and marking.minimum < first
    if not within:
        return {}
    why = (
        f"{flows:g} flows pace: their packets are so evenly mixed that marks reach nearly all of them at once, where "
        "this model marks at random. Utilisation was 2 to 7 points above that of the packet simulation"
    )
    # The queue falls lower as well, by up to a third of where the marks begin.
    first = marking.threshold if isinstance(marking, Step) else marking.minimum
    if first < FALLS_LOWER * link.buffer:
        return dict.fromkeys(("utilisation", "throughput"), why + ".")
    why += ", and its queue up to 0.22 of the buffer shorter."
    return dict.fromkeys(("utilisation", "throughput", "queue_mean", "queue_p50"), why)


def _apart(link: Link, groups: Sequence[Group], marking: Marking, used: float) -> dict[str, str]:
    """NewReno over different round trips, whose cuts come apart in packets and together in this model."""
    flows = sum(group.count for group in groups)
    path = link.capacity * sum(group.count * group.base for group in groups) / flows
    halves = any(isinstance(group.flows, Reno) and not group.drops for group in groups)
    if used >= NEARLY_ALL or not halves or len({group.base for group in groups}) == 1:
        return {}
    if isinstance(marking, Red):
        rise = path * marking.top / (marking.maximum - marking.minimum)
        within = path >= LONG_PATH and rise >= STEEP
    else:
        within = path >= LONG_PATH_OF_STEP and flows >= FEWEST_OF_STEP
    if not within:
        return {}
    why = (
        f"Windows of {flows:g} flows over different round trips keep the gaps that cuts leave, so the queue of packets "
        "varies and passes its marks for short times, where this model marks nearly all flows in one round trip. "
        "Utilisation was 2 to 8 points below that of the packet simulation."
    )
    return dict.fromkeys(("utilisation", "throughput"), why)


def _marked(link: Link, marking: Marking, window: float, metrics: Iterable[str]) -> dict[str, str]:
    assert isinstance(marking, Red | Step)  # the only ones that are followed
    last = marking.maximum if isinstance(marking, Red) else marking.threshold
    if min(last, link.buffer) < FEWEST:
        why = (
            f"Every packet is marked above {count(min(last, link.buffer))} packets of queue. Below {FEWEST:g} packets "
            "single bursts are marked: utilisation was up to 15 points above that of the packet simulation."
        )
        return dict.fromkeys(metrics, why)
    if window < SMALLEST_WINDOW:
        why = (
            f"The mean window is {window:.2g} packets. Below {SMALLEST_WINDOW:g} packets cuts come in whole packets: "
            "utilisation was up to 12 points above that of the packet simulation."
        )
        return dict.fromkeys(metrics, why)
    return {}
