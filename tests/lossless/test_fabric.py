"""Two racks under overload: no byte is lost or counted twice, and pauses keep lossless classes from dropping."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.lossless.small import fabric

from footroom.engines.plan import build_plan
from footroom.engines.reference import Network
from footroom.engines.reference.metrics import metrics_of
from footroom.scenario import Scenario

KINDS: dict[str, dict[str, Any]] = {
    "own headroom": {},
    "reserved": {"headroom": {"kind": "static_independent", "lossless": [0, 1], "reserved": "3 kB"}, "reserved": 1500},
    "pool": {"headroom": {"kind": "static_independent", "lossless": [0, 1], "oversubscription": 2}},
    "own pool": {"headroom": {"kind": "static_independent", "lossless": [0, 1], "lossless_share": 0.6}},
    "insurance": {"headroom": {"kind": "dynamic_shared", "lossless": [0, 1], "reserved": "3 kB"}},
    "insurance in cells": {
        "headroom": {"kind": "dynamic_shared", "lossless": [0, 1], "allowance": "4 kB"},
        "cell_size": 208,
    },
    "kept to the end": {"release": "end"},
    "insurance kept to the end": {"headroom": {"kind": "dynamic_shared", "lossless": [0, 1]}, "release": "end"},
    "refreshed": {"headroom": {"kind": "static_independent", "lossless": [0, 1], "quanta": 200}},
}


def measured(raw: dict[str, Any]) -> dict[str, float]:
    """Metrics of a run."""
    plan = build_plan(Scenario.parse(raw), engine="reference")
    network = Network(plan)
    network.run(plan.duration)
    return metrics_of(network)


def check(network: Network) -> None:
    """Counters of every group and memory are the bytes of the packets that are there."""
    held: Counter[tuple[int, int, int]] = Counter()
    lossy: Counter[int] = Counter()
    for port in network.ports:
        if port.output is None:
            continue
        switch, memory = int(network.plan.port_switch[port.number]), port.output.memories[0]
        packets = [packet for queue in port.output.queues[0] for packet in queue.waiting]
        if port.output._sending is not None:
            packets.append(port.output._sending[2])
        for packet in packets:
            if network.plan.lossless.classes[switch, packet.klass]:  # type: ignore[union-attr]
                held[switch, packet.ingress, packet.klass] += memory.taken(packet)
            else:
                lossy[switch] += memory.taken(packet)
    for switch, groups in enumerate(network.groups):
        assert groups is not None
        every = groups.groups.values()
        for group in every:
            bytes_ = group.reserved + group.shared + group.headroom
            assert bytes_ == held[switch, group.port, group.klass]
            assert 0 <= group.reserved <= group.reserve
            assert group.headroom <= group.limit
            assert group.reserved == group.reserve or group.shared == 0
        assert groups.headroom == sum(group.headroom for group in every) <= groups.headroom_pool
        own = sum(group.shared for group in every)
        queues = [
            queue
            for port in network.ports
            if port.output is not None and port.output.groups is groups
            for queue in port.output.queues[0]
        ]
        theirs = sum(queue.excess() for queue in queues if queue.klass not in groups.classes)
        assert groups.memory.shared == theirs + (own if groups.one_pool else 0) <= groups.memory.pool
        assert own <= groups.pool
        total = sum(group.reserved + group.shared + group.headroom for group in every) + lossy[switch]
        assert groups.memory.total == total <= groups.memory.buffer


@pytest.mark.parametrize("kind", KINDS)
def test_every_byte_is_counted_once(kind: str) -> None:
    plan = build_plan(Scenario.parse(fabric(**KINDS[kind])), engine="reference")
    network = Network(plan)
    for step in range(1, 21):
        network.run(step * plan.duration // 20)
        check(network)
    metrics = metrics_of(network)
    assert metrics["pause_frames"] > 10
    assert metrics["lossless_drops"] == 0
    assert network.sent == network.delivered + network.dropped + network.in_flight


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
def test_published_headroom_is_enough_and_less_is_not(kind: str, seed: int) -> None:
    """η covers what arrives after a pause was decided, however packets lie; without the cable it does not."""

    def drops(size: int | None) -> float:
        raw = fabric(seed, headroom={"kind": kind, "lossless": [0, 1], "size": size, "alpha": 0.5})
        return measured(raw)["lossless_drops"]

    assert drops(None) == 0
    assert drops(2 * 1500) > 0
