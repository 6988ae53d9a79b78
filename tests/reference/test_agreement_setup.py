"""Connections set up packet by packet (``host.setup``): by hand, by arithmetic, and both engines packet by packet."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from tests.reference.agreement import agree

import footroom as fr
from footroom.engines import packet
from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.engines.reference import Network
from footroom.scenario import Scenario

LAWS = ({"kind": "newreno"}, {"kind": "cubic"}, {"kind": "bbr"}, {"kind": "bbr", "version": 3}, {"kind": "dctcp"})


def behind(burst: int, at: float, **host: Any) -> Plan:
    """12 Mb/s, 1 ms a packet, 50 ms, 20 packets of buffer: a burst fills it at 0.1 s, a transfer comes ``at``."""
    quiet = {"jitter": 0, "small_queue": None, "setup": "none"}
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "12 Mb/s", "access": "1.2 Gb/s", "rtt": "50 ms"},
                "switch": {"buffer": "20 packets"},
                "traffic": [
                    {
                        "kind": "arrivals",
                        "flows": [{"time": 0.1, "size": burst * 1448}],
                        "host": {**quiet, "initial_window": burst, "initial_rto": 60, "recovery": "sack"},
                    },
                    {
                        "kind": "arrivals",
                        "flows": [{"time": at, "size": 50 * 1448}],
                        "host": {**quiet, "setup": "packets", **host},
                    },
                ],
                "run": {"duration": 12.0, "warmup": 0.01},
            }
        )
    )


def begun(plan: Plan, flow: int = 1) -> tuple[float, int]:
    """When the data of ``flow`` began to leave [s], and how many requests it took: the same in both engines."""
    simulation, network = packet.Simulation(plan), Network(plan)
    simulation.run_until(plan.duration)
    network.run(plan.duration)
    row = simulation.tables.flows[flow]
    setup = network.flows[flow].setup
    assert setup is not None
    assert (row["start"], -row["setup"]) == (network.flows[flow].start_at, setup.tries)
    return float(row["start"]) / SECOND, setup.tries


def test_data_begin_a_round_trip_after_the_request() -> None:
    # 64 B take 43 us on the bottleneck, 0.4 us at each host; the answer meets the same.
    start, tries = begun(behind(10, 1.0))
    assert tries == 1
    assert start == pytest.approx(1.0 + 0.05 + 2 * (64 * 8 / 12e6 + 64 * 8 / 1.2e9), abs=3e-6)


def test_a_request_that_finds_the_queue_full_is_sent_again_after_a_second() -> None:
    # Of 60 packets one is sent, 20 wait and 39 are lost: full from 0.1 s on, when the host has sent 21, for 1 ms.
    start, tries = begun(behind(60, 0.1006))
    assert tries == 2
    assert start == pytest.approx(1.1006 + 0.05, abs=2e-4)


def test_the_answer_measures_the_queue_that_stood() -> None:
    # 15 packets wait before the request, 1 ms each: the timeout is three times that round trip, or 200 ms more.
    plan = behind(16, 0.1004, min_rto="1 ms")
    simulation = packet.Simulation(plan)
    simulation.run_until(round(0.18 * SECOND))
    row = simulation.tables.flows[1]
    assert row["start"] > 0
    trip = float(row["start"] - round(0.1004 * SECOND)) / SECOND
    assert trip == pytest.approx(0.05 + 0.0155, abs=0.001)
    assert row["rto"] == pytest.approx(3 * trip * SECOND, rel=1e-6)


@pytest.mark.parametrize("lost", [0, 1, 2, 3])
def test_waits_double_and_the_window_shrinks_after_two_losses(lost: int) -> None:
    """The switch has no room for as long as its memory is taken away: 1, 3 and 7 s after the first request."""
    plan = behind(1, 1.0)
    simulation = packet.Simulation(plan)
    ends = 1.0 + 2.0**lost - 1.0
    simulation.run_until(round(0.99 * SECOND))
    if lost:
        pool = simulation.tables.switches["pool"].copy()
        simulation.tables.switches["pool"] = 0
        # An idle port sends at once, so the port towards the receiver must not be idle.
        watched = plan.watched[0]
        simulation.tables.ports["busy_until"][watched] = round((ends - 0.1) * SECOND)
        simulation.run_until(round((ends - 0.1) * SECOND))
        simulation.tables.switches["pool"] = pool
    simulation.run_until(round((ends + 0.0501) * SECOND))
    row = simulation.tables.flows[1]
    assert -row["setup"] == lost + 1
    assert float(row["start"]) / SECOND == pytest.approx(ends + 0.05, abs=1e-3)
    assert row["cwnd"] == (10 if lost < 2 else 1)


def crowded(draw: random.Random) -> Plan:
    """Transfers that arrive faster than they can be served, over a few packets of buffer."""
    rate, trip, packets = draw.uniform(5e6, 60e6), draw.uniform(0.002, 0.08), draw.choice((4, 10, 40))
    size = draw.choice((20e3, 150e3))
    flows = [{"time": draw.uniform(0.0, 2.0), "size": size} for _ in range(int(2.5 * rate / 8 / size))]
    hosts = [
        {"profile": "linux"},
        {"profile": "linux", "jitter": "300 us"},
        {"setup": "packets", "jitter": 0},
        {"setup": "packets", "initial_rto": 1.0, "ack_every": 1},
    ]
    switch: dict[str, Any] = {"buffer": f"{packets} packets"}
    if draw.random() < 0.3:
        switch["marking"] = {"kind": "step", "threshold": f"{packets // 2} packets"}
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 10 * rate, "rtt": trip},
                "switch": switch,
                "traffic": [
                    {
                        "kind": "arrivals",
                        "flows": flows[part::2],
                        "congestion": draw.choice(LAWS),
                        "host": draw.choice(hosts),
                    }
                    for part in range(2)
                ],
                "run": {
                    "duration": 5.0,
                    "warmup": 0.5,
                    "seed": draw.randrange(1000),
                    "framing": draw.choice(("ip", "ethernet")),
                },
            }
        )
    )


@pytest.mark.parametrize("seed", range(8))
def test_engines_agree(seed: int) -> None:
    agree(crowded(random.Random(seed)))


def test_some_of_those_are_lost_and_begin_late() -> None:
    plans = [crowded(random.Random(seed)) for seed in range(4)]
    found = [packet.simulate(plan).metrics["setup_retries"] for plan in plans]
    assert sum(found) > 20


def test_results_of_both_engines_say_that_completion_times_leave_the_wait_out() -> None:
    plan = crowded(random.Random(0))
    for engine in ("packet", "reference"):
        found = fr.run(plan.scenario, engine=engine)
        (told,) = [note for note in found.notes if "leave this wait out" in note]
        assert told.startswith(f"{found.metrics['setup_retries']:.0f} set-up packets were lost")
    quiet = fr.run(behind(10, 1.0).scenario)
    assert not [note for note in quiet.notes if "leave this wait out" in note]


def test_transfers_begin_after_whole_waits() -> None:
    """Without queues in the way of what is not lost, delays are 0, 1, 3, 7 ... s; with them up to a queue longer."""
    plan = crowded(random.Random(0))
    simulation = packet.Simulation(plan)
    simulation.run_until(plan.duration)
    flows = simulation.tables.flows
    up = (flows["setup"] < 0) & (plan.flow_setup > 0)
    late = (flows["start"] - plan.flow_start - plan.flow_rtt)[up] / SECOND
    waits = 2.0 ** (-flows["setup"][up] - 1) - 1.0
    # A timer of Linux is late by up to a tick and the slot that it ends with, an eighth of its wait.
    ticks = 0.15 if any(stack.timer_tick for stack in plan.stacks) else 0.0
    queue = float(plan.settings[0].buffer) * 8 / plan.port_rate[plan.watched[0]]
    assert np.count_nonzero(waits) > 5
    assert np.all(late >= waits - 1e-3)  # jitter is up to 0.3 ms at each end
    assert np.all(late <= waits + waits * ticks + queue + 1e-3)


def test_only_transfers_over_new_tcp_connections_are_set_up() -> None:
    host = {"profile": "linux"}
    plan = build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "rtt": "10 ms"},
                "traffic": [
                    {"kind": "long_lived", "flows": 2, "host": host},
                    {"kind": "query", "workers": 4, "total": "100 kB", "host": host},
                    {"kind": "arrivals", "flows": [{"time": 0.1, "size": 1e4}], "host": {"setup": "packets"}},
                    {"kind": "arrivals", "flows": [{"time": 0.1, "size": 1e4}]},
                ],
                "switch": {"buffer": "100 kB"},
                "run": {"duration": 2.0, "warmup": 0.1},
            }
        )
    )
    assert plan.flow_setup[plan.flow_stack == 2].tolist() == [1]
    assert not plan.flow_setup[plan.flow_stack != 2].any()
