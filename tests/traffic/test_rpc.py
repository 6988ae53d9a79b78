"""Closed loops: the cycle of one client by hand, chains of flows, and what has not started."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.traffic.drawing import document

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.engines.packet import Simulation
from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.kernel.tables import NEVER
from footroom.scenario import Scenario

STAR = {"kind": "star", "hosts": 9, "rate": "10 Gb/s", "rtt": "80 us"}


def rpc(**more: Any) -> dict[str, Any]:
    return {"kind": "rpc", "pairs": 1, "size": 1448, "pause": "1 ms", **more}


def plan_of(traffic: list[dict[str, Any]], topology: dict[str, Any] | None = STAR, **run: Any) -> Plan:
    return build_plan(Scenario.parse(document(traffic, topology, **run)))


@pytest.mark.parametrize("handshake", [0.0, 1.0, 1.5])
def test_the_cycle_of_one_client_is_that_of_arithmetic(handshake: float) -> None:
    entry = rpc(handshake=handshake, host={"jitter": 0, "ack_every": 1})
    result = fr.run(document([entry], STAR, duration="200 ms"))
    once = (handshake + 1.0) * 80e-6 + 2 * (1500 + 64) * 8.0 / 10e9
    metrics = result.metrics
    assert metrics["fct_mean"] == pytest.approx(once, abs=2e-9)
    assert metrics["fct_p99"] == pytest.approx(once, abs=2e-9)
    assert metrics["slowdown_p50"] == pytest.approx(1.0, abs=1e-6)
    assert abs(metrics["fct_count"] - 0.2 / (once + 1e-3)) <= 2.0
    assert metrics["fct_unfinished"] <= 1.0


@pytest.fixture(scope="module")
def busy() -> Simulation:
    """A hundred clients of one host: thousands of chained flows."""
    plan = plan_of([rpc(pairs=100, size="fb_keyvalue", pause="2 ms")], duration="100 ms")
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    simulation.check_conservation()
    return simulation


def test_a_request_follows_its_pause(busy: Simulation) -> None:
    plan, flows = busy.plan, busy.tables.flows
    done = np.flatnonzero((flows["end"] >= 0) & (plan.flow_next >= 0))
    assert len(done) > 3000
    after = plan.flow_next[done]
    assert (flows["start"][after] - flows["end"][done] == 2 * SECOND // 1000).all()
    assert len(np.unique(after)) == len(after)


def test_a_client_has_one_request_under_way(busy: Simulation) -> None:
    flows = busy.tables.flows
    started = flows["start"] <= busy.now
    assert (started & (flows["end"] < 0)).sum() <= 100
    assert (~started).sum() > 0


def test_a_chain_never_ends_before_the_run(busy: Simulation) -> None:
    last = busy.plan.flow_next < 0
    assert last.sum() == 100
    end = busy.tables.flows["end"][last]
    assert (end[end >= 0] + 2 * SECOND // 1000 > busy.plan.duration).all()


def test_chains_suffice_for_a_client_alone() -> None:
    plan = plan_of([rpc(size={"kind": "bounded_pareto", "minimum": 100, "maximum": 1e5}, pause=0)], duration="100 ms")
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    done = int((simulation.tables.flows["end"] >= 0).sum())
    assert 0.5 * plan.flows < done < plan.flows


def test_what_has_not_started_is_counted_nowhere() -> None:
    metrics = fr.run(document([rpc(pairs=8, pause="20 ms")], STAR, duration="100 ms")).metrics
    assert metrics["fct_unfinished"] <= 8.0
    assert 8 * 4 <= metrics["fct_count"] <= 8 * 6


def test_both_simulators_agree() -> None:
    raw = document(
        [{"kind": "long_lived", "flows": 2, "start_jitter": "1 ms"}, rpc(pairs=8, size="20 kB", pause="5 ms")],
        {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "5 ms"},
        duration="1 s",
    )
    raw["switch"]["buffer"] = "40 packets"
    packet, reference = fr.run(raw).metrics, fr.run(raw, engine="reference").metrics
    assert packet["fct_count"] > 20
    for name in ("fct_count", "fct_unfinished", "drop_rate", "timeouts", "retransmissions"):
        assert packet[name] == reference[name]
    assert packet["fct_mean"] == pytest.approx(reference["fct_mean"], rel=1e-12)


def test_first_requests_are_spread_over_a_pause_and_a_round_trip() -> None:
    plan = plan_of([rpc(pairs=500, start="10 ms")], duration="20 ms")
    first = plan.flow_start[plan.flow_start < NEVER] / SECOND
    assert len(first) == 500
    assert first.min() >= 0.01
    assert 1.0e-3 < first.max() - 0.01 <= 1.08e-3
    assert first.mean() - 0.01 == pytest.approx(0.54e-3, abs=4 * 1.08e-3 / np.sqrt(12 * 500))


def test_setting_up_takes_round_trips_of_its_own_path() -> None:
    plan = plan_of([rpc(pairs=5, handshake=2.5)], {"kind": "dumbbell", "rtt": "10 ms", "rtt_spread": 0.5})
    assert len(np.unique(plan.flow_rtt)) == 5
    assert (np.abs(plan.flow_lead - 2.5 * plan.flow_rtt) <= 1).all()


def test_clients_come_after_long_lived_pairs() -> None:
    plan = plan_of([{"kind": "long_lived", "flows": 3, "start_jitter": 0}, rpc(pairs=2)], {"kind": "dumbbell"})
    mine = plan.flow_stack == 1
    assert {plan.names[node] for node in plan.flow_source[mine]} == {"s3", "s4"}
    assert {plan.names[node] for node in plan.flow_destination[mine]} == {"r3", "r4"}


def test_more_requests_than_can_be_held_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at most 2000000") as refusal:
        plan_of([rpc(pairs=100_000, pause=0, handshake=0)], duration="1 s")
    assert refusal.value.problems[0].path == "traffic.0.pause"
