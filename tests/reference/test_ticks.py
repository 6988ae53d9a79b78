"""Hosts whose clock ticks: when timers go off, by arithmetic and in both engines; and what a handshake meets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.reference.agreement import agree
from tests.reference.small import MS, plan_of
from tests.reference.test_agreement_connections import incast

from footroom.engines.packet import Simulation
from footroom.engines.plan import Plan
from footroom.engines.reference import Network
from footroom.engines.reference.ticks import Ticks


@pytest.mark.parametrize(
    ("tick", "ahead", "begun", "wait", "expected"),
    [
        (0, 7, 7, 5, 12),  # no ticks
        (10, 0, 0, 30, 40),  # three ticks, and the one under way
        (10, 0, 9, 30, 40),  # so that it waits 31 at least
        (10, 0, 10, 30, 50),
        (10, 0, 9, 31, 50),
        (4_000, 0, 10_800, 23_200, 36_000),  # 250 Hz: 23.2 ms set at 10.8 ms
        (10, 1 << 15, 0, 30, 35),  # ticks at 5, 15, 25 and 35
        (10, 1 << 15, 4, 30, 35),
        (10, 1 << 15, 5, 30, 45),
        (10, 3 << 15, 5, 30, 45),  # whole ticks before time 0 change nothing for near timers
        (10, 0, 0, 620, 630),  # the last that has a slot of its own
        (10, 0, 0, 630, 640),  # 63 ticks ahead: slots of eight ticks
        (10, 0, 0, 640, 720),
        (10, 0, 9, 711, 800),
        (10, 1 << 16, 0, 630, 710),  # one tick has passed before time 0: slots end at 70, 150, ...
        (10, 0, 0, 5_040, 5_120),  # 504 ticks: slots of 64
        (10, 0, 0, 5_120, 5_760),
    ],
)
def test_a_wait_is_rounded_up_to_ticks_and_never_short(
    tick: int, ahead: int, begun: int, wait: int, expected: int
) -> None:
    assert Ticks.of(tick, ahead).rings(begun, wait) == expected >= begun + wait


@pytest.mark.parametrize("tick", ["300 us", "4 ms"])
@pytest.mark.parametrize(
    "host", [{"initial_window": 10}, {"recovery": "newreno"}, {"tail_loss_probe": True, "probe_margin": 0}]
)
def test_engines_agree(host: dict[str, Any], tick: str) -> None:
    metrics = agree(incast(connections="new", buffer="9 kB", host={**host, "timer_tick": tick}))
    assert metrics["timeouts"] + metrics.get("tail_loss_probes", 0) > 0


def probes_after_lost_windows(plan: Plan) -> dict[int, list[int]]:
    """When each flow sent the segments of a first window of which nothing arrived, and its probe [ps]."""
    trace: list[tuple[int, str, int, int, int, int]] = []
    network = Network(plan, trace)
    network.run(45 * MS)
    arrived = {flow for _, what, _, flow, sort, _ in trace if what == "delivery" and sort == 0}
    sent: dict[int, list[int]] = {}
    for time, what, port, flow, sort, _ in trace:
        if what == "arrival" and port > 1 and sort == 0 and flow not in arrived:
            sent.setdefault(flow, []).append(time)
    return sent


def forty_windows() -> Plan:
    """Forty first windows of ten segments at once from as many hosts, and 15 kB of memory: of many nothing arrives."""
    return plan_of(40, flows=40, buffer="15 kB", recovery="prr", tail_loss_probe=True, timer_tick="4 ms")


def test_probes_of_connections_of_one_host_leave_with_one_tick() -> None:
    plan = forty_windows()
    sent = probes_after_lost_windows(replace(plan, flow_clock=np.zeros(plan.flows, dtype=np.int64)))
    assert len(sent) > 10
    # Two round trips of 16 ms and 2 ms are nine ticks, and one more.
    assert {(len(times), times[-1]) for times in sent.values()} == {(11, 40 * MS)}


def test_probes_of_separate_hosts_leave_with_ticks_of_their_own() -> None:
    plan = forty_windows()
    sent = probes_after_lost_windows(plan)
    assert len(sent) > 10
    for flow, times in sent.items():
        assert len(times) == 11
        assert 34 * MS < times[-1] < 44 * MS
        assert (times[-1] + (4 * MS * (int(plan.flow_clock[flow]) % 65536) >> 16)) % (4 * MS) == 0
    last = [times[-1] for times in sent.values()]
    assert len(set(last)) == len(last)
    assert max(last) - min(last) > 2 * MS


def test_flows_of_one_host_share_its_clock() -> None:
    plan = incast(degree=12, hosts=4, connections="new")
    clocks = {int(host): set(plan.flow_clock[plan.flow_source == host].tolist()) for host in plan.flow_source}
    assert len(clocks) > 2
    assert all(len(found) == 1 for found in clocks.values())
    assert len(set.union(*clocks.values())) == len(clocks)
    other = incast(degree=12, hosts=4, connections="new", seed=2)
    assert set(other.flow_clock.tolist()).isdisjoint(plan.flow_clock.tolist())


@pytest.mark.parametrize(("tick", "idle"), [("4 ms", True), ("0 s", False)])
def test_between_clocks_that_tick_a_handshake_meets_no_first_windows(tick: str, idle: bool) -> None:
    """Five senders share a host's link. Without ticks the queue of the first windows counts, as it stands."""
    plan = incast(degree=5, hosts=2, connections="new", buffer="1 MB", host={"timer_tick": tick})
    network, simulation = Network(plan), Simulation(plan)
    network.run(MS)
    simulation.run_until(MS)
    found = [flow.sender.handshake for flow in network.flows][:5]
    assert found == simulation.tables.flows["handshake"][:5].tolist()
    assert (len(set(found)) == 1) == idle
