"""Persistent connections and shared hosts: both engines agree to the picosecond, and with arithmetic by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.reference.agreement import agree, compiled, plain

from footroom.engines import packet
from footroom.engines.plan import Plan, build_plan
from footroom.engines.reference import Network
from footroom.scenario import Scenario


def incast(
    degree: int = 6,
    hosts: int = 7,
    buffer: str = "60 kB",
    duration: str = "60 ms",
    seed: int = 1,
    congestion: str = "newreno",
    switch: dict[str, Any] | None = None,
    host: dict[str, Any] | None = None,
    **more: Any,
) -> Plan:
    stack = {"min_rto": "2 ms", "ack_every": 1, "initial_window": 4} | (host or {})
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "star", "hosts": hosts, "rate": "1 Gb/s", "rtt": "100 us"},
                "switch": {"buffer": buffer} | (switch or {}),
                "traffic": [
                    {
                        "kind": "incast",
                        "degree": degree,
                        "size": "40 kB",
                        "period": "10 ms",
                        "connections": "persistent",
                        "congestion": {"kind": congestion},
                        "host": stack,
                    }
                    | more
                ],
                "run": {"duration": duration, "warmup": 0, "seed": seed},
            }
        )
    )


@pytest.mark.parametrize(
    "host",
    [
        {},
        {"recovery": "newreno"},
        {"recovery": "sack", "ack_every": 2},
        {"tail_loss_probe": True, "quick_acks": 40},
        {"pacing": True, "burst": 2},
        {"idle_restart": "rfc5681"},
        {"idle_restart": "none", "ack_every": 2},
    ],
)
def test_engines_agree(host: dict[str, Any]) -> None:
    assert agree(incast(host=host))["fct_count"] > 20


@pytest.mark.parametrize(
    "host", [{}, {"tail_loss_probe": True, "autosize": True}, {"recovery": "sack", "ack_every": 2}]
)
def test_engines_agree_under_bbr(host: dict[str, Any]) -> None:
    assert agree(incast(congestion="bbr", host=host))["fct_count"] > 20


@pytest.mark.parametrize("congestion", ["newreno", "cubic", "dctcp"])
def test_engines_agree_on_marks(congestion: str) -> None:
    found = agree(incast(congestion=congestion, switch={"marking": {"kind": "step", "threshold": "15 kB"}}))
    assert found["marks"] > 100


def test_engines_agree_where_queries_overlap() -> None:
    """Answers wait for their connection, and jitter lets a later query begin first."""
    found = agree(incast(period="1 ms", jitter="1.5 ms", duration="20 ms", workers_per_host=2, degree=8))
    assert found["fct_count"] > 20


def test_engines_agree_on_a_fabric_at_random() -> None:
    plan = build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "leaf_spine", "leaves": 2, "spines": 2, "hosts_per_leaf": 3},
                "switch": {"buffer": "100 kB"},
                "traffic": [
                    {
                        "kind": "incast",
                        "degree": 4,
                        "size": "30 kB",
                        "load": 0.4,
                        "connections": "persistent",
                        "workers_per_host": 2,
                        "host": {"min_rto": "1 ms"},
                    }
                ],
                "run": {"duration": "3 ms", "warmup": 0},
            }
        )
    )
    first = {(int(plan.flow_source[i]), int(plan.flow_destination[i])) for i in np.flatnonzero(plan.flow_continues < 0)}
    assert 0 < len(first) < plan.flows
    carried = np.flatnonzero(plan.flow_continues >= 0)
    before = plan.flow_continues[carried]
    assert (plan.flow_start[before] <= plan.flow_start[carried]).all()
    for field in (plan.flow_source, plan.flow_destination, plan.flow_forward, plan.flow_reverse):
        assert (field[before] == field[carried]).all()
    agree(plan)


def test_first_windows_of_a_shared_host_arrive_one_after_another() -> None:
    """By hand: W workers of H hosts, a first window of one full packet each, links of 1 Gb/s and 25 us.

    A host sends its packets back to back, 12 us apart, so the k-th packets of all hosts reach the switch together at
    25 + 12 k us; the receiver's link takes H of them in 12 H us. The queue is therefore never longer than with one
    packet per host at a time: after k rounds k H packets have come and k have left.
    """
    us = 10**6
    for shared in (1, 2, 4):
        plan = incast(
            degree=8,
            hosts=9,
            buffer="1 MB",
            duration="2 ms",
            size=1448,
            workers_per_host=shared,
            host={"initial_window": 1, "jitter": 0},
        )
        hosts = 8 // shared
        port = int(plan.watched[0])
        arrivals = [
            time for time, what, where, _, ack, _ in plain(plan)[0] if (what, where, ack) == ("arrival", port, 0)
        ]
        assert arrivals[:8] == [(25 + 12 * (1 + k // hosts)) * us for k in range(8)]
        # The queue at the last arrivals, the packet being sent left out: all that came, less one each 12 us.
        simulation = packet.Simulation(plan)
        simulation.run_until((25 + 12 * shared) * us)
        assert int(simulation.tables.ports["bytes"][port]) == (8 - shared) * 1500


def _windows(plan: Plan, until_ms: float) -> list[tuple[float, float]]:
    """(cwnd, ssthresh) of all flows at a time, in both engines, which must be the same."""
    until = round(until_ms * 1e9)
    simulation = packet.Simulation(plan)
    simulation.run_until(until)
    network = Network(plan)
    network.run(until)
    theirs = [(float(f["cwnd"]), float(f["ssthresh"])) for f in simulation.tables.flows]
    begun = [i for i, (cwnd, _) in enumerate(theirs) if cwnd > 0.0]
    ours = [(network.flows[i].sender.law.cwnd, network.flows[i].sender.law.ssthresh) for i in begun]
    assert ours[-1] == theirs[begun[-1]]
    return [theirs[i] for i in begun]


@pytest.mark.parametrize(
    ("restart", "expected"),
    [
        # A lone worker sends 28 segments as 4, 8, 16. The window grows by one for every acknowledged segment while half
        # of it is in flight: to 16, then to 22 with 11 in flight. The timeout is a round trip of 0.14 ms or so and 2 ms
        # beside it, and some 9.4 ms of silence exceed it four times: 22, 11, 5.5 and then no less than the initial
        # window of 4.
        ("none", 22.0),
        ("rfc5681", 4.0),
        ("linux", 4.0),
    ],
)
def test_an_idle_connection_restarts_as_its_source_says(restart: str, expected: float) -> None:
    plan = incast(degree=1, buffer="1 MB", duration="30 ms", host={"idle_restart": restart, "jitter": 0})
    first, second = _windows(plan, 10.0)
    assert first[0] == 22.0
    assert second[0] == expected


def test_linux_halves_once_for_every_timeout_of_silence() -> None:
    plan = incast(
        degree=1, buffer="1 MB", duration="30 ms", host={"idle_restart": "linux", "jitter": 0, "min_rto": "4 ms"}
    )
    # About 9.4 ms of silence, a timeout of 4.1 to 4.2: two halvings.
    assert _windows(plan, 10.0)[1][0] == 5.5
    plan = incast(
        degree=1, buffer="1 MB", duration="30 ms", host={"idle_restart": "linux", "jitter": 0, "min_rto": "20 ms"}
    )
    assert _windows(plan, 10.0)[1][0] == 22.0


def test_a_kept_window_is_sent_at_once() -> None:
    """By hand: the second answer of a lone worker, 28 segments, takes a round trip and its transfer.

    A window of 22 lasts for 264 us, longer than a round trip of 137 us, so that the link is never idle. The last
    packet, shorter than the others, waits at the switch for the one before.
    """
    plan = incast(degree=1, buffer="1 MB", duration="30 ms", host={"idle_restart": "none", "jitter": 0})
    simulation = packet.Simulation(plan)
    simulation.run_until(plan.duration)
    flows = simulation.tables.flows
    took = (flows["end"] - flows["start"])[:3].tolist()
    last = 40_000 - 27 * 1448 + 52
    assert took[1] == took[2] == 100 * 10**6 + (28 * 1500 + last + 2 * 64) * 8000
    assert took[0] > took[1]


def test_traces_differ_only_from_the_second_query_on() -> None:
    kept, fresh = compiled(incast()), compiled(incast(connections="new"))
    begins = 10 * 10**9
    assert [line for line in kept if line[0] < begins] == [line for line in fresh if line[0] < begins]
    assert kept != fresh


@pytest.mark.parametrize("outstanding", [1, 4])
def test_engines_agree_under_bbr_where_the_application_pauses(outstanding: int) -> None:
    """A client that has no query to send marks the samples of its delivery rate."""
    found = agree(
        build_plan(
            Scenario.parse(
                {
                    "topology": {"kind": "star", "hosts": 4, "rate": "1 Gb/s", "rtt": "100 us"},
                    "switch": {"buffer": "60 kB"},
                    "traffic": [
                        {
                            "kind": "rpc",
                            "pairs": 6,
                            "size": "40 kB",
                            "outstanding": outstanding,
                            "congestion": {"kind": "bbr"},
                            "host": {"min_rto": "2 ms", "autosize": True},
                        }
                    ],
                    "run": {"duration": "20 ms", "warmup": 0},
                }
            )
        )
    )
    assert found["fct_count"] > 20
