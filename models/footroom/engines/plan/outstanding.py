"""Limit of outstanding data of selective RDMA recovery, and timeouts that are too short for a path."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from footroom.base.errors import InvalidInput
from footroom.engines.plan.plan import SECOND, Stack
from footroom.kernel.tables import ACK_SIZE
from footroom.parts.traffic import Host

Ints = npt.NDArray[np.int64]


def with_windows(
    stacks: list[Stack],
    hosts: Sequence[Host],
    stack_of: Ints,
    propagation: Ints,
    forward: Ints,
    reverse: Ints,
    routes: Sequence[int],
    rate: npt.NDArray[np.float64],
) -> list[Stack]:
    """``stacks`` with the window of those that have selective recovery and no window of their own.

    That is the bandwidth-delay product of the longest path of its flows (BDP-FC: Mittal et al., SIGCOMM 2018, section
    3.2), rounded up: round trip, transmission times included, times the rate of the sender's link.
    stack_of, propagation [ps], forward, reverse: of every flow.  routes, rate: as in Plan.
    Raises InvalidInput for a fixed timeout within which no acknowledgement can come back.
    """
    found = list(stacks)
    for i, stack in enumerate(stacks):
        mine = np.flatnonzero(stack_of == i)
        if not stack.rdma or not len(mine):
            continue
        ends = set(zip(*(each[mine].tolist() for each in (forward, reverse, propagation)), strict=True))
        trips = {(there, back): _round_trip(stack, there, back, span, routes, rate) for there, back, span in ends}
        longest = max(trips.values())
        _check(stack, hosts[i], i, longest)
        if stack.recovery == "selective" and hosts[i].receive_window is None:
            most = max(trip * rate[routes[there]] / 8.0 / stack.segment for (there, _), trip in trips.items())
            found[i] = replace(stack, receive_window=math.ceil(most))
    return found


def _round_trip(
    stack: Stack, there: int, back: int, propagation: int, routes: Sequence[int], rate: npt.NDArray[np.float64]
) -> float:
    """Of a full packet and its acknowledgement on an idle path [s]."""
    trip = propagation / SECOND
    for start, size in ((there, stack.segment), (back, ACK_SIZE)):
        hop = start
        while routes[hop] >= 0:
            trip += 8.0 * size / float(rate[routes[hop]])
            hop += 1
    return trip


def _check(stack: Stack, host: Host, entry: int, trip: float) -> None:
    fields = ("low_rto", "high_rto") if stack.recovery == "selective" else ("min_rto",)
    for name in fields:
        if getattr(host, name) <= trip:
            raise InvalidInput.at(
                f"traffic.{entry}.host.{name}",
                getattr(host, name),
                f"an acknowledgement takes {trip:.3g} s on an idle path: a timeout of RDMA hosts, which never adapts, "
                "must be longer",
            )
