"""Where the fluid of DCQCN was found to hold beside packets, and where not.

The equations delay marks by one base round trip, as if packets were marked when they leave the queue. Packets that are
marked on arrival, which is the default of ``switch.marking.sample``, carry their marks through the queue first: the
loop is longer by the queue's delay, and above the CNP interval flows are cut again for a queue that is gone. And in
packets flows are cut one after the other by alpha/2 each, so the sum of their rates is never constant.

Compared with packets at 10 to 100 Gb/s, round trips of 8 to 60 us, 2 to 32 flows, ramps of RED and random parameters:
``python -m tests.validation.tools.compare_dcqcn``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from footroom.engines.fluid.laws import Dcqcn, Group
from footroom.engines.fluid.link import Link
from footroom.result.words import number

#: Mean of alpha above which the cuts of single flows empty the queue, and utilisation below which the model's own
#: oscillation does.
MOST_ALPHA, LEAST_USE = 0.16, 0.99

#: Part of the buffer that flows may send before two notifications have cut them, and the queue does not fill.
START = 0.4

_USE = ("utilisation", "throughput")
_QUEUE = ("queue_mean", "queue_p50", "queue_p99")


def outside(
    link: Link,
    groups: Sequence[Group],
    metrics: Mapping[str, float],
    alphas: Sequence[float],
    queue: float,
    warmup: float,
) -> dict[str, str]:
    """Metric to reason. alphas: mean of alpha by group.  queue: mean, packets.  warmup: s."""
    flows = sum(group.count for group in groups)
    found: dict[str, str] = {}
    for group, alpha in zip(groups, alphas, strict=True):
        if isinstance(group.flows, Dcqcn):
            found["queue_p99"] = (
                "This model notifies all flows at once and its queue becomes constant. In the packet simulation "
                "flows are notified one after the other: its 99th percentile was 1 to 6 times this."
            )
            stuck = _stuck(group.flows, group.base, flows, link)
            if stuck:
                found["drop_rate"] = stuck
            why = _why(group.flows, alpha, queue / link.capacity, link.capacity / flows, metrics, warmup)
            if why:
                return {**found, **dict.fromkeys((*_USE, *_QUEUE), why)}
    return found


def _stuck(law: Dcqcn, base: float, flows: float, link: Link) -> str:
    """Why packets may be lost for ever, empty where they are not: flows learn too late that the queue is full.

    Found for 2 to 32 flows at 10 to 100 Gb/s and 1000 to 6000 packets, go-back-N: 34 to 79 % are lost where both hold,
    at most 2 % elsewhere.
    """
    delay = link.buffer / link.capacity
    growth = flows * law.increase * delay / law.timer
    start = flows * law.line * (base + 2.0 * law.interval)
    if growth <= link.capacity or start <= START * link.buffer:
        return ""
    return (
        f"Once the buffer is full its marks come back after {1e3 * delay:.2g} ms, in which all rates together grow "
        f"by {growth / link.capacity:.2g} times the link, and it stays full: DCQCN does not react to losses. Flows "
        f"that start at line rate send {start / link.buffer:.2g} times the buffer before two notifications have cut "
        "them: the packet simulation lost up to 79 % for as long as it ran. Pauses or a smaller buffer prevent it."
    )


def _why(law: Dcqcn, alpha: float, waiting: float, share: float, metrics: Mapping[str, float], warmup: float) -> str:
    """Why neither utilisation nor queue holds; empty where they do. waiting: s in the queue.  share: packets/s."""
    back = 0.5 * share / law.increase * law.timer
    if back > warmup:
        return (
            f"Flows that are halved at the start win their share back in {back:.2g} s, one additive increase after "
            f"the other, and the warm-up is {warmup:.2g} s: the packet simulation used 24 points less to 93 points "
            "more of the link."
        )
    if waiting > law.interval:
        return (
            f"Packets wait {number(waiting, 's')}, more than the CNP interval of {number(law.interval, 's')}. This "
            "model takes marks as set when packets leave the queue; set as they arrive (the default), they come too "
            "late: the packet simulation used up to 40 points less of the link. With marks set on departure it was "
            "up to 18 points."
        )
    if alpha > MOST_ALPHA:
        return (
            f"A notification cuts a flow's rate by {50.0 * alpha:.2g} %. Above {50.0 * MOST_ALPHA:g} % the queue of "
            "flows that are cut one after the other runs empty, where this model cuts all by the mean: the packet "
            "simulation used up to 18 points less of the link."
        )
    if metrics["utilisation"] < LEAST_USE:
        return (
            "The queue of this model runs empty in an oscillation of all flows together (it uses "
            f"{100.0 * metrics['utilisation']:.3g} % of the link), where the packet simulation cuts flows one after "
            "the other: its utilisation differed by up to 13 points."
        )
    return ""
