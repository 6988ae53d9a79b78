"""The cycle finder on leaf-spines with failed links: compared with a search that was written without looking at it.

Own headroom pauses single classes, so that a cycle is a way through ports on which flows of one class follow one
another back to where it began. Insurance may pause a port as a whole, so that there the classes do not matter.
"""

from __future__ import annotations

import random
from itertools import pairwise, takewhile
from typing import Any

import pytest

from footroom.base.errors import InvalidInput
from footroom.engines.packet import simulate
from footroom.engines.plan import Plan, build_plan
from footroom.engines.plan.cycles import shortest_cycle
from footroom.scenario import Scenario


def failed(seed: int) -> dict[str, Any]:
    """A leaf-spine with links down, and flows between any of its hosts in two lossless classes and a lossy one."""
    draw = random.Random(f"failed links {seed}")
    leaves, spines, rack = draw.randint(4, 6), draw.choice((2, 2, 3)), draw.randint(1, 2)
    # A leaf keeps one uplink at least, so that all can be reached, most of them by a way down and up again.
    down = [
        [f"spine{spine}", f"leaf{leaf}"]
        for leaf in range(leaves)
        for spine in draw.sample(range(spines), draw.choice((0, 1, spines - 1)))
    ]
    hosts = [f"l{leaf}h{h}" for leaf in range(leaves) for h in range(rack)]
    traffic = []
    for _ in range(draw.randint(8, 30)):
        source, destination = draw.sample(hosts, 2)
        traffic.append(
            {
                "kind": "long_lived",
                "flows": draw.choice((1, 4)),
                "sources": [source],
                "destinations": [destination],
                "start_jitter": 0,
                "priority": draw.choice((0, 0, 0, 1, 2)),
                "host": {"jitter": 0, "initial_window": 1000, "ack_priority": draw.choice((0, 2, 3))},
            }
        )
    return {
        "topology": {
            "kind": "leaf_spine",
            "leaves": leaves,
            "spines": spines,
            "hosts_per_leaf": rack,
            "host_rate": "10 Gb/s",
            "fabric_rate": "10 Gb/s",
            "links_down": down,
        },
        "switch": {
            "buffer": "1 MB",
            "queues": 4,
            "scheduling": {"kind": "drr"},
            "headroom": {
                "kind": draw.choice(("static_independent", "dynamic_shared")),
                "lossless": [0, 1],
                "alpha": 0.0625,
                "size": "9 kB",
            },
        },
        "traffic": traffic,
        "run": {"duration": "300 us", "warmup": 0, "mtu": "1500 B", "seed": seed},
    }


def locked_in_a_circle(after: dict[int, set[int]]) -> bool:
    """Depth first: whether a port can be reached from itself."""
    done: set[int] = set()
    open_: set[int] = set()

    def visit(port: int) -> bool:
        if port in open_:
            return True
        if port in done:
            return False
        open_.add(port)
        found = any(visit(onward) for onward in sorted(after.get(port, ())))
        open_.discard(port)
        done.add(port)
        return found

    return any(visit(port) for port in sorted(after))


def followed(plan: Plan) -> dict[int, dict[int, set[int]]]:
    """By lossless class: the ports that lead to a switch, and those its packets go on to, hop by hop of every flow."""
    switch_of = {int(plan.port_from[p]) for p in range(plan.ports) if plan.port_switch[p] >= 0}
    found: dict[int, dict[int, set[int]]] = {0: {}, 1: {}}
    for flow in range(plan.flows):
        for begin, klass in (
            (int(plan.flow_forward[flow]), int(plan.flow_priority[flow])),
            (int(plan.flow_reverse[flow]), int(plan.flow_ack_priority[flow])),
        ):
            way = list(takewhile(lambda port: port >= 0, plan.routes[begin:].tolist()))
            pausing = [port for port in way if int(plan.port_to[port]) in switch_of]
            for port, onward in pairwise(pausing) if klass in found else ():
                found[klass].setdefault(port, set()).add(onward)
    return found


def has_a_cycle(raw: dict[str, Any], plan: Plan) -> bool:
    by_class = followed(plan)
    if raw["switch"]["headroom"]["kind"] == "static_independent":
        return any(locked_in_a_circle(after) for after in by_class.values())
    together: dict[int, set[int]] = {}
    for after in by_class.values():
        for port, onward in after.items():
            together.setdefault(port, set()).update(onward)
    return locked_in_a_circle(together)


def plans(seeds: range) -> list[tuple[dict[str, Any], Plan]]:
    found = []
    for seed in seeds:
        raw = failed(seed)
        try:
            found.append((raw, build_plan(Scenario.parse(raw))))
        except InvalidInput:  # two leaves that no way joins
            continue
    return found


def test_the_finder_agrees_with_the_search() -> None:
    """Never accused without a cycle, always with one; what it names is a cycle of what flows follow."""
    made = plans(range(160))
    both = {True: 0, False: 0}
    for raw, plan in made:
        expected = has_a_cycle(raw, plan)
        both[expected] += 1
        assert bool(plan.dependencies) == expected, raw
        assert any("may deadlock" in note for note in plan.notes) == expected
        if expected:
            cycle = [port for port, _ in shortest_cycle(plan.dependencies)]
            onward = [after.get(p, set()) for p in cycle for after in followed(plan).values()]
            assert all(q in set().union(*onward) for q in cycle)
    assert both[True] > 10
    assert both[False] > 40


def test_no_links_down_no_cycle() -> None:
    for seed in range(20):
        raw = failed(seed)
        raw["topology"]["links_down"] = []
        assert not build_plan(Scenario.parse(raw)).dependencies


@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
def test_what_locks_in_a_run_was_foretold(kind: str) -> None:
    """Runs of fabrics without a cycle never end in a deadlock, however they pause."""
    paused = 0
    for seed in range(12):
        raw = failed(seed)
        raw["switch"]["headroom"] |= {"kind": kind}
        raw["switch"]["buffer"] = "400 kB"
        try:
            plan = build_plan(Scenario.parse(raw))
        except InvalidInput:
            continue
        found = simulate(plan)
        paused += found.metrics["pause_frames"] > 0
        assert found.deadlock is None or plan.dependencies
        assert found.metrics.get("deadlock", 0) == (found.deadlock is not None)
    assert paused > 4
