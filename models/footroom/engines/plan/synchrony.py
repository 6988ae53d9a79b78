"""A warning about long flows whose round trips are equal to the picosecond."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.engines.plan.lossless import Lossless
from footroom.engines.plan.plan import Stack
from footroom.scenario import Scenario

Ints = npt.NDArray[np.int64]

#: Measured with the preset wan-bottleneck, means of 5 seeds; said where flows of NewReno are among those concerned.
_MEASURED = (
    "Without marks 50 NewReno flows at 1 Gb/s and 20 ms fill 89.9 % of the link and lose 0.23 % with 100 packets of "
    "buffer; with round trips spread by ±20 % they fill 92.7 % and lose 0.31 %. With 50 packets it is 88.7 % "
    "and 77.2 %, 0.24 % and 0.51 %."
)
#: Of 7 NewReno and 7 CUBIC flows, 40 Mb/s, 28 ms, 46 packets (docs/validation.md). Linux: three runs.
_PHASES = (
    "Of 7 NewReno flows beside 7 of CUBIC at 40 Mb/s and 28 ms with 46 packets of buffer, NewReno gets 40 % with "
    "1 µs, 44 % with one packet's time; in Linux it gets 47 to 54 %."
)


def may_lose(lossless: Lossless | None, classes: Ints) -> npt.NDArray[np.bool_]:
    """Whether flows of these classes may lose packets: those of classes that are lossless at every switch do not."""
    if lossless is None:
        return np.ones(len(classes), np.bool_)
    found: npt.NDArray[np.bool_] = ~np.asarray(lossless.classes.all(axis=0))[classes]
    return found


def _cuts(stack: Stack) -> bool:
    """Whether flows send by a window that they cut when a packet is lost: neither paced at a rate, nor by a model."""
    hooks = stack.law.hooks()
    return not stack.rdma and hooks.on_loss is not None and hooks.on_sample is None


def equal_round_trips(
    scenario: Scenario,
    names: list[str],
    lasting: npt.NDArray[np.bool_],
    rtt: Ints,
    forward: Ints,
    routes: Ints,
    watched: dict[int, tuple[int, int]],
    stacks: list[Stack],
    jitter: int,
    packet_time: Ints,
) -> tuple[str, ...]:
    """A note where two long flows or more share a watched link and a round trip, to the picosecond.

    It concerns flows that cut a window when they lose packets, and flows of several congestion controls over TCP, whose
    shares depend on phases where jitter is shorter than a packet's time. Paced flows of RDMA hosts do neither.

    lasting: which flows never end and may lose packets.  rtt: propagation of each [ps].  forward: where each flow's
    route begins in ``routes``.  watched: port to its two nodes.  stacks: of every flow.  jitter: of hosts [ps].
    packet_time: of a full packet by port [ps].
    """
    together: dict[tuple[int, int], list[Stack]] = {}
    for flow in np.flatnonzero(lasting).tolist():
        if stacks[flow].rdma:
            continue
        at = int(forward[flow])
        while (port := int(routes[at])) >= 0:
            if port in watched:
                together.setdefault((port, int(rtt[flow])), []).append(stacks[flow])
            at += 1
    if not together:
        return ()
    (port, delay), found = max(together.items(), key=lambda item: len(item[1]))
    laws = {stack.law.kind for stack in found}
    cutting = [stack for stack in found if _cuts(stack)]
    phases = len(laws) > 1 and jitter < packet_time[port]
    if len(cutting) < 2 and not phases:
        return ()
    link = " to ".join(names[node] for node in watched[port])
    told = f"{len(found)} long flows on the link {link} have exactly the same round trip ({delay / 1e9:g} ms)"
    if len(cutting) > 1:
        # Marks come to all of them together as losses do.
        marked = scenario.switch.marking.kind != "none" and any(stack.ecn for stack in cutting)
        told += (
            f", so many of {'them' if len(cutting) == len(found) else f'the {len(cutting)} that cut windows'} lose "
            f"packets{' or are marked' if marked else ''} and cut their windows at the same time"
        )
    measured = f" {_MEASURED}" if "newreno" in {stack.law.kind for stack in cutting} else ""
    remedy = (
        "Set topology.rtt_spread to how much your paths differ."
        if hasattr(scenario.topology, "rtt_spread")
        else "Give the links of your hosts different delays to see flows out of step."
    )
    return (f"{told}. Real paths differ.{measured} {remedy}{_phases(int(packet_time[port])) if phases else ''}",)


def _phases(packet_time: int) -> str:
    """Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", 1992, section 3: a random time at the
    hosts of up to one packet's service time takes phase effects away.
    """
    return (
        " These flows are of several congestion controls. Which of them find the buffer full depends on where in the "
        "time of a packet their acknowledgements come, and so do their shares (Floyd and Jacobson 1992). Set "
        f"host.jitter to {packet_time / 1e6:.3g} µs, a packet's time on this link, or spread the round trips. {_PHASES}"
    )
