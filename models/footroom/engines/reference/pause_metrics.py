"""Metrics of pauses and priority groups in the measured window."""

from __future__ import annotations

from collections.abc import Iterable

from footroom.engines.plan import SECOND
from footroom.engines.reference.groups import Group, Groups, InsuredGroups, Xoff
from footroom.engines.reference.network import Network
from footroom.kernel.tables import NEVER
from footroom.result.headroom_use import HeadroomUsed, SwitchHeadroom, of_switch
from footroom.result.priority_group import PriorityGroup

Span = tuple[int, int]


def covered(spans: Iterable[Span], opens: int, closes: int) -> float:
    """Seconds of the window from ``opens`` to ``closes`` [ps] that at least one of ``spans`` covers."""
    total, reached = 0, opens
    for begin, end in sorted(spans):
        total += max(0, min(end, closes) - max(begin, reached))
        reached = max(reached, min(end, closes))
    return total / SECOND


def pause_metrics(network: Network) -> dict[str, float]:
    """Metrics of pauses and lossless classes; none where no class is lossless."""
    switches = [groups for groups in network.groups if groups is not None]
    if not switches:
        return {}
    plan = network.plan
    window = plan.warmup, plan.duration
    groups = [group for each in switches for group in each.groups.values()]
    for group in groups:
        group.note()  # it may have come before the window opened, and be there still
    return {
        "lossless_drops": float(sum(group.drops for group in groups)),
        "pause_frames": float(sum(network.signals.stops.values())),
        "pause_time": sum(
            covered(spans, *window) for port in network.ports for spans in port.pauses.by_class(plan.duration).values()
        ),
        "xoff_time": sum(_xoff(xoff, network) for each in switches for xoff in _xoffs(each)),
        "headroom_max": float(max(group.most_headroom for group in groups)),
    }


def _xoffs(groups: Groups) -> list[Xoff]:
    ports = list(groups.xoff.values()) if isinstance(groups, InsuredGroups) else []
    return [group.xoff for group in groups.groups.values()] + ports


def _xoff(xoff: Xoff, network: Network) -> float:
    now = network.plan.duration
    spans = [*xoff.spans, *([(xoff.since, now)] if xoff.since is not None else [])]
    return covered(spans, network.plan.warmup, now)


def refusals(network: Network) -> tuple[str, ...]:
    """One sentence for each switch that dropped packets of lossless classes: how many, where they came in, and why."""
    plan = network.plan
    told = []
    for groups in network.groups:
        if groups is None or not groups.refusals:
            continue
        (port, klass, cause), most = max(groups.refusals.items(), key=lambda item: item[1])
        name = plan.names[int(plan.port_to[port])]
        told.append(
            f"Switch {name} dropped {sum(groups.refusals.values())} packets of lossless classes; {most} of them in "
            f"class {klass} from {plan.names[int(plan.port_from[port])]}, {_CAUSES[cause]}."
        )
    return tuple(told)


_CAUSES = {
    "memory": "because its memory was full",
    "headroom": "because the headroom there was full",
    "headroom pool": "because the headroom pool of the switch was full",
    "marking": "because they were to be marked and their sender does not understand marks",
}


def rows(network: Network) -> list[dict[str, object]] | None:
    """Every priority group that held a packet or paused, those that lost most first; None where there are none."""
    found: list[PriorityGroup] = []
    for groups in network.groups:
        if groups is None:
            continue
        found += [
            _row(network, group.port, group.klass, group.xoff, _headroom(network, group), group)
            for group in groups.groups.values()
            if group.most or group.most_headroom or group.xoff.on or group.xoff.spans or group.drops
        ]
        if isinstance(groups, InsuredGroups):
            found += [
                _row(network, q, None, xoff, groups.insurance[q], None)
                for q, xoff in groups.xoff.items()
                if xoff.on or xoff.spans
            ]
    if all(groups is None for groups in network.groups):
        return None
    return [row.to_dict() for row in sorted(found, key=lambda row: -row.drops)]


def headroom(network: Network) -> list[SwitchHeadroom] | None:
    """Of every switch with lossless classes, what headroom is set aside and the most that was used."""
    plan = network.plan
    found = []
    for groups in network.groups:
        if groups is None:
            continue
        groups.note_headroom()  # what came before the window opened may be there still
        if isinstance(groups, InsuredGroups):
            used = [
                HeadroomUsed(_port(network, q), None, groups.insurance[q], groups.most_of_port[q]) for q in groups.ports
            ]
        else:
            used = [
                HeadroomUsed(_port(network, group.port), group.klass, _headroom(network, group), group.most_headroom)
                for group in groups.groups.values()
            ]
        pooled = bool(groups.headroom_pool < NEVER)
        reserved = groups.headroom_pool if pooled else sum(each.reserved for each in used)
        name = plan.names[int(plan.port_to[groups.ports[0]])]
        found.append(of_switch(name, reserved, groups.most_headroom, pooled, used))
    return found or None


def _port(network: Network, port: int) -> str:
    plan = network.plan
    return f"{plan.names[int(plan.port_from[port])]}>{plan.names[int(plan.port_to[port])]}"


def _headroom(network: Network, group: Group) -> int:
    table = network.plan.lossless
    assert table is not None
    return int(table.group_headroom[group.port, group.klass] or table.insurance[group.port])


def _row(
    network: Network, port: int, klass: int | None, xoff: Xoff, headroom: int, group: Group | None
) -> PriorityGroup:
    plan = network.plan
    first = [begin for begin, _ in xoff.spans[:1]] + ([xoff.since] if xoff.since is not None else [])
    held = network.ports[port].pauses.spans(plan.duration).get(klass, [])
    node, neighbour = plan.names[int(plan.port_to[port])], plan.names[int(plan.port_from[port])]
    return PriorityGroup(
        switch=node,
        port=f"{neighbour}>{node}",
        traffic_class=klass,
        pause_frames=network.signals.stops.get((port, klass), 0),
        pause_time=covered(held, plan.warmup, plan.duration),
        xoff_time=_xoff(xoff, network),
        drops=0 if group is None else group.drops,
        shared_max=0 if group is None else group.most,
        headroom_max=0 if group is None else group.most_headroom,
        headroom=headroom,
        first_pause=first[0] / SECOND if first else None,
    )
