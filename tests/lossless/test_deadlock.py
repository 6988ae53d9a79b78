"""Deadlocks: foretold where routes and classes close a cycle, named port by port where pauses have locked."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.lossless.generator import random_fabric
from tests.lossless.small import fabric

from footroom.base.errors import InvalidInput
from footroom.engines.packet import Environment, simulate
from footroom.engines.plan import Plan, build_plan
from footroom.engines.plan.cycles import shortest_cycle
from footroom.scenario import Scenario
from footroom.studies.engines import engine_named

RING = 5


def ring(kind: str = "static_independent", flows: int = 1, **run: Any) -> dict[str, Any]:
    """Five switches in a ring with a host each, which sends to the host two switches further on."""
    hosts = [f"h{i}" for i in range(RING)]
    links = [{"ends": [f"s{i}", f"s{(i + 1) % RING}"], "rate": "10 Gb/s"} for i in range(RING)]
    links += [{"ends": [f"h{i}", f"s{i}"], "rate": "10 Gb/s"} for i in range(RING)]
    return {
        "topology": {"kind": "graph", "hosts": hosts, "switches": [f"s{i}" for i in range(RING)], "links": links},
        "switch": {
            "buffer": "200 kB",
            "queues": 2,
            "scheduling": {"kind": "drr"},
            "headroom": {"kind": kind, "alpha": 0.5, "size": "20 kB"},
        },
        "traffic": [
            {
                "kind": "long_lived",
                "flows": flows,
                "sources": [hosts[i]],
                "start_jitter": "1 us",
                "destinations": [hosts[(i + 2) % RING]],
                "host": {"initial_window": 1000, "min_rto": "50 ms", "jitter": 0},
            }
            for i in range(RING)
        ],
        "run": {"duration": "2 ms", "warmup": 0, "mtu": "1500 B", **run},
    }


def plan_of(raw: dict[str, Any]) -> Plan:
    return build_plan(Scenario.parse(raw))


def closes_a_cycle(plan: Plan) -> bool:
    """By following every route and looking for a way back, the way one would on paper."""
    assert plan.lossless is not None
    edges: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    for starts, classes in ((plan.flow_forward, plan.flow_priority), (plan.flow_reverse, plan.flow_ack_priority)):
        for start, klass in zip(starts.tolist(), classes.tolist(), strict=True):
            length = int(np.argmax(plan.routes[start:] < 0))
            between = plan.routes[
                start : start + length - 1
            ].tolist()  # the last one leads to a host, which pauses none
            edges |= {
                ((a, klass), (b, klass))
                for a, b in pairwise(between)
                if all(plan.lossless.classes[plan.port_switch[p ^ 1], klass] for p in (a, b))
            }
    reach = {a: {b for c, b in edges if c == a} for a, _ in edges}
    for _ in range(len(reach)):
        for others in reach.values():
            others |= {c for b in others for c in reach.get(b, ())}
    return any(a in others for a, others in reach.items())


@pytest.mark.parametrize("seed", range(12))
def test_cycles_of_random_meshes_are_those_found_by_hand(seed: int) -> None:
    draw = random.Random(seed)
    count = draw.randint(4, 7)
    switches, hosts = [f"s{i}" for i in range(count)], [f"h{i}" for i in range(count)]
    pairs = {(i, (i + 1) % count) for i in range(count)} | {
        (a, b) for a in range(count) for b in range(a + 2, count) if draw.random() < 0.2
    }
    raw = ring()
    raw["topology"] = {
        "kind": "graph",
        "hosts": hosts,
        "switches": switches,
        "links": [{"ends": [f"s{a}", f"s{b}"], "rate": "10 Gb/s"} for a, b in sorted({(min(p), max(p)) for p in pairs})]
        + [{"ends": [h, s], "rate": "10 Gb/s"} for h, s in zip(hosts, switches, strict=True)],
    }
    raw["switch"] |= {"queues": 3, "buffer": "1 MB"}
    raw["traffic"] = [
        {
            "kind": "long_lived",
            "flows": 1,
            "sources": [a],
            "destinations": [b],
            "start_jitter": 0,
            "priority": draw.choice([0, 0, 1]),
        }
        for a, b in (draw.sample(hosts, 2) for _ in range(draw.randint(2, 14)))
    ]
    plan = plan_of(raw)
    assert bool(plan.dependencies) == closes_a_cycle(plan)
    assert any("may deadlock" in note for note in plan.notes) == bool(plan.dependencies)
    cycle = shortest_cycle(plan.dependencies)
    assert all(b in plan.dependencies[a] for a, b in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True))


def test_random_meshes_are_of_both_kinds() -> None:
    assert plan_of(ring()).dependencies
    raw = ring()
    del raw["traffic"][2]  # one way round is open
    assert not plan_of(raw).dependencies


def test_fabrics_whose_packets_go_up_and_down_once_are_never_accused() -> None:
    for seed in range(60):
        raw = random_fabric(seed)
        raw["switch"]["headroom"].pop("oversubscription", None)
        assert not plan_of(raw).dependencies


@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
def test_a_ring_locks_and_says_so(kind: str) -> None:
    plan = plan_of(ring(kind, 4))
    (foretold,) = [note for note in plan.notes if "may deadlock" in note]
    assert all(f"s{i}>s{(i + 1) % RING} (class 0)" in foretold for i in range(RING))
    found = simulate(plan)
    assert found.metrics["deadlock"] == 1
    assert found.metrics["lossless_drops"] == 0
    lock = found.deadlock
    assert lock is not None
    ports = [stop["port"] for stop in lock["cycle"]]
    at = ports.index("s0>s1")
    assert ports[at:] + ports[:at] == [f"s{i}>s{(i + 1) % RING}" for i in range(RING)]
    assert all(stop["switch"] == stop["port"][-2:] and stop["stuck"] > 0 for stop in lock["cycle"])
    assert lock["time"] == max(stop["since"] for stop in lock["cycle"]) <= lock["found"] < 2e-3
    assert any(note.startswith("Deadlock at") and "s0>s1" in note and "run ends there" in note for note in found.notes)


@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
def test_it_lasts_for_ever(kind: str) -> None:
    """A run that is driven on past the finding: the pauses it names have still not ended, and nothing passes them."""
    env = Environment(Scenario.parse(ring(kind, 4, duration="20 ms")))
    env.run(2e-3)
    lock = env.result().deadlock
    assert lock is not None
    delivered = int(env.simulation.tables.state["delivered"][0])
    env.run()
    assert env.result().deadlock == lock
    assert int(env.simulation.tables.state["delivered"][0]) == delivered
    groups = {(row["port"], row["class"]): row for row in env.result().priority_groups or ()}
    for stop in lock["cycle"]:
        assert groups[stop["port"], stop["class"]]["xoff_time"] >= 20e-3 - stop["since"] - 1e-9


@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
def test_both_engines_find_the_same_deadlock(kind: str) -> None:
    raw = ring(kind, 4)
    packet, reference = (engine_named(name).evaluate(Scenario.parse(raw), 1) for name in ("packet", "reference"))
    assert packet.deadlock == reference.deadlock
    assert packet.deadlock is not None


def test_a_cycle_that_does_not_fill_is_not_called_a_deadlock() -> None:
    raw = ring()
    for entry in raw["traffic"]:
        entry["host"]["rate_limit"] = "1 Gb/s"
    found = simulate(plan_of(raw))
    assert found.metrics["deadlock"] == 0
    assert found.deadlock is None


def test_pauses_without_a_cycle_are_not_called_a_deadlock() -> None:
    found = simulate(plan_of(fabric()))
    assert found.metrics["pause_frames"] > 10
    assert "deadlock" not in found.metrics


def test_replicas_give_the_share_that_locks() -> None:
    import footroom as fr

    found = fr.run(Scenario.parse(ring(flows=4, replicas=3)), engine="packet")
    assert found.metrics["deadlock"] == 1
    assert found.deadlock is not None


DOWN = [["spine0", "leaf3"], ["spine1", "leaf0"]]


def broken(**topology: Any) -> dict[str, Any]:
    """Four racks under two spines; packets from leaf0 to leaf3 go down to a rack between and up again."""
    raw = fabric()
    raw["topology"] |= {"leaves": 4, "hosts_per_leaf": 4, **topology}
    racks = [[f"l{rack}h{i}" for i in range(4)] for rack in range(4)]
    raw["traffic"] = [
        {"kind": "long_lived", "flows": 4, "start_jitter": 0, "sources": racks[a], "destinations": racks[b]}
        for a, b in ((0, 3), (3, 0), (1, 2), (2, 1))
    ]
    raw["switch"]["buffer"] = "600 kB"
    return raw


def test_failed_links_close_a_cycle_over_both_spines() -> None:
    assert not plan_of(broken()).dependencies
    plan = plan_of(broken(links_down=DOWN))
    ports = {
        f"{plan.names[plan.port_from[p]]}>{plan.names[plan.port_to[p]]}" for p, _ in shortest_cycle(plan.dependencies)
    }
    one = {"spine0>leaf1", "leaf1>spine1", "spine1>leaf2", "leaf2>spine0"}
    assert ports in (one, {"spine0>leaf2", "leaf2>spine1", "spine1>leaf1", "leaf1>spine0"})
    assert (
        plan.ports
        == plan_of(broken()).ports - 4
        == Scenario.parse(broken(links_down=DOWN)).topology.shape(4, False).ports
    )


@pytest.mark.parametrize(
    ("down", "words"),
    [
        ([["spine0", "leaf9"]], "not a leaf and a spine of this fabric"),
        ([["leaf0", "leaf1"]], "not a leaf and a spine"),
        ([["spine0", "leaf0"], ["leaf0", "spine0"]], "named twice"),
        ([["spine0", "leaf0"], ["spine1", "leaf0"]], "no link leads from leaf0 to"),
    ],
)
def test_failures_that_cannot_be(down: list[list[str]], words: str) -> None:
    with pytest.raises(InvalidInput, match=rf"topology.links_down.*{words}"):
        Scenario.parse(broken(links_down=down))
