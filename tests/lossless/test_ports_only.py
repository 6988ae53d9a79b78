"""Insurance headroom alone, without pauses of single classes, stops classes that wait for nothing (DSH, §III)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.reference.agreement import agree

from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def shared_port(pauses: str, duration: str = "400 us") -> dict[str, Any]:
    """a sends class 0 to b, which c overloads as well, and class 1 to d, which nobody else sends to.

    All send at the rate of their link for ever: no packet is marked.
    """
    return {
        "topology": {
            "kind": "graph",
            "hosts": ["a", "b", "c", "d"],
            "switches": ["s"],
            "links": [{"ends": [name, "s"], "rate": "100 Gb/s", "delay": "1.5 us"} for name in "abcd"],
        },
        "switch": {
            "buffer": "2 MB",
            "queues": 3,
            "scheduling": {"kind": "drr"},
            "headroom": {"kind": "dynamic_shared", "alpha": 0.25, "pauses": pauses},
        },
        "traffic": [
            {
                "kind": "long_lived",
                "flows": 1,
                "start_jitter": 0,
                "sources": [source],
                "destinations": [target],
                "priority": klass,
                "congestion": {"kind": "dcqcn"},
                "host": {"jitter": 0},
            }
            for source, target, klass in (("a", "b", 0), ("c", "b", 0), ("a", "d", 1))
        ],
        "run": {"duration": duration, "warmup": 0, "mtu": "1500 B", "slowdown": False},
    }


def held(pauses: str, klass: int) -> float:
    """Time for which a class of a's port was held back, by its own pauses and by those of the port."""
    found = simulate(build_plan(Scenario.parse(shared_port(pauses))))
    assert found.metrics["lossless_drops"] == 0
    return sum(
        float(row["pause_time"])
        for row in found.priority_groups or ()
        if row["port"] == "a>s" and row["class"] in (klass, None)
    )


def test_pauses_of_classes_spare_the_class_that_waits_for_nothing() -> None:
    assert held("classes_and_ports", 0) > 1e-6
    assert held("classes_and_ports", 1) == 0
    assert held("ports", 1) > 1e-6


@pytest.mark.parametrize("pauses", ["classes_and_ports", "ports"])
def test_both_engines_agree(pauses: str) -> None:
    agree(build_plan(Scenario.parse(shared_port(pauses, "150 us"))))
