"""Open-loop flows over connections that stay open."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.traffic.drawing import document

import footroom as fr
from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

STAR = {"kind": "star", "hosts": 3, "rate": "1 Gb/s", "rtt": "50 us"}


def scenario(connections: int | None, **more: Any) -> dict[str, Any]:
    entry = {"kind": "poisson", "load": 0.6, "sizes": "30 kB", "connections": connections, **more}
    return document([entry], STAR, duration="40 ms")


def test_flows_of_two_hosts_take_turns_on_their_connections_and_wait_for_each_other() -> None:
    plan = build_plan(Scenario.parse(scenario(2)))
    pairs = list(zip(plan.flow_source.tolist(), plan.flow_destination.tolist(), strict=True))
    for pair in set(pairs):
        mine = [flow for flow, both in enumerate(pairs) if both == pair]
        assert plan.flow_continues[mine].tolist() == [-1, -1, *mine[:-2]]
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    end, before = simulation.tables.flows["end"], plan.flow_continues
    done = np.flatnonzero((end >= 0) & (before >= 0))
    assert len(done) > 50
    assert (end[done] > end[before[done]]).all()


def test_waiting_for_a_connection_counts_as_completion_time() -> None:
    few, many = (fr.run(scenario(n, congestion={"kind": "dcqcn"})).metrics for n in (1, None))
    assert few["fct_count"] > 100
    assert few["fct_p99"] > many["fct_p99"]


def test_both_packet_engines_agree() -> None:
    for law in ("newreno", "dcqcn"):
        raw = scenario(1, congestion={"kind": law})
        fast, plain = fr.run(raw).metrics, fr.run(raw, engine="reference").metrics
        for name in ("fct_count", "fct_unfinished", "retransmissions"):
            assert fast[name] == plain[name]
        assert abs(fast["fct_mean"] / plain["fct_mean"] - 1.0) < 1e-9
