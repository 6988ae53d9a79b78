"""Where losses in the averaged equations differ from those of packets, whatever the marking.

Compared with the packet engine over 130 random edits of presets (``python -m tests.validation.tools.compare_edits``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from footroom.base.written import count
from footroom.engines.fluid.laws import BbrV1, BbrV2, Cubic, Dcqcn, Dctcp, Group, Hpcc, PowerTcp, Reno, Timely
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.markings import DropTail, Marking

#: Packets of buffer below which single bursts fill it.
FEWEST = 20.0
#: Mean window (packets) below which losses end in timeouts: with marks, and without.
SMALLEST_WINDOW, SMALLEST_UNMARKED = 4.0, 8.0
#: Share of the link from which utilisation cannot be more than three points too low.
NEARLY_ALL = 0.97
#: Flows of different controls and equal round trips from which on packets drop less.
MANY_ALIKE = 16
#: BBR flows beside others from which on, and packets of path per flow above which, and share of the path's packets
#: below which they lose less.
MANY_BBR, LARGE_BBR, SHALLOW_BBR = 16, 25.0, 0.7
#: Hosts of these controls send everything after a loss again, at their full rate.
_RDMA = (Dcqcn, Hpcc, PowerTcp, Timely)

_QUEUE = ("queue_mean", "queue_p50", "queue_p99")


def outside(
    link: Link, groups: Sequence[Group], marking: Marking, metrics: Mapping[str, float], window: float
) -> dict[str, str]:
    """Metric to reason, where packets are lost. window: mean over time and flows, packets."""
    rdma = any(isinstance(group.flows, _RDMA) for group in groups)
    flows = sum(group.count for group in groups)
    path = link.capacity * sum(group.count * group.base for group in groups) / flows
    room = (path + link.buffer) / flows
    if metrics["drop_rate"] <= 0.0 and not (rdma and link.buffer < FEWEST) and room >= SMALLEST_WINDOW:
        return {}
    if rdma and link.buffer >= FEWEST:
        return {
            "drop_rate": "Hosts of RDMA send again all that followed a lost packet, which this model leaves out: drop "
            "rates in the packet simulation were 0 to 4 times this."
        }
    if not rdma and not all(isinstance(group.flows, (Reno, Cubic, Dctcp)) for group in groups):
        return _beside_bbr(link, groups, marking, path)
    if link.buffer < FEWEST:
        return dict.fromkeys(
            metrics,
            f"The buffer holds {count(link.buffer)} packets. Below {FEWEST:g} packets single "
            "bursts fill it, which this model leaves out.",
        )
    plain = isinstance(marking, DropTail)
    least = SMALLEST_UNMARKED if plain else SMALLEST_WINDOW
    found: dict[str, str] = {}
    window = min(window, room)
    if window < least:
        why = (
            f"The mean window is {window:.2g} packets. Below {least:g} packets losses end in timeouts, which this "
            "model leaves out: drop rates were up to 4 times those of the packet simulation."
        )
        found |= dict.fromkeys(("drop_rate", *_QUEUE), why)
    dctcp = any(isinstance(group.flows, Dctcp) for group in groups)
    together = (plain or dctcp) and flows > 1 and link.buffer < path
    if together and metrics["utilisation"] < NEARLY_ALL:
        found |= dict.fromkeys(
            ("utilisation", "throughput"),
            "Where packets are lost, this model cuts all flows at once, and the packet simulation one after the "
            "other: utilisation was up to 16 points lower.",
        )
    if plain and flows >= MANY_ALIKE and len({group.base for group in groups}) == 1:
        found.setdefault(
            "drop_rate",
            "Round trips are equal, so packets of these flows stay in order and few of them lose at a time: this "
            "model had up to 1.6 times the drop rate of the packet simulation.",
        )
    return found


def _beside_bbr(link: Link, groups: Sequence[Group], marking: Marking, path: float) -> dict[str, str]:
    """Many BBR flows beside others in a shallow buffer. path: packets."""
    flows = sum(group.count for group in groups)
    many = sum(group.count for group in groups if isinstance(group.flows, (BbrV1, BbrV2)))
    shallow = isinstance(marking, DropTail) and link.buffer < SHALLOW_BBR * path
    if not shallow or not MANY_BBR <= many < flows or path / flows <= LARGE_BBR:
        return {}
    why = (
        f"The path holds {count(path / flows)} packets per flow, and {many:g} of {flows:g} flows are BBR's. Above "
        f"{LARGE_BBR:g} the packet simulation lost 0.5 to 0.8 times this: the larger their windows, the less of them "
        "is lost."
    )
    return {"drop_rate": why}
