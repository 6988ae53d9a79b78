"""What laws that read telemetry need of a network: its longest round trip, and paths short enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from footroom.base.errors import Unsupported
from footroom.base.framing import Framing
from footroom.engines.plan.plan import SECOND, Stack
from footroom.kernel.tables import ACK_SIZE, HOPS
from footroom.scenario import HEADER

Ints = npt.NDArray[np.int64]


def with_base_rtt(
    stacks: list[Stack],
    stack_of: Ints,
    propagation: Ints,
    forward: Ints,
    reverse: Ints,
    routes: Sequence[int],
    rate: npt.NDArray[np.float64],
    port_switch: Ints,
    framing: Framing,
) -> list[Stack]:
    """``stacks`` of RDMA hosts, and of those that read telemetry, with the longest round trip of the network.

    It is that over all flows, not only their own.

    A round trip counts propagation and the transmission of a full packet and its acknowledgement on every link.
    stack_of, propagation [ps], forward, reverse: of every flow.  routes, rate, port_switch: as in Plan.
    Raises Unsupported where packets would leave more switches than telemetry has room for.
    """
    found = list(stacks)
    if not any(stack.rdma or stack.telemetry != "none" or stack.law.telemetry() for stack in stacks):
        return found
    ends = set(zip(forward.tolist(), reverse.tolist(), propagation.tolist(), strict=True))
    for i, stack in enumerate(stacks):
        if stack.law.telemetry():
            mine = np.unique(forward[stack_of == i]).tolist()
            _check(stack, i, max((_switches(there, routes, port_switch) for there in mine), default=0))
        if stack.rdma or stack.telemetry != "none":
            answer = max(ACK_SIZE, framing.frame(HEADER + stack.overhead))
            sizes = stack.segment + framing.gap, answer + framing.gap
            longest = max(
                (span + _transmissions((there, back), sizes, routes, rate) for there, back, span in ends), default=0
            )
            found[i] = replace(stack, base_rtt=longest)
    return found


def _transmissions(
    path: tuple[int, int], sizes: tuple[int, int], routes: Sequence[int], rate: npt.NDArray[np.float64]
) -> int:
    """Time on all links there and back [ps]."""
    total = 0.0
    for start, size in zip(path, sizes, strict=True):
        hop = start
        while routes[hop] >= 0:
            total += 8.0 * size / float(rate[routes[hop]])
            hop += 1
    return round(total * SECOND)


def _switches(start: int, routes: Sequence[int], port_switch: Ints) -> int:
    """How many switches a packet leaves on its path."""
    count, hop = 0, start
    while routes[hop] >= 0:
        count += int(port_switch[routes[hop]] >= 0)
        hop += 1
    return count


def _check(stack: Stack, entry: int, most: int) -> None:
    if most > HOPS:
        raise Unsupported(
            f"telemetry has room for {HOPS} switches, and the longest path has {most}: {stack.law.about.title} does "
            "not see all of them",
            path=f"traffic.{entry}.congestion.kind",
            given=stack.law.model_dump()["kind"],
        )
