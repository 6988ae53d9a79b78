"""Ways of the fluid through the network: which queues it may wait in, and how long a round trip is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from footroom.engines.plan import SECOND, Plan

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Route:
    """ports: of switches on the way.  host: the sender's port.  trip: s of propagation and transmission, there and
    back.  returns: ports on the way back, the receiver's own among them.

    ``may_wait`` leaves the ports at which fluid may wait, and no way back; ``all_ports`` puts the host before them.
    waits: ports of ``ports`` at which fluid may wait.
    """

    ports: tuple[int, ...]
    host: int
    trip: float
    returns: tuple[int, ...] = ()
    waits: tuple[int, ...] = ()


def told_rates(plan: Plan, which: Ints) -> npt.NDArray[np.bool_]:
    """Which of the flows ``which`` have a law that is told delivery rates."""
    told = np.array([stack.law.hooks().on_sample is not None for stack in plan.stacks])
    found: npt.NDArray[np.bool_] = told[plan.flow_stack[which]]
    return found


def in_pairs(plan: Plan) -> bool:
    """Whether every flow has a sender and a receiver of its own, so that no host's link and no way back is shared."""
    return plan.scenario.topology.path() is not None


def ways(plan: Plan, which: Ints, every_port: bool = False, apart: bool = False) -> tuple[list[Route], Ints]:
    """Routes of the flows ``which``, and the number of each one's. A flow that ends, that its host shapes, or whose
    law is told delivery rates, has a route of its own.

    every_port: with all ports on the way, not only those at which fluid may wait.  apart: a route for every flow.
    """
    shaped = np.array([entry.host.rate_limit is not None for entry in plan.scenario.traffic])
    own = (plan.flow_bytes[which] >= 0) | shaped[plan.flow_stack[which]] | told_rates(plan, which)
    own |= apart
    seen: dict[tuple[int, ...], Route] = {}
    shared: dict[Route, int] = {}
    routes, number = [], np.zeros(len(which), dtype=np.int64)
    marks = zip(
        plan.flow_forward[which].tolist(),
        plan.flow_reverse[which].tolist(),
        plan.flow_stack[which].tolist(),
        plan.flow_rtt[which].tolist(),
        strict=True,
    )
    for i, (mark, alone) in enumerate(zip(marks, own.tolist(), strict=True)):
        if mark not in seen:
            seen[mark] = _route(plan, *mark)
        if alone or seen[mark] not in shared:
            routes.append(seen[mark])
            if not alone:
                shared[seen[mark]] = len(routes) - 1
        number[i] = len(routes) - 1 if alone else shared[seen[mark]]
    found = (all_ports if every_port else may_wait)(plan, list(seen.values()))
    return [found[route] for route in routes], number


def ways_apart(plan: Plan, which: Ints) -> tuple[list[Route], Ints]:
    """As ``ways``, for flows that share nothing but the bottleneck: with a route for each where round trips differ.

    What a window has grown by is sent with what comes back on its route, of any flow: the bursts of flows between the
    same two hosts join, and where round trips differ these larger ones meet. A path that holds less than a packet of
    each flow is left to shared routes: most of its flows wait for timeouts.
    """
    found, number = ways(plan, which)
    if len(np.unique(plan.flow_rtt[which])) == 1:
        return found, number
    packet = max(stack.segment + plan.framing.gap for stack in plan.stacks) * 8.0
    time = packet / float(min(plan.port_rate[port] for route in found for port in route.waits))
    return ways(plan, which, apart=True) if bout(plan, found, number, which) >= time else (found, number)


def _route(plan: Plan, forward: int, reverse: int, stack: int, propagation: int) -> Route:
    """The way from ``forward`` there and ``reverse`` back in ``plan.routes``. propagation: ps."""
    ports, returns = _run(plan, forward), _run(plan, reverse)
    trip = float(propagation)
    size = plan.stacks[stack].segment + plan.framing.gap
    for passed, length in ((ports, size), (returns, 64 + plan.framing.gap)):
        for port in passed:
            trip += length * plan.picoseconds_per_byte[port] / 65536.0
    own = tuple(port for port in ports if plan.port_switch[port] >= 0)
    return Route(own, ports[0], trip / SECOND, tuple(returns))


def _run(plan: Plan, first: int) -> list[int]:
    """Ports of the run in ``plan.routes`` that begins at ``first``."""
    at, ports = first, []
    while plan.routes[at] >= 0:
        ports.append(int(plan.routes[at]))
        at += 1
    return ports


def _full(plan: Plan, passed: Iterable[Sequence[int]]) -> set[int]:
    """Ports at which traffic on the ways ``passed`` (sender's port first) may wait: the links, or the hosts, that feed
    them are together faster.
    """
    rate = plan.port_rate
    bring: dict[int, set[int]] = {}
    hosts: dict[int, set[int]] = {}
    for way in passed:
        for before, port in pairwise(way):
            bring.setdefault(port, set()).add(before)
            hosts.setdefault(port, set()).add(way[0])
    return {
        port
        for port, before in bring.items()
        if min(sum(rate[each] for each in before), sum(rate[each] for each in hosts[port])) > rate[port]
    }


def may_wait(plan: Plan, found: list[Route]) -> dict[Route, Route]:
    """Each route without the ports at which fluid never waits and that no metric describes."""
    full, changed = _full(plan, [(route.host, *route.ports) for route in found]), {}
    full |= set(plan.watched.tolist())
    for route in found:
        ports = tuple(port for port in route.ports if port in full) or route.ports[:1]
        changed[route] = replace(route, ports=ports, returns=(), waits=ports)
    return changed


def all_ports(plan: Plan, found: list[Route]) -> dict[Route, Route]:
    """Each route with the link of its host, which other flows share, as the first of its ports."""
    full, changed = may_fill(plan), {}
    for route in found:
        waits = tuple(port for port in route.ports if port in full)
        changed[route] = replace(route, ports=(route.host, *route.ports), waits=waits)
    return changed


def may_fill(plan: Plan) -> set[int]:
    """Ports at which any traffic of ``plan`` may wait, and all ports of hosts."""
    firsts = np.unique(np.concatenate([plan.flow_forward, plan.flow_reverse])).tolist()
    return _full(plan, [_run(plan, first) for first in firsts]) | set(np.flatnonzero(plan.port_switch < 0).tolist())


def bout(plan: Plan, found: list[Route], number: Ints, which: Ints) -> float:
    """Time [s] that a full queue takes to send what one flow that lasts has in the network then, or in which a host
    that shapes its flows lets out a burst; the shortest of all ports. 0 where all flows end and none is shaped.
    """
    lasting: dict[int, int] = {}
    for r in number[plan.flow_bytes[which] < 0].tolist():
        for port in found[r].waits:
            lasting[port] = lasting.get(port, 0) + 1
    entries = sorted(set(plan.flow_stack[which].tolist()))
    hosts = [(plan.scenario.traffic[entry].host, plan.stacks[entry].segment) for entry in entries]
    access = float(plan.port_rate[plan.port_switch < 0].max())
    spans = [host.burst * size * 8.0 / access for host, size in hosts if host.rate_limit is not None]
    if lasting and not spans:
        trip = float(plan.flow_rtt.min()) / SECOND
        spans += [
            (trip + float(plan.settings[plan.port_switch[port]].buffer) * 8.0 / float(plan.port_rate[port])) / flows
            for port, flows in lasting.items()
        ]
    return min(spans, default=0.0)
