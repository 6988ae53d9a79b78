"""The log of pauses against the other engine, which keeps spans of its own and writes down every packet's way."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from tests.lossless.small import fabric

from footroom.engines.packet.recording import Recording
from footroom.engines.plan import Plan, build_plan
from footroom.engines.plan.propagation import Asked, Ended, Event, Stopped, events_of
from footroom.engines.reference.groups import InsuredGroups
from footroom.engines.reference.network import Network
from footroom.kernel.answers import WHOLE
from footroom.parts.headroom import DynamicShared
from footroom.scenario import Scenario

KINDS: list[dict[str, Any]] = [
    {"kind": "static_independent", "lossless": [0, 1]},
    {"kind": "dynamic_shared", "lossless": [0, 1]},
]


def logged(plan: Plan) -> list[Event]:
    recording = Recording(plan)
    recording.advance(plan.duration, ends=True)
    return events_of(recording.simulation.pause_lines())


def twin(plan: Plan) -> tuple[Network, list[Any]]:
    trace: list[Any] = []
    network = Network(plan, trace)
    while network.step(plan.duration):
        pass
    return network, trace


@pytest.mark.parametrize("headroom", KINDS, ids=lambda one: one["kind"])
@pytest.mark.parametrize("seed", [1, 2])
def test_pauses_and_what_waited_behind_them(headroom: dict[str, Any], seed: int) -> None:
    raw = fabric(seed, headroom=headroom)
    raw["run"] |= {"warmup": 0, "fabric": "10 us"}
    plan = build_plan(Scenario.parse(raw))
    events = logged(plan)
    network, trace = twin(plan)
    held = {((event.pause), event.since, event.at) for event in events if isinstance(event, Stopped)}
    spans = {
        ((port.number, WHOLE if klass is None else klass), begin, end)
        for port in network.ports
        for klass, each in port.pauses.spans(plan.duration + 1).items()
        for begin, end in each
        if end <= plan.duration
    }
    assert held == spans
    assert len(held) > 20
    asked = {(event.pause, event.at) for event in events if isinstance(event, Asked)}
    ended = {(event.pause, event.at) for event in events if isinstance(event, Ended)}
    xoffs = {
        (q, k): group.xoff for groups in network.groups if groups is not None for (q, k), group in groups.groups.items()
    }
    xoffs |= {
        (q, WHOLE): xoff
        for groups in network.groups
        if isinstance(groups, InsuredGroups)
        for q, xoff in groups.xoff.items()
    }
    assert asked == {
        (key, begin)
        for key, xoff in xoffs.items()
        for begin in [*(begin for begin, _ in xoff.spans), *([xoff.since] if xoff.on else [])]
    }
    assert ended == {(key, end) for key, xoff in xoffs.items() for _, end in xoff.spans}
    assert isinstance(plan.settings[0].headroom, DynamicShared) == any(which == WHOLE for _, which in xoffs)
    waits = waited(plan, trace)
    stalled = 0
    for event in events:
        if isinstance(event, Stopped):
            mine = {flow: since for flow, since in event.stalled.items() if since < event.at}
            assert mine == expected(plan, waits, event)
            stalled += len(mine)
    assert stalled > 20


def waited(plan: Plan, trace: list[Any]) -> dict[tuple[int, int], list[tuple[int, int, float]]]:
    """By port and class: flow, arrival and begin of transmission of every data packet that a port did not drop."""
    found: dict[tuple[int, int], list[tuple[int, int, float]]] = defaultdict(list)
    arrived: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for time, what, port, flow, ack, seq in trace:
        if ack:
            continue
        packet = (port, flow, seq)
        if what == "arrival":
            arrived[packet].append(time)
        elif what == "drop":
            arrived[packet].pop()
        elif what == "departure":
            last = seq == plan.flow_segments[flow] - 1
            size = int(plan.flow_last_size[flow]) if last else plan.stacks[int(plan.flow_stack[flow])].segment
            start = time - ((size * int(plan.picoseconds_per_byte[port])) >> 16)
            found[port, int(plan.flow_priority[flow])].append((flow, arrived[packet].pop(0), start))
    for (port, flow, _), times in arrived.items():
        found[port, int(plan.flow_priority[flow])] += [(flow, time, float("inf")) for time in times]
    return found


def expected(plan: Plan, waits: dict[tuple[int, int], list[tuple[int, int, float]]], event: Stopped) -> dict[int, int]:
    """Flow to since when one of its packets waited behind the pause, up to its end."""
    port, which = event.pause
    found: dict[int, int] = {}
    for klass in [0, 1] if which == WHOLE else [which]:
        for flow, arrival, start in waits[port, klass]:
            if arrival < event.at <= start:
                found[flow] = min(found.get(flow, event.at), max(event.since, arrival))
    return found
