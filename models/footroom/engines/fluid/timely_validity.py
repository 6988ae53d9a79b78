"""Where the fluid of TIMELY was found to hold beside packets, and where not.

Compared with packets at 1 and 10 Gb/s, 0.1 to 10 ms, 2, 4 and 10 flows of the patched law, deep buffers and such of
half a product. Started at a fair share, packets are within a point of utilisation as long as what a flow adds in a
round trip is below a twentieth of its share. Two things are missing beyond: hosts of packets start at the line's rate,
and they take a round trip for every segment that is acknowledged, where the published equations, tau* = Seg/R, take one
for every segment that is sent. The two differ while more is sent than carried.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from footroom.base.written import count
from footroom.engines.fluid.laws import Group, Timely
from footroom.engines.fluid.link import Link
from footroom.result.words import number

#: Part of its share that a flow adds in a round trip.
MOST_GROWTH = 0.05

_QUEUE = ("queue_mean", "queue_p50", "queue_p99")
_ALL = ("utilisation", "throughput", "drop_rate", *_QUEUE)


def outside(link: Link, groups: Sequence[Group], metrics: Mapping[str, float], warmup: float) -> dict[str, str]:
    """Metric to reason. warmup: s."""
    flows = sum(group.count for group in groups)
    share = link.capacity / flows
    for group in groups:
        if not isinstance(group.flows, Timely):
            continue
        growth = group.base / group.flows.between(share) * group.flows.delta / share
        if growth > MOST_GROWTH:
            why = (
                f"A TIMELY flow adds {count(growth)} of its share in a round trip. Above {MOST_GROWTH:g} this model "
                "and the packet simulation differ: this model updates rates for every segment sent, as published, "
                "and the packet simulation for every segment acknowledged. Its utilisation was up to 37 points "
                "lower or 6 higher. A smaller congestion.additive_increase helps."
            )
            return dict.fromkeys(_ALL, why)
        if why := _start(link, group.flows, flows, warmup):
            return dict.fromkeys(_ALL, why)
        if metrics["drop_rate"] > 0.0:
            why = (
                "Packets are lost, and hosts of RDMA send again all that followed, which this model leaves out: the "
                "mean queue was up to 0.16 of the buffer longer."
            )
            return dict.fromkeys(_QUEUE, why)
    return {}


def _start(link: Link, law: Timely, flows: float, warmup: float) -> str:
    """Why packets that start at more than the link's rate are not yet, or never, where this model is; else empty.

    Above ``high`` a rate falls e-fold in 1/beta updates, one per segment acknowledged, so in segment·n/(beta·C). From n
    lines down to C that takes log(x) of those, x = n·line/C, and sends segment·n/beta·(x - 1 - log x) more than the
    link carries. Rates that have fallen to the least one grow again e-fold in segment/delta.
    """
    over = flows * min(law.line, law.rate or law.line) / link.capacity
    if over <= 1.0:
        return ""
    begins = (
        "Packets start at the line's rate unless congestion.start_rate is set, this model at a fair share. "
        if law.rate is None
        else f"Hosts start with {over:.2g} times the link's rate in all. "
    )
    slow = law.segment * flows / law.beta
    excess = slow * (over - 1.0 - math.log(over))
    share = link.capacity / flows
    settles = slow / link.capacity * math.log(over) + min(excess, link.buffer) / link.capacity
    settles += law.segment / law.delta * math.log(max(1.0, share / law.least))
    if excess > link.buffer:
        return (
            f"{begins}Before their rates have come down they send {count(excess)} packets more than the link carries, "
            f"and the buffer holds {count(link.buffer)}: with go-back-N up to 95 % of them were lost all the time."
        )
    if warmup < settles:
        return (
            f"{begins}Rates come down and grow again for {number(settles, 's')}, and the packet simulation is "
            f"measured from {number(warmup, 's')} on: its utilisation was up to 35 points lower."
        )
    return ""
