"""Ways of the fluid through the network: which queues it may wait in, and how long a round trip is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from footroom.engines.plan import SECOND, Plan

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Route:
    """ports: of switches on the way, once ``may_wait`` has seen them those at which fluid may wait.  host: the sender's
    port.  trip: s of propagation and transmission, there and back.
    """

    ports: tuple[int, ...]
    host: int
    trip: float


def ways(plan: Plan, which: Ints) -> tuple[list[Route], Ints]:
    """Routes of the flows ``which``, and the number of each one's. A flow that ends, or that its host shapes, has a
    route of its own.
    """
    shaped = np.array([entry.host.rate_limit is not None for entry in plan.scenario.traffic])
    own = (plan.flow_bytes[which] >= 0) | shaped[plan.flow_stack[which]]
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
    found = may_wait(plan, list(seen.values()))
    return [found[route] for route in routes], number


def _route(plan: Plan, forward: int, reverse: int, stack: int, propagation: int) -> Route:
    """The way from ``forward`` there and ``reverse`` back in ``plan.routes``. propagation: ps."""
    at, ports = forward, []
    while plan.routes[at] >= 0:
        ports.append(int(plan.routes[at]))
        at += 1
    trip = float(propagation)
    size = plan.stacks[stack].segment + plan.framing.gap
    for first, length in ((forward, size), (reverse, 64 + plan.framing.gap)):
        at = first
        while plan.routes[at] >= 0:
            trip += length * plan.picoseconds_per_byte[plan.routes[at]] / 65536.0
            at += 1
    return Route(tuple(port for port in ports if plan.port_switch[port] >= 0), ports[0], trip / SECOND)


def may_wait(plan: Plan, found: list[Route]) -> dict[Route, Route]:
    """Each route without the ports at which fluid never waits: all links, or all hosts, that bring it are no faster."""
    rate = plan.port_rate
    bring: dict[int, set[int]] = {}
    hosts: dict[int, set[int]] = {}
    for route in found:
        for before, port in zip((route.host, *route.ports), route.ports, strict=False):
            bring.setdefault(port, set()).add(before)
            hosts.setdefault(port, set()).add(route.host)
    full = {
        port
        for port, before in bring.items()
        if min(sum(rate[each] for each in before), sum(rate[each] for each in hosts[port])) > rate[port]
    }
    return {
        route: replace(route, ports=tuple(port for port in route.ports if port in full) or route.ports[:1])
        for route in found
    }


def bout(plan: Plan, ports: list[int], which: Ints) -> float:
    """Time [s] that a full queue takes to send what one flow that lasts has in the network then, or in which a host
    that shapes its flows lets out a burst; the shortest of ``ports``. 0 where all flows end and none is shaped.
    """
    lasting = int((plan.flow_bytes[which] < 0).sum())
    entries = sorted(set(plan.flow_stack[which].tolist()))
    hosts = [(plan.scenario.traffic[entry].host, plan.stacks[entry].segment) for entry in entries]
    access = float(plan.port_rate[plan.port_switch < 0].max())
    spans = [host.burst * size * 8.0 / access for host, size in hosts if host.rate_limit is not None]
    if lasting and not spans:
        trip = float(plan.flow_rtt.min()) / SECOND
        rooms = [
            float(plan.settings[plan.port_switch[port]].buffer) * 8.0 / float(plan.port_rate[port]) for port in ports
        ]
        spans.append((trip + min(rooms)) / lasting)
    return min(spans, default=0.0)
