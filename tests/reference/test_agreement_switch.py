"""Both packet engines agree on classes, schedulers, line cards, marks, warm starts and flows in a chain."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.reference.agreement import agree, plain
from tests.reference.small import plan_of

from footroom.engines.packet import Simulation
from footroom.engines.plan import Plan, build_plan
from footroom.engines.reference import Network
from footroom.kernel.tables import NEVER
from footroom.scenario import Scenario

MS = 10**9


def host(draw: random.Random) -> dict[str, Any]:
    chosen: dict[str, Any] = {
        "recovery": draw.choice(["newreno", "sack", "prr"]),
        "ack_every": draw.choice([1, 2, 3]),
        "ack_delay": 0.004,
        "min_rto": draw.choice([0.01, 0.1]),
        "initial_window": draw.choice([2, 10]),
        "ecn": draw.random() < 0.75,
        "small_queue": draw.choice([None, 1e-3, 1e-5]),
    }
    if draw.random() < 0.25:
        chosen |= {"pacing": draw.random() < 0.5, "burst": draw.choice([1, 4])}
    if draw.random() < 0.2:
        chosen["rate_limit"] = draw.choice(["2 Mb/s", "12 Mb/s"])
    return chosen


def entry(draw: random.Random, queues: int) -> dict[str, Any]:
    chosen: dict[str, Any] = {
        "host": host(draw),
        "priority": draw.randrange(queues),
        "congestion": {"kind": draw.choice(["newreno", "dctcp"])},
    }
    if draw.random() < 0.35:
        return {"kind": "poisson", "load": draw.choice([0.1, 0.24]), "sizes": draw.choice(["3 kB", "60 kB"]), **chosen}
    if draw.random() < 0.15:
        return {"kind": "rpc", "pairs": draw.randint(1, 4), "size": "15 kB", "pause": draw.choice([0, 0.005]), **chosen}
    if draw.random() < 0.15:
        return {"kind": "incast", "degree": draw.randint(2, 8), "size": "10 kB", "period": 0.02, **chosen}
    if draw.random() < 0.4:
        chosen["window"] = draw.choice([2.5, 12.0])
    return {"kind": "long_lived", "flows": draw.randint(1, 4), "start_jitter": draw.choice([0, 0.02]), **chosen}


def marking(draw: random.Random) -> dict[str, Any]:
    return draw.choice(
        [
            {"kind": "none"},
            {"kind": "step", "threshold": draw.choice([0, 4500, 15_000])},
            {
                "kind": "red",
                "kmin": draw.choice([0, 3000]),
                "kmax": 20_000,
                "pmax": draw.choice([0.2, 1.0]),
                "weight": draw.choice([1.0, 0.5, 0.02]),
            },
        ]
    )


def switch(draw: random.Random) -> dict[str, Any]:
    queues = draw.randint(1, 4)
    chosen: dict[str, Any] = {"queues": queues, "marking": marking(draw), "buffer": draw.choice([6000, 20_000, 80_000])}
    if queues > 1:
        chosen["scheduling"] = {"kind": "strict_priority"}
        if draw.random() < 0.6:
            chosen["scheduling"] = {"kind": "drr", "quantum": draw.choice([100, 1600, 5000])}
            if draw.random() < 0.6:
                chosen["scheduling"]["weights"] = [draw.choice([0.3, 1, 2.5]) for _ in range(draw.randint(1, queues))]
            if draw.random() < 0.4:
                chosen["scheduling"]["strict_from"] = draw.randint(1, 7)
    if draw.random() < 0.5:
        chosen["architecture"] = {
            "kind": "voq",
            "cards": draw.randint(1, 4),
            "limit_packets": draw.choice([None, 3, 20]),
            "limit_bytes": draw.choice([None, 4000, 30_000]),
        }
    chosen["sharing"] = draw.choice(
        [
            {"kind": "complete"},
            {"kind": "static"},
            {"kind": "dynamic_threshold", "alpha": draw.choice([0.5, 8])},
            {"kind": draw.choice(["edt", "fab", "abm", "smartbuf"]), "alpha": draw.choice([0.5, 4])},
            {
                "kind": "dynamic_threshold",
                "alphas": [draw.choice([0.25, 1, 4]) for _ in range(draw.randint(1, queues))],
            },
        ]
    )
    chosen["reserved"] = draw.choice([0, 0, 40])
    return chosen


def topology(draw: random.Random) -> dict[str, Any]:
    if draw.random() < 0.5:
        return {"kind": "star", "hosts": draw.randint(3, 7), "rate": "20 Mb/s", "rtt": draw.choice([1e-4, 4e-3])}
    if draw.random() < 0.3:
        return {
            "kind": "leaf_spine",
            "leaves": 2,
            "spines": 2,
            "hosts_per_leaf": 2,
            "host_rate": "20 Mb/s",
            "fabric_rate": draw.choice(["10 Mb/s", "40 Mb/s"]),
            "link_delay": draw.choice([1e-5, 1e-3]),
        }
    return {
        "kind": "dumbbell",
        "pairs": 16,
        "bottleneck": "20 Mb/s",
        "rtt": draw.choice([5e-4, 0.01]),
        "access": draw.choice(["15 Mb/s", "20 Mb/s", "200 Mb/s"]),
        "rtt_spread": draw.choice([0, 0.3]),
    }


def scenario(number: int) -> Scenario:
    """A small scenario, different for every number: all that one can do, in combination."""
    draw = random.Random(number)
    chosen = switch(draw)
    raw: dict[str, Any] = {
        "topology": topology(draw),
        "switch": chosen,
        "traffic": [entry(draw, chosen["queues"]) for _ in range(draw.randint(2, 4))],
        "run": {"duration": 0.25, "warmup": 0.05, "seed": number},
    }
    if raw["topology"]["kind"] == "dumbbell" and draw.random() < 0.5:
        own = switch(draw)
        raw["switches"] = {
            "right": {part: own[part] for part in ("marking", "buffer", "sharing", "architecture") if part in own}
            | {"reserved": 0}
        }
    return Scenario.parse(raw)


@pytest.mark.parametrize("number", [*range(40), 2082])  # the last: a request within the run, its answer after it
def test_same_packets_same_picoseconds_same_metrics(number: int) -> None:
    agree(build_plan(scenario(number)))


@pytest.mark.parametrize("number", range(60, 72))
def test_with_marks_at_departure(number: int) -> None:
    raw = scenario(number).to_dict()
    raw["switches"] = {}
    raw["switch"]["marking"] = [
        {"kind": "step", "threshold": 1500, "sample": "departure"},
        {"kind": "red", "kmin": 0, "kmax": 8000, "pmax": 0.5, "weight": 0.5, "sample": "departure"},
    ][number % 2]
    agree(build_plan(Scenario.parse(raw)))


def chained(plan: Plan, draw: random.Random) -> Plan:
    """``plan`` with half of its flows started by the end of another instead of by themselves."""
    half = plan.flows // 2
    start, following = plan.flow_start.copy(), np.full(plan.flows, -1)
    start[half:] = NEVER
    following[draw.sample(range(half), half)] = range(half, 2 * half)
    return replace(
        plan,
        flow_start=start,
        flow_next=following,
        flow_gap=np.array([draw.choice([0, 1, 3 * MS]) for _ in start]),
        flow_lead=np.array([draw.choice([0, 0, 2 * MS]) for _ in start]),
    )


@pytest.mark.parametrize("number", range(20))
def test_flows_in_a_chain(number: int) -> None:
    draw = random.Random(number)
    chosen = switch(draw)
    raw = {
        "topology": topology(draw),
        "switch": chosen,
        "run": {"duration": 0.3, "warmup": 0.05, "seed": number},
        "traffic": [
            {
                "kind": "poisson",
                "load": 0.5,
                "sizes": "20 kB",
                "host": host(draw),
                "priority": draw.randrange(chosen["queues"]),
            }
        ],
    }
    metrics = agree(chained(build_plan(Scenario.parse(raw)), draw))
    assert metrics["fct_count"] > 0


def test_a_flow_that_follows_starts_once_though_others_start_after_it() -> None:
    # Flow 2 follows flow 0 after 5 ms and 3 ms of set-up, and is well under way when flow 1 starts by itself.
    plan = plan_of(flows=3, seconds=1.0)
    plan = replace(
        plan,
        flow_segments=np.array([10, 10, 10**6]),
        flow_start=np.array([0, 500 * MS, NEVER]),
        flow_next=np.array([2, -1, -1]),
        flow_gap=np.full(3, 5 * MS),
        flow_lead=np.array([0, 0, 3 * MS]),
    )
    simulation, network = Simulation(plan), Network(plan)
    simulation.run_until(500 * MS - 1)
    network.run(500 * MS - 1)
    flows = simulation.tables.flows
    ended = int(flows["end"][0])
    assert ended == network.flows[0].sender.end
    assert int(flows["start"][2]) == ended + 5 * MS == network.flows[2].start_at
    window = float(flows["cwnd"][2])
    assert window == network.flows[2].sender.law.cwnd > 50
    simulation.run_until(500 * MS)
    network.run(500 * MS)
    assert float(flows["cwnd"][2]) == network.flows[2].sender.law.cwnd == window
    assert min(time for time, _, _, flow, _, _ in plain(plan)[0] if flow == 2) == ended + 8 * MS
