"""Ways of the fluid through the network: which queues it may wait in, and how long a round trip is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from footroom.engines.plan import SECOND, Plan


@dataclass(frozen=True)
class Route:
    """ports: of switches on the way, once ``may_wait`` has seen them those at which fluid may wait.  host: the sender's
    port.  trip: s of propagation and transmission, there and back.
    """

    ports: tuple[int, ...]
    host: int
    trip: float


def route_of(plan: Plan, flow: int, trips: dict[tuple[int, int, int, int], float]) -> Route:
    """The way of ``flow``. trips: those found so far; it is added to."""
    at, ports = int(plan.flow_forward[flow]), []
    while plan.routes[at] >= 0:
        ports.append(int(plan.routes[at]))
        at += 1
    key = (
        int(plan.flow_forward[flow]),
        int(plan.flow_reverse[flow]),
        int(plan.flow_stack[flow]),
        int(plan.flow_rtt[flow]),
    )
    if key not in trips:
        trips[key] = _trip(plan, flow)
    return Route(tuple(port for port in ports if plan.port_switch[port] >= 0), ports[0], trips[key])


def may_wait(plan: Plan, found: dict[Route, int]) -> list[Route]:
    """The routes in their order, without ports at which fluid never waits: all links that bring it are no faster."""
    rate = plan.port_rate
    bring: dict[int, set[int]] = {}
    for route in found:
        for before, port in zip((route.host, *route.ports), route.ports, strict=False):
            bring.setdefault(port, set()).add(before)
    full = {port for port, before in bring.items() if sum(rate[each] for each in before) > rate[port]}
    return [
        replace(route, ports=tuple(port for port in route.ports if port in full) or route.ports[:1]) for route in found
    ]


def _trip(plan: Plan, flow: int) -> float:
    """Round trip [s] without queueing: propagation, and transmission of a packet and its acknowledgement."""
    total = float(plan.flow_rtt[flow])
    size = plan.stacks[plan.flow_stack[flow]].segment + plan.framing.gap
    for first, length in ((plan.flow_forward[flow], size), (plan.flow_reverse[flow], 64 + plan.framing.gap)):
        at = int(first)
        while plan.routes[at] >= 0:
            total += length * plan.picoseconds_per_byte[plan.routes[at]] / 65536.0
            at += 1
    return total / SECOND


def bout(plan: Plan, ports: list[int], flows: int) -> float:
    """Time [s] that a full queue takes to send what one flow has in the network then; the shortest of ``ports``."""
    trip = float(plan.flow_rtt.min()) / SECOND
    rooms = [float(plan.settings[plan.port_switch[port]].buffer) * 8.0 / float(plan.port_rate[port]) for port in ports]
    return (trip + min(rooms)) / flows
