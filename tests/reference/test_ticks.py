"""Hosts whose clock ticks: when timers go off, by arithmetic and in both engines; and what a handshake meets."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from tests.reference.agreement import agree
from tests.reference.small import MS, plan_of
from tests.reference.test_agreement_connections import incast

from footroom.engines.packet import Simulation
from footroom.engines.reference import Network
from footroom.engines.reference.ticks import rings


@pytest.mark.parametrize(
    ("tick", "begun", "wait", "expected"),
    [
        (0, 7, 5, 12),  # no ticks
        (10, 0, 30, 40),  # three ticks, and the one under way
        (10, 9, 30, 40),  # so that it waits 31 at least
        (10, 10, 30, 50),
        (10, 9, 31, 50),
        (4_000, 10_800, 23_200, 36_000),  # 250 Hz: 23.2 ms set at 10.8 ms
    ],
)
def test_a_wait_is_rounded_up_to_ticks_and_never_short(tick: int, begun: int, wait: int, expected: int) -> None:
    stack: Any = SimpleNamespace(timer_tick=tick)
    assert rings(stack, begun, wait) == expected >= begun + wait


@pytest.mark.parametrize("tick", ["300 us", "4 ms"])
@pytest.mark.parametrize(
    "host", [{"initial_window": 10}, {"recovery": "newreno"}, {"tail_loss_probe": True, "probe_margin": 0}]
)
def test_engines_agree(host: dict[str, Any], tick: str) -> None:
    metrics = agree(incast(connections="new", buffer="9 kB", host={**host, "timer_tick": tick}))
    assert metrics["timeouts"] + metrics.get("tail_loss_probes", 0) > 0


def test_probes_of_all_senders_leave_with_one_tick() -> None:
    """Forty first windows of ten segments at once, and 15 kB of memory: of many of them nothing arrives."""
    trace: list[tuple[int, str, int, int, int, int]] = []
    plan = plan_of(40, flows=40, buffer="15 kB", recovery="prr", tail_loss_probe=True, timer_tick="4 ms")
    network = Network(plan, trace)
    network.run(45 * MS)
    arrived = {flow for _, what, _, flow, sort, _ in trace if what == "delivery" and sort == 0}
    sent: dict[int, list[int]] = {}
    for time, what, port, flow, sort, _ in trace:
        if what == "arrival" and port > 1 and sort == 0 and flow not in arrived:
            sent.setdefault(flow, []).append(time)
    assert len(sent) > 10
    # Two round trips of 16 ms and 2 ms are nine ticks, and one more.
    assert {(len(times), times[-1]) for times in sent.values()} == {(11, 40 * MS)}


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
